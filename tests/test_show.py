import pytest

from mder.errors import GraphError
from mder.graph.store import Graph
from mder.records import Entity, Mention, Triple
from mder.show import Portrait, lines, portraits


def test_a_portrait_holds_what_stands_around_an_entity(graph: Graph) -> None:
    (found,) = portraits(graph, "Warsaw")
    assert found.entity.name == "Warsaw"
    stated = {(t.subject.name, t.predicate, t.object.name) for t in found.triples}
    assert ("Marie Curie", "WAS_BORN_IN", "Warsaw") in stated
    assert ("Warsaw", "IS_CAPITAL_OF", "Poland") in stated
    assert found.sources == {"warsaw.md": "Warsaw", "curie.md": "Marie Curie"}


def test_an_alias_leads_to_its_entity_with_the_merge_that_made_it(graph: Graph) -> None:
    (found,) = portraits(graph, "WTO")
    assert found.entity.name == "World Trade Organization"
    assert [merge.name for merge in found.merges] == ["WTO"]


@pytest.mark.parametrize("name", ["marie curie", "MARIE  CURIE", " Marie-Curie "])
def test_spellings_of_a_name_are_folded(graph: Graph, name: str) -> None:
    (found,) = portraits(graph, name)
    assert found.entity.name == "Marie Curie"


def test_an_entity_without_triples_has_its_document(graph: Graph) -> None:
    (found,) = portraits(graph, "Москва")
    assert found.triples == ()
    assert found.sources == {"moscow.txt": "Москва"}


def test_an_unknown_name_is_refused_with_others_like_it(graph: Graph) -> None:
    with pytest.raises(GraphError, match="'Warsow'; did you mean: Warsaw"):
        portraits(graph, "Warsow")


@pytest.mark.parametrize("name", ["", "?", "Zzyzx"])
def test_a_name_like_no_other_has_no_suggestion(graph: Graph, name: str) -> None:
    with pytest.raises(GraphError) as caught:
        portraits(graph, name)
    assert "did you mean" not in str(caught.value)


def test_a_portrait_is_written_line_by_line() -> None:
    triple = Triple(
        Mention("Ann"), "MET", Mention("Bob"), "d", 0, 0, 9, verified=False, description="They met."
    )
    entity = Entity("Ann", ("person", "chemist"), ("Anna", "A."), "A chemist.", ("d",))
    assert list(lines(Portrait(entity, (triple,), (), {"d": "A page"}))) == [
        "Ann",
        "  types:    person, chemist",
        "  aliases:  Anna; A.",
        "  summary:  A chemist.",
        "  They met.",
        "      Ann — MET — Bob  (not verified)",
        "  source:   A page (d)",
    ]


def test_what_an_entity_lacks_is_not_listed() -> None:
    written = "\n".join(lines(Portrait(Entity("Ann"), (), (), {})))
    assert "types" not in written
    assert "aliases" not in written
