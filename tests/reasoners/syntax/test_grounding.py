from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.grounding import LEAST, ground
from mder.records import Binding, Evidence, EvidenceKind, Mention, QueryTriple, Question, Triple

LIKE = 0.5  # a score that a triple on the same subject has by its embedding


def fact(
    subject: str,
    predicate: str,
    obj: str,
    *types: str,
    known: str = "",
    score: float = LIKE,
    negated: bool = False,
) -> Evidence:
    """Return a triple as Evidence; ``types`` are those of the end that is not known."""
    known = known or subject
    ends = [Mention(n, () if n == known else types) for n in (subject, obj)]
    triple = Triple(ends[0], predicate, ends[1], "a.md", 0, 0, 10, negated=negated)
    quote = f"{subject} {predicate} {obj}"
    return Evidence(
        f"https://example.org/{quote}",
        EvidenceKind.TRIPLE,
        quote,
        "a.md",
        "A",
        quote,
        0,
        len(quote),
        score,
        entity=known,
        triple=triple,
    )


def asked(
    subject: str, predicate: str, obj: str, expects: str = ""
) -> tuple[QueryTriple, Question]:
    triple = QueryTriple(subject, predicate, obj)
    slot = obj if obj in {"X", "Y"} else subject
    return triple, Question("?", (triple,), asks=slot, expects=expects)


def values(query: tuple[QueryTriple, Question], *evidence: Evidence) -> list[str]:
    return [binding.value for binding in ground(*query, evidence)]


def test_the_far_end_of_a_like_relation_is_proposed_with_its_evidence() -> None:
    stated = fact("Silver Gate", "DIRECTED_BY", "Clara Venn", "person")
    (binding,) = ground(*asked("Silver Gate", "HAS_DIRECTOR", "X"), [stated])
    assert binding.value == "Clara Venn"
    assert binding.evidence == (stated.id,)
    assert binding.score > LEAST


def test_the_near_end_is_found_as_well() -> None:
    stated = fact("Clara Venn", "DIRECTED", "Silver Gate", "person", known="Silver Gate")
    assert values(asked("X", "DIRECTED", "Silver Gate"), stated) == ["Clara Venn"]
    assert values(asked("Silver Gate", "HAS_DIRECTOR", "X"), stated) == ["Clara Venn"]


def test_the_expected_type_decides_between_values() -> None:
    stated = [
        fact("Ida Holm", "WAS_BORN_IN", "1881", "date"),
        fact("Ida Holm", "WAS_BORN_IN", "Halden", "place"),
    ]
    assert values(asked("Ida Holm", "WAS_BORN_IN", "X", "place"), *stated)[0] == "Halden"
    assert values(asked("Ida Holm", "WAS_BORN_IN", "X", "date"), *stated)[0] == "1881"


def test_a_chemist_is_a_person() -> None:
    stated = fact("Orion Press", "WAS_FOUNDED_BY", "Ida Holm", "chemist", score=0.2)
    assert values(asked("Orion Press", "HAS_FOUNDER", "X", "person"), stated) == ["Ida Holm"]


def test_where_a_thing_stands_is_a_place() -> None:
    stated = fact("Venn Tower", "STANDS_IN", "garden", "garden", score=0.5)
    assert values(asked("Venn Tower", "IS_LOCATED_IN", "X", "place"), stated) == ["garden"]
    other = fact("Venn Tower", "STANDS_FOR", "hope", score=0.5)
    assert values(asked("Venn Tower", "IS_LOCATED_IN", "X", "place"), other) == []


def test_birth_is_not_proposed_for_death() -> None:
    born = fact("Ida Holm", "WAS_BORN_IN", "Halden", "place")
    assert values(asked("Ida Holm", "DIED_IN", "X", "place"), born) == []


def test_what_is_denied_is_not_proposed() -> None:
    stated = fact("Ida Holm", "DID_NOT_MARRY", "Karl Ott", "person", score=1.0, negated=True)
    assert values(asked("Ida Holm", "HAS_HUSBAND", "X"), stated) == []


def test_nothing_is_its_own_value() -> None:
    stated = fact("Ida Holm", "MARRIED", "IDA HOLM", "person", score=1.0)
    assert values(asked("Ida Holm", "HAS_HUSBAND", "X"), stated) == []


def test_another_relation_with_a_value_of_the_right_type_is_no_ground() -> None:
    stated = fact("Karl Ott", "WAS_BORN_IN", "Odder", "place")
    assert values(asked("Karl Ott", "STUDIED_IN", "X", "place"), stated) == []


def test_evidence_that_is_no_triple_gives_no_value() -> None:
    stated = replace(fact("Ida Holm", "MARRIED", "Karl Ott"), triple=None, score=1.0)
    assert values(asked("Ida Holm", "HAS_HUSBAND", "X"), stated) == []


@pytest.mark.parametrize(
    ("kin", "expected"),
    [
        ("FATHER", "Paul Ott"),
        ("MOTHER", "Anna Ott"),
        ("SON", "Jon Ott"),
        ("HUSBAND", "Karl Lund"),
        ("SISTER", "Eva Ott"),
    ],
)
def test_family_is_told_apart(kin: str, expected: str) -> None:
    stated = [
        fact("Ida Ott", "IS_DAUGHTER_OF", "Paul Ott", "person"),
        fact("Ida Ott", "IS_DAUGHTER_OF", "Anna Ott", "person"),
        fact("Ida Ott", "HAS_SON", "Jon Ott", "person"),
        fact("Ida Ott", "MARRIED", "Karl Lund", "person"),
        fact("Eva Ott", "IS_SISTER_OF", "Ida Ott", "person", known="Ida Ott"),
    ]
    quote = "Ida Ott is the daughter of Paul Ott and Anna Ott"
    stated[:2] = [replace(found, quote=quote) for found in stated[:2]]
    query = asked("Ida Ott", f"HAS_{kin}", "X", "person")
    assert values(query, *stated)[0] == expected


def test_a_value_stated_more_than_once_is_proposed_once_with_its_best_evidence_first() -> None:
    weak = fact("Silver Gate", "HAS_DIRECTOR", "Clara Venn", "person", score=0.3)
    strong = fact("Silver Gate", "DIRECTED_BY", "Clara Venn", "person", score=0.9)
    for order in ((weak, strong), (strong, weak)):
        (binding,) = ground(*asked("Silver Gate", "HAS_DIRECTOR", "X"), order)
        assert binding.evidence[0] == strong.id


_FACTS = st.builds(
    lambda predicate, value, kind, score, negated: fact(
        "Ida Holm", predicate, value, kind, score=score, negated=negated
    ),
    st.sampled_from(["WAS_BORN_IN", "DIED_IN", "MARRIED", "HAS_SON", "IS_A", "WON"]),
    st.sampled_from(["Halden", "1881", "Karl Ott", "Ida Holm", "chemist"]),
    st.sampled_from(["place", "date", "person", "chemist"]),
    st.floats(-1, 1),
    st.booleans(),
)


@given(
    st.lists(_FACTS, max_size=8),
    st.sampled_from(["WAS_BORN_IN", "HAS_FATHER", "IS_A"]),
    st.sampled_from(["", "person", "place", "city"]),
)
def test_proposals_are_distinct_best_first_and_rest_on_evidence(
    evidence: list[Evidence], predicate: str, expects: str
) -> None:
    bindings: tuple[Binding, ...] = ground(*asked("Ida Holm", predicate, "X", expects), evidence)
    scores = [binding.score for binding in bindings]
    assert scores == sorted(scores, reverse=True)
    assert all(score > LEAST for score in scores)
    assert len({binding.value for binding in bindings}) == len(bindings)
    held = {e.id: e for e in evidence if e.triple and not e.triple.negated}
    for binding in bindings:
        assert binding.evidence
        for found in binding.evidence:
            triple = held[found].triple
            assert triple is not None
            assert binding.value in {triple.subject.name, triple.object.name}
