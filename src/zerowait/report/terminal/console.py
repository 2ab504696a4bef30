"""Standard output for people, where names are text."""

from typing import Any

from rich.console import Console
from rich.text import Text

from zerowait.report.text import readable

NO_TERMINAL = 160  # columns of text where nobody says how wide it is


class Terminal(Console):
    """Whatever is printed is text: no markup in it, and no control characters but our own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(readable(text, lines=True), **options)


def terminal() -> Terminal:
    """Standard output; lines of text are of a fixed width where it is not a terminal."""
    console = Terminal()
    return console if console.is_terminal else Terminal(width=NO_TERMINAL)
