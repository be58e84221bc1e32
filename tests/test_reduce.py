from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Chunk, Document, Entity, Reading, Section
from mder.reduce import opening, passage, reduce
from mder.summarize import summarize
from mder.translate import translate
from tests.samples import reading

LIMIT = 200
REASONER = SyntaxReasoner()


def summary_of(entity: Entity, descriptions: list[str], limit: int = LIMIT) -> str:
    (found,) = reduce([(entity, descriptions)], REASONER, limit)
    return found.summary


def headed(text: str) -> Reading:
    """Return a page that opens with its title as a heading, as far as Translate has it."""
    chunks = summarize((Chunk("w", 0, len(text), text, "en"),), REASONER)
    document = Document("w", "Warsaw", text, "0", "en", (Section(0, 1, "Warsaw"),))
    return Reading(document, translate(chunks, REASONER, "en"))


def test_a_page_opens_with_its_first_sentence() -> None:
    assert opening(reading("Warsaw", "Warsaw is\na  city. It is old.")) == "Warsaw is a city."


def test_a_heading_is_not_how_a_page_opens() -> None:
    assert opening(headed("Warsaw\n\nWarsaw is a city.")) == "Warsaw is a city."


def test_what_holds_headings_alone_does_not_open() -> None:
    assert opening(headed("Warsaw\n\nWarsaw")) == ""
    assert opening(Reading(Document("w", "Warsaw", "", "0"))) == ""


def passage_of(text: str, entity: Entity) -> str:
    (chunk,) = reading("P", text).chunks
    return passage(chunk, entity)


@pytest.mark.parametrize(
    ("entity", "told"),
    [
        (Entity("Ann Lee"), "Ann Lee came."),
        (Entity("World Trade Organization", aliases=("WTO",)), "The WTO met."),
        (Entity("Mercury (planet)"), "Mercury shone."),
        (Entity("Nobody"), ""),
    ],
)
def test_the_passage_of_an_entity_is_the_first_sentence_with_one_of_its_names(
    entity: Entity, told: str
) -> None:
    text = "It rained. The WTO met. Ann Lee came. Mercury shone. Ann Lee left. The WTO parted."
    assert passage_of(text, entity) == told


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
