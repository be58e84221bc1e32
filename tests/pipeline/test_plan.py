from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mder.journal import Journal
from mder.models.replies import Failure
from mder.pipeline.documents import FAILED
from mder.pipeline.plan import planned
from mder.records import Extraction, Reading
from tests.samples import reading

A, B = reading("A", "It rains."), reading("B", "It snows.")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite") as opened:
        yield opened


def found(**by_key: Reading) -> dict[str, str]:
    return {made.document.source: key for key, made in by_key.items()}


def failure(stage: str, source: str = "") -> Failure:
    return Failure("key", stage, source, "something", "it is empty")


def failed(made: Reading) -> Reading:
    return replace(made, extraction=Extraction(failed=(0,)))


def test_what_the_journal_does_not_have_is_new(journal: Journal) -> None:
    journal.record([("a", A)])
    plan = planned({}, found(a=A, b=B), journal)
    assert plan.keys == {"A.md": "a", "B.md": "b"}
    assert plan.new == {"B.md"}
    assert plan.named == {"A.md", "B.md"}


def test_documents_of_the_graph_that_are_not_named_stay(journal: Journal) -> None:
    journal.record([("a", A)])
    plan = planned({"A.md": "a"}, found(b=B), journal)
    assert plan.keys == {"A.md": "a", "B.md": "b"}
    assert plan.named == {"B.md"}


def test_a_document_with_another_key_is_read_anew(journal: Journal) -> None:
    journal.record([("a", A)])
    plan = planned({"A.md": "a"}, found(changed=A), journal)
    assert (plan.keys, plan.new) == ({"A.md": "changed"}, frozenset({"A.md"}))


def test_rows_that_their_file_no_longer_has_go(journal: Journal) -> None:
    rows = {f"f.jsonl#{n:016x}": str(n) for n in range(3)}
    other = f"other.jsonl#{1:016x}"
    row = reading("Row", "It rains.", source=f"f.jsonl#{1:016x}")
    plan = planned({**rows, other: "9"}, found(**{"1": row}), journal)
    assert plan.keys == {other: "9", row.document.source: "1"}


def test_rows_of_a_file_that_could_not_be_read_to_its_end_stay(journal: Journal) -> None:
    rows = {f"f.jsonl#{n:016x}": str(n) for n in range(3)}
    row = reading("Row", "It rains.", source=f"f.jsonl#{1:016x}")
    assert planned(rows, {row.document.source: "1"}, journal, {"f.jsonl"}).keys == rows


def test_what_is_taken_out_is_not_read_though_a_part_of_it_failed(journal: Journal) -> None:
    journal.record([(f"a{FAILED}", failed(A)), ("b", B)])
    plan = planned({"A.md": f"a{FAILED}", "B.md": "b"}, {}, journal).retrying(journal)
    plan = plan.without(frozenset({"A.md"}))
    assert (plan.keys, plan.new, plan.again) == ({"B.md": "b"}, frozenset(), ())


def test_what_failed_in_part_is_not_read_again(journal: Journal) -> None:
    journal.record([(f"a{FAILED}", failed(A))])
    plan = planned({"A.md": f"a{FAILED}"}, found(a=A), journal)
    assert plan.keys == {"A.md": f"a{FAILED}"}
    assert not plan.new


def test_it_is_read_again_where_that_is_wished_though_nobody_names_it(journal: Journal) -> None:
    journal.record([(f"a{FAILED}", failed(A)), ("b", B)])
    plan = planned({"A.md": f"a{FAILED}", "B.md": "b"}, {}, journal).retrying(journal)
    assert plan.keys == {"A.md": "a", "B.md": "b"}
    assert plan.new == plan.changed == {"A.md"}
    assert plan.again == (A.document,)
    assert plan.named == frozenset()


def test_what_came_of_a_second_reading_goes_before_the_failed_one(journal: Journal) -> None:
    journal.record([(f"a{FAILED}", failed(A)), ("a", A)])
    plan = planned({"A.md": f"a{FAILED}"}, found(a=A), journal)
    assert (plan.keys, plan.new) == ({"A.md": "a"}, frozenset())


@pytest.mark.parametrize("stage", ["summarize", "translate"])
def test_a_text_without_a_summary_or_translation_is_read_again(
    journal: Journal, stage: str
) -> None:
    journal.record([("a", A), ("b", B)])
    journal.fail([failure(stage, "B.md")])
    plan = planned({"A.md": "a", "B.md": "b"}, {}, journal).retrying(journal)
    assert plan.new == plan.changed == {"B.md"}
    assert plan.again == (B.document,)
    assert plan.keys == plan.before


@pytest.mark.parametrize("stage", ["disambiguate", "enrich", "reduce"])
def test_what_failed_after_reading_reads_nothing_again(journal: Journal, stage: str) -> None:
    journal.record([("a", A)])
    journal.fail([failure(stage, "A.md")])
    assert not planned({"A.md": "a"}, found(a=A), journal).retrying(journal).new


def test_what_changes_comes_goes_is_other_or_is_read_again(journal: Journal) -> None:
    journal.record([("a", A), ("b2", B)])
    row = f"f.jsonl#{1:016x}"
    before = {"A.md": "a", "B.md": "b1", row: "r", "C.md": "c"}
    new = reading("Row", "It rains.", source=f"f.jsonl#{2:016x}")
    plan = planned(before, found(a=A, b2=B, r2=new), journal)
    assert plan.changed == {"B.md", row, new.document.source}
    assert plan.without(frozenset({"C.md"})).changed == plan.changed | {"C.md"}


def test_documents_are_taken_out_whether_they_are_named_or_not(journal: Journal) -> None:
    journal.record([("a", A), ("b", B)])
    plan = planned({"A.md": "a", "B.md": "b"}, found(a=A), journal)
    assert plan.without(frozenset({"B.md"})).keys == {"A.md": "a"}
    assert plan.without(frozenset({"A.md", "no.md"})).keys == {"B.md": "b"}
