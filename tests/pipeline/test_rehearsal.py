"""What a run would ask, told before it is made."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mder import pipeline
from mder.choice import Models
from mder.embedders import ollama
from mder.embedders.base import Embedder
from mder.estimate import Estimate
from mder.graph.generations import Home
from mder.journal import Journal
from mder.library import estimate, index
from mder.models import tokens
from mder.models.ledger import Ledger
from mder.reasoners import Terms, rehearsed_cast
from mder.settings import Settings
from tests import stubs
from tests.doubles import Done, HashingEmbedder
from tests.pipeline.served import (
    ASKING,
    PAGES,
    Command,
    answer,
    asked,
    connect,
    failing,
    report,
)
from tests.samples import save

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
TINY = ("--llm", "ollama/tiny", *ASKING)
LLM = ("--llm", "ollama/tiny")


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    return save(elsewhere / "docs", PAGES)


def foretold(done: Done) -> Mapping[str, Mapping[str, Any]]:
    assert (done.code, done.err) == (0, ""), done
    stages: Mapping[str, Mapping[str, Any]] = json.loads(done.out)["stages"]
    return stages


def calls(stages: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    return {stage: told["calls"] for stage, told in stages.items() if told["calls"]}


def state(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_an_estimate_asks_nothing_and_is_near_what_the_run_then_takes(
    mder: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ("index", EXAMPLES, "--include", "*i[eo]*.md", *LLM, "--json")
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        stages = foretold(mder(*run, "--estimate"))
        assert not url.requests
        assert not list(elsewhere.iterdir())
        spent = report(mder(*run))["spent"]
    assert calls(stages) == calls(spent) == asked(url.requests)
    assert {"map", "enrich"} <= set(spent)
    for name in ("tokens_in", "tokens_out"):
        told, took = (sum(s[name] for s in by.values()) for by in (stages, spent))
        assert told == pytest.approx(took, rel=0.2), name


@pytest.mark.parametrize("batch", [10, 1])
def test_an_estimate_counts_as_a_server_would_that_counts_alike(
    batch: int, mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ("index", docs, *TINY, "--set", f"llm_batch={batch}", "--json")
    monkeypatch.setattr("tests.stubs.model.tokens", tokens.estimate)
    monkeypatch.setattr("tests.stubs.ollama_api.tokens", tokens.estimate)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        stages = foretold(mder(*run, "--estimate"))
        spent = report(mder(*run))["spent"]
    assert set(stages) == set(spent)
    for stage, told in spent.items():
        framing = 2 * tokens.PER_MESSAGE * told["calls"]
        assert stages[stage]["tokens_in"] == told["tokens_in"] + framing
        assert stages[stage]["tokens_out"] == told["tokens_out"]


def test_every_stage_is_foretold(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        stages = foretold(mder("index", docs, *TINY, "--estimate", "--json"))
        mder("index", docs, *TINY)
    assert calls(stages) == asked(url.requests)


def test_an_estimate_writes_nothing(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mder("index", docs / "halden.md")
    before = state(docs.parent)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        stages = foretold(mder("index", docs, *TINY, "--estimate", "--json"))
    assert sum(calls(stages).values()) > 10
    assert state(docs.parent) == before
    assert not url.requests


def test_looking_at_a_folder_without_a_graph_leaves_nothing_there(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", stubs.refused())
    (docs.parent / "kg").mkdir()
    stages = foretold(mder("index", docs, *TINY, "--kg", "kg", "--estimate", "--json"))
    assert calls(stages)["map"] == 4
    assert mder("failures", "--kg", "kg").out == ""
    assert not list((docs.parent / "kg").iterdir())


def test_what_was_asked_before_is_not_foretold(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = (docs / "ott.txt").read_text()
    (docs / "ott.txt").unlink()
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        mder("index", docs, *TINY)
        assert foretold(mder("index", docs, *TINY, "--estimate", "--json")) == {}
        said = mder("index", docs, *TINY, "--estimate").out
        assert said == "no language model is asked anything\n"
        save(docs, {"ott.txt": later})
        stages = foretold(mder("index", docs, *TINY, "--estimate", "--json"))
        url.requests.clear()
        mder("index", docs, *TINY)
    assert calls(stages) == asked(url.requests)
    assert stages["enrich"]["cached"] > 0


def test_what_failed_is_foretold_where_it_would_be_asked_again(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = failing(stubs.EMPTY, "map", "Ida Holm", times=2)
    with stubs.ollama(answer, faults=faulty) as url:
        connect(monkeypatch, url)
        mder("index", docs, *TINY)
        assert foretold(mder("index", docs, *TINY, "--estimate", "--json")) == {}
        again = ("index", "--retry-failed", *LLM)
        stages = foretold(mder(*again, "--estimate", "--json"))
        url.requests.clear()
        assert mder(*again).code == 0
    assert calls(stages) == asked(url.requests)
    assert calls(stages)["map"] == 1


def test_one_stage_alone_is_foretold_alone(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mder("index", docs, *ASKING)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        one = ("index", docs, "--set", "llm_reduce=ollama/tiny")
        stages = foretold(mder(*one, "--estimate", "--json"))
        mder(*one)
    assert set(stages) == {"reduce"}
    assert calls(stages) == asked(url.requests)


def test_syntax_asks_nothing(mder: Command, docs: Path) -> None:
    assert mder("index", docs, "--estimate").out == "no language model is asked anything\n"


def test_the_table_tells_models_time_and_cost(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        plain = mder("index", docs, *TINY, "--estimate").out.splitlines()
        known = ("speed_in=1", "speed_out=1", "price_in=1000", "price_out=1000")
        sets = [word for setting in known for word in ("--set", setting)]
        priced = mder("index", docs, *TINY, *sets, "--estimate").out.splitlines()
    assert plain[0].split() == "stage model calls tokens in tokens out time cost".split()
    assert [line.split()[0] for line in plain[1:-1]][:1] == ["summarize"]
    assert "set speed_in and speed_out, see mder doctor" in plain[-1]
    assert plain[1].split()[-2:] == ["?", "?"]
    *_, total = priced
    stage, *counts, taken, cost = total.split()
    both = sum(map(int, counts[-2:]))
    hours, minutes, seconds = map(int, taken.split(":"))
    assert (stage, len(counts)) == ("all", 3)
    assert hours * 3600 + minutes * 60 + seconds == pytest.approx(both, abs=1)
    assert float(cost) == pytest.approx(both / 1000, abs=0.02)


def test_a_sample_of_many_documents_stands_for_all(
    folder: Path, home: Home, embedder: HashingEmbedder
) -> None:
    pages = {
        f"{n}.md": f"Anna Holt lived in town number {n}. She was born there." for n in range(10)
    }
    save(folder, pages)
    whole, sample = Ledger(), Ledger()
    for ledger, most in ((whole, 400), (sample, 4)):
        with Journal(home.journal, writes=False) as journal:
            settings = Settings(llm="ollama/tiny")
            cast = rehearsed_cast(settings.models, "en", Terms(ledger, journal))
            share = pipeline.rehearse(
                [folder], home, journal, settings, cast, embedder, sample=most
            )
    assert whole.stages["map"].calls == 10
    assert share == 0.4
    assert sample.stages["map"].calls == 4
    assert not list(home.generations.iterdir())


def test_a_graph_with_vectors_of_a_server_is_estimated_without_it(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Short(HashingEmbedder):
        """Has vectors of another length than the server's."""

        name = "short"

    def served(_provider: str, model: str) -> Embedder:
        return ollama.ollama_embedder(model)

    monkeypatch.setattr("mder.embedders.packaged", Short)
    monkeypatch.setattr("mder.embedders.served", served)
    models = Models(llm="ollama/tiny", embedder="ollama/tiny-embed")

    def foresee() -> Estimate:
        return estimate([docs], models=models)

    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        assert foresee().stages["map"].calls == 4
        assert not url.requests
        index([docs], models=models)
        asked_before = len(url.requests)
        assert foresee().stages == {}
        save(docs, {"new.md": "# Lund\n\nLund is a town in Sweden. Karl Ott lived in Lund.\n"})
        assert foresee().stages["map"].calls == 1
    assert len(url.requests) == asked_before
