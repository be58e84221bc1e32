from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from mder.pipeline.state import State
from mder.pipeline.state.facts import Fact
from mder.records import Link

ENTITIES, SOURCES = ("Anna", "Bob", "Рим"), ("a", "b", "b#1", "я")
FACTS = st.dictionaries(
    st.tuples(st.sampled_from(ENTITIES), st.integers(0, 3)), st.sampled_from("pqr"), max_size=5
).map(lambda texts: [(entity, place, text) for (entity, place), text in texts.items()])
LINKS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(ENTITIES)), max_size=5)


@given(st.lists(st.tuples(st.sampled_from(SOURCES), FACTS), max_size=8))
def test_facts_are_those_put_last_and_the_differences_are_told(
    changes: list[tuple[str, list[Fact]]],
) -> None:
    state, known = State(), defaultdict[str, set[Fact]](set)
    for source, facts in changes:
        told = state.facts.put(source, [*facts, *facts])
        assert told == {entity for entity, _, _ in known[source] ^ set(facts)}
        assert state.facts.put(source, facts) == set()
        known[source] = set(facts)
    for entity in ENTITIES:
        found = sorted((s, place, t) for s in known for e, place, t in known[s] if e == entity)
        assert state.facts.of(entity) == list(dict.fromkeys(text for _, _, text in found))
        assert state.facts.count(entity) == len(found)
    state.close()


@given(
    st.lists(st.tuples(st.sampled_from(SOURCES), LINKS), max_size=8),
    st.sets(st.sampled_from(ENTITIES)),
)
def test_links_are_those_put_last_and_the_differences_are_told(
    changes: list[tuple[str, list[tuple[int, str]]]], wanted: set[str]
) -> None:
    state, known = State(), defaultdict[str, set[tuple[int, str]]](set)
    for source, rows in changes:
        links = [Link(source, chunk, entity) for chunk, entity in rows]
        told = state.facts.link(source, [*links, *links])
        assert told == {entity for _, entity in known[source] ^ set(rows)}
        assert state.facts.link(source, links) == set()
        known[source] = set(rows)
    for source in SOURCES:
        assert state.facts.mentioned(source) == {entity for _, entity in known[source]}
    found = sorted((s, chunk, e) for s in known for chunk, e in known[s] if e in wanted)
    for _ in range(2):
        assert list(state.facts.links(wanted)) == [Link(*row) for row in found]
    state.close()


def test_documents_are_found_by_the_words_that_they_hold() -> None:
    state = State()
    state.facts.fold("a", " anna lees ran 東京都")
    state.facts.fold("b", " ann leeway 100% _")
    lee, tokyo, leeway = ("anna", " anna lee"), ("", "東京"), ("leeway", " leeway")
    assert state.facts.holding([lee]) == state.facts.holding([tokyo]) == {"a"}
    assert state.facts.holding([lee, leeway]) == {"a", "b"}
    assert state.facts.holding([("100%", " 100%"), ("nobody", " nobody")]) == {"b"}
    assert state.facts.holding([]) == state.facts.holding([("lee", " lee ran")]) == set()
    state.facts.fold("a", " bob")
    assert state.facts.holding([lee]) == set()
    state.facts.fold("b", None)
    assert state.facts.holding([leeway]) == set()
