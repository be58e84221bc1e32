"""What every reader hands over, and how it becomes a Document.

A reader gives blocks: headings and paragraphs, already free of markup. Document.text is those
blocks, each on its own, with one empty line between two; spans and Section offsets index into it.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mder.errors import SourceError
from mder.records import Document, Section
from mder.sources.characters import clean, one_line

_BLANKS = re.compile(r" *\n *|  +")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f"
_BETWEEN_CJK = re.compile(f"(?<=[{_CJK}])\n(?=[{_CJK}])")
_HYPHENATED = re.compile(r"(?<=[^\W\d_]-)\n(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a heading where ``level`` is 1 (the top) to 6."""

    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What a reader found in one source; ``title`` is ``""`` where it states none."""

    blocks: tuple[Block, ...]
    title: str = ""
    metadata: tuple[tuple[str, str], ...] = ()


def document(source: str, page: Page, name: str) -> Document:
    """Make the Document; ``name`` is its title where the page states none.

    :raises SourceError: when no text is left.
    """
    text, sections = _assemble(page.blocks)
    if not text:
        raise SourceError("empty: no text in it")
    title = one_line(page.title) or one_line(name) or "untitled"
    digest = digest_of(title, text)
    return Document(source, title, text, digest, sections=sections, metadata=page.metadata)


def digest_of(title: str, text: str) -> str:
    """Return the SHA-256 (hex) of what a Document says."""
    return hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()


def join_lines(text: str) -> str:
    """Undo the line breaks inside a paragraph.

    A break becomes a space, except between Chinese or Japanese characters and after a hyphen.
    """
    return _HYPHENATED.sub("", _BETWEEN_CJK.sub("", text)).replace("\n", " ")


def row_sentence(header: Sequence[str], cells: Sequence[str]) -> str:
    """Turn a row of a table into a line of prose.

    >>> row_sentence(["Name", "Born"], ["Ada", "1815"])
    'Name: Ada; Born: 1815.'
    """
    names = [*header, *[""] * (len(cells) - len(header))]
    parts = [
        f"{name.rstrip(':')}: {cell}" if name and name != cell else cell
        for name, cell in zip(names, cells, strict=False)
        if cell
    ]
    line = "; ".join(parts)
    return line if not line or line.endswith((".", "!", "?", "。")) else f"{line}."


def _assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    parts: list[str] = []
    sections: list[Section] = []
    start = 0
    for block in blocks:
        text = one_line(block.text) if block.level else _tidy(block.text)
        if not text:
            continue
        if block.level:
            sections.append(Section(start, block.level, text))
        parts.append(text)
        start += len(text) + 2
    return "\n\n".join(parts), tuple(sections)


def _tidy(text: str) -> str:
    return _BLANKS.sub(lambda m: "\n" if "\n" in m[0] else " ", clean(text)).strip()
