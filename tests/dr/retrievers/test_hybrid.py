from itertools import pairwise

import pytest

from dr.retrievers import Means
from dr.retrievers.hybrid import Hybrid
from mder.embedders.base import Embedder
from mder.graph.store import Graph
from mder.reasoners.syntax import SyntaxReasoner

QUESTION = "Who directed Silver Gate?"


@pytest.fixture(scope="module")
def means(graph: Graph, embedder: Embedder) -> Means:
    return Means(graph, embedder, SyntaxReasoner())


def test_what_the_graph_led_to_tells_the_way_and_a_hit_does_not(means: Means) -> None:
    found = {e.title: e.path for e in Hybrid(means, hits=1).retrieve(QUESTION).evidence}
    assert found["Silver Gate"] == ()
    assert found["Clara Venn"] == ("Silver Gate", "Clara Venn")
    # Her husband is two steps from the film.
    assert found["Karl Ott"][0] == "Silver Gate"
    assert found["Karl Ott"][-1] == "Karl Ott"


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0])
def test_scores_are_between_0_and_1_best_first(means: Means, weight: float) -> None:
    scores = [e.score for e in Hybrid(means, weight=weight).retrieve(QUESTION).evidence]
    assert all(one >= other for one, other in pairwise(scores))
    assert 0 <= scores[-1] <= scores[0] <= 1 + 1e-9


def test_without_hops_only_the_chunks_of_entities_in_the_hits_are_reached(means: Means) -> None:
    near = {e.title for e in Hybrid(means, hits=1, hops=0).retrieve(QUESTION).evidence}
    far = {e.title for e in Hybrid(means, hits=1).retrieve(QUESTION).evidence}
    assert near < far
    assert "Karl Ott" in far - near


def test_hubs_lead_nowhere(means: Means) -> None:
    found = Hybrid(means, hits=1, hub=0).retrieve(QUESTION).evidence
    assert [e.title for e in found] == ["Silver Gate"]
