"""What a page must keep: tags closed in order, nothing fetched from anywhere, and one frame."""

from html.parser import HTMLParser

VOID = {"meta", "br", "use", "path", "image", "stop"}
# Of the frame: phones, dark screens, paper, and what it takes to make the page again.
FRAME = (
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "@media screen and (prefers-color-scheme: dark)",
    "@media print",
    "<h2>How to get these numbers again</h2>",
    "This page is one file and needs no network.",
)


class Tags(HTMLParser):
    """Checks that tags are closed in order, and collects what would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.count: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            if (
                name in ("src", "href", "xlink:href")
                and value
                and not value.startswith(("#", "data:"))
            ):
                self.fetched.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()


def check_fragment(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert tags.fetched == []
    return tags


def check(page: str) -> Tags:
    for part in FRAME:
        assert part in page
    return check_fragment(page)
