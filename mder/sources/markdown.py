"""Markdown: front matter, headings and the prose, made for reading and parsing.

Document.text is not the source but its words. Headings, paragraphs and items of lists stand each
on their own; emphasis, links and inline code are reduced to their words; a row of a table becomes
``Header: value; Header: value.``. Left out are code blocks, comments, images, targets of links,
references of footnotes, and what only a site builder understands: ``{ #anchor }``, includes,
template tags. Of admonitions (``!!! note``, ``/// tip``) and tabs the marker goes and the words
stay. Broken front matter is dropped, less the ``key: value`` lines that can be saved.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from mder.sources.markup import read_fragment
from mder.sources.page import Block, Page, join_lines, row_sentence

_FRONT = re.compile(r"\s*---[ ]*\n(.*?\n)?(?:---|\.\.\.)[ ]*(?:\n|\Z)", re.DOTALL)
_PAIR = re.compile(r"^(\w[\w -]*):[ ]+(\S.*)$", re.MULTILINE)

# Each is taken out of the source before it is parsed, so that nothing of it reads as prose.
_DIRECTIVES = re.compile(
    r"""
      ^[ ]*/{3,}[ ]*[\w-]*[ ]*\|?[ ]*        # /// note | Title … ///
    | ^[ ]*\{[*!].*[*!]\}[ ]*$               # {* include *}, {! include !}
    | ^[ ]*-+8<-+.*$                         # --8<-- "include"
    | ^:::.*$                                # ::: generated.reference
    | ^\[TOC\][ ]*$
    | \{%[^%\n]*%\}                          # template tags
    | [ ]?\{:?[ ]*[#.][^{}\n]*\}             # { #anchor .class }
    """,
    re.VERBOSE | re.MULTILINE,
)
_DEEP_HEADING = re.compile(r"^#{7,}(?=\s)", re.MULTILINE)
_TAB = re.compile(r'^([ ]*)={3}[+!]?(?=[ ]+")', re.MULTILINE)
# What no rule of CommonMark resolves: other dialects' links, footnotes, alerts and check boxes.
_LEFTOVERS = (
    (re.compile(r"!\[\[[^\[\]\n]*\]\]"), ""),
    (re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]"), r"\1"),
    (re.compile(r"\[([^\[\]\n]+)\]\[[^\[\]\n]*\]"), r"\1"),
    (re.compile(r"\[\^[^\[\]\n]+\]|^\[![A-Za-z]+\]\s*|^\[[ xX]\]\s+"), ""),
)
_BREAK = re.compile(r"<br\b", re.IGNORECASE)


def read_markdown(text: str) -> Page:
    """Read Markdown, already cleaned."""
    metadata, body = _front_matter(text)
    body = _TAB.sub(r"\1!!! tab", _DEEP_HEADING.sub("######", _DIRECTIVES.sub("", body)))
    blocks = tuple(_blocks(_parser().parse(body)))
    title = next((value for key, value in metadata if key.lower() == "title"), "")
    return Page(blocks, title or title_of(blocks), metadata)


def title_of(blocks: Sequence[Block]) -> str:
    """Return the first heading of level 1, or one of another level that stands over everything."""
    for block in blocks:
        if block.level == 1:
            return block.text
    levels = [block.level for block in blocks if block.level]
    if levels and blocks[0].level and min([*levels[1:], 7]) > levels[0]:
        return blocks[0].text
    return ""


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return parser.use(admon_plugin).use(deflist_plugin).use(footnote_plugin)


def _front_matter(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Split the front matter from the text; what only looks like it stays text."""
    found = _FRONT.match(text)
    if not found:
        return (), text
    block = found[1] or ""
    try:
        # BaseLoader keeps every value as it is written: no dates, no booleans, no objects.
        values = yaml.BaseLoader(block).get_single_data()
    except (yaml.YAMLError, RecursionError):
        values = {key: value.strip("'\" ") for key, value in _PAIR.findall(block)} or None
    if not isinstance(values, dict):
        return (), text if block.strip() else text[found.end() :]
    return tuple(_pairs(values)), text[found.end() :]


def _pairs(values: dict[object, object]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(key, str) and isinstance(item, str) and item.strip():
                yield key, item.strip()


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    stream = iter(tokens)
    level, wanted = 0, True
    for token in stream:
        if token.type == "table_open":
            yield from _rows(stream)
        elif token.type == "html_block":
            yield from read_fragment(token.content)
        elif token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type in ("admonition_open", "admonition_title_close"):
            # A title in quotes is the author's; one without is the parser's own word ("Note").
            wanted = token.nesting < 0 or '"' in token.info
        elif token.type == "inline" and wanted:
            yield Block(_words(token), level)
            level = 0


def _rows(stream: Iterator[Token]) -> Iterator[Block]:
    """Take a table from the stream."""
    rows: list[list[str]] = []
    for token in stream:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_words(token))
        elif token.type == "table_close":
            break
    yield from (Block(row_sentence(rows[0], row)) for row in rows[1:])


def _words(token: Token) -> str:
    """Reduce inline markup to its words; only hard breaks end a line."""
    lines = [""]
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            lines[-1] += child.content
        elif child.type == "softbreak":
            lines[-1] += "\n"
        elif child.type == "hardbreak" or _BREAK.match(child.content):
            lines.append("")
    text = "\n".join(join_lines(line) for line in lines).strip()
    for pattern, kept in _LEFTOVERS:
        text = pattern.sub(kept, text)
    return text
