from collections.abc import Callable
from pathlib import Path

import pytest

from mder.graph.manifest import Manifest
from mder.graph.store import Graph, write
from mder.records import Knowledge
from tests.graph.sample import KNOWLEDGE

MANIFEST = Manifest(
    version="0.1.0",
    embedder="test",
    dimension=3,
    created="2026-01-01T00:00:00+00:00",
    reasoner="syntax",
    settings={"top_k": 5},
)


@pytest.fixture
def build(tmp_path: Path) -> Callable[[Knowledge], Graph]:
    def _build(knowledge: Knowledge) -> Graph:
        path = tmp_path / "generation"
        path.mkdir()
        write(path, knowledge, MANIFEST)
        return Graph.open(path)

    return _build


@pytest.fixture
def graph(build: Callable[[Knowledge], Graph]) -> Graph:
    return build(KNOWLEDGE)
