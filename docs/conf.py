"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from zerowait import __version__

project = "zerowait"
author = "the zerowait developers"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "register_tables"]
exclude_patterns = ["_build", "decisions/README.md"]
source_suffix = {".md": "markdown"}
nitpicky = True
# The site is built without a network, so that only our own names can be looked up; what lies deeper
# than `zerowait.name` is no promise to users, and need not have an entry.
nitpick_ignore_regex = [(r"py:.*", r"(?!zerowait\b).*|zerowait\.\w+\..*")]

myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
autodoc_inherit_docstrings = False  # what every law has is said once, at Law
smartquotes = False  # quotes in commands must stay as they are typed
default_role = "literal"  # docstrings write `code` as Markdown does

html_theme = "furo"
html_title = f"zerowait {release}"
html_static_path: list[str] = []
html_copy_source = False
html_show_sourcelink = False
