import pytest

from mder.errors import GraphError
from mder.graph.sentences import (
    Fact,
    Sentence,
    facts_of,
    main_types_of,
    names_of,
    pages_of,
    sentences_of,
    starts_of,
    titles_of,
    topics_of,
)
from mder.graph.store import Graph
from mder.graph.vocabulary import (
    chunk_iri,
    document_iri,
    entity_iri,
    relation_iri,
    triple_iri,
    type_iri,
)
from tests.graph.sample import BORN, CHUNKS, CURIE, DAUGHTER, MOSCOW, STAYED

FIRST, SECOND = (chunk_iri(CURIE, chunk.start).value for chunk in CHUNKS)
CAPITAL = chunk_iri(MOSCOW, 0).value
MARIE, WARSAW, IRENE = (entity_iri(n).value for n in ("Marie Curie", "Warsaw", "Irène"))
BIRTH, STAY, CHILD = (triple_iri(triple).value for triple in (BORN, STAYED, DAUGHTER))


def test_a_chunk_states_its_sentences_in_order(graph: Graph) -> None:
    ends = tuple(sorted([MARIE, WARSAW]))
    assert sentences_of(graph, [FIRST, CAPITAL]) == {
        FIRST: [Sentence(0, (BIRTH,), ends), Sentence(32, (STAY,), ends)],
        CAPITAL: [],
    }


def test_chunks_have_a_place_in_a_document_with_a_title_and_a_subject(graph: Graph) -> None:
    assert starts_of(graph, [FIRST, SECOND]) == {FIRST: 0, SECOND: CHUNKS[1].start}
    assert titles_of(graph, [SECOND, CAPITAL]) == {SECOND: "Marie Curie", CAPITAL: "Москва"}
    assert topics_of(graph, [SECOND]) == {SECOND: {MARIE}}


def test_the_pages_of_an_entity_are_the_chunks_of_the_documents_about_it(graph: Graph) -> None:
    assert pages_of(graph, [MARIE, WARSAW]) == {MARIE: {FIRST, SECOND}}


def test_names_can_be_asked_for_without_those_of_some_types(graph: Graph) -> None:
    assert names_of(graph, [MARIE, WARSAW]) == {MARIE: "Marie Curie", WARSAW: "Warsaw"}
    assert names_of(graph, [MARIE, WARSAW], but={"chemist", "date"}) == {WARSAW: "Warsaw"}


def test_the_main_type_is_the_first(graph: Graph) -> None:
    assert main_types_of(graph, [MARIE, IRENE]) == dict.fromkeys(
        [MARIE, IRENE], type_iri("person").value
    )


def test_facts_are_what_verified_triples_state(graph: Graph) -> None:
    document = document_iri(CURIE).value
    assert facts_of(graph, [BIRTH, STAY, CHILD]) == {
        BIRTH: Fact(MARIE, relation_iri("WAS_BORN_IN").value, WARSAW, document),
        CHILD: Fact(IRENE, relation_iri("IS_DAUGHTER_OF").value, MARIE, document),
    }


def test_of_no_nodes_nothing_is_said(graph: Graph) -> None:
    assert sentences_of(graph, []) == {}
    assert facts_of(graph, []) == {}


def test_what_is_no_iri_is_refused(graph: Graph) -> None:
    with pytest.raises(GraphError, match="not an IRI"):
        names_of(graph, ["a> } UNION {"])
