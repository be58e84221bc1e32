"""What a server may do to a run, request by request, and what the run makes of it."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Quad

from mder.graph.validate import violations
from mder.graph.vocabulary import IS_VERIFIED
from mder.library import open_graph
from tests import stubs
from tests.pipeline.served import (
    ASKING,
    CHAT,
    PAGES,
    SERVERS,
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

TINY = ("--llm", "ollama/tiny", *ASKING)
CALLS = {"summarize": 4, "map": 4, "disambiguate": 3, "enrich": 1, "reduce": 1}
# Each may be the first reply to a request; the second one is good.
PASSING: dict[str, stubs.Fault | int] = {
    "429": stubs.RetryAfter(0),
    "500": 500,
    "503": 503,
    "hang": stubs.HANG,
    "slow": stubs.Slow(0.2),
    "close": stubs.CLOSE,
    "cut body": stubs.CUT_BODY,
    "cut": stubs.CUT,
    "prose": stubs.PROSE,
    "think": stubs.THINK,
    "schema": stubs.SCHEMA,
    "empty": stubs.EMPTY,
    "null": stubs.NULL,
}
HARMLESS = {"slow", "prose", "think"}
UNPAID = {"429", "500", "503", "hang", "close", "cut body"}


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    return save(elsewhere / "docs", PAGES)


@pytest.fixture(scope="module")
def sound() -> dict[str, set[Quad]]:
    """The graph that comes of no faults, once it is known."""
    return {}


def first_of_each_stage(fault: stubs.Fault | int) -> stubs.Faults:
    """Say that the first request of each stage goes wrong."""
    seen: Counter[str] = Counter()

    def decide(request: stubs.Recorded) -> stubs.Fault | int | None:
        if request.path not in CHAT.values():
            return None
        seen[STAGES[act(request)]] += 1
        return fault if seen[STAGES[act(request)]] == 1 else None

    return decide


@pytest.fixture
def whole(
    sound: dict[str, set[Quad]], mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> set[Quad]:
    if "quads" not in sound:
        with stubs.ollama(answer) as url:
            connect(monkeypatch, url)
            assert mder("index", docs, *TINY, "--kg", "sound").code == 0
        assert asked(url.requests) == CALLS
        sound["quads"] = knowledge(open_graph("sound"))
    return sound["quads"]


@pytest.mark.parametrize(
    ("name", "provider"),
    [*((name, "ollama") for name in PASSING), *((n, "openai") for n in ("429", "cut", "null"))],
)
def test_a_fault_that_passes_costs_a_request_and_nothing_else(
    name: str,
    provider: str,
    mder: Command,
    docs: Path,
    whole: set[Quad],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with SERVERS[provider](answer, faults=first_of_each_stage(PASSING[name])) as url:
        connect(monkeypatch, url)
        if name == "hang":
            monkeypatch.setattr("mder.models.patience.Patience.limit", lambda *_: 1.0)
        llm = ("--llm", f"{provider}/tiny", *ASKING)
        done = mder("index", docs, *llm, "--json")
        assert (done.code, done.err) == (0, "")
        told = report(done)
        more = 0 if name in HARMLESS else 1
        assert asked(url.requests) == {stage: calls + more for stage, calls in CALLS.items()}
        paid = 0 if name in HARMLESS | UNPAID else 1
        calls = {stage: spent["calls"] for stage, spent in told["spent"].items()}
        assert calls == {stage: number + paid for stage, number in CALLS.items()}
        assert not any(spent["failed"] for spent in told["spent"].values())
        assert told["failed"] == told["skipped"] == []
        if provider == "ollama":
            assert knowledge(open_graph()) == whole
        url.requests.clear()
        assert report(mder("index", docs, *llm, "--json"))["changed"] is False
        assert not url.requests
    assert mder("failures").out == ""


def test_bytes_that_are_no_text_cost_no_part_of_the_graph(
    mder: Command, docs: Path, whole: set[Quad], monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer, faults=first_of_each_stage(stubs.BAD_UTF8)) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, *TINY)
    assert (done.code, done.err) == (0, "")
    assert knowledge(open_graph()) == whole


LASTING: dict[str, stubs.Fault | int] = {
    "500": 500,
    "close": stubs.CLOSE,
    "cut": stubs.CUT,
    "schema": stubs.SCHEMA,
    "empty": stubs.EMPTY,
}


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        *((n, "map") for n in LASTING),
        *((n, s) for n in ("500", "cut") for s in CALLS if s != "map"),
    ],
)
def test_a_stage_that_always_fails_is_told_and_all_else_is_done(
    name: str, stage: str, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer, faults=failing(LASTING[name], stage)) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, *TINY, "--json")
    assert done.code == 3
    assert "mder: no usable reply to 100% of what a model was asked" in done.err
    told = report(done)
    spent = told["spent"]
    assert spent[stage]["failed"] == spent[stage]["asked"] > 0
    assert {s for s, figures in spent.items() if figures["failed"]} == {stage}
    assert (told["read"], told["counts"]["documents"]) == (4, 4)
    assert told["counts"]["triples"] == 0 if stage == "map" else told["counts"]["triples"] > 20
    assert len(told["failed"]) == (4 if stage == "map" else 0)
    assert violations(open_graph()) == []
    assert all(e.summary for e in map(open_graph().entity, ("Halden", "Anna Holt")) if e)

    failures = json.loads(mder("failures", "--json").out)
    assert {failure["stage"] for failure in failures} == {stage}
    assert len(failures) == spent[stage]["failed"]
    assert all(failure["problem"] and failure["about"] for failure in failures)
    answered = name in {"cut", "schema"}
    assert all(bool(failure["reply"]) is answered for failure in failures)
    line = mder("failures").out.splitlines()[0]
    assert line == f"{stage}: no {failures[0]['about']}: {failures[0]['problem']}"
    assert stats(mder)["ledger"][stage]["failed"] == spent[stage]["failed"]


def test_one_document_that_fails_takes_nothing_else_with_it(
    mder: Command, docs: Path, whole: set[Quad], monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer, faults=failing(stubs.EMPTY, "map", "Ida Holm governs")) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, *TINY, "--set", "failed_share=0.5", "--json")
    assert done.code == 0
    told = report(done)
    assert told["failed"] == ["docs/halden.md"]
    assert "docs/halden.md: not mapped whole; mder index --retry-failed asks again" in done.err
    assert (told["spent"]["map"]["failed"], told["spent"]["map"]["asked"]) == (1, 4)
    graph = open_graph()
    before, after = triples_by_document(whole), triples_by_document(knowledge(graph))
    assert {document for document in before if "/halden-" not in document} == set(after)
    assert all(after[document] == before[document] for document in after)
    assert graph.documents_about("Halden")


def triples_by_document(quads: set[Quad]) -> Counter[str]:
    return Counter(str(quad.graph_name) for quad in quads if quad.predicate == IS_VERIFIED)


@pytest.mark.parametrize(("share", "code"), [(0.0, 3), (0.2, 3), (0.25, 0), (1.0, 0)])
def test_a_run_has_failed_where_more_failed_than_is_allowed(
    share: float, code: int, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer, faults=failing(stubs.EMPTY, "map", "Ida Holm")) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, *TINY, "--set", f"failed_share={share}")
    assert done.code == code
    assert ("no usable reply to 25%" in done.err) is (code == 3)


@pytest.fixture
def hopeless(monkeypatch: pytest.MonkeyPatch) -> Iterator[stubs.StubUrl]:
    with stubs.ollama(answer, faults=lambda _: 500) as url:
        connect(monkeypatch, url)
        yield url


def test_a_server_that_fails_again_and_again_is_left_alone(
    mder: Command, elsewhere: Path, hopeless: stubs.StubUrl
) -> None:
    pages = {f"{n}.md": f"Anna Holt wrote {n} books. She lived in Halden." for n in range(9)}
    save(elsewhere / "docs", pages)
    done = mder("index", "docs", "--llm", "ollama/tiny")
    assert (done.code, done.out) == (1, "")
    assert "5 requests in a row failed at every try" in done.err.splitlines()[-1]
    assert len(hopeless.requests) == 5 * 5
    assert not (elsewhere / ".mder" / "CURRENT").exists()


def test_a_model_that_is_not_there_ends_the_run_at_once(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, "--llm", "ollama/absent")
    assert (done.code, done.out) == (1, "")
    assert "ollama pull absent" in done.err
    assert len(url.requests) <= 2
