from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mder.disambiguate import Sense, keys, senses
from mder.disambiguate.components import Components
from mder.pipeline.state import State
from mder.records import Entity, Mention, Reading
from tests.disambiguate.readings import Words, pages
from tests.samples import person, reading

SOURCES = ("a", "b", "c", "d")
ENTITIES = ("Anna", "Lee", "Rome")


@dataclass
class Known:
    """What a State should know of a Sense."""

    sense: Sense
    entity: str
    keys: set[str]
    near: set[str]

    @property
    def all_keys(self) -> set[str]:
        return self.keys | self.near


class Senses(RuleBasedStateMachine):
    """A State beside a dict that knows the same, whose ways are plain."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.known: dict[int, Known] = {}

    @rule(data=st.data(), source=st.sampled_from(SOURCES))
    def exchange(self, data: st.DataObject, source: str) -> None:
        gone = {i: k for i, k in self.known.items() if k.sense.source == source}
        left, meant = self.state.senses.drop(source)
        assert meant == {known.entity for known in gone.values() if known.entity}
        self.known = {i: k for i, k in self.known.items() if i not in gone}
        keys_left = set[str]().union(*(known.all_keys for known in gone.values()))
        assert self.state.senses.reach((), left) == self.reached((), keys_left)
        if data.draw(st.booleans()):
            self.add(data.draw(pages(Words())).reading(source), left, keys_left)

    def add(self, page: Reading, left: set[int], keys_left: set[str]) -> None:
        found = senses(page)
        ids = self.state.senses.add(page.document.source, found)
        assert not self.known.keys() & set(ids)
        new = {i: Known(s, "", keys(s), set()) for i, s in zip(ids, found, strict=True)}
        self.known |= new
        assert self.state.senses.reach(ids, left) == self.reached(ids, keys_left)

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def mean(self, data: st.DataObject) -> None:
        ids = st.sampled_from(sorted(self.known))
        region = sorted(self.reached(data.draw(st.sets(ids, max_size=3)), ()))
        if region:
            some = st.sampled_from(region)
            near = data.draw(st.lists(st.tuples(some, some), max_size=3))
            entities = data.draw(st.lists(st.sampled_from(ENTITIES), min_size=len(region)))
            meanings = list(zip(region, entities, strict=False))
            known = {i: self.known[i] for i, _ in meanings}
            before, sources = self.state.senses.mean(iter(meanings), iter(near))
            assert before == {k.entity for k in known.values() if k.entity}
            changed = {known[i].sense.source for i, name in meanings if known[i].entity != name}
            assert sources == changed
            for i, entity in meanings:
                self.known[i].entity, self.known[i].near = entity, set()
            for pair in near:
                for i in pair:
                    self.known[i].near.add(f"{min(pair)} {max(pair)}")

    def reached(self, ids: Iterable[int], open_keys: Iterable[str]) -> set[int]:
        found, seen = set(ids), set(open_keys)
        while True:
            seen = seen.union(*(self.known[i].all_keys for i in found))
            more = {i for i, known in self.known.items() if known.all_keys & seen} - found
            if not more:
                return found
            found |= more

    @invariant()
    def each_reaches_what_it_shares_keys_with(self) -> None:
        for i in self.known:
            assert self.state.senses.reach([i], ()) == self.reached([i], ())

    @invariant()
    def those_alike_are_linked_as_far_as_they_reach(self) -> None:
        components = Components(self.known)
        for pair in self.state.senses.alike(self.known):
            components.join(*pair)
        for members in components.groups().values():
            assert set(members) == self.reached(members[:1], ())
        assert self.state.senses.last() == max(self.known, default=0)

    @invariant()
    def what_was_put_in_comes_out(self) -> None:
        assert self.state.senses.count() == len(self.known)
        found = dict(self.state.senses.of(self.known))
        assert found == {i: known.sense for i, known in self.known.items()}
        for source in SOURCES:
            assert self.state.senses.names(source) == {
                name: known.entity or None
                for known in self.known.values()
                if known.sense.source == source
                for name in known.sense.uses
            }

    def teardown(self) -> None:
        self.state.close()


TestSenses = Senses.TestCase
# Each example has many steps.
TestSenses.settings = settings(max_examples=settings().max_examples // 4, stateful_step_count=20)


@pytest.fixture
def state() -> State:
    return State()


def test_the_names_of_a_document_mean_what_their_senses_mean(state: State) -> None:
    page = reading("A page", "x", (person("Marie Curie"), "MET", person("Curie")), source="a")
    ids = state.senses.add("a", senses(page))
    state.senses.mean(zip(ids, ["A page", "Marie Curie"], strict=True), ())
    assert state.senses.names("a") == {
        "A page": "A page",
        "Curie": "Marie Curie",
        "Marie Curie": "Marie Curie",
    }
    assert state.senses.names("b") == {}


def test_the_order_of_the_names_of_a_document_is_that_of_its_senses(state: State) -> None:
    names = ["Zoe", "Ann", "bo", "zoe"]
    page = reading("M", "x", *((name, "MET", "M") for name in names), source="a")
    found = senses(page)
    ids = state.senses.add("a", found)
    state.senses.mean(((i, str(i)) for i in reversed(ids)), ())
    assert list(state.senses.names("a")) == [name for sense in found for name in sense.uses]


def test_those_near_each_other_reach_each_other_until_that_is_worked_out_anew(
    state: State,
) -> None:
    one, other = (state.senses.add(name, senses(reading(name, "x")))[0] for name in ("A", "B"))
    assert state.senses.reach([one], ()) == {one}
    state.senses.mean([(one, "A"), (other, "B")], [(one, other)])
    assert state.senses.reach([one], ()) == state.senses.reach([other], ()) == {one, other}
    state.senses.mean([(one, "A"), (other, "B")], [])
    assert state.senses.reach([one], ()) == {one}


def test_a_sense_is_found_by_the_iri_of_its_entity(state: State) -> None:
    (known,) = state.senses.add("a", senses(reading("A", "x", source="a")))
    state.entities.put(Entity("A"), "iri:a")
    assert state.senses.sense_of("iri:a") is None
    state.senses.mean([(known, "A")], ())
    assert state.senses.sense_of("iri:a") == known


def test_labels_are_those_given_last_and_go_with_their_senses(state: State) -> None:
    (one,) = state.senses.add("a", senses(reading("A", "x", source="a")))
    (other,) = state.senses.add("b", senses(reading("B", "x", source="b")))
    state.senses.label([one, other], [(one, "A (x)", b"1"), (other, "B", b"2")])
    state.senses.label([one], [(one, "A", b"3"), (one, "A", b"3")])
    assert sorted(state.senses.labels()) == [(one, b"3"), (other, b"2")]
    state.senses.drop("a")
    assert list(state.senses.labels()) == [(other, b"2")]


def test_what_a_mention_may_say_survives(state: State) -> None:
    mention = Mention("Анна 東京 “x”", ("person", "place"), local=True)
    page = reading("A", "x", (mention, "MET", person("Bob Lee")), source="a", aliases=[("A", "Б")])
    found = senses(page)
    ids = state.senses.add("a", found)
    assert tuple(sense for _, sense in state.senses.of(ids)) == found
