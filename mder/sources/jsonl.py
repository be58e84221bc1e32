"""JSON Lines: one object a line with ``text`` and, normally, ``title``; one Document a row.

A row is known by what it says, not by where it stands: ``key#hash``. The same row twice is one
Document. Other fields of plain values are kept as metadata.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mder.errors import SourceError
from mder.records import Document
from mder.sources.characters import clean
from mder.sources.page import Page, document
from mder.sources.text import read_paragraphs

_NAMED = 20
_ROW = re.compile(r"#[0-9a-f]{16}$")


def read_rows(lines: Iterable[str], key: str, name: str) -> Iterator[Document | SourceError]:
    """Yield the Documents of the good rows, and why each bad one is not read.

    :param name: the title of a row that has none.
    """
    seen: set[str] = set()
    bad = 0
    for number, line in enumerate(lines, 1):
        if not _is_row(line):
            continue
        try:
            row = _read_row(line, key, name)
        except SourceError as error:
            bad += 1
            if bad <= _NAMED:
                yield SourceError(f"line {number}: {error}")
            continue
        if row.source not in seen:
            seen.add(row.source)
            yield row
    if bad > _NAMED:
        yield SourceError(f"{bad - _NAMED} more lines that cannot be read")
    if not bad and not seen:
        yield SourceError("empty: no rows in it")


def sources_of_rows(lines: Iterable[str], key: str, name: str) -> Iterator[str]:
    """Yield the source of each row's Document, of repeated rows again; ``""`` for a bad row."""
    for line in lines:
        if _is_row(line):
            try:
                yield _read_row(line, key, name).source
            except SourceError:
                yield ""


def file_of(source: str) -> str:
    """Return the file that a row's Document is from; any other source as it is.

    >>> file_of("docs/rows.jsonl#0123456789abcdef"), file_of("C#.md")
    ('docs/rows.jsonl', 'C#.md')
    """
    return _ROW.sub("", source)


def _is_row(line: str) -> bool:
    return bool(line.strip("\ufeff \t\r\n"))


def _read_row(line: str, key: str, name: str) -> Document:
    try:
        row = json.loads(line.strip("\ufeff \t\r\n"))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON: {error}") from error
    if not isinstance(row, dict):
        raise SourceError(f"a JSON {type(row).__name__}, where an object with 'text' is needed")
    text = row.get("text")
    if not isinstance(text, str):
        raise SourceError('no \'text\' of type string; write {"title": …, "text": …}')
    title = row.get("title")
    metadata = tuple(
        (clean(field), clean(str(value)))
        for field, value in row.items()
        if field not in ("title", "text") and isinstance(value, str | int | float)
    )
    page = Page(read_paragraphs(clean(text)), str(title or ""), metadata)
    found = document("", page, name)
    return replace(found, source=f"{key}#{found.digest[:16]}")
