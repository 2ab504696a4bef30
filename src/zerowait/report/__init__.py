"""What people look at: one document per kind of result, drawn on any screen.

Terminals, pages, notebooks and figures draw documents, and know no kind of result.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def show(thing: object, wide: bool = False) -> None:
    """Print a result or a document on standard output, with all columns if `wide`."""
    from zerowait.report.documents import document_of
    from zerowait.report.terminal import show_document, terminal

    show_document(terminal(), document_of(thing), wide)


def page(thing: object, command: str = "", name: str = "") -> str:
    """Return a result or a document as a page of HTML, one file that needs no network.

    `command` is what makes it again, `name` what its workload or log is called. A table of polars
    is drawn as a sweep is.
    """
    from zerowait.report.documents import document_of
    from zerowait.report.html.page import page_of

    return str(page_of(document_of(thing, command, name)))


def html_of(thing: object) -> str:
    """Return a result or a document as compact tables for a notebook, without scripts."""
    from zerowait.report.documents import document_of
    from zerowait.report.html.page import fragment_of

    return fragment_of(document_of(thing))


def figure_of(thing: object) -> "Figure":
    """Return a result or a document as a figure of Matplotlib that belongs to no window."""
    from zerowait.report.documents import document_of
    from zerowait.report.figures.canvas import style
    from zerowait.report.figures.drawing import draw_document

    with style():
        return draw_document(document_of(thing))
