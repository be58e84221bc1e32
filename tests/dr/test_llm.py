"""Both commands with a language model, from pages to an answer, against stub servers."""

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import mder
from dr import cli as dr_cli
from mder import cli as mder_cli
from mder.models.base import Message
from mder.reasoners.llm.prompt import act_of, values_of
from mder.reasoners.syntax import SyntaxReasoner
from tests import stubs
from tests.dr.console import Console, Run
from tests.dr.pages import PAGES, written
from tests.pipeline.served import CHAT, SERVERS, Asked, answer, connect

QUESTION = "Where was the director of Silver Gate born?"
SYNTAX = SyntaxReasoner()

Reply = dict[str, Any]
Shown = Mapping[str, str]


def _described(shown: Shown) -> Reply:
    items = _numbered(shown["items"])
    return {"descriptions": [{"number": n, "text": f"They say: {line}."} for n, line in items]}


def _decomposed(shown: Shown) -> Reply:
    question = SYNTAX.decompose(shown["question"])
    triples = [
        {"subject": t.subject, "predicate": t.predicate, "object": t.object}
        for t in question.triples
    ]
    return {"triples": triples, "asks": question.asks, "expects": question.expects}


def _numbered(text: str) -> list[tuple[int, str]]:
    found = re.findall(r"^\[(\d+)\] (.*)$", text, re.MULTILINE)
    return [(int(number), line) for number, line in found]


def _first(shown: Shown, pattern: str) -> list[tuple[str, int]]:
    """Return what a pattern finds in the evidence, with the number of that piece."""
    for number, line in _numbered(shown.get("evidence", "")):
        match = re.search(pattern, line)
        if match:
            return [(match[1], number)]
    return []


def _grounded(shown: Shown) -> Reply:
    born = "WAS_BORN_IN" in shown["triple"]
    found = _first(shown, r"born in (\w+)" if born else r"directed by ([A-Z]\w+ [A-Z]\w+)")
    return {"values": [{"value": value, "evidence": [number]} for value, number in found]}


def _answered(shown: Shown) -> Reply:
    found = _first(shown, r"born in (\w+)")
    if "Y = " not in shown["bindings"] or not found:
        return {"answered": False, "text": "Nothing says where.", "citations": []}
    return {"answered": True, "text": f"{found[0][0]}, it says.", "citations": [found[0][1]]}


_ACTS: dict[str, Callable[[Shown], Reply]] = {
    "describe": _described,
    "decompose": _decomposed,
    "ground": _grounded,
    "answer": _answered,
    "recall": lambda _: {"answered": True, "text": "Halden, I think."},
}


def reading(messages: Asked, schema: Mapping[str, Any] | None) -> str:
    """Answer every act as a model would that reads by rules."""
    said = [Message(m["role"], m["content"]) for m in messages]
    try:
        act = act_of(said, _ACTS)
    except ValueError:
        return answer(messages, schema)
    return json.dumps(_ACTS[act](values_of(act, said)))


@pytest.fixture(params=SERVERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(provider: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[stubs.StubUrl]:
    with SERVERS[provider](reading) as url:
        connect(monkeypatch, url)
        yield url


def indexed(console: Console, folder: Path, llm: str, *options: str) -> Run:
    pages = folder / "pages"
    if not pages.exists():
        written(folder)
        for name in PAGES:
            if name not in {"silver-gate.md", "clara-venn.md"}:
                (pages / name).unlink()
    return console(
        mder_cli.main, "index", pages, "--kg", folder / "kg", "--llm", llm, "--json", *options
    )


def test_pages_are_indexed_and_asked_through_a_model(
    console: Console, tmp_path: Path, provider: str, server: stubs.StubUrl
) -> None:
    llm = f"{provider}/tiny"
    run = indexed(console, tmp_path, llm)
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out)["counts"]["documents"] == 2
    graph = mder.open_graph(tmp_path / "kg")
    assert set(graph.manifest.reasoners.values()) == {llm}
    directed = next(t for t in graph.triples("Silver Gate") if t.object.name == "Clara Venn")
    assert directed.verified
    assert directed.description.startswith("They say: Silver Gate: ")
    assert "directed by Clara Venn" in directed.description

    run = console(dr_cli.main, "ask", QUESTION, "--kg", tmp_path / "kg", "--llm", llm, "--json")
    assert (run.code, run.err) == (0, "")
    record = json.loads(run.out)
    assert record["answered"] is True
    assert record["answer"] == "Halden, it says."
    assert [c["source"] for c in record["citations"]] == ["pages/clara-venn.md"]
    assert record["citations"][0]["quote"] in PAGES["clara-venn.md"]
    assert server.count(CHAT[provider]) > 0


def test_a_second_run_asks_the_model_nothing(
    console: Console, tmp_path: Path, provider: str, server: stubs.StubUrl
) -> None:
    indexed(console, tmp_path, f"{provider}/tiny")
    asked = server.count(CHAT[provider])
    run = indexed(console, tmp_path, f"{provider}/tiny")
    assert json.loads(run.out)["changed"] is False
    assert server.count(CHAT[provider]) == asked


@pytest.mark.usefixtures("server")
def test_a_graph_built_by_a_model_is_asked_without_one(
    console: Console, tmp_path: Path, provider: str
) -> None:
    indexed(console, tmp_path, f"{provider}/tiny")
    run = console(dr_cli.main, "ask", QUESTION, "--kg", tmp_path / "kg")
    assert run.out.startswith("Halden.")


@pytest.mark.usefixtures("server")
def test_a_model_asks_a_graph_built_without_one(console: Console, kg: Path, provider: str) -> None:
    run = console(dr_cli.main, "ask", QUESTION, "--kg", kg, "--llm", f"{provider}/tiny", "--trace")
    assert run.code == 0
    assert "* candidate Clara Venn" in run.out
    assert "Halden, it says." in run.out
    assert "(pages/clara-venn.md)" in run.out


@pytest.mark.usefixtures("server")
def test_a_model_answers_from_what_it_knows_alone(
    console: Console, kg: Path, provider: str
) -> None:
    options = ("--kg", kg, "--llm", f"{provider}/tiny", "--retriever", "llm-only", "--json")
    record = json.loads(console(dr_cli.main, "ask", QUESTION, *options).out)
    assert record["answer"] == "Halden, I think."
    assert record["citations"] == record["sources"] == []


@pytest.mark.usefixtures("server")
def test_what_the_model_finds_unsupported_is_not_answered(
    console: Console, kg: Path, provider: str
) -> None:
    question = "Who is the mayor of Halden?"
    run = console(dr_cli.main, "ask", question, "--kg", kg, "--llm", f"{provider}/tiny", "--json")
    assert run.code == 0
    assert json.loads(run.out)["answered"] is False


def test_a_missing_server_gives_one_line(
    console: Console,
    tmp_path: Path,
    kg: Path,
    provider: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = stubs.refused() + ("/v1" if provider == "openai" else "")
    connect(monkeypatch, address)
    llm = f"{provider}/tiny"
    for run in (
        indexed(console, tmp_path, llm),
        console(dr_cli.main, "ask", QUESTION, "--kg", kg, "--llm", llm),
    ):
        assert run.code == 1
        assert run.out == ""
        assert run.err.count("\n") == 1
        assert address.removesuffix("/v1") in run.err
        if provider == "ollama":
            assert "ollama serve" in run.err


def test_a_missing_model_gives_one_line(
    console: Console, tmp_path: Path, kg: Path, provider: str, server: stubs.StubUrl
) -> None:
    llm = f"{provider}/absent"
    for run in (
        indexed(console, tmp_path, llm),
        console(dr_cli.main, "ask", QUESTION, "--kg", kg, "--llm", llm),
    ):
        assert run.code == 1
        assert run.err.count("\n") == 1
        assert "absent" in run.err
        assert provider == "openai" or "ollama pull absent" in run.err
    assert server.requests


def test_replies_that_cannot_be_used_cost_their_chunk_alone(
    console: Console,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def torn(messages: Asked, schema: Mapping[str, Any] | None) -> str:
        reply = reading(messages, schema)
        # Only the page on the film is read in vain.
        wanted = "1994 drama film" in str(messages) and "facts" in str(schema)
        return reply[: len(reply) // 2] if wanted else reply

    with stubs.ollama(torn) as url, caplog.at_level(logging.WARNING):
        connect(monkeypatch, url)
        run = indexed(console, tmp_path, "ollama/tiny")
    assert run.code == 3
    assert json.loads(run.out)["failed"] == ["pages/silver-gate.md"]
    assert json.loads(run.out)["counts"]["documents"] == 2
    graph = mder.open_graph(tmp_path / "kg")
    assert graph.triples("Clara Venn")
    assert caplog.records
    with stubs.ollama(reading) as url:
        connect(monkeypatch, url)
        again = indexed(console, tmp_path, "ollama/tiny", "--retry-failed")
    assert again.code == 0
    assert (json.loads(again.out)["read"], json.loads(again.out)["kept"]) == (1, 1)
    assert mder.open_graph(tmp_path / "kg").triples("Silver Gate")


def test_an_embedder_of_a_server_is_kept_with_the_graph(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ("--embedder", "ollama/tiny-embed")
    with stubs.ollama(reading) as url:
        connect(monkeypatch, url)
        run = indexed(console, tmp_path, "syntax", *named)
        assert run.code == 0, run.err
        asked = console(dr_cli.main, "ask", QUESTION, "--kg", tmp_path / "kg", *named)
    assert asked.out.startswith("Halden.")
    assert mder.open_graph(tmp_path / "kg").manifest.embedder == "ollama/tiny-embed"
    connect(monkeypatch, stubs.refused())
    asked = console(dr_cli.main, "ask", QUESTION, "--kg", tmp_path / "kg", *named)
    assert asked.code == 1
    assert asked.err.count("\n") == 1
