from pathlib import Path

import pytest

from mder.graph.generations import Home
from mder.graph.store import Graph
from tests.dr.evaluate.stand_in import CORPUS, DISTRACTORS, write_rows
from tests.samples import run_index


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("corpora")
    return [
        write_rows(folder / "corpus.jsonl", *CORPUS),
        write_rows(folder / "distractors.jsonl", *DISTRACTORS),
    ]


@pytest.fixture(scope="session")
def kg(corpora: list[Path]) -> Path:
    """Return the directory of a graph of both corpora, beside which they lie."""
    home = Home.create(corpora[0].parent / "kg")
    run_index(home, *corpora)
    return home.path


@pytest.fixture(scope="session")
def graph(kg: Path) -> Graph:
    return Graph.open(Home.at(kg).current())
