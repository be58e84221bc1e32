"""Questions with what is expected of their answers, from JSONL or CSV."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from mder.errors import SourceError, UsageError
from mder.sources.encoding import decode

NULL = "null_query"
_BETWEEN = "|"
_LISTS = frozenset({"answers", "supporting_titles", "supporting_idx"})
_JSONL = 'write {"question": "…", "answers": ["…"], "supporting_titles": ["…"]}'
_CSV = "write a first line such as question,answer,supporting_titles and one question a line"


@dataclass(frozen=True, slots=True)
class Example:
    """A question and what is expected.

    :param place: the file and line that it stands in, for messages.
    :param answers: any of them is right; None where nothing is said of answers, so that the
        question is asked and counted without being marked.
    :param titles: of the Documents that an answer rests on.
    :param rows: the same as numbers of rows, from 0, over all corpora; they come before titles.
    """

    place: str
    id: str
    question: str
    type: str = ""
    answers: tuple[str, ...] | None = None
    titles: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()

    @property
    def unanswerable(self) -> bool:
        """Say whether the right thing is to decline."""
        return self.type == NULL or (self.answers == () and not self.titles and not self.rows)

    @property
    def expected(self) -> tuple[str, ...]:
        """The right answers; none where there is no right one or none is known."""
        return () if self.unanswerable else self.answers or ()


class _Row(Struct):
    question: str
    answers: list[str] | None = None
    answer: str | None = None
    supporting_titles: list[str] | None = None
    supporting_idx: list[Annotated[int, Meta(ge=0)]] | None = None
    type: str | None = None
    id: str | int | None = None


def read_examples(data: bytes, name: str, limit: int | None = None) -> list[Example]:
    """Return the questions of a file.

    :param name: of the file: one that ends in ``.csv`` is CSV; one that ends in ``.jsonl`` or
        begins with a brace is JSON Lines.
    :param limit: the most that are read, from the first on.
    :raises UsageError: for the first row that cannot be, with its line and what mends it.
    """
    try:
        text = decode(data)
    except SourceError as error:
        raise UsageError(f"{name}: {error}; give questions as JSONL or CSV") from error
    lowered = name.lower()
    is_json = lowered.endswith((".jsonl", ".ndjson")) or text.lstrip().startswith("{")
    rows = _csv_rows if lowered.endswith(".csv") or not is_json else _json_rows
    found = [
        _example(f"{name}, line {line}", number, row)
        for number, (line, row) in enumerate(islice(rows(text, name), limit))
    ]
    if not found:
        raise UsageError(f"{name}: there is no question in it; {_JSONL}")
    return found


def _example(place: str, number: int, row: _Row) -> Example:
    question = " ".join(row.question.split())
    if not question:
        raise UsageError(f"{place}: the question is empty; write one, or take out the line")
    answers = row.answers if row.answers is not None or row.answer is None else [row.answer]
    return Example(
        place,
        str(number) if row.id in {None, ""} else str(row.id),
        question,
        row.type or "",
        None if answers is None else tuple(a for a in answers if a.strip()),
        tuple(dict.fromkeys(row.supporting_titles or ())),
        tuple(dict.fromkeys(row.supporting_idx or ())),
    )


def _json_rows(text: str, name: str) -> Iterator[tuple[int, _Row]]:
    # Not splitlines: a JSON string may hold other separators of lines.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line, type=_Row)
            except msgspec.MsgspecError as error:
                raise UsageError(f"{name}, line {number}: {error}; {_JSONL}") from error


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, _Row]]:
    rows = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        columns = rows.fieldnames or ()
        if "question" not in columns:
            raise UsageError(f"{name}, line 1: no column 'question' in {[*columns]}; {_CSV}")
        for row in rows:
            yield rows.line_num, _csv_row(row, f"{name}, line {rows.line_num}")
    except csv.Error as error:
        line = rows.reader.line_num
        raise UsageError(f"{name}, line {line}: {error}; mend its quotes") from error


def _csv_row(row: dict[str | None, Any], place: str) -> _Row:
    if row.pop(None, None):
        raise UsageError(f"{place}: more cells than columns; put quotes around cells with a comma")
    cells = {column: cell or "" for column, cell in row.items()}
    if "answer" in cells:
        cells.setdefault("answers", cells.pop("answer"))
    for column in _LISTS & cells.keys():
        cells[column] = [part for p in cells[column].split(_BETWEEN) if (part := p.strip())]
    try:
        return msgspec.convert(cells, _Row, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{place}: {error}; {_CSV}") from error
