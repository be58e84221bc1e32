"""What failed is asked for again where that is wished, and only that."""

import json
from pathlib import Path

import pytest

from mder.library import open_graph
from tests import stubs
from tests.pipeline.served import (
    ASKING,
    PAGES,
    STAGES,
    Command,
    act,
    answer,
    asked,
    connect,
    failing,
    knowledge,
    report,
    stats,
)
from tests.samples import save

LLM = ("--llm", "ollama/tiny")
TINY = (*LLM, *ASKING)
AGAIN = ("index", "--retry-failed", *LLM, "--json")
# What fails of each stage, by words that its prompt shows.
HALDEN = {
    "summarize": "Ida Holm",
    "map": "Ida Holm",
    "disambiguate": "",
    "enrich": "",
    "reduce": "",
}


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    return save(elsewhere / "docs", PAGES)


def index_with(
    mder: Command, monkeypatch: pytest.MonkeyPatch, *options: object, faults: stubs.Faults = ()
) -> tuple[list[stubs.Recorded], str]:
    """Run a command with a server of its own; return what that was asked, and what was told."""
    with stubs.ollama(answer, faults=faults) as url:
        connect(monkeypatch, url)
        done = mder("index", *options)
    assert done.code in (0, 3), done
    return url.requests, done.out


def bodies(requests: list[stubs.Recorded]) -> set[str]:
    return {json.dumps(request.body) for request in requests}


@pytest.mark.parametrize("stage", HALDEN)
def test_only_what_failed_is_asked_for_again_and_nothing_is_missing_then(
    stage: str, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, _ = index_with(mder, monkeypatch, docs, *TINY, "--kg", "sound")
    faulty = failing(stubs.EMPTY, stage, HALDEN[stage])
    first, _ = index_with(mder, monkeypatch, docs, *TINY, faults=faulty)
    assert json.loads(mder("failures", "--json").out)

    plain, told = index_with(mder, monkeypatch, docs, *TINY, "--json")
    assert not plain
    assert json.loads(told)["changed"] is False

    lost = [r for r in first if STAGES[act(r)] == stage and faulty(r)]
    again, told = index_with(mder, monkeypatch, *AGAIN[1:])
    assert not (bodies(again) & bodies(first)) - bodies(lost)
    assert asked(again)[stage] == (1 if HALDEN[stage] else asked(sound)[stage])
    assert mder("failures").out == ""
    assert json.loads(told)["failed"] == []
    assert stats(mder)["ledger"][stage]["failed"] == 0
    assert knowledge(open_graph()) == knowledge(open_graph("sound"))

    last, told = index_with(mder, monkeypatch, *AGAIN[1:])
    assert not last
    assert json.loads(told)["changed"] is False


def test_a_translation_is_asked_for_again_too(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = index_with(mder, monkeypatch, docs, *LLM, faults=failing(500, "translate"))
    assert asked(first)["translate"] == 5
    assert "translate: no translation of" in mder("failures").out
    again, told = index_with(mder, monkeypatch, *AGAIN[1:])
    assert asked(again)["translate"] == 1
    assert asked(again)["map"] == 0
    assert json.loads(told)["read"] == 1
    assert mder("failures").out == ""


def test_the_files_need_not_be_named_and_their_documents_are_counted_right(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, "map", "Ida Holm"))
    save(docs, {"new.md": "# Lund\n\nLund is a town in Sweden. Karl Ott lived in Lund.\n"})
    requests, told = index_with(
        mder, monkeypatch, docs / "new.md", docs / "anna.md", "--retry-failed", *LLM, "--json"
    )
    assert asked(requests)["map"] == 2
    found = json.loads(told)
    assert (found["read"], found["kept"]) == (2, 1)
    assert found["counts"]["documents"] == 5


def test_without_files_nothing_is_told_to_be_unchanged(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, "map", "Ida Holm"))
    _, told = index_with(mder, monkeypatch, *AGAIN[1:])
    found = json.loads(told)
    assert (found["read"], found["kept"], found["failed"]) == (1, 0, [])


def test_what_fails_once_more_stays_to_be_asked_for(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = failing(stubs.EMPTY, "map", "Ida Holm")
    index_with(mder, monkeypatch, docs, *TINY, faults=faulty)
    failures = mder("failures", "--json").out
    requests, told = index_with(mder, monkeypatch, *AGAIN[1:], faults=faulty)
    assert asked(requests) == {"map": 2}
    assert json.loads(told)["failed"] == ["docs/halden.md"]
    assert mder("failures", "--json").out == failures
    assert asked(index_with(mder, monkeypatch, *AGAIN[1:])[0])["map"] == 1
    assert mder("failures").out == ""


def test_a_file_that_was_changed_is_read_as_it_is_now(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, "map", "Ida Holm"))
    save(docs, {"halden.md": "# Halden\n\nHalden is a town in Norway. Bo Lie governs Halden.\n"})
    requests, told = index_with(mder, monkeypatch, docs, *TINY, "--json")
    assert asked(requests)["map"] == 1
    assert json.loads(told)["failed"] == []
    assert mder("failures").out == ""
    assert open_graph().entity("Bo Lie")


def test_where_there_is_no_graph_nothing_can_be_asked_for_again(
    mder: Command, elsewhere: Path
) -> None:
    done = mder("index", "--retry-failed", *LLM)
    assert (done.code, done.out) == (1, "")
    assert done.err.endswith("run: mder index PATH\n")
    assert not list(elsewhere.iterdir())


def test_a_model_that_was_chosen_before_has_to_be_named(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, "map", "Ida Holm"))
    done = mder("index", "--retry-failed")
    assert done.code == 2
    assert "say --llm ollama/tiny again" in done.err


def test_syntax_may_do_what_a_model_could_not(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, "map"))
    done = mder("index", docs, "--llm", "syntax", "--json")
    assert done.code == 0
    assert report(done)["failed"] == []
    assert report(done)["counts"]["triples"] > 20
    assert mder("failures").out == ""


@pytest.mark.parametrize("stage", ["summarize", "reduce"])
def test_a_retry_that_ends_early_forgets_nothing_that_failed(
    stage: str, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(stubs.EMPTY, stage))
    lost = json.loads(mder("failures", "--json").out)
    assert lost
    with stubs.ollama(models=["other"]) as url:
        connect(monkeypatch, url)
        assert mder(*AGAIN).code == 1
    assert json.loads(mder("failures", "--json").out) == lost
    index_with(mder, monkeypatch, *AGAIN[1:])
    assert json.loads(mder("failures", "--json").out) == []


def test_a_chunk_that_nobody_answered_about_is_asked_for_by_the_next_run(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_with(mder, monkeypatch, docs, *TINY, "--kg", "sound")
    index_with(mder, monkeypatch, docs, *TINY, faults=failing(503, "map", "Ida Holm"))
    again, told = index_with(mder, monkeypatch, docs, *TINY, "--json")
    assert asked(again)["map"] == 1
    assert json.loads(told)["failed"] == []
    assert knowledge(open_graph()) == knowledge(open_graph("sound"))
