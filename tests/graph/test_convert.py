import io
from dataclasses import replace
from functools import partial

import msgspec
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, serialize

from mder.errors import GraphError
from mder.graph import convert
from mder.graph import vocabulary as v
from mder.graph.manifest import Manifest
from mder.graph.node import Node
from mder.names import canonical, escaped, storable
from mder.records import Chunk, Document, Entity, Mention, Merge, Reading, Triple
from tests.graph.sample import BORN, CURIE, KNOWLEDGE, STAYED
from tests.graphs import COST, MANIFEST, Knowledge, quads

replace_cost = partial(msgspec.structs.replace, COST)
ANY_TEXT = st.text(st.characters(), max_size=20)


def _look(store: Store) -> convert.Look:
    return lambda iri: Node(iri, store.quads_for_pattern(iri, None, None))


def _store(knowledge: Knowledge, manifest: Manifest = MANIFEST) -> Store:
    store = Store()
    store.bulk_extend(quads(knowledge, manifest))
    return store


def test_every_record_comes_back_as_it_was() -> None:
    store = _store(KNOWLEDGE)
    look = _look(store)
    for reading in KNOWLEDGE.readings:
        node = look(v.document_iri(reading.document.source))
        assert convert.to_document(node, look) == replace(reading.document, text="")
        for chunk in reading.chunks:
            assert convert.to_chunk(look(v.chunk_iri(chunk.source, chunk.start)), look) == chunk
    for triple in KNOWLEDGE.triples:
        assert convert.to_triple(look(v.triple_iri(triple)), look) == triple
    for merge in KNOWLEDGE.merges:
        assert convert.to_merge(look(v.merge_iri(merge)), look) == merge
    for entity in KNOWLEDGE.entities:
        documents = [v.document_iri(source) for source in entity.documents]
        assert convert.to_entity(look(v.entity_iri(entity.name)), documents, look) == entity


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib warns of itself
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_comes_back_as_it_can_be_stored(a: str, b: str, c: str, d: str) -> None:
    chunk = Chunk(a, 0, 9, b, c, d, a)
    document = Document(a, b, "", c, d, (), ((a, b), (c, d)))
    triple = Triple(Mention(a), b, Mention(c), a, 0, 0, 9, description=d)
    merge = Merge(a, b, 0.5, c, d, (a,))
    names = [Entity(name, (b,)) for name in {canonical(a), canonical(c)}]
    store = _store(Knowledge((Reading(document, (chunk,)),), tuple(names), (triple,), (), (merge,)))
    look = _look(store)

    found = convert.to_document(look(v.document_iri(a)), look)
    assert (found.source, found.title) == (escaped(a), storable(b))
    assert found.metadata == ((storable(a), storable(b)), (storable(c), storable(d)))
    stored = convert.to_chunk(look(v.chunk_iri(a, 0)), look)
    assert (stored.text, stored.summary, stored.english) == (storable(b), storable(d), storable(a))
    read = convert.to_triple(look(v.triple_iri(triple)), look)
    assert (read.subject.name, read.predicate) == (canonical(a), canonical(b))
    assert (read.object.name, read.description) == (canonical(c), storable(d))
    assert convert.to_merge(look(v.merge_iri(merge)), look).name == canonical(b)

    written = serialize(store, format=RdfFormat.N_QUADS)
    parsed = rdflib.Dataset()
    parsed.parse(io.BytesIO(written or b""), format="nquads")
    assert len(list(parsed.quads())) == len(store)


def test_a_direct_edge_stands_beside_each_triple_that_is_verified() -> None:
    store = _store(KNOWLEDGE)
    marie, warsaw = v.entity_iri("Marie Curie"), v.entity_iri("Warsaw")
    graph = v.document_iri(CURIE)
    assert Quad(marie, v.relation_iri(BORN.predicate), warsaw, graph) in store
    assert not STAYED.verified
    assert Quad(marie, v.relation_iri(STAYED.predicate), warsaw, graph) not in store
    assert Quad(v.triple_iri(STAYED), v.IS_VERIFIED, Literal(False), graph) in store


def test_each_thing_is_attributed_to_who_made_it() -> None:
    store = _store(KNOWLEDGE)
    syntax, tiny = v.agent_iri("syntax"), v.agent_iri("ollama/tiny")
    by = {
        (quad.subject, quad.object) for quad in store.quads_for_pattern(None, v.ATTRIBUTED_TO, None)
    }
    triples = {(v.triple_iri(triple), syntax) for triple in KNOWLEDGE.triples}
    assert by == triples | {(v.entity_iri(e.name), tiny) for e in KNOWLEDGE.entities}
    agents = store.quads_for_pattern(None, v.RDF_TYPE, v.SOFTWARE_AGENT)
    assert {quad.subject for quad in agents} == {syntax, tiny}


def test_nothing_is_attributed_where_nobody_is_named() -> None:
    manifest = Manifest(version="1", embedder="test", dimension=3, created="")
    store = _store(KNOWLEDGE, manifest)
    assert not list(store.quads_for_pattern(None, v.ATTRIBUTED_TO, None))
    assert not list(store.quads_for_pattern(None, None, None, v.PROVENANCE))


def test_what_a_model_was_asked_is_an_activity_in_a_graph_of_its_own() -> None:
    store = _store(KNOWLEDGE)
    node, agent = v.activity_iri("reduce", "ollama/tiny"), v.agent_iri("ollama/tiny")
    apart = list(store.quads_for_pattern(None, None, None, v.PROVENANCE))
    assert {quad.subject for quad in apart} == {node, agent}
    assert {quad.predicate: quad.object for quad in apart if quad.subject == node} == {
        v.RDF_TYPE: v.ACTIVITY,
        v.LABEL: Literal("reduce by ollama/tiny"),
        v.ASSOCIATED_WITH: agent,
        v.HAS_CALLS: Literal(COST.calls),
        v.HAS_TOKENS_IN: Literal(COST.tokens_in),
        v.HAS_TOKENS_OUT: Literal(COST.tokens_out),
        v.HAS_CACHED: Literal(COST.cached),
        v.HAS_FAILED: Literal(COST.failed),
        v.HAS_SECONDS: Literal(COST.seconds),
    }
    assert Quad(agent, v.RDF_TYPE, v.SOFTWARE_AGENT, v.PROVENANCE) in apart


def test_each_model_of_a_stage_has_its_activity() -> None:
    costs = [replace_cost(stage=s, model=m) for s in ("map", "reduce") for m in ("a/1", "b/1")]
    store = _store(KNOWLEDGE, msgspec.structs.replace(MANIFEST, costs=costs))
    activities = store.quads_for_pattern(None, v.RDF_TYPE, v.ACTIVITY)
    assert len({quad.subject for quad in activities}) == 4


def test_a_document_is_removed_with_its_graph_and_leaves_no_ghost() -> None:
    store = _store(KNOWLEDGE)
    graph = v.document_iri("docs/curie.md")
    store.remove_graph(graph)
    ghosts = [q for q in store.quads_for_pattern(None, None, graph) if q.predicate != v.HOLDS_IN]
    assert list(store.quads_for_pattern(graph, None, None)) == ghosts == []


def test_the_same_knowledge_in_another_order_gives_the_same_graph() -> None:
    backwards = replace(
        KNOWLEDGE,
        readings=KNOWLEDGE.readings[::-1],
        entities=KNOWLEDGE.entities[::-1],
        triples=KNOWLEDGE.triples[::-1],
        links=KNOWLEDGE.links[::-1],
        merges=KNOWLEDGE.merges[::-1],
    )
    assert set(quads(KNOWLEDGE, MANIFEST)) == set(quads(backwards, MANIFEST))


def test_a_value_of_the_wrong_kind_is_named() -> None:
    store = _store(KNOWLEDGE)
    node = v.chunk_iri("docs/curie.md", 0)
    [start] = store.quads_for_pattern(node, v.HAS_START, None)
    store.remove(start)
    store.add(Quad(node, v.HAS_START, Literal("soon"), start.graph_name))
    with pytest.raises(GraphError, match=r'hasStart is "soon", not an xsd:integer'):
        convert.to_chunk(_look(store)(node), _look(store))


def test_a_node_of_another_class_is_refused() -> None:
    store = _store(KNOWLEDGE)
    with pytest.raises(GraphError, match="no Triple in this graph"):
        convert.to_triple(_look(store)(NamedNode("https://example.org/x")), _look(store))
