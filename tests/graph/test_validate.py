from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from mder.graph import validate
from mder.graph import vocabulary as v
from mder.graph.changes import Changes
from mder.graph.store import Graph
from mder.graph.validate import changed_violations, violations
from mder.records import Link, Mention, Triple
from tests.graph.sample import BORN, CURIE, KNOWLEDGE
from tests.graphs import COST, MANIFEST, NOTHING, Knowledge, quads

GRAPH = v.document_iri(CURIE)
CHUNK = v.chunk_iri(CURIE, 0)
TRIPLE = v.triple_iri(BORN)
ACTIVITY = v.activity_iri(COST.stage, COST.model)
MARIE = v.entity_iri("Marie Curie")


QUADS = sorted(quads(KNOWLEDGE), key=str)
PLACES = st.sampled_from(range(len(QUADS)))
NODES = {quad.subject for quad in QUADS}


def stored(found: Iterable[Quad]) -> Graph:
    """Return a graph of these quads, checked by nobody yet."""
    store = Store()
    store.extend(found)
    return Graph(Path(), store, MANIFEST)


def _quad(node: NamedNode, prop: NamedNode, value: NamedNode | Literal) -> Quad:
    return Quad(node, prop, value, GRAPH)


MORE = {
    "domain mder:hasContent": _quad(MARIE, v.HAS_CONTENT, Literal("text")),
    "domain mder:hasSummary": _quad(TRIPLE, v.HAS_SUMMARY, Literal("text")),
    "range mder:hasEntity": _quad(CHUNK, v.HAS_ENTITY, CHUNK),
    "range mder:hasStart": _quad(CHUNK, v.HAS_START, Literal("0")),
    "range mder:hasDescription": _quad(TRIPLE, v.HAS_DESCRIPTION, MARIE),
    "single mder:hasTarget": _quad(TRIPLE, v.HAS_TARGET, MARIE),
    "single dcterms:title": _quad(GRAPH, v.TITLE, Literal("Another")),
    "shared mder:hasNext": _quad(v.chunk_iri(CURIE, 56), v.HAS_NEXT, v.chunk_iri(CURIE, 56)),
    "domain mder:hasCalls": _quad(MARIE, v.HAS_CALLS, Literal(1)),
    "range mder:hasSeconds": _quad(ACTIVITY, v.HAS_SECONDS, Literal(1)),
    "range prov:wasAssociatedWith": _quad(ACTIVITY, v.ASSOCIATED_WITH, MARIE),
    "single mder:hasTokensIn": _quad(ACTIVITY, v.HAS_TOKENS_IN, Literal(1)),
    "disjoint ": _quad(CHUNK, v.RDF_TYPE, v.TRIPLE),
    "undeclared mder:hasStrat": _quad(CHUNK, NamedNode(v.MDER + "hasStrat"), Literal(0)),
    "undeclared rel:WAS_SEEN_IN": _quad(MARIE, v.relation_iri("WAS_SEEN_IN"), MARIE),
}
FEWER = {
    "required mder:hasSource": _quad(TRIPLE, v.HAS_SOURCE, MARIE),
    "required mder:belongsToChunk": _quad(TRIPLE, v.BELONGS_TO_CHUNK, CHUNK),
    "required mder:belongsToDocument": _quad(CHUNK, v.BELONGS_TO_DOCUMENT, GRAPH),
    "required dcterms:title": _quad(GRAPH, v.TITLE, Literal("Marie Curie")),
}


def test_a_good_graph_breaks_no_rule(graph: Graph) -> None:
    assert violations(graph) == []


def test_what_a_model_did_that_is_no_longer_used_breaks_no_rule() -> None:
    earlier = msgspec.structs.replace(COST, model="openai/earlier")
    manifest = msgspec.structs.replace(MANIFEST, costs=[COST, earlier])
    assert violations(stored(quads(KNOWLEDGE, manifest))) == []


def test_an_empty_graph_breaks_no_rule() -> None:
    assert violations(stored(quads(NOTHING))) == []


@pytest.mark.parametrize("rule", MORE)
def test_what_should_not_be_there_is_found(rule: str) -> None:
    found = [str(violation) for violation in violations(stored([*QUADS, MORE[rule]]))]
    assert any(text.startswith(f"{rule}:") for text in found), found


@pytest.mark.parametrize("rule", FEWER)
def test_what_should_be_there_is_missed(rule: str) -> None:
    found = [str(v) for v in violations(stored(q for q in QUADS if q != FEWER[rule]))]
    assert [text.rsplit(":", 2)[0] for text in found] == [rule]


def _changes(more: Iterable[Quad], fewer: Iterable[Quad] = ()) -> Changes:
    changes = Changes()
    changes.note(more, fewer)
    return changes


def _compared(more: set[Quad], fewer: set[Quad]) -> tuple[set[str], set[str]]:
    """Return what a check of all tells, and one of what changed in a graph that was good."""
    graph = stored({*QUADS, *more} - fewer)
    everything = violations(graph, most=1000)
    changes = _changes(more.difference(QUADS), fewer)
    changed = changed_violations(graph, changes, most=1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validate, "_BATCH", 1)
        assert set(changed_violations(graph, changes, most=1000)) == set(changed)
    return {str(each) for each in everything}, {str(each) for each in changed}


@given(st.sets(PLACES, max_size=6), st.sets(st.sampled_from(sorted(MORE)), max_size=3))
def test_a_check_of_what_changed_tells_what_a_check_of_all_does(
    fewer: set[int], more: set[str]
) -> None:
    everything, changed = _compared({MORE[rule] for rule in more}, {QUADS[at] for at in fewer})
    assert changed == everything


@pytest.mark.parametrize("node", sorted(NODES, key=str), ids=str)
def test_a_check_of_what_changed_tells_who_points_at_a_node_that_is_gone(node: NamedNode) -> None:
    everything, changed = _compared(set(), {quad for quad in QUADS if quad.subject == node})
    assert changed == everything


def test_a_check_of_what_changed_tells_no_more_than_asked_for() -> None:
    added = [_quad(CHUNK, v.HAS_ENTITY, v.entity_iri(f"Ghost {n}")) for n in range(9)]
    graph = stored([*QUADS, *added])
    assert len(changed_violations(graph, _changes(added), most=3)) == 3


def test_what_is_said_of_a_hub_elsewhere_is_not_looked_at() -> None:
    wrong = Quad(MARIE, v.HAS_CONTENT, Literal("wrong before"), v.document_iri("elsewhere"))
    again = Quad(MARIE, v.ALT_LABEL, Literal("Marya"), v.ENTITIES)
    graph = stored([*QUADS, wrong, again])
    assert violations(graph)
    assert changed_violations(graph, _changes([again])) == []


def test_names_without_an_entity_and_chunks_that_are_missing_are_found() -> None:
    ghost = Triple(Mention("Ghost"), "HAUNTS", Mention("Warsaw"), CURIE, 5, 5, 9)
    knowledge = Knowledge(
        KNOWLEDGE.readings, KNOWLEDGE.entities, (ghost,), (Link(CURIE, 0, "Spectre"),)
    )
    rules = {
        (violation.rule, violation.term.removeprefix(v.MDER))
        for violation in violations(stored(quads(knowledge)))
    }
    assert {("range", "hasSource"), ("range", "belongsToChunk"), ("range", "hasEntity")} <= rules


def test_no_more_are_told_than_asked_for() -> None:
    links = tuple(Link(CURIE, 0, f"Ghost {number}") for number in range(9))
    knowledge = Knowledge(KNOWLEDGE.readings, KNOWLEDGE.entities, links=links)
    found = violations(stored(quads(knowledge)), most=3)
    assert len(found) == 3
