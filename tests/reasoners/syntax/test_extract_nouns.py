import pytest

from tests.reasoners.syntax.reading import (
    Stated,
    denied,
    read,
    stated,
    three,
    types,
)


@pytest.mark.parametrize(
    "text",
    [
        "Clara Venn, a painter from Norway, moved to Paris.",
        "A Norwegian painter, Clara Venn, moved to Paris.",
        "The painter Clara Venn moved to Paris.",
    ],
)
def test_a_name_and_a_noun_beside_each_other_are_one(text: str) -> None:
    assert three("Clara Venn | MOVED_TO | Paris") <= stated(text)
    assert set(types(text)["Clara Venn"]) == {"painter", "person"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Clara Venn's daughter Ida Venn became a nurse.",
            three(
                "Clara Venn | HAS_DAUGHTER | Ida Venn",
                "Ida Venn | IS_DAUGHTER_OF | Clara Venn",
                "Ida Venn | BECAME | nurse",
            ),
        ),
        ("Clara Venn's husband was Karl Ott.", three("Clara Venn | HAS_HUSBAND | Karl Ott")),
        (
            "Karl Ott, Ida Holm's brother, lived in Oslo.",
            three("Karl Ott | IS_BROTHER_OF | Ida Holm"),
        ),
        (
            "Karl Ott's film Silver Gate won the Golden Bell.",
            three("Karl Ott | HAS_FILM | Silver Gate", "Silver Gate | WON | Golden Bell"),
        ),
        (
            "Ida Holm and her brother Karl Ott founded Orion Press.",
            three(
                "Ida Holm | FOUNDED | Orion Press",
                "Karl Ott | FOUNDED | Orion Press",
                "Ida Holm | HAS_BROTHER | Karl Ott",
            ),
        ),
        (
            "Karl Ott, whose brother is Paul Ott, moved to Oslo.",
            three("Karl Ott | HAS_BROTHER | Paul Ott"),
        ),
        (
            "Karl Ott, whose brother Paul Ott was a baker, moved to Oslo.",
            three("Karl Ott | HAS_BROTHER | Paul Ott", "Paul Ott | IS_A | baker"),
        ),
    ],
)
def test_possession_leads_from_the_owner(text: str, expected: set[Stated]) -> None:
    assert expected <= stated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Karl Ott did not win the Lindby Prize.", "Karl Ott | DID_NOT_WIN | Lindby Prize"),
        ("Karl Ott never visited Paris.", "Karl Ott | NEVER_VISITED | Paris"),
        ("Karl Ott was not a lawyer.", "Karl Ott | IS_NOT_A | lawyer"),
        ("Karl Ott doesn't own Orion Press.", "Karl Ott | DOES_NOT_OWN | Orion Press"),
        ("The ship was not built by Karl Ott.", "ship | WAS_NOT_BUILT_BY | Karl Ott"),
        ("Karl Ott isn't from Oslo.", "Karl Ott | IS_NOT_FROM | Oslo"),
    ],
)
def test_denial_is_marked_and_said(text: str, expected: str) -> None:
    assert three(expected) <= denied(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Neither Ida Holm nor Karl Ott visited Paris.", "Ida Holm | VISITED | Paris"),
        ("Neither Ida Holm nor Karl Ott visited Paris.", "Karl Ott | VISITED | Paris"),
        ("Ida Holm visited neither Paris nor Rome.", "Ida Holm | VISITED | Paris"),
        ("Ida Holm visited neither Paris nor Rome.", "Ida Holm | VISITED | Rome"),
        ("Ida Holm was neither a painter nor a sculptor.", "Ida Holm | IS_A | painter"),
        ("Ida Holm no longer works for Orion Press.", "Ida Holm | WORKS_FOR | Orion Press"),
        ("No member of the band visited Paris.", "member | VISITED | Paris"),
        ("If Ida Holm had visited Paris, Karl Ott would know.", "Ida Holm | HAD_VISITED | Paris"),
    ],
)
def test_what_is_denied_or_only_supposed_is_not_stated(text: str, wrong: str) -> None:
    triples = read(text).triples
    held = {(t.subject.name, t.predicate, t.object.name) for t in triples if not t.negated}
    assert not three(wrong) & held


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("The bridge was opened on 3 May 1911.", "bridge | WAS_OPENED_ON | 3 May 1911", "date"),
        ("Ida Holm died on May 3, 1950.", "Ida Holm | DIED_ON | May 3, 1950", "date"),
        ("Karl Ott moved to Oslo in 1911.", "Karl Ott | MOVED_IN | 1911", "date"),
        (
            "Halden covers 52 square kilometres.",
            "Halden | COVERS | 52 square kilometres",
            "quantity",
        ),
        (
            "Vega Books was acquired by Orion Press for $3 million.",
            "Vega Books | WAS_ACQUIRED_FOR | $3 million",
            "amount",
        ),
    ],
)
def test_dates_and_numbers_are_objects_with_their_type(text: str, expected: str, kind: str) -> None:
    (triple,) = three(expected)
    assert triple in stated(text)
    assert types(text)[triple[2]][0] == kind


def test_a_span_of_years_does_not_repeat_its_preposition() -> None:
    objects = {c for _, _, c in stated("The station was built between 1901 and 1911.")}
    assert objects == {"1901 and 1911"}


@pytest.mark.parametrize("naming", ["called", "named"])
def test_a_thing_is_known_by_the_name_given_to_it(naming: str) -> None:
    found = stated(f"Karl Ott founded a company {naming} Orion Press.")
    assert three("Karl Ott | FOUNDED | Orion Press", "Orion Press | IS_A | company") <= found


def test_a_place_named_after_its_kind_is_that_place() -> None:
    found = stated("The town of Halden was founded in 1105.")
    assert three("Halden | WAS_FOUNDED_IN | 1105") <= found


@pytest.mark.parametrize("text", ["Oslo, Norway, is cold.", "Karl Ott lived in Oslo, Norway."])
def test_a_place_behind_a_place_is_where_it_lies(text: str) -> None:
    assert three("Oslo | IS_LOCATED_IN | Norway") <= stated(text)


def test_a_noun_right_before_a_name_is_not_somebody_else() -> None:
    found = stated("The writer Ann Lee lived in Oslo. The river Dunn flows through Halden.")
    assert {a for a, p, _ in found if p in {"LIVED_IN", "FLOWS_THROUGH"}} == {"Ann Lee", "Dunn"}
