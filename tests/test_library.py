from pathlib import Path

import pytest

import mder
from mder import library
from mder.choice import Models
from mder.errors import BudgetError, GraphError, UsageError
from mder.graph.generations import Home
from mder.settings import load
from tests import stubs
from tests.doubles import HashingEmbedder
from tests.pipeline.served import answer, asked, connect, failing
from tests.samples import PAGES, WARSAW, save


@pytest.fixture(autouse=True)
def _test_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mder.embedders.open_embedder", lambda _name="": HashingEmbedder())


def test_a_graph_is_built_and_asked_in_two_calls(elsewhere: Path) -> None:
    save(elsewhere / "docs", PAGES)
    graph = mder.build("docs")
    assert list(graph.query("SELECT ?n { ?e mder:hasName ?n . FILTER(?n = 'Warsaw') }")) == [
        ("Warsaw",)
    ]
    assert mder.open_graph().path == graph.path == elsewhere / ".mder" / "generations" / "1"


@pytest.mark.parametrize("several", [True, False])
def test_paths_are_one_or_several_strings_or_paths(elsewhere: Path, *, several: bool) -> None:
    save(elsewhere, PAGES)
    both: list[str | Path] = ["warsaw.md", Path("curie.md")]
    paths = both if several else Path("warsaw.md")
    graph = mder.build(paths, kg=elsewhere / "kg")
    assert graph.statistics()["documents"] == (2 if several else 1)


def test_a_graph_is_named_by_a_string_or_a_path(elsewhere: Path) -> None:
    save(elsewhere, {"warsaw.md": WARSAW})
    mder.build("warsaw.md", kg="one")
    assert mder.open_graph("one").path == mder.open_graph(Path("one")).path
    with pytest.raises(GraphError, match="run: mder index PATH --kg other"):
        mder.open_graph("other")


def test_documents_whose_files_are_gone_stay_unless_they_are_pruned(elsewhere: Path) -> None:
    folder = save(elsewhere / "docs", PAGES)
    mder.build(folder)
    (folder / "warsaw.md").unlink()
    assert mder.build(folder).statistics()["documents"] == 3
    graph = mder.build(folder, prune=True, keep=1)
    assert graph.statistics()["documents"] == 2
    assert [path.name for path in (elsewhere / ".mder" / "generations").iterdir()] == ["2"]


def test_without_a_graph_none_is_opened(elsewhere: Path) -> None:
    with pytest.raises(GraphError, match="run: mder index PATH"):
        mder.open_graph()
    assert not (elsewhere / ".mder").exists()


def test_a_path_that_does_not_exist_is_wrong_usage(elsewhere: Path) -> None:
    assert elsewhere.is_dir()
    with pytest.raises(UsageError, match="nowhere: no such file or folder"):
        mder.build("nowhere")


@pytest.mark.parametrize("setting", ['llm = "ollama/tiny"', 'embedder = "openai/tiny"'])
def test_a_server_that_only_a_file_names_is_not_asked(elsewhere: Path, setting: str) -> None:
    save(elsewhere, {"warsaw.md": WARSAW})
    (elsewhere / ".mder").mkdir()
    (elsewhere / ".mder" / "settings.toml").write_text(setting)
    with pytest.raises(UsageError, match=r"say --(llm ollama|embedder openai)/tiny"):
        mder.build("warsaw.md")


def test_choices_are_kept_beside_the_graph(elsewhere: Path) -> None:
    save(elsewhere, {"warsaw.md": WARSAW})
    mder.build("warsaw.md", embedder="a-name")
    assert load(Home.find().settings).embedder == "a-name"
    mder.build("warsaw.md")
    assert load(Home.find().settings).embedder == "a-name"


def test_a_graph_is_built_with_a_model_in_one_call(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(elsewhere, PAGES)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        graph = mder.build(["warsaw.md", "curie.md"], llm="ollama/tiny", jobs=2)
    assert set(graph.manifest.reasoners.values()) == {"ollama/tiny"}
    assert asked(url.requests)["map"] == 2
    assert {cost.stage for cost in graph.manifest.costs} == set(asked(url.requests))


def test_what_it_would_cost_and_what_failed_is_told_to_scripts_too(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(elsewhere, PAGES)
    models = Models(llm="ollama/tiny")
    with stubs.ollama(answer, faults=failing(stubs.EMPTY, "map", "Poland")) as url:
        connect(monkeypatch, url)
        foreseen = library.estimate([Path("warsaw.md"), Path("curie.md")], models=models)
        assert (
            foreseen.stages["map"].calls == foreseen.total.calls - foreseen.stages["enrich"].calls
        )
        assert not url.requests
        _, report = library.index([Path("warsaw.md"), Path("curie.md")], models=models)
    assert report.failed == ("warsaw.md",)
    assert report.failed_share == report.spent["map"].failed_share == 0.5
    (failure,) = library.failures()
    assert (failure.stage, failure.source, failure.reply) == ("map", "warsaw.md", "")
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        _, report = library.index([], models=models, retry_failed=True)
    assert (report.failed, report.read, report.kept) == ((), 1, 0)
    assert library.failures() == ()


def test_a_budget_ends_a_run_with_an_error(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(elsewhere, PAGES)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        with pytest.raises(BudgetError, match="the budget of 9 tokens is used up in map"):
            library.index([Path("warsaw.md")], models=Models(llm="ollama/tiny"), max_tokens=9)
    assert not url.requests


def test_a_graph_that_is_not_there_has_no_failures(elsewhere: Path) -> None:
    with pytest.raises(GraphError, match="run: mder index PATH"):
        library.failures()
    with pytest.raises(GraphError, match="run: mder index PATH"):
        library.index([], retry_failed=True)
    assert not list(elsewhere.iterdir())
