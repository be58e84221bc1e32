from collections.abc import Callable
from pathlib import Path

import pytest

from mder.graph.manifest import Cost, Manifest
from mder.graph.store import Graph, write
from mder.records import Knowledge
from tests.graph.sample import KNOWLEDGE

COST = Cost(
    stage="reduce",
    model="ollama/tiny",
    calls=3,
    tokens_in=900,
    tokens_out=60,
    cached=2,
    failed=1,
    seconds=1.5,
)
MANIFEST = Manifest(
    version="0.1.0",
    embedder="test",
    dimension=3,
    created="2026-01-01T00:00:00+00:00",
    reasoners={"map": "syntax", "enrich": "ollama/tiny", "reduce": "ollama/tiny"},
    costs=[COST],
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
