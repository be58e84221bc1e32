"""Plain text: paragraphs and what looks like headings.

A paragraph ends at an empty line. Lines that were wrapped to a width are joined again; lines that
were not (lists, verse, one paragraph a line) are paragraphs of their own. Rulers and lines of a
table of contents are dropped, and so are ``#`` marks before a heading and bullets before an item.

The title is the first line where it is short, ends no sentence and stands apart; else there is
none, and the file's name serves.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from mder.sources.page import Block, Page, join_lines

_MARKED = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*")
_RULER = re.compile(r"([=\-~^*_#+.])\s*(?:\1\s*){2,}|.*\.{5,}\s*\d+")
_BULLET = re.compile(r"\s*[-*+•‣\u2013]\s+(?=\S)")
_NUMBER = re.compile(r"\s*\(?\d{1,3}[.)]\s+(?=\S)")
_ENDS_SENTENCE = re.compile(r"[.,;:!?…。\uff01\uff1f\uff1b\uff1a\uff0c、]['\"”\u2019»)\]」]*$")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|chapitre|kapitel|teil|capitolo|cap[ií]tulo)\b|第.{1,5}[章回节卷部]", re.I
)
_HEADING = 80
_NARROWEST, _WIDEST = 50, 120
_LONGEST_WORD = 12


def read_text(text: str) -> Page:
    """Read plain text, already cleaned."""
    groups = list(_groups(text))
    blocks: list[Block] = []
    for lines, following in zip(groups, [*groups[1:], []], strict=False):
        level = _level(lines, following, first=not blocks)
        if level:
            blocks.append(Block(_MARKED.sub(r"\2", lines[0]), level))
        else:
            blocks += _paragraphs(lines)
    named = bool(blocks) and blocks[0].level == 1 and not _CHAPTER.match(blocks[0].text)
    title = blocks[0].text if named else ""
    return Page(tuple(blocks), title)


def read_paragraphs(text: str) -> tuple[Block, ...]:
    """Read a piece of text that has its title and headings elsewhere."""
    return tuple(block for lines in _groups(text) for block in _paragraphs(lines))


def _groups(text: str) -> Iterator[list[str]]:
    """Yield the lines between empty ones; a marked heading stands alone, rulers are left out."""
    lines: list[str] = []
    for line in text.split("\n"):
        marked = len(line) <= _HEADING * 2 and _MARKED.fullmatch(line)
        blank = not line.strip() or (len(line) <= _WIDEST and _RULER.fullmatch(line.strip()))
        if (blank or marked) and lines:
            yield lines
            lines = []
        if marked:
            yield [line]
        elif not blank:
            lines.append(line.rstrip())
    if lines:
        yield lines


def _level(lines: list[str], following: list[str], *, first: bool) -> int:
    """Return the level of a line that stands apart, or 0 for a paragraph."""
    marked = _MARKED.fullmatch(lines[0]) if len(lines[0]) <= _HEADING * 2 else None
    if marked:
        return len(marked[1])
    if not following or not _is_label(lines) or (not first and _is_label(following)):
        return 0
    return 1 if first else 2


def _is_label(lines: list[str]) -> bool:
    """Say whether this is one short line of words that ends no sentence."""
    line = lines[0].strip()
    short = len(lines) == 1 and len(line) <= _HEADING
    return short and line[0].isalnum() and not _ENDS_SENTENCE.search(line)


def _paragraphs(lines: list[str]) -> Iterator[Block]:
    """Take lines apart into items, and join what was wrapped; numbers of items stay."""
    item: list[str] = []
    numbered = _NUMBER.match(lines[0])
    wrapped = numbered or _BULLET.match(lines[0]) or _is_wrapped(lines)
    for line in lines:
        bullet = _BULLET.match(line)
        begins = bullet or not wrapped or (numbered and _NUMBER.match(line))
        if item and begins:
            yield Block(join_lines("\n".join(item)))
            item = []
        item.append(line[bullet.end() :] if bullet else line.strip())
    yield Block(join_lines("\n".join(item)))


def _is_wrapped(lines: list[str]) -> bool:
    """Say whether the lines were broken by a width and not by their author."""
    width = max(map(len, lines))
    if len(lines) < 2 or width > _WIDEST:
        return False
    continued = sum(line.lstrip()[0].islower() for line in lines[1:])
    if continued * 2 >= len(lines) - 1:
        return True
    # In wrapped lines the next word would not have fitted; lists and verse have room left.
    room = max(width, _NARROWEST) - 2
    full = sum(
        len(line) + 1 + min(_LONGEST_WORD, len(following.split(None, 1)[0])) > room
        for line, following in pairwise(lines)
    )
    return full >= (len(lines) - 1) * 0.75
