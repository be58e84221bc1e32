from collections.abc import Callable
from pathlib import Path

import pytest

from mder.graph.store import Graph
from tests.graph.sample import KNOWLEDGE
from tests.graphs import Knowledge, write


@pytest.fixture
def build(tmp_path: Path) -> Callable[[Knowledge], Graph]:
    return lambda knowledge: Graph.open(write(tmp_path / "generation", knowledge))


@pytest.fixture
def graph(build: Callable[[Knowledge], Graph]) -> Graph:
    return build(KNOWLEDGE)
