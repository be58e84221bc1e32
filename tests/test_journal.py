import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from mder.errors import GraphError
from mder.journal import Journal
from mder.models.ledger import Spent
from mder.models.replies import Failure
from mder.records import Reading
from tests.samples import date, person, reading

READING = reading(
    "Москва",
    "Анна — 東京 \U0001f600.",
    (person("Анна", local=True), "MET_IN", date("1990")),
    aliases=[("Anna", "Анна")],
)
SPENT = Spent(calls=1, tokens_in=10, tokens_out=2, seconds=0.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened


def keep(journal: Journal, **replies: str) -> None:
    journal.keep(replies, "ollama/tiny", "map", SPENT)


def failure(key: str, stage: str = "map", source: str = "a.md") -> Failure:
    return Failure(key, stage, source, "triples of a.md", "it is empty", "")


def read(title: str) -> Reading:
    return reading(title, "It rains.")


def test_a_reply_is_kept_and_can_be_replaced(journal: Journal) -> None:
    assert journal.get("key") is None
    keep(journal, key="a reply")
    assert journal.get("key") == "a reply"
    keep(journal, key="another: 東京 \x00 \U0001f600")
    assert journal.get("key") == "another: 東京 \x00 \U0001f600"


def test_several_answers_of_one_reply_are_kept_at_once_and_paid_for_once(journal: Journal) -> None:
    keep(journal, a="1", b="2")
    assert (journal.get("a"), journal.get("b")) == ("1", "2")
    assert journal.spending() == {("ollama/tiny", "map"): SPENT}


def test_a_reply_that_was_of_no_use_is_paid_for(journal: Journal) -> None:
    keep(journal)
    assert journal.spending() == {("ollama/tiny", "map"): SPENT}


def test_spending_is_summed_by_model_and_stage_over_all_runs(path: Path) -> None:
    for _ in range(2):
        with Journal(path) as journal:
            journal.keep({}, "b", "map", SPENT)
            journal.keep({}, "a", "reduce", SPENT)
            journal.keep({}, "a", "enrich", SPENT)
    with Journal(path) as journal:
        assert list(journal.spending()) == [("a", "enrich"), ("a", "reduce"), ("b", "map")]
        assert set(journal.spending().values()) == {SPENT + SPENT}


def test_the_results_of_a_document_are_kept_whole(journal: Journal) -> None:
    assert journal.reading("key") is None
    assert not journal.has("key")
    journal.record([("key", READING)])
    assert journal.reading("key") == READING
    assert journal.has("key")


def test_documents_are_told_with_the_keys_of_their_results(journal: Journal) -> None:
    journal.record([("2", read("A")), ("1", read("B"))])
    assert journal.documents() == {"A.md": "2", "B.md": "1"}


def test_what_was_kept_is_there_when_the_journal_is_opened_again(path: Path) -> None:
    with Journal(path) as journal:
        keep(journal, reply="x")
        journal.record([("reading", READING)])
        journal.fail([failure("lost")])
    with Journal(path) as journal:
        assert journal.get("reply") == "x"
        assert journal.reading("reading") == READING
        assert journal.failures() == (failure("lost"),)


def test_what_was_kept_is_durable_before_the_journal_is_closed(path: Path) -> None:
    with Journal(path) as journal, Journal(path) as other:
        keep(journal, reply="x")
        journal.record([("reading", READING)])
        journal.fail([failure("lost")])
        journal.keep_parses("a.md", "1", b"parses")
        assert other.get("reply") == "x"
        assert other.parses("a.md", "1") == b"parses"
        assert other.reading("reading") == READING
        assert other.failures()
        assert other.spending()


def test_failures_are_told_by_stage_and_document(journal: Journal) -> None:
    given = [failure("1", "reduce", ""), failure("2", "map", "b.md"), failure("3", "map", "a.md")]
    journal.fail(given)
    assert [found.key for found in journal.failures()] == ["3", "2", "1"]


def test_what_is_answered_has_not_failed_any_more(journal: Journal) -> None:
    journal.fail([failure("a"), failure("b")])
    journal.fail([failure("b")])
    assert len(journal.failures()) == 2
    keep(journal, a="at last")
    assert [found.key for found in journal.failures()] == ["b"]


def test_old_failures_are_pardoned_by_document_and_by_stage(journal: Journal) -> None:
    kept = [failure("1", "map", "a.md"), failure("2", "reduce", ""), failure("3", "map", "b.md")]
    journal.fail(kept)
    journal.pardon(0.0, ["a.md", "b.md"], ["reduce"])
    assert [found.key for found in journal.failures()] == ["1", "3", "2"]
    journal.pardon(time.time() + 1, ["a.md", "never seen"], [])
    assert [found.key for found in journal.failures()] == ["3", "2"]
    journal.pardon(time.time() + 1, [], ["reduce", "enrich"])
    assert [found.key for found in journal.failures()] == ["3"]


def test_all_but_what_is_current_is_forgotten_and_no_reply_is(journal: Journal) -> None:
    journal.record((key, READING) for key in "abc")
    keep(journal, a="reply")
    journal.forget({READING.document.source: "b", "3": "never kept"})
    assert [journal.reading(key) is not None for key in "abc"] == [False, True, False]
    assert journal.get("a") == "reply"
    # What a killed run read of another Document stays; what is of one that was removed goes.
    journal.forget({})
    assert journal.reading("b") is not None
    journal.forget({}, removed=[READING.document.source])
    assert journal.reading("b") is None


def test_the_parses_of_a_document_are_those_kept_last_and_of_one_version(journal: Journal) -> None:
    assert journal.parses("a.md", "1") is None
    journal.keep_parses("a.md", "1", b"long")
    journal.keep_parses("b.md", "1", b"other")
    journal.keep_parses("a.md", "2", b"\x00")
    assert journal.parses("a.md", "2") == b"\x00"
    assert journal.parses("a.md", "1") is None
    assert journal.parses("b.md", "1") == b"other"


def test_the_parses_of_documents_that_are_gone_are_forgotten(journal: Journal) -> None:
    for source in ("a.md", "b.md"):
        journal.keep_parses(source, "1", b"parses")
    journal.forget({"b.md": "key"}, removed=["a.md"])
    assert journal.parses("a.md", "1") is None
    assert journal.parses("b.md", "1") == b"parses"


def test_failures_of_documents_that_are_gone_are_forgotten(journal: Journal) -> None:
    journal.fail([failure("1"), failure("2", source="b.md"), failure("3", "reduce", "")])
    journal.forget({"b.md": "key"})
    assert [found.key for found in journal.failures()] == ["2", "3"]


def test_a_journal_that_does_not_write_keeps_until_it_is_closed(path: Path) -> None:
    with Journal(path) as journal:
        keep(journal, before="x")
        journal.record([("before", READING)])
    with Journal(path, writes=False) as journal:
        assert journal.get("before") == "x"
        keep(journal, now="y")
        journal.fail([failure("lost")])
        journal.pardon(time.time(), ["a.md"], ["map"])
        journal.record([("now", READING)])
        assert journal.get("now") == "y"
        assert journal.reading("now") == journal.reading("before") == READING
        assert journal.spending() == {("ollama/tiny", "map"): SPENT}
    with Journal(path) as journal:
        assert journal.get("now") is None
        assert journal.reading("now") is None
        assert journal.failures() == ()
        assert journal.spending() == {("ollama/tiny", "map"): SPENT}


def test_a_journal_that_does_not_write_is_not_made(path: Path) -> None:
    with Journal(path, writes=False) as journal:
        keep(journal, key="reply")
        assert journal.get("key") == "reply"
        assert journal.failures() == ()
    assert not path.exists()


def test_results_of_another_version_are_read_anew(path: Path) -> None:
    with Journal(path) as journal:
        journal.record([("key", READING)])
    with sqlite3.connect(path) as base:
        base.execute("UPDATE readings SET value = ?", (msgspec.msgpack.encode({"other": 1}),))
    base.close()
    with Journal(path) as journal:
        assert journal.reading("key") is None
        assert journal.documents() == {}


def test_results_that_are_damaged_are_read_anew(path: Path) -> None:
    with Journal(path) as journal:
        journal.record([("a", READING)])
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE readings SET value = x'c1'")
    with Journal(path) as journal:
        assert journal.has("a")
        assert journal.reading("a") is None
        assert not journal.has("a")


def test_the_documents_are_those_of_the_last_run_where_that_is_known(journal: Journal) -> None:
    journal.record([("a", READING), ("b", READING)])
    source = READING.document.source
    journal.forget({source: "a"}, also=["b"])
    assert journal.documents() == {source: "a"}


def test_a_journal_of_an_earlier_version_goes_on(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE readings (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
    with Journal(path) as journal:
        journal.record([("a", READING)])
        assert journal.reading("a") == READING


def test_several_threads_may_use_it(journal: Journal) -> None:
    def work(number: int) -> Reading | None:
        journal.keep({str(number): "reply"}, "ollama/tiny", "map", SPENT)
        journal.record([(str(number), READING)])
        journal.fail([failure(f"lost {number}")])
        return journal.reading(str(number))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(64))) == [READING] * 64
    assert all(journal.get(str(number)) == "reply" for number in range(64))
    assert len(journal.failures()) == 64
    assert journal.spending()["ollama/tiny", "map"] == SPENT.scaled(64)


def test_a_file_that_is_no_journal_is_refused_with_what_mends_it(path: Path) -> None:
    path.write_text("This is no database, but it is long enough to be taken for one. " * 99)
    with pytest.raises(GraphError, match=r"journal\.sqlite: cannot use the journal.*move it away"):
        Journal(path)


def test_a_place_that_cannot_be_written_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(GraphError, match="cannot use the journal"):
        Journal(path)


def test_a_journal_that_fails_in_use_is_named(path: Path) -> None:
    with Journal(path) as journal:
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE replies")
        other.close()
        with pytest.raises(GraphError, match=r"journal\.sqlite: no such table"):
            journal.get("key")
        with pytest.raises(GraphError, match=r"journal\.sqlite: no such table"):
            keep(journal, key="reply")
        assert journal.spending() == {}
