import pytest

from mder.errors import GraphError
from mder.graph.neighbours import Neighbours, mentioned_in, neighbours
from mder.graph.store import Graph
from mder.graph.vocabulary import chunk_iri, entity_iri
from tests.graph.sample import CHUNKS, CURIE

FIRST, SECOND = (chunk_iri(CURIE, chunk.start).value for chunk in CHUNKS)
MARIE, WARSAW, IRENE = (entity_iri(n).value for n in ("Marie Curie", "Warsaw", "Irène"))


def test_a_chunk_mentions_entities(graph: Graph) -> None:
    assert mentioned_in(graph, FIRST) == tuple(sorted([MARIE, WARSAW]))
    assert mentioned_in(graph, MARIE) == ()


def test_an_entity_stands_beside_its_chunks_and_the_other_ends_of_its_triples(graph: Graph) -> None:
    around = neighbours(graph, MARIE, 10)
    pages = tuple(sorted([FIRST, SECOND]))
    assert around == Neighbours((FIRST,), tuple(sorted([IRENE, WARSAW])), pages)
    assert neighbours(graph, entity_iri("Nobody").value, 10) == Neighbours()


def test_a_hub_has_too_many_to_tell(graph: Graph) -> None:
    assert neighbours(graph, MARIE, 2) is None
    assert neighbours(graph, MARIE, 3) is not None


def test_what_is_no_iri_is_refused(graph: Graph) -> None:
    with pytest.raises(GraphError, match="not an IRI"):
        mentioned_in(graph, "a } UNION {")
