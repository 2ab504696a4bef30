"""Who shows results: the package says so when it is imported, and results ask."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_known: "list[Callable[[], ModuleType]]" = []


def show_with(screens: "Callable[[], ModuleType]") -> None:
    """Let a module show results, which has `html_of` and `figure_of`; imported when it is asked."""
    _known.append(screens)


def screens() -> "ModuleType":
    """Return the module that shows results."""
    return _known[-1]()
