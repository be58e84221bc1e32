import pytest
from pyoxigraph import NamedNode, Quad

from mder.graph import changes as module
from mder.graph import vocabulary as v
from mder.graph.changes import Changes

CURIE = v.entity_iri("Marie Curie")
PERSON = v.type_iri("PERSON")
SAID = v.relation_iri("SAID")
TEXT = v.document_iri("a.txt")


def _quad(predicate: NamedNode, value: NamedNode, graph: NamedNode = v.ENTITIES) -> Quad:
    return Quad(CURIE, predicate, value, graph)


def test_a_node_is_told_with_each_graph_that_says_something_else() -> None:
    changes = Changes()
    changes.note([_quad(v.HAS_TYPE, PERSON)], [_quad(SAID, CURIE, TEXT), _quad(v.HAS_TYPE, SAID)])
    assert set(changes.nodes()) == {(CURIE, v.ENTITIES), (CURIE, TEXT)}


def test_what_went_is_kept_where_something_rested_on_it() -> None:
    changes = Changes()
    added = [_quad(v.RDF_TYPE, v.TRIPLE), _quad(v.HAS_TYPE, CURIE)]
    changes.note(added, [_quad(v.RDF_TYPE, v.ENTITY), _quad(v.HAS_TYPE, PERSON)])
    assert changes.lost == {CURIE: {v.ENTITY}}
    assert changes.left == {(v.HAS_TYPE, PERSON)}


def test_no_more_nodes_are_remembered_than_memory_is_set_aside_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST", 3)
    changes = Changes()
    for number in range(9):
        changes.note([Quad(v.entity_iri(f"E{number}"), v.RDF_TYPE, v.ENTITY, v.ENTITIES)], [])
        assert changes.too_many == (number >= 2)
    assert len(list(changes.nodes())) == 3
