import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from mder.errors import GraphError
from mder.journal import Journal
from mder.records import Reading
from tests.samples import date, person, reading

READING = reading(
    "Москва",
    "Анна — 東京 \U0001f600.",
    (person("Анна", local=True), "MET_IN", date("1990")),
    aliases=[("Anna", "Анна")],
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as opened:
        yield opened


def test_a_reply_is_kept_and_can_be_replaced(journal: Journal) -> None:
    assert journal.get("key") is None
    journal.put("key", "a reply")
    assert journal.get("key") == "a reply"
    journal.put("key", "another: 東京 \x00 \U0001f600")
    assert journal.get("key") == "another: 東京 \x00 \U0001f600"


def test_the_results_of_a_document_are_kept_whole(journal: Journal) -> None:
    assert journal.reading("key") is None
    journal.keep([("key", READING)])
    assert journal.reading("key") == READING


def test_what_was_kept_is_there_when_the_journal_is_opened_again(path: Path) -> None:
    with Journal(path) as journal:
        journal.put("reply", "x")
        journal.keep([("reading", READING)])
    with Journal(path) as journal:
        assert journal.get("reply") == "x"
        assert journal.reading("reading") == READING


def test_what_was_kept_is_durable_before_the_journal_is_closed(path: Path) -> None:
    with Journal(path) as journal, Journal(path) as other:
        journal.put("reply", "x")
        journal.keep([("reading", READING)])
        assert other.get("reply") == "x"
        assert other.reading("reading") == READING


def test_all_but_what_is_current_is_forgotten_and_no_reply_is(journal: Journal) -> None:
    journal.keep((key, READING) for key in "abc")
    journal.put("a", "reply")
    journal.forget(["b", "b", "never kept"])
    assert [journal.reading(key) is not None for key in "abc"] == [False, True, False]
    assert journal.get("a") == "reply"
    journal.forget([])
    assert journal.reading("b") is None


def test_results_of_another_version_are_read_anew(path: Path) -> None:
    with Journal(path) as journal:
        journal.keep([("key", READING)])
    with sqlite3.connect(path) as base:
        base.execute("UPDATE readings SET value = ?", (msgspec.msgpack.encode({"other": 1}),))
    base.close()
    with Journal(path) as journal:
        assert journal.reading("key") is None


def test_several_threads_may_use_it(journal: Journal) -> None:
    def work(number: int) -> Reading | None:
        journal.put(str(number), "reply")
        journal.keep([(str(number), READING)])
        return journal.reading(str(number))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(64))) == [READING] * 64
    assert all(journal.get(str(number)) == "reply" for number in range(64))


def test_a_file_that_is_no_journal_is_refused_with_what_mends_it(path: Path) -> None:
    path.write_text("This is no database, but it is long enough to be taken for one. " * 99)
    with pytest.raises(GraphError, match=r"journal\.sqlite: cannot use the journal.*move it away"):
        Journal(path)


def test_a_place_that_cannot_be_written_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(GraphError, match="cannot use the journal"):
        Journal(path)
