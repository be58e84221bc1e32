"""Real weights, end to end: the machinery is asserted here, not wisdom."""

import json
from pathlib import Path

import pytest

from dr.engine import open_engine
from mder.choice import Models
from mder.errors import ReplyError
from mder.graph.store import Graph
from mder.journal import Journal
from mder.library import index
from mder.models.ledger import Spent
from mder.pipeline import Report
from mder.reasoners.llm import acts
from mder.reasoners.llm.reply import parse
from tests.models.weights import llama_server, small_weights

pytestmark = pytest.mark.weights

PAGES = {
    "curie.md": "# Marie Curie\n\nMarie Curie was born in Warsaw. She discovered radium.\n",
    "warsaw.md": "# Warsaw\n\nWarsaw is the capital of Poland. It stands on the Vistula.\n",
}
# Small weights ramble: what they are allowed to say is kept short.
TERMS = ["reply_tokens=160", "failed_share=1.0"]
KINDS = {act.kind for act in vars(acts).values() if isinstance(act, acts.Act)}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(pages: Path, llm: str) -> tuple[Graph, Report]:
    kg = pages.parent / "graph"
    return index([pages], kg, models=Models(llm=llm), assignments=TERMS)


def kept_replies(pages: Path) -> list[str]:
    import sqlite3

    with sqlite3.connect(pages.parent / "graph" / "journal.sqlite") as base:
        return [text for (text,) in base.execute("SELECT value FROM replies")]


def fits_an_act(reply: str) -> bool:
    for kind in KINDS:
        try:
            parse(reply, kind)
        except ValueError:
            continue
        return True
    return False


def check(pages: Path, llm: str) -> None:
    graph, first = run(pages, llm)
    spent = sum(first.spent.values(), Spent())
    assert first.read == 2
    assert spent.calls > 0
    assert spent.tokens_in > spent.calls
    assert spent.tokens_out > 0
    assert spent.seconds > 0
    assert {cost.model for cost in graph.manifest.costs} == {first_model(llm)}
    replies = kept_replies(pages)
    assert all(isinstance(json.loads(text), dict) for text in replies)
    assert all(fits_an_act(text) for text in replies)
    _, second = run(pages, llm)
    assert sum(second.spent.values(), Spent()).calls == 0
    assert not second.changed
    with Journal(pages.parent / "graph" / "journal.sqlite") as journal:
        assert len(journal.failures()) == spent.failed
    try:
        answer = open_engine(graph, llm=llm).ask("Where was Marie Curie born?")
    except ReplyError:
        return
    assert answer.decomposition.triples


def first_model(llm: str) -> str:
    provider, _, model = llm.partition("/")
    return f"{provider}/{Path(model).name}"


def test_weights_in_process_index_and_answer(pages: Path) -> None:
    check(pages, f"gguf/{small_weights()}")


def test_a_llama_server_on_loopback_indexes_and_answers(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with llama_server(4096) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        check(pages, "openai/small")
