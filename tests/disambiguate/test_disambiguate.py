"""The stage as a whole, judged by the syntax Reasoner unless a test says otherwise."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate import Resolved, disambiguate, renamed, senses
from mder.names import canonical
from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Mention, Reading, Triple
from tests.disambiguate.readings import Judge, some_readings
from tests.doubles import HashingEmbedder
from tests.samples import Statement, date, names_in, person, place, reading


def resolve(*readings: Reading) -> Resolved:
    return judged(SyntaxReasoner(), *readings)


def judged(
    reasoner: Reasoner, *readings: Reading, threshold: float = 0.95, rounds: int = 10
) -> Resolved:
    found = [sense for page in readings for sense in senses(page)]
    embedder = HashingEmbedder()
    return disambiguate(found, reasoner, embedder, threshold=threshold, rounds=rounds)


def triples(found: Resolved, *readings: Reading) -> list[Triple]:
    """Return the triples of Documents with the names of Entities."""
    return [t for page in readings for t in renamed(page, names_of(found, page))]


def names_of(found: Resolved, page: Reading) -> dict[str, str]:
    own = page.document.source
    return {name: meant for (source, name), meant in found.names.items() if source == own}


def entities(found: Resolved) -> set[str]:
    return {entity.name for entity in found.entities}


def aliases(found: Resolved, name: str) -> tuple[str, ...]:
    return next(entity.aliases for entity in found.entities if entity.name == name)


PLANET = reading(
    "Mercury (planet)", "Mercury is a planet that orbits the Sun faster than any other."
)
METAL = reading("Mercury (element)", "Mercury is a heavy metal, liquid at room temperature.")


def test_homonyms_with_titles_stay_apart_and_share_the_bare_name_as_alias() -> None:
    found = resolve(PLANET, METAL)
    assert entities(found) == {"Mercury (planet)", "Mercury (element)"}
    assert aliases(found, "Mercury (planet)") == aliases(found, "Mercury (element)") == ("Mercury",)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Galileo saw Mercury, a planet that orbits the Sun.", "Mercury (planet)"),
        ("Galileo spilt Mercury, the liquid metal, in his room.", "Mercury (element)"),
    ],
)
def test_a_mention_goes_to_the_homonym_that_its_context_fits(text: str, meant: str) -> None:
    page = reading("Galileo", text, ("Galileo", "KNEW", "Mercury"))
    found = resolve(PLANET, METAL, page)
    assert [triple.object.name for triple in triples(found, page)] == [meant]
    assert found.names["Galileo.md", "Mercury"] == meant


def test_each_page_means_its_own_by_the_bare_name() -> None:
    found = resolve(PLANET, METAL)
    assert found.names["Mercury (planet).md", "Mercury"] == "Mercury (planet)"
    assert found.names["Mercury (element).md", "Mercury"] == "Mercury (element)"


def test_one_short_given_name_in_two_documents_stays_two() -> None:
    one = reading("A wedding", "Anna danced.", (person("Anna", local=True), "DANCED_IN", "Rome"))
    other = reading("A trial", "Anna wept.", (person("Anna", local=True), "WEPT_IN", "Oslo"))
    found = resolve(one, other)
    met = {triple.object.name: triple.subject.name for triple in triples(found, one, other)}
    assert met["Rome"] != met["Oslo"]
    assert {met["Rome"], met["Oslo"]} < entities(found)


def test_one_full_name_in_two_documents_is_one() -> None:
    one = reading("Radium", "x", (person("Marie Curie"), "DISCOVERED", "radium"))
    other = reading("Paris", "x", (person("Marie Curie"), "LIVED_IN", place("Paris")))
    found = resolve(one, other)
    assert {t.subject.name for t in triples(found, one, other)} == {"Marie Curie"}
    assert not aliases(found, "Marie Curie")


def test_a_short_name_is_the_full_one_of_its_own_document_only() -> None:
    one = reading("Radium", "x", (person("Marie Curie"), "MET", person("Curie", local=True)))
    other = reading("Law", "x", (person("Eve Bell"), "MET", person("Curie", local=True)))
    found = resolve(one, other)
    assert found.names["Radium.md", "Curie"] == "Marie Curie"
    assert found.names["Law.md", "Curie"] != "Marie Curie"


def test_a_stated_acronym_is_an_alias_and_the_merge_says_why() -> None:
    page = reading(
        "Trade",
        "The World Trade Organization (WTO) is in Geneva. WTO is large.",
        ("World Trade Organization", "IS_IN", place("Geneva")),
        ("WTO", "IS", "large"),
        aliases=[("World Trade Organization", "WTO")],
    )
    found = resolve(page)
    assert "WTO" not in entities(found)
    assert aliases(found, "World Trade Organization") == ("WTO",)
    (merge,) = found.merges
    assert (merge.entity, merge.name) == ("World Trade Organization", "WTO")
    assert (merge.decided_by, merge.evidence) == ("lexical", "stated alias")
    assert merge.sources == ("Trade.md",)


def test_an_acronym_met_elsewhere_is_put_to_the_reasoner() -> None:
    one = reading("Geneva", "x", ("World Trade Organization", "IS_IN", "Geneva"))
    other = reading("Tariffs", "x", ("WTO", "SETS", "Tariffs"))
    found = resolve(one, other)
    assert found.names["Tariffs.md", "WTO"] == "World Trade Organization"
    (merge,) = found.merges
    assert merge.decided_by == "syntax"
    assert merge.evidence


def test_every_merge_names_an_entity_and_a_name_that_it_has() -> None:
    found = resolve(*READINGS)
    for merge in found.merges:
        assert merge.name in aliases(found, merge.entity)
        assert merge.sources
        assert all(found.names[source, merge.name] == merge.entity for source in merge.sources)


def test_different_values_never_merge() -> None:
    days = ["7 November 1867", "7 November 1868", "November 1867", "1867", "8 November 1867"]
    statements: list[Statement] = [("It", "HAPPENED_ON", date(day)) for day in days]
    page = reading("A page", "x", *statements)
    found = resolve(page)
    assert set(days) < entities(found)
    assert not found.merges


def test_values_are_not_put_to_the_reasoner() -> None:
    judge = Judge(same_=True)
    page = reading("A page", "x", ("It", "IN", date("May 1990")), ("It", "IN", date("May 1991")))
    judged(judge, page, threshold=0.1)
    assert not [pair for pair in judge.asked if any("May" in name for name in pair)]


def test_a_year_is_not_the_book_that_it_is_the_title_of() -> None:
    book = reading("1984", "1984 is a novel by George Orwell.")
    games = reading("Games", "They were held in 1984.", ("Games", "WERE_HELD_IN", date("1984")))
    found = resolve(book, games)
    assert found.names["1984.md", "1984"] == "1984"
    assert found.names["Games.md", "1984"] != "1984"


def test_a_verdict_of_different_is_remembered() -> None:
    judge = Judge()
    page = reading("A page", "x", ("Irène Curie", "MET", "Irene Curie"), ("A B", "MET", "B A"))
    found = judged(judge, page, rounds=5)
    assert len(judge.asked) == len(set(judge.asked)) == 2
    assert {"Irène Curie", "Irene Curie", "A B", "B A"} < entities(found)


def test_what_merged_in_one_round_is_compared_anew_in_the_next() -> None:
    judge = Judge(same_=True)
    page = reading("A page", "x", ("Irène Curie", "MET", "Irene Curie"))
    found = judged(judge, page, rounds=5)
    assert judge.asked == [frozenset({"Irène Curie", "Irene Curie"})]
    assert not triples(found, page)  # "Irène Curie met Irène Curie" says nothing


def test_homonyms_by_title_are_not_put_to_the_reasoner() -> None:
    judge = Judge(same_=True)
    found = judged(judge, PLANET, METAL, threshold=-1.0)
    assert not judge.asked
    assert {"Mercury (planet)", "Mercury (element)"} <= entities(found)


def test_no_reading_gives_nothing() -> None:
    assert resolve() == Resolved((), (), {}, frozenset(), frozenset())


READINGS = (
    PLANET,
    METAL,
    reading(
        "Marie Curie",
        "Curie married Pierre. She lived in Paris. She used Mercury, a liquid metal, in 1898.",
        (person("Curie", local=True), "MARRIED", person("Pierre", local=True)),
        (person("Marie Curie"), "LIVED_IN", place("Paris")),
        (person("Marie Curie"), "USED", "Mercury"),
        (person("Marie Curie"), "USED_IN", date("1898")),
    ),
    reading(
        "Pierre Curie",
        "Pierre Curie worked with Marie Curie in Paris in 1898.",
        (person("Pierre Curie"), "WORKED_WITH", person("Marie Curie")),
        (person("Pierre Curie"), "WORKED_IN", place("Paris")),
        (person("Pierre Curie"), "WORKED_IN", date("1898")),
    ),
    reading(
        "Trade", "x", ("WTO", "IS_IN", "Geneva"), aliases=[("World Trade Organization", "WTO")]
    ),
    reading("Geneva", "x", ("WTO", "MEETS_IN", "Geneva"), mentions=[Mention("Genève")]),
)


@given(st.permutations(READINGS))
def test_the_order_of_readings_does_not_matter(readings: list[Reading]) -> None:
    assert resolve(*readings) == resolve(*READINGS)


@given(some_readings())
def test_every_name_leads_to_one_entity_that_keeps_it(readings: list[Reading]) -> None:
    found = resolve(*readings)
    assert len(entities(found)) == len(found.entities)
    for page in readings:
        for name in names_in(page):
            meant = found.names[page.document.source, name]
            assert name == meant or name in aliases(found, meant)
    for triple in triples(found, *readings):
        assert {triple.subject.name, triple.object.name} <= entities(found)
        assert triple.subject.name != triple.object.name
    assert all(entity.name == canonical(entity.name) for entity in found.entities)


@given(some_readings(), st.randoms(use_true_random=False))
def test_no_order_of_any_readings_matters(readings: list[Reading], random: Random) -> None:
    shuffled = list(readings)
    random.shuffle(shuffled)
    assert resolve(*shuffled) == resolve(*readings)


@given(some_readings())
def test_documents_are_those_of_which_a_title_names_the_entity(readings: list[Reading]) -> None:
    found = resolve(*readings)
    about = {source: e.name for e in found.entities for source in e.documents}
    titles = {r.document.source: r.document.title for r in readings}
    assert about == {source: found.names[source, title] for source, title in titles.items()}
