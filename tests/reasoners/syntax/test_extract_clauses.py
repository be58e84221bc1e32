import pytest

from tests.reasoners.syntax.reading import (
    IDA,
    KARL,
    Stated,
    stated,
    three,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Clara Venn painted Silver Gate.", three("Clara Venn | PAINTED | Silver Gate")),
        (
            "Clara Venn was born in Lindby and died in Norr.",
            three("Clara Venn | WAS_BORN_IN | Lindby", "Clara Venn | DIED_IN | Norr"),
        ),
        (
            "Clara Venn studied physics at the University of Lindby under Karl Ott.",
            three(
                "Clara Venn | STUDIED | physics",
                "Clara Venn | STUDIED_PHYSICS_AT | University of Lindby",
                "Clara Venn | STUDIED_PHYSICS_UNDER | Karl Ott",
            ),
        ),
        (
            "Clara Venn was born in Lindby in 384 BC.",
            three("Clara Venn | WAS_BORN_IN | Lindby", "Clara Venn | WAS_BORN_IN | 384 BC"),
        ),
        (
            "In Lindby stands the Venn Tower.",
            three("Venn Tower | STANDS_IN | Lindby"),
        ),
        (
            "Clara Venn left Norr and, in 1931, founded Silver Gate.",
            three(
                "Clara Venn | LEFT | Norr",
                "Clara Venn | FOUNDED | Silver Gate",
                "Clara Venn | FOUNDED_IN | 1931",
            ),
        ),
        (
            "Karl Ott grew up in Lindby.",
            three("Karl Ott | GREW_UP_IN | Lindby"),
        ),
        (
            "Ida Holm became president of Orion Press in 1931.",
            three(
                "Ida Holm | BECAME | president",
                "Ida Holm | BECAME_PRESIDENT_OF | Orion Press",
                "Ida Holm | BECAME_IN | 1931",
            ),
        ),
        (
            "Karl Ott wanted to visit Paris.",
            three("Karl Ott | WANTED_TO_VISIT | Paris"),
        ),
        (
            "Ida Holm was given the Lindby Prize.",
            three("Ida Holm | WAS_GIVEN | Lindby Prize"),
        ),
        (
            "The prize was given to Ida Holm by the Norwegian Academy.",
            three("prize | WAS_GIVEN_TO | Ida Holm", "prize | WAS_GIVEN_BY | Norwegian Academy"),
        ),
    ],
)
def test_verbs_give_their_objects_and_what_prepositions_lead_to(
    text: str, expected: set[Stated]
) -> None:
    assert expected <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ida Holm won the prize for Physics.",
            three("Ida Holm | WON_PRIZE_FOR | Physics"),
        ),
        (
            "Clara Venn painted the harbour of Oslo.",
            three("Clara Venn | PAINTED_HARBOUR_OF | Oslo"),
        ),
        (
            "The tower has a height of 93 metres.",
            three("tower | HAS_HEIGHT_OF | 93 metres"),
        ),
        (
            "Orion Press made a profit of $4 million in 1998.",
            three("Orion Press | MADE_PROFIT_OF | $4 million"),
        ),
    ],
)
def test_what_a_common_object_governs_is_said_of_the_subject(
    text: str, expected: set[Stated]
) -> None:
    assert expected <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Clara Venn was a painter and sculptor from Norway.",
            three("Clara Venn | IS_A | painter", "Clara Venn | IS_A | sculptor"),
        ),
        (
            "Clara Venn is a Norwegian painter.",
            three("Clara Venn | IS_A | Norwegian painter", "Clara Venn | IS | Norwegian"),
        ),
        (
            "Silver Gate is a 1994 drama film.",
            three("Silver Gate | IS_A | 1994 drama film", "Silver Gate | IS_FILM_OF | 1994"),
        ),
        (
            "Karl Ott is the father of Ida Holm.",
            three("Karl Ott | IS_A | father", "Karl Ott | IS_FATHER_OF | Ida Holm"),
        ),
        (
            "Dr. Karl Ott was a professor of botany at Lindby University.",
            three(
                "Karl Ott | IS_A | professor",
                "Karl Ott | IS_PROFESSOR_OF | botany",
                "Karl Ott | IS_PROFESSOR_AT | Lindby University",
            ),
        ),
        ("The capital of Norway is Oslo.", three("Norway | HAS_CAPITAL | Oslo")),
        ("The population of Halden is 30,000.", three("Halden | HAS_POPULATION | 30,000")),
        ("The Glass Museum is in Halden.", three("Glass Museum | IS_IN | Halden")),
        ("Halden is home to the Glass Museum.", three("Halden | IS_HOME_TO | Glass Museum")),
    ],
)
def test_copulas_say_what_a_thing_is(text: str, expected: set[Stated]) -> None:
    assert expected <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Silver Gate was directed by Clara Venn.",
            three("Silver Gate | WAS_DIRECTED_BY | Clara Venn"),
        ),
        (
            "Silver Gate is a film directed by Clara Venn and produced by Karl Ott.",
            three("Silver Gate | DIRECTED_BY | Clara Venn", "Silver Gate | PRODUCED_BY | Karl Ott"),
        ),
        (
            "Silver Gate is a film written by Clara Venn, starring Karl Ott and Ida Holm.",
            three(
                "Silver Gate | WRITTEN_BY | Clara Venn",
                "Silver Gate | STARRING | Karl Ott",
                "Silver Gate | STARRING | Ida Holm",
            ),
        ),
        ("Orion Press, based in Oslo, sells atlases.", three("Orion Press | BASED_IN | Oslo")),
        (
            "Founded in 1901, Orion Press publishes atlases.",
            three("Orion Press | FOUNDED_IN | 1901", "Orion Press | PUBLISHES | atlases"),
        ),
        ("Born in Halden, Ida Holm studied law.", three("Ida Holm | BORN_IN | Halden")),
    ],
)
def test_participles_are_read_like_verbs(text: str, expected: set[Stated]) -> None:
    assert expected <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Karl Ott, who founded Orion Press, moved to Vienna.",
            three("Karl Ott | FOUNDED | Orion Press", "Karl Ott | MOVED_TO | Vienna"),
        ),
        (
            "The bridge that Karl Ott designed was opened in 1911.",
            three("Karl Ott | DESIGNED | bridge", "bridge | WAS_OPENED_IN | 1911"),
        ),
        (
            "Ida Holm founded the Lantern Society, which publishes a journal called Glow.",
            three(
                "Ida Holm | FOUNDED | Lantern Society",
                "Lantern Society | PUBLISHES | Glow",
                "Glow | IS_A | journal",
            ),
        ),
        (
            "Ida Holm, who was born in Halden, studied in Oslo and taught in Bergen.",
            three(
                "Ida Holm | WAS_BORN_IN | Halden",
                "Ida Holm | STUDIED_IN | Oslo",
                "Ida Holm | TAUGHT_IN | Bergen",
            ),
        ),
    ],
)
def test_relative_clauses_speak_of_the_noun_before_them(text: str, expected: set[Stated]) -> None:
    assert expected <= stated(text)


def test_conjunctions_are_split_on_both_sides() -> None:
    assert stated("Karl Ott and Ida Holm founded Orion Press and Vega Books.") == {
        (founder, "FOUNDED", firm)
        for founder in (KARL, IDA)
        for firm in ("Orion Press", "Vega Books")
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Karl Ott wrote and directed Silver Gate.",
            three("Karl Ott | WROTE | Silver Gate", "Karl Ott | DIRECTED | Silver Gate"),
        ),
        (
            "The Glass Museum stands in Halden and was founded in 1901 by Ida Holm.",
            three(
                "Glass Museum | STANDS_IN | Halden",
                "Glass Museum | WAS_FOUNDED_IN | 1901",
                "Glass Museum | WAS_FOUNDED_BY | Ida Holm",
            ),
        ),
    ],
)
def test_coordinated_verbs_share_subject_and_object(text: str, expected: set[Stated]) -> None:
    assert expected <= stated(text)


def test_names_listed_after_a_noun_are_split() -> None:
    found = stated("Karl Ott had three children: Paul, Ida and Ruth.")
    assert {(KARL, "HAD", name) for name in ("Paul", "Ida", "Ruth")} <= found
