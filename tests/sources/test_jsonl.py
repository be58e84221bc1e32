import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.errors import SourceError
from mder.records import Document
from mder.sources import read as read_file
from mder.sources import sources_of
from mder.sources.jsonl import read_rows


def read(lines: Iterable[str]) -> tuple[list[Document], list[str]]:
    found = list(read_rows(lines, "k", "name"))
    return (
        [item for item in found if isinstance(item, Document)],
        [str(item) for item in found if isinstance(item, SourceError)],
    )


def row(**fields: object) -> str:
    return json.dumps(fields) + "\n"


def test_a_row_is_a_document() -> None:
    (made,), errors = read(["\ufeff" + row(title="T", text="A.\n\nB.", year=1998, tags=["x"])])
    assert (made.title, made.text, made.metadata) == ("T", "A.\n\nB.", (("year", "1998"),))
    assert made.source == f"k#{made.digest[:16]}"
    assert errors == []


def test_a_row_without_title_takes_the_name() -> None:
    assert read([row(text="A")])[0][0].title == "name"


def test_the_same_row_twice_is_one_document() -> None:
    assert len(read([row(title="T", text="A")] * 2)[0]) == 1


@given(st.lists(st.text(min_size=1, max_size=3)), st.randoms())
def test_rows_are_known_whatever_their_order(words: list[str], random: Random) -> None:
    lines = [row(title="T", text=word) for word in words]
    shuffled = random.sample(lines, len(lines))
    assert {d.source for d in read(lines)[0]} == {d.source for d in read(shuffled)[0]}


def test_bad_rows_are_named_and_good_ones_still_come() -> None:
    bad = ["{", "[1]", row(title="no text"), row(text=7), row(text=" "), "[" * 100_000]
    made, errors = read([row(text="A"), *bad, "\n", row(text="B")])
    assert [d.text for d in made] == ["A", "B"]
    assert [e.split(":")[0] for e in errors] == [f"line {n}" for n in range(2, 8)]


def test_very_many_bad_rows_are_counted() -> None:
    errors = read(["x"] * 50)[1]
    assert len(errors) == 21
    assert errors[-1].startswith("30 more")


def test_no_rows_is_an_error() -> None:
    assert read([" \n"]) == ([], ["empty: no rows in it"])


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    (made,), _ = read(['{"title": "a\\ud800", "text": "nul \\u0000 here"}'])
    assert made.title.encode()
    assert made.text == "nul here"


def test_the_names_of_fields_are_cleaned_like_their_values() -> None:
    (found,) = read_rows(['{"text": "A text.", "\\ud800": "x"}'], "rows.jsonl", "rows")
    assert isinstance(found, Document)
    found.metadata[0][0].encode("utf-8")


def test_sources_are_told_row_by_row_with_those_that_repeat_or_cannot_be_read(
    tmp_path: Path,
) -> None:
    first, second = row(text="A"), row(title="T", text="B")
    path = tmp_path / "some_rows.jsonl"
    path.write_text(f"\ufeff{first}\n{second}broken\n{first}", encoding="utf-8")
    made = [d.source for d in read_file(path, "k") if isinstance(d, Document)]
    assert sources_of(path, "k") == (made[0], made[1], "", made[0])


def test_only_json_lines_have_rows(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not JSON Lines"):
        sources_of(tmp_path / "page.md", "k")
