"""Names of classes, users and policies are text wherever they are shown."""

import html


def readable(text: str, lines: bool = False) -> str:
    """Write control characters by their names, `\\x1b`; the ends of `lines` may be left."""
    if text.isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or (lines and one == "\n")
        else one.encode("unicode_escape").decode("ascii")
        for one in text
    )


def escaped(text: str) -> str:
    """Make a text safe for a page: nothing in it is a tag."""
    return html.escape(readable(text, lines=True))
