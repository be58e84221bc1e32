"""The graph of the examples, made with the Embedder of the tests."""

from pathlib import Path

import pytest

from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.graph.validate import violations
from tests.pipeline.look import opened, sources
from tests.samples import run_index

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    home = Home.create(tmp_path_factory.mktemp("examples") / ".mder")
    report = run_index(home, EXAMPLES / "documents", EXAMPLES / "names", jobs=2)
    assert not report.skipped
    assert len(sources(home)) == report.read
    return opened(home)


def test_the_graph_keeps_every_rule_of_its_ontology(examples: Graph) -> None:
    assert violations(examples) == []


def test_what_a_page_is_about_is_one_entity(examples: Graph) -> None:
    titles = {examples.document(source).title for source in examples.manifest.documents}
    found = {title: examples.find(title) for title in titles}
    assert found == {title: (title,) for title in titles}


def test_every_triple_points_at_the_text_that_states_it(examples: Graph) -> None:
    counts = examples.statistics()
    assert counts["unverified"] == 0
    for title in ("Marie Curie", "Warsaw", "Lise Meitner"):
        assert examples.triples(title)
        for triple in examples.triples(title):
            assert triple.description
