from pathlib import Path

import pytest

import dr
import mder
from dr.engine import Engine
from mder.embedders import open_embedder
from mder.embedders.base import Embedder
from mder.graph.store import Graph
from tests.dr.console import Console
from tests.dr.pages import written


@pytest.fixture(scope="session")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a graph's directory, beside the pages that it was built from."""
    folder = tmp_path_factory.mktemp("graph")
    mder.build(written(folder), folder / "kg")
    return folder / "kg"


@pytest.fixture(scope="session")
def graph(kg: Path) -> Graph:
    return mder.open_graph(kg)


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return open_embedder()


@pytest.fixture(scope="session")
def engine(graph: Graph) -> Engine:
    return dr.open_engine(graph)


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Console:
    return Console(monkeypatch, capsys)
