from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mder.pipeline.state import Spelling, State
from mder.records import Entity

KEYS = ("anna", "anna lee", "東京")


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, set[Spelling]]:
    """Return an Entity and its spellings."""
    name, about = draw(st.sampled_from("XYZ")), draw(st.booleans())
    keys = draw(st.sets(st.sampled_from(KEYS)))
    return name, {Spelling(key, name, key.partition(" ")[0], about) for key in keys}


@given(st.lists(spellings(), max_size=8), st.sets(st.sampled_from(["anna", "東京", "no"])))
def test_spellings_are_those_put_last_and_the_differences_are_told(
    changes: list[tuple[str, set[Spelling]]], heads: set[str]
) -> None:
    state, known = State(), dict[str, set[Spelling]]()
    for entity, wanted in changes:
        told = state.entities.spell(entity, list(wanted))
        assert told == wanted ^ known.get(entity, set())
        known[entity] = wanted
    every = [spelling for found in known.values() for spelling in found]
    for key in KEYS:
        assert state.entities.meant(key) == {s.entity: s.about for s in every if s.key == key}
    found = list(state.entities.spellings())
    assert [key for key, *_ in found] == sorted({s.key for s in every})
    for key, meant, paged in found:
        may_mean = state.entities.meant(key)
        assert (meant, paged) == (sorted(may_mean), any(may_mean.values()))
    begun = {s.key for s in every if s.head in heads}
    assert list(state.entities.spellings(heads)) == [row for row in found if row[0] in begun]
    state.close()


def test_as_many_first_words_may_be_asked_for_as_a_document_has() -> None:
    state = State()
    state.entities.spell("X", [Spelling("7", "X", "7", about=False)])
    found = list(state.entities.spellings(list(map(str, range(100_000)))))
    assert found == [("7", ["X"], False)]


def test_an_entity_is_what_was_put_last() -> None:
    state, entity = State(), Entity("Анна", ("person",), ("Ann",), documents=("a.md", "b.md"))
    assert state.entities.get("Анна") is None
    state.entities.put(entity, "iri:1")
    assert state.entities.get("Анна") == entity
    state.entities.put(replace(entity, aliases=()), "iri:1")
    assert state.entities.get("Анна") == replace(entity, aliases=())
    state.entities.remove("Анна")
    assert state.entities.get("Анна") is None
