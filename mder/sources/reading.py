"""One file to Documents, whatever its format."""

import stat
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path

from mder.errors import SourceError
from mder.records import Document
from mder.sources.characters import clean, one_line
from mder.sources.encoding import decode, find
from mder.sources.files import shown
from mder.sources.formats import UNREAD, Format, format_of
from mder.sources.html import declared_charset, read_html
from mder.sources.jsonl import read_rows, sources_of_rows
from mder.sources.markdown import read_markdown
from mder.sources.page import Page, document
from mder.sources.text import read_text

_LARGEST = 256 << 20
_HEAD = 1 << 16
_INDEX_PAGES = frozenset({"index", "readme"})


def read(path: Path, key: str) -> Iterator[Document | SourceError]:
    """Yield the Documents of one file, and a SourceError for whatever of it cannot be read.

    Never raises for what a file holds or lacks. A file of no known format is read as plain text.

    :param key: identity of the file; the ``source`` of its Document, or the beginning of those
        of its rows.
    """
    try:
        for found in _read(path, key):
            yield _named(path, found) if isinstance(found, SourceError) else found
    except SourceError as error:
        yield _named(path, error)
    except OSError as error:
        failed = SourceError(error.strerror or str(error))
        failed.__cause__ = error
        yield _named(path, failed)


def sources_of(path: Path, key: str) -> tuple[str, ...]:
    """Return the source of the Document of each row of a JSONL file, in the order of the rows.

    Rows that say the same have the same source; a row that cannot be read has ``""``.

    :param key: identity of the file, as for :func:`read`.
    :raises SourceError: when the file is of another format.
    """
    if format_of(path) is not Format.JSON_LINES:
        raise SourceError(f"{shown(path)}: not JSON Lines, so that it has no rows to count")
    return tuple(sources_of_rows(_lines(path), key, _name(path)))


def _read(path: Path, key: str) -> Iterator[Document | SourceError]:
    kind = path.suffix.lower()
    if kind in UNREAD:
        raise SourceError(f"{UNREAD[kind]} is not read by this version")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise SourceError("a folder that cannot be opened" if path.is_dir() else "not a file")
    if status.st_size == 0:
        raise SourceError("empty: no text in it")
    if format_of(path) is Format.JSON_LINES:
        yield from read_rows(_lines(path), key, _name(path))
    elif status.st_size > _LARGEST:
        raise SourceError(f"larger than {_LARGEST >> 20} MB; split it")
    else:
        yield document(key, _page(path.read_bytes(), format_of(path)), _name(path))


def _lines(path: Path) -> Iterator[str]:
    """Read rows one at a time, for such files may be larger than memory."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(0)
        # The head ends anywhere; up to its last line it is whole characters.
        encoding = find(head[: head.rfind(b"\n") + 1] or head)
        if encoding.lower().startswith(("utf-16", "utf-32", "utf_16", "utf_32")):
            lines: Iterable[str] = TextIOWrapper(file, encoding, errors="replace", newline="\n")
        else:
            lines = (_line(line, encoding) for line in file)
        yield from lines


def _line(line: bytes, encoding: str) -> str:
    """Decode a row by itself, for what a file begins with need not be what it goes on with."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        guess = find(line)
        return line.decode(encoding if guess.startswith("utf") else guess, errors="replace")


def _page(data: bytes, format_: Format) -> Page:
    if format_ is Format.HTML:
        return read_html(decode(data, declared_charset(data)))
    text = clean(decode(data))
    return read_markdown(text) if format_ is Format.MARKDOWN else read_text(text)


def _name(path: Path) -> str:
    """Return the title that the name of a file makes: ``event-hooks.md`` is "event hooks"."""
    stem = path.stem
    if stem.lower() in _INDEX_PAGES:
        stem = path.absolute().parent.name or stem
    words = stem.replace("_", " ")
    # In "Jean-Paul Sartre" the hyphen is part of a name; in a slug it stands for a space.
    return one_line(words.replace("-", " ") if words.islower() else words) or stem


def _named(path: Path, error: SourceError) -> SourceError:
    named = SourceError(f"{shown(path)}: {one_line(str(error))}")
    named.__cause__ = error.__cause__ or error
    return named
