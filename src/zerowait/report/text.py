"""Names of classes, users and policies are text wherever they are shown."""

import html


def readable(text: str, lines: bool = False) -> str:
    """Control characters as what they are called, `\\x1b`, and not whatever a terminal does with
    them; the ends of `lines` may be left.
    """
    if text.isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or (lines and one == "\n")
        else one.encode("unicode_escape").decode("ascii")
        for one in text
    )


def escaped(text: str) -> str:
    """The same for a page: nothing in it is a tag."""
    return html.escape(readable(text, lines=True))
