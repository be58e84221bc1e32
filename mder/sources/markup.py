"""Elements of HTML to blocks: headings, paragraphs, and the rows of data tables.

Reads HTML as it is parsed, and the like of it that trafilatura makes of the main text of a page.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mder.sources.characters import clean, one_line
from mder.sources.page import Block, row_sentence
from mder.sources.text import read_paragraphs

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_DECLARATION = re.compile(r"\s*<\?xml[^>]*>")
_HIDDEN = frozenset(
    (
        *("script", "style", "template", "noscript", "svg", "math", "iframe", "object"),
        *("select", "button", "textarea", "input", "img", "graphic", "title"),
    )
)
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
        *("font", "hi", "i", "ins", "kbd", "label", "mark", "q", "ref", "s", "samp", "small"),
        *("span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
_LINE_BREAKS = frozenset(("br", "lb"))
_FLOWING = _HIDDEN | _INLINE | _LINE_BREAKS
_SPACES = re.compile(r"\s+")
_CELLS = ("td", "th", "cell")
_CELL = 300
_LAYOUT = ("h1", "h2", "h3", "h4", "h5", "h6", "head", "p", "ul", "ol", "list", "pre")
_HEADING = re.compile(r"h[1-6]")


def parse(text: str) -> "HtmlElement | None":
    """Return the root of a page, or of a piece of one; None where there is no element."""
    from lxml.etree import LxmlError
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return document_fromstring(_DECLARATION.sub("", text, count=1), parser=parser)
    except (LxmlError, ValueError):
        # A ValueError is what lxml makes of declarations that it does not like.
        return None


def blocks_of(root: "HtmlElement | None") -> Iterator[Block]:
    """Walk HTML, or the like of it that trafilatura makes, without recursion."""
    from lxml.etree import iterwalk

    if root is None:
        return
    words: list[str] = []
    walk = iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if element.tag not in _FLOWING or _is_code_block(element):
            yield from _flush(words, _level(element) if event == "end" else 0)
        if event == "end":
            words.append(_run(element.tail) if element is not root else "")
            continue
        whole = _whole(element)
        if whole is None:
            words.append("\n" if element.tag in _LINE_BREAKS else _run(element.text))
        else:
            yield from whole
            walk.skip_subtree()
    yield from _flush(words)


def read_fragment(markup: str) -> tuple[Block, ...]:
    """Read a piece of HTML that stands in another format."""
    tree = parse(markup)
    return tuple(blocks_of(tree.find("body"))) if tree is not None else ()


def _whole(element: "HtmlElement") -> tuple[Block, ...] | None:
    """Return what becomes of an element that is not walked through, or None for the others."""
    if element.tag in _HIDDEN or element.tag == "pre" or _is_code_block(element):
        return ()
    if element.tag == "table" and _is_data(element):
        return tuple(map(Block, _table_lines(element)))
    return None


def _flush(words: list[str], level: int = 0) -> Iterator[Block]:
    text = "".join(words)
    words.clear()
    if level:
        yield Block(one_line(text), level)
    else:
        yield from read_paragraphs(text)


def _run(text: str | None) -> str:
    """Return a run of text in which only marked breaks will be line ends."""
    return _SPACES.sub(" ", clean(text or ""))


def _level(element: "HtmlElement") -> int:
    """Return the level of a heading of either vocabulary, or 0."""
    name = element.get("rend", "") if element.tag == "head" else element.tag
    return int(name[1]) if _HEADING.fullmatch(name) else 0


def _is_code_block(element: "HtmlElement") -> bool:
    """Say whether this is code of more than one line."""
    several = "\n" in (element.text or "").strip() or element.find("lb") is not None
    return element.tag == "code" and several


def _is_data(table: "HtmlElement") -> bool:
    """Tell a table of values from one that lays out a page."""
    if next(table.iterdescendants("table", *_LAYOUT), None) is not None:
        return False
    return sum(map(len, table.itertext())) <= _CELL * sum(1 for _ in table.iter(*_CELLS))


def _table_lines(table: "HtmlElement") -> Iterator[str]:
    """Yield the caption and a line of prose a row: under the header, or a name and its value."""
    yield from ("".join(caption.itertext()) for caption in table.iter("caption"))
    header: list[str] = []
    for row in table.iter("tr", "row"):
        cells = list(row.iterchildren(*_CELLS))
        texts = [one_line(" ".join(cell.itertext())) for cell in cells]
        if len(cells) > 1 and all(c.tag == "th" or c.get("role") == "head" for c in cells):
            header = texts
        elif not header and len(texts) == 2:
            yield row_sentence(texts[:1], texts[1:])
        else:
            yield row_sentence(header, texts)
