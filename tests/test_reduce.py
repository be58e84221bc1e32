from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Entity, Link, Mention, Reading, Section, Triple
from mder.reduce import in_order, known, reduce
from mder.summarize import summarize
from mder.translate import translate
from tests.samples import reading

LIMIT = 200
REASONER = SyntaxReasoner()


def summary_of(entity: Entity, descriptions: list[str], limit: int = LIMIT) -> str:
    (found,) = reduce([(entity, descriptions)], REASONER, limit)
    return found.summary


def fact(subject: str, thing: str, description: str) -> Triple:
    return Triple(Mention(subject), "IS", Mention(thing), "d", 0, 0, 1, description=description)


def test_what_is_known_are_the_descriptions_at_either_end() -> None:
    triples = [fact("Curie", "Warsaw", "Born."), fact("Warsaw", "Poland", "Capital.")]
    facts = known([Entity(n) for n in ("Curie", "Warsaw", "Poland")], triples, [], [])
    assert facts == {"Curie": ["Born."], "Warsaw": ["Born.", "Capital."], "Poland": ["Capital."]}


def test_a_description_is_known_once() -> None:
    facts = known([Entity("A")], [fact("A", "B", "Same."), fact("A", "C", "Same.")], [], [])
    assert facts["A"] == ["Same."]


def test_its_own_page_speaks_first() -> None:
    page = reading("Warsaw", "Warsaw is a city. It is old.", source="w")
    entity = Entity("Warsaw", documents=("w",))
    facts = known([entity], [fact("Curie", "Warsaw", "Born.")], [], [page])
    assert facts["Warsaw"] == ["Warsaw is a city.", "Born."]


def headed(text: str) -> Reading:
    """Return a page that opens with its title as a heading, as far as Translate has it."""
    chunks = summarize((Chunk("w", 0, len(text), text, "en"),), REASONER)
    document = Document("w", "Warsaw", text, "0", "en", (Section(0, 1, "Warsaw"),))
    return Reading(document, translate(chunks, REASONER, "en"))


def test_a_heading_is_not_how_a_page_opens() -> None:
    page = headed("Warsaw\n\nWarsaw is a city.")
    facts = known([Entity("Warsaw", documents=("w",))], [], [], [page])
    assert facts["Warsaw"] == ["Warsaw is a city."]


def test_where_no_triple_speaks_the_passages_that_mention_it_do() -> None:
    pages = [reading("P", f"It rains. Ann Lee came {n} times.", source=str(n)) for n in range(9)]
    links = [Link(str(n), 0, "Ann Lee") for n in range(9)]
    facts = known([Entity("Ann Lee")], [], links, pages)
    assert facts["Ann Lee"][0] == "Ann Lee came 0 times."
    assert 1 < len(facts["Ann Lee"]) < 9


def test_passages_are_found_by_aliases_and_by_titles_without_their_qualifier() -> None:
    page = reading("P", "The WTO met. Mercury shone.", source="p")
    trade, planet = Entity("World Trade Organization", aliases=("WTO",)), Entity("Mercury (planet)")
    links = [Link("p", 0, trade.name), Link("p", 0, planet.name)]
    facts = known([trade, planet], [], links, [page])
    assert facts == {trade.name: ["The WTO met."], planet.name: ["Mercury shone."]}


def test_only_the_summary_is_filled_in() -> None:
    entity = Entity("Ann Lee", ("person",), ("Ann",), documents=("d",))
    (found,) = reduce([(entity, ["Ann Lee ran."])], REASONER, LIMIT)
    assert found.summary.endswith("Ann Lee ran.")
    assert replace(found, summary="") == entity


def test_each_entity_has_its_own_summary_in_the_order_given() -> None:
    given = [(Entity(name), [f"{name} ran."]) for name in ("Bo", "Ann")]
    found = reduce(given, REASONER, LIMIT)
    assert [(e.name, e.summary) for e in found] == [("Bo", "Bo: Bo ran."), ("Ann", "Ann: Ann ran.")]
    assert reduce([], REASONER, LIMIT) == ()


def test_those_of_which_most_is_known_come_first() -> None:
    entities = [Entity(name) for name in ("Cy", "Bo", "Ann", "Dan")]
    facts = {"Ann": ["1"], "Bo": ["1"], "Cy": ["1", "2"]}
    assert in_order(entities, facts) == [
        (Entity("Cy"), ["1", "2"]),
        (Entity("Ann"), ["1"]),
        (Entity("Bo"), ["1"]),
        (Entity("Dan"), ()),
    ]


def test_nothing_known_gives_no_summary() -> None:
    assert summary_of(Entity("Ann Lee"), []) == ""


DESCRIPTIONS = st.lists(
    st.lists(st.sampled_from("Ann Lee met 1990 the Rome".split()), min_size=1, max_size=30).map(
        lambda words: " ".join(words) + "."
    ),
    max_size=60,
)


@given(DESCRIPTIONS, st.integers(30, 400))
def test_a_summary_is_bounded_and_says_nothing_twice(texts: list[str], limit: int) -> None:
    summary = summary_of(Entity("Ann Lee", ("person",)), texts, limit)
    assert len(summary) <= limit
    body = summary.partition(": ")[2]
    parts = [part for part in body.split(". ") if part.rstrip(".")]
    assert len(parts) == len(set(parts)) or len(summary) == limit


@pytest.mark.parametrize("limit", [40, 300])
def test_a_hub_has_a_summary_as_everything_has(limit: int) -> None:
    texts = [f"Ann Lee visited city number {n}." for n in range(5000)]
    assert "Ann Lee visited" in summary_of(Entity("Ann Lee"), texts, limit)
