"""A graph built with a model behind a server, from the command to what the graph says of it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from mder.graph.validate import violations
from mder.graph.vocabulary import HAS_DESCRIPTION, HAS_SUMMARY, PROVENANCE
from mder.library import open_graph
from tests import stubs
from tests.pipeline.served import (
    ASKING,
    CHAT,
    PAGES,
    SERVERS,
    Asked,
    Command,
    answer,
    asked,
    connect,
    knowledge,
    report,
    stats,
)
from tests.samples import save

LEDGER = ("calls", "tokens_in", "tokens_out", "cached", "failed")
TINY = ("--llm", "ollama/tiny", *ASKING)


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    return save(elsewhere / "docs", PAGES)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[stubs.StubUrl]:
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        yield url


def figures(stages: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {stage: {name: told[name] for name in LEDGER} for stage, told in stages.items()}


@pytest.mark.parametrize("provider", CHAT)
def test_what_a_model_was_asked_is_told_by_the_run_by_stats_and_by_the_graph(
    provider: str, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SERVERS[provider](answer) as url:
        connect(monkeypatch, url)
        done = mder("index", docs, "--llm", f"{provider}/tiny", *ASKING, "--json")
    assert (done.code, done.err) == (0, "")
    told = report(done)
    spent = told["spent"]
    assert {stage: figures["calls"] for stage, figures in spent.items()} == asked(url.requests)
    assert set(spent) == {"summarize", "map", "disambiguate", "enrich", "reduce"}
    assert all(s["asked"] >= s["calls"] > 0 == s["failed"] for s in spent.values())
    assert all(s["tokens_in"] > s["tokens_out"] > 0 < s["seconds"] for s in spent.values())

    ledger = stats(mder)["ledger"]
    assert figures(ledger) == figures(spent)
    assert {told["model"] for told in ledger.values()} == {f"{provider}/tiny"}
    assert set(stats(mder)["built"]["reasoners"].values()) == {f"{provider}/tiny"}

    rows = json.loads(mder("query", ACTIVITIES, "--format", "json").out)["results"]["bindings"]
    found = {r["label"]["value"]: [int(r[name]["value"]) for name in LEDGER] for r in rows}
    assert found == {
        f"{stage} by {provider}/tiny": [told[name] for name in LEDGER]
        for stage, told in spent.items()
    }
    assert violations(open_graph()) == []


ACTIVITIES = """
SELECT ?label ?calls ?tokens_in ?tokens_out ?cached ?failed {
    ?a a prov:Activity ; rdfs:label ?label ; mder:hasCalls ?calls ; mder:hasTokensIn ?tokens_in ;
        mder:hasTokensOut ?tokens_out ; mder:hasCached ?cached ; mder:hasFailed ?failed ;
        mder:hasSeconds ?seconds ; prov:wasAssociatedWith [ a prov:SoftwareAgent ] }
"""


def test_the_run_shows_the_ledger_as_a_table(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    done = mder("index", docs, *TINY)
    head, *rows, last = done.out.splitlines()
    assert head.split() == "stage asked cached failed calls tokens in tokens out seconds".split()
    calls = {row.split()[0]: int(row.split()[4]) for row in rows}
    assert calls == asked(server.requests)
    assert last.startswith("read 4, unchanged 0, skipped 0; the graph holds 4 documents")


def test_a_second_run_asks_nothing_and_changes_nothing(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    mder("index", docs, *TINY)
    before = stats(mder)
    server.requests.clear()
    told = report(mder("index", docs, *TINY, "--json"))
    assert (told["changed"], told["read"], told["kept"], told["spent"]) == (False, 0, 4, {})
    assert not server.requests
    assert stats(mder) == before


def test_a_new_document_asks_for_itself_and_the_ledger_goes_on(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    later = docs / "ott.txt"
    text = later.read_text()
    later.unlink()
    mder("index", docs, *TINY)
    first, before = asked(server.requests), stats(mder)["ledger"]
    bodies = [json.dumps(request.body) for request in server.requests]
    server.requests.clear()
    later.write_text(text)
    spent = report(mder("index", docs, *TINY, "--json"))["spent"]
    assert asked(server.requests)["map"] == asked(server.requests)["summarize"] == 1
    assert not {json.dumps(request.body) for request in server.requests} & set(bodies)
    assert spent["enrich"]["cached"] > 0 < spent["disambiguate"]["cached"]
    after = stats(mder)["ledger"]
    assert {s: told["calls"] for s, told in after.items()} == first + asked(server.requests)
    for stage, told in after.items():
        tokens = before[stage]["tokens_in"] + spent[stage]["tokens_in"]
        assert told["tokens_in"] == tokens
        assert told["cached"] == spent[stage]["cached"]


def test_runs_file_by_file_give_the_graph_of_one_run_but_for_its_wording(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    mder("index", docs, *TINY)
    for page in sorted(docs.iterdir(), reverse=True):
        assert mder("index", page, "--kg", "other", *TINY).code == 0
    whole, other = (
        {q for q in knowledge(graph) if q.predicate not in (HAS_DESCRIPTION, HAS_SUMMARY)}
        for graph in (open_graph(), open_graph("other"))
    )
    assert other == whole
    assert server.requests


@pytest.mark.parametrize("stage", ["enrich", "reduce", "disambiguate"])
def test_a_graph_built_without_a_model_is_improved_by_one_in_one_stage(
    stage: str, mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    mder("index", docs, *ASKING)
    assert stats(mder)["ledger"] == {}
    keys = open_graph().manifest.documents
    one = ("index", docs, *ASKING, "--set", f"llm_{stage}=ollama/tiny", "--json")
    told = report(mder(*one))
    assert (told["changed"], told["read"], told["kept"]) == (True, 0, 4)
    assert set(asked(server.requests)) == {stage}
    graph = open_graph()
    assert graph.manifest.documents == keys
    by_model = {s for s, name in graph.manifest.reasoners.items() if name == "ollama/tiny"}
    assert by_model == {stage}
    assert set(stats(mder)["ledger"]) == {stage}
    assert violations(graph) == []
    server.requests.clear()
    assert report(mder(*one))["changed"] is False
    assert not server.requests


def test_stages_are_taken_over_one_after_the_other_and_given_back(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    mder("index", docs, *ASKING)
    plain = knowledge(open_graph())
    assert report(mder("index", docs, "--set", "llm_enrich=ollama/tiny", "--json"))["changed"]
    server.requests.clear()
    both = ("--set", "llm_enrich=ollama/tiny", "--set", "llm_reduce=ollama/tiny")
    spent = report(mder("index", docs, *both, "--json"))["spent"]
    assert set(asked(server.requests)) == {"reduce"}
    assert spent["enrich"]["cached"] == spent["enrich"]["asked"] > 0
    server.requests.clear()
    told = report(mder("index", docs, "--llm", "syntax", "--json"))
    assert (told["changed"], told["read"], told["spent"]) == (True, 0, {})
    assert knowledge(open_graph()) == plain
    assert not server.requests
    assert set(stats(mder)["ledger"]) == {"enrich", "reduce"}


def test_another_model_in_place_of_the_first_has_its_own_account(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer, models=("tiny", "large")) as url:
        connect(monkeypatch, url)
        mder("index", docs, "--set", "llm_enrich=ollama/tiny")
        one = stats(mder)["ledger"]["enrich"]
        url.requests.clear()
        mder("index", docs, "--set", "llm_enrich=ollama/large")
        both = stats(mder)["ledger"]["enrich"]
    assert {request.body["model"] for request in url.requests} == {"large"}
    assert both["model"] == "ollama/large, ollama/tiny"
    assert both["calls"] == one["calls"] + len(url.requests)
    assert both["failed"] == 0
    graph = open_graph()
    assert violations(graph) == []
    found = graph.query("SELECT (COUNT(?a) AS ?n) { ?a a prov:Activity }")
    assert list(found) == [("2",)]


@pytest.mark.parametrize("provider", CHAT)
def test_the_number_of_jobs_changes_neither_graph_nor_account(
    provider: str, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm = ("--llm", f"{provider}/tiny", *ASKING)
    graphs, accounts = [], []
    for jobs in (1, 2, 8):
        with SERVERS[provider](answer) as url:
            connect(monkeypatch, url)
            kg = f"kg{jobs}"
            assert mder("index", docs, "--kg", kg, *llm, "--jobs", jobs).code == 0
        graphs.append(knowledge(open_graph(kg)))
        accounts.append(asked(url.requests))
    assert graphs[0] == graphs[1] == graphs[2]
    assert accounts[0] == accounts[1] == accounts[2]


def test_what_differs_from_run_to_run_stands_apart(
    mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    mder("index", docs, *TINY)
    graph = open_graph()
    apart = [quad for quad in graph.store if quad.graph_name == PROVENANCE]
    assert len(apart) == 5 * 9 + 2
    assert server.requests


@pytest.mark.parametrize(
    "setting", ['llm = "ollama/tiny"', 'llm_map = "ollama/tiny"', 'embedder = "ollama/tiny-embed"']
)
def test_a_settings_file_with_a_server_sends_nothing_unless_the_server_is_named(
    setting: str, mder: Command, docs: Path, server: stubs.StubUrl
) -> None:
    save(docs.parent / ".mder", {"settings.toml": setting})
    for wish in ((), ("--estimate",), ("--retry-failed",)):
        done = mder("index", docs, *wish)
        assert done.code == 2
        assert "again to send documents there" in done.err
    assert not server.requests
    assert not (docs.parent / ".mder" / "CURRENT").exists()


def test_a_text_in_another_language_is_kept_beside_its_translation(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def translates(messages: Asked, schema: Mapping[str, Any] | None) -> str:
        return answer(messages, schema).replace("Skagen ist eine Stadt", "Skagen is a town")

    with stubs.ollama(translates) as url:
        connect(monkeypatch, url)
        mder("index", docs, "--llm", "ollama/tiny")
    assert asked(url.requests)["translate"] == 1
    graph = open_graph()
    found = [graph.chunk(iri) for iri in graph.chunks_of("Skagen")]
    (chunk,) = [chunk for chunk in found if chunk.language == "de"]
    assert "Skagen is a town" in chunk.english
    assert "Skagen ist eine Stadt" in chunk.text == chunk.summary
