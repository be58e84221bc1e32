import pytest

from tests.reasoners.syntax.reading import (
    IDA,
    KARL,
    Stated,
    aliases,
    read,
    stated,
    three,
    types,
)


@pytest.mark.parametrize(
    ("bracket", "expected"),
    [
        (
            "3 May 1881 – 7 June 1950",
            three("Ida Holm | WAS_BORN_ON | 3 May 1881", "Ida Holm | DIED_ON | 7 June 1950"),
        ),
        ("1881–1950", three("Ida Holm | WAS_BORN_ON | 1881", "Ida Holm | DIED_ON | 1950")),
        ("born 3 May 1881", three("Ida Holm | WAS_BORN_ON | 3 May 1881")),
        (
            "born 3 May 1881 in Halden, died 1950 in Odder",
            three(
                "Ida Holm | WAS_BORN_ON | 3 May 1881",
                "Ida Holm | WAS_BORN_IN | Halden",
                "Ida Holm | DIED_ON | 1950",
                "Ida Holm | DIED_IN | Odder",
            ),
        ),
    ],
)
def test_brackets_behind_a_person_tell_the_dates_of_a_life(
    bracket: str, expected: set[Stated]
) -> None:
    text = f"Ida Holm ({bracket}) was a chemist."
    assert expected | three("Ida Holm | IS_A | chemist") == stated(text, IDA)
    assert set(types(text, IDA)[IDA]) == {"chemist", "person"}


def test_the_years_of_a_thing_are_no_life() -> None:
    found = stated("The Lantern Society (1901–1950) met in Halden.")
    assert not {p for _, p, _ in found} & {"WAS_BORN_ON", "DIED_ON"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The World Glass Union (WGU) was founded in 1901.", ("World Glass Union", "WGU")),
        ("Clara Venn, also known as Kit Venn, lives in Bergen.", ("Clara Venn", "Kit Venn")),
        (
            "The Northern Rail Authority (also known as Norrail) runs trains.",
            ("Northern Rail Authority", "Norrail"),
        ),
        ("Ida Holm is known as the Iron Tailor.", (IDA, "Iron Tailor")),
        ("Ida Holm is also called the Iron Tailor.", (IDA, "Iron Tailor")),
    ],
)
def test_other_names_are_kept_as_aliases(text: str, expected: tuple[str, str]) -> None:
    assert expected in aliases(text)


def test_a_bracket_that_is_no_name_gives_no_alias() -> None:
    for bracket in ("1994", "see below", "born 1881", "12 km"):
        assert not aliases(f"Silver Gate ({bracket}) was shot in Halden."), bracket


@pytest.mark.parametrize(
    "title",
    [
        "Who Sees Us?",
        "Letters to a Friend of Mine",
        "Hope, Salt and Bread",
        "What We Keep",
        "When It Rained",
    ],
)
def test_the_words_of_a_title_are_a_name(title: str) -> None:
    found = stated(f"{title} is a novel by Clara Venn. Karl Ott read {title} in 1951.", title)
    assert three(f"{title} | IS_A | novel", f"{title} | IS_NOVEL_BY | Clara Venn") <= found
    assert (KARL, "READ", title) in found


@pytest.mark.parametrize("title", ["Long Winter Road", "Don't Say It", "Where Are We Now"])
def test_a_title_in_quotation_marks_is_a_name(title: str) -> None:
    assert (IDA, "RECORDED", title) in stated(f'Ida Holm recorded "{title}" in 1951.')
    assert (IDA, "RECORDED", title) in stated(f"Ida Holm recorded “{title}” in 1951.")


def test_names_are_without_articles_honorifics_and_endings() -> None:
    text = "Dr. Karl Ott visited the Glass Museum. Karl Ott's sister Anna Ott runs the Vega Hotel."
    names = {name for a, _, c in stated(text) for name in (a, c)}
    assert {KARL, "Glass Museum", "Anna Ott", "Vega Hotel"} <= names


def test_names_that_stand_in_no_triple_are_mentioned() -> None:
    extraction = read("A letter to Ida Holm, Halden.")
    assert not extraction.triples
    assert {"Ida Holm", "Halden"} <= {m.name for m in extraction.mentions}


def test_values_are_no_mentions() -> None:
    names = {m.name for m in read("Ida Holm moved to Halden on 3 May 1911.").mentions}
    assert names == {IDA, "Halden"}


def test_what_a_thing_is_said_to_be_is_its_type_everywhere() -> None:
    extraction = read("Karl Ott lives in Oslo. Karl Ott is a baker.")
    kinds = {t.subject.types for t in extraction.triples if t.subject.name == KARL}
    assert [set(k) for k in kinds] == [{"baker", "person"}]


def test_the_qualifier_of_a_title_is_a_type() -> None:
    text = "Silver Gate was shot in Halden."
    assert types(text, "Silver Gate (1994 film)")["Silver Gate"][0] == "film"


def test_common_nouns_with_a_determiner_name_something_in_their_document_only() -> None:
    (bridge,) = (t for t in read("The bridge crosses the Norr.").triples)
    (pupil,) = (t for t in read("Karl Ott studied chemistry.").triples)
    assert bridge.subject.local
    assert not pupil.object.local
    (lawyer,) = (t for t in read("Karl Ott was not a lawyer.").triples)
    assert not lawyer.object.local
