from pathlib import Path

import pytest

import mder
from mder.errors import GraphError, UsageError
from mder.graph.generations import Home
from mder.settings import load
from tests.doubles import HashingEmbedder
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
