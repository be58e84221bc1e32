import pytest

from tests.reasoners.syntax.reading import (
    KARL,
    Stated,
    stated,
    three,
)


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        (
            "Karl Ott grew up in Lindby. He studied law in Oslo.",
            KARL,
            three("Karl Ott | STUDIED | law", "Karl Ott | STUDIED_IN | Oslo"),
        ),
        (
            "Clara Venn grew up in Lindby. She married Karl Ott. He was a tailor.",
            "Clara Venn",
            three("Clara Venn | MARRIED | Karl Ott", "Karl Ott | IS_A | tailor"),
        ),
        (
            "Halden is a town in Norway. It was founded in 1105.",
            "Halden",
            three("Halden | WAS_FOUNDED_IN | 1105"),
        ),
        (
            "Orion Press publishes atlases. Its founder was Karl Ott. It moved to Oslo.",
            "Orion Press",
            three("Orion Press | HAS_FOUNDER | Karl Ott", "Orion Press | MOVED_TO | Oslo"),
        ),
        (
            "The Lanterns are a Danish band. They released Dust in 1991.",
            "The Lanterns",
            three("Lanterns | RELEASED | Dust"),
        ),
        (
            "Clara Venn was born in Lindby. Her father was Karl Ott.",
            "Clara Venn",
            three("Clara Venn | HAS_FATHER | Karl Ott"),
        ),
    ],
)
def test_pronouns_stand_for_whom_they_mean(text: str, title: str, expected: set[Stated]) -> None:
    assert expected <= stated(text, title)


def test_a_place_is_not_they() -> None:
    text = "Karl Ott met Ida Holm in Oslo. They moved to Halden."
    assert not three("Oslo | MOVED_TO | Halden") & stated(text, KARL)


def test_a_person_known_by_a_profession_is_not_it() -> None:
    text = "Karl Ott was a baker. Karl Ott founded Orion Press in 1901. It closed in 1911."
    assert not three("Karl Ott | CLOSED_IN | 1911") & stated(text, KARL)


def test_weather_is_nobody() -> None:
    assert not {a for a, _, _ in stated("It rained in 1951.", "Silver Gate")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Orion Press is a publishing company. The company was founded by Karl Ott.",
            three("Orion Press | WAS_FOUNDED_BY | Karl Ott"),
        ),
        (
            "Silver Gate is a 1994 thriller. The film was directed by Clara Venn.",
            three("Silver Gate | WAS_DIRECTED_BY | Clara Venn"),
        ),
        (
            "The Vega Quartet is a string quartet. The group toured Japan.",
            three("Vega Quartet | TOURED | Japan"),
        ),
        (
            "The Dunn Bridge is a bridge in Halden. This bridge was designed by Karl Ott.",
            three("Dunn Bridge | WAS_DESIGNED_BY | Karl Ott"),
        ),
    ],
)
def test_definite_nouns_stand_for_what_was_called_so(text: str, expected: set[Stated]) -> None:
    title = text.split(" is ")[0].removeprefix("The ")
    assert expected <= stated(text, title)


def test_the_title_is_the_antecedent_of_last_resort() -> None:
    assert three("Silver Gate | WAS_FILMED_IN | 1993") <= stated(
        "It was filmed in 1993.", "Silver Gate"
    )
    assert three("Silver Gate | WAS_FILMED_IN | 1993") <= stated(
        "It was filmed in 1993.", "Silver Gate (1994 film)"
    )
