"""HTML: the main text of a page, found by trafilatura; all of the body where it finds nothing.

Headings become Sections, items and cells paragraphs, rows of data tables lines of prose. Scripts,
navigation, code blocks and marks such as ``[1]`` or ``[edit]`` are left out. A page that is one
preformatted text is read as plain text. Nothing is fetched from anywhere.
"""

import logging
import re
from typing import TYPE_CHECKING

from mder.sources.characters import clean, one_line
from mder.sources.markup import blocks_of, parse
from mder.sources.page import Page
from mder.sources.text import read_text

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_NOISE = (
    "//sup[contains(@class, 'reference')] | //*[contains(@class, 'mw-editsection')]"
    " | //a[contains(@class, 'headerlink')]"
)
_LITTLE = 500


def declared_charset(data: bytes) -> str:
    """Return the encoding that a page names in its first kilobytes, or ``""``."""
    found = _CHARSET.search(data[:4096])
    return found[1].decode("ascii", errors="replace") if found else ""


def read_html(text: str) -> Page:
    """Read a page."""
    tree = parse(text)
    if tree is None:
        return Page(())
    title = _title(tree)
    for mark in tree.xpath(_NOISE):
        mark.drop_tree()
    preformatted = "\n\n".join(pre.text_content() for pre in tree.iter("pre"))
    blocks = tuple(blocks_of(_main(tree)))
    if sum(len(block.text) for block in blocks) < min(_LITTLE, len(preformatted) / 4):
        blocks = read_text(clean(preformatted)).blocks
    return Page(blocks or tuple(blocks_of(tree.find("body"))), title)


def _main(tree: "HtmlElement") -> "HtmlElement | None":
    import trafilatura

    for name in ("trafilatura", "htmldate", "justext"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        found = trafilatura.bare_extraction(tree, include_comments=False, with_metadata=False)
    except (LookupError, AttributeError, TypeError, ValueError, RecursionError):
        # It trips over rare markup; the caller then takes the whole body.
        return None
    return None if found is None or isinstance(found, dict) else found.body


def _title(tree: "HtmlElement") -> str:
    """Return the title; without the name of the site where a heading says where that begins."""
    headings = [one_line(heading.text_content()) for heading in tree.iter("h1")]
    shared = [one_line(value) for value in tree.xpath("//meta[@property='og:title']/@content")]
    stated = [one_line(title.text_content()) for title in tree.xpath("//head/title")]
    candidates = [title for title in (*stated, *shared, *headings) if title]
    if not candidates:
        return ""
    shorter = [title for title in (*shared, *headings) if title and candidates[0].startswith(title)]
    return max(shorter, key=len, default=candidates[0])
