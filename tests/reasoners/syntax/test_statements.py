import pytest

from mder.reasoners.syntax.nominals import referents
from mder.reasoners.syntax.parser import Parsed, parse
from mder.reasoners.syntax.statements import statements


def one(text: str) -> Parsed:
    (parsed,) = parse([text])
    return parsed


def said(text: str) -> list[tuple[str, str, str, bool]]:
    parsed = one(text)
    (sentence,) = parsed.doc.sents
    return [
        (s.subject.text, s.predicate, s.object.text, s.negated)
        for s in statements(sentence, parsed)
    ]


@pytest.mark.parametrize(
    ("text", "noun", "names"),
    [
        ("The painter Clara Venn lived in Bergen.", "painter", ["Venn"]),
        ("Ann Lee, a writer, lives here.", "writer", ["Lee"]),
        ("Ann Lee is a writer who lives here.", "writer", ["Lee"]),
        ("A company called Orion grew.", "company", ["Orion"]),
        ("Karl Ott had three children: Paul, Ida and Ruth.", "children", ["Paul", "Ida", "Ruth"]),
        ("The bridge fell.", "bridge", ["bridge"]),
        ("Ann Lee lives here.", "Lee", ["Lee"]),
    ],
)
def test_a_noun_stands_for_the_names_beside_it(text: str, noun: str, names: list[str]) -> None:
    parsed = one(text)
    token = next(t for t in parsed.doc if t.text == noun)
    assert [t.text for t in referents(token, parsed)] == names


def test_statements_are_between_tokens_and_carry_denial() -> None:
    assert said("Ann Lee did not visit Oslo.") == [("Lee", "DID_NOT_VISIT", "Oslo", True)]


def test_a_copula_gives_what_the_noun_governs_as_well() -> None:
    assert said("Ann Lee is not the mayor of Oslo.") == [
        ("Lee", "IS_NOT_A", "mayor", True),
        ("Lee", "IS_NOT_MAYOR_OF", "Oslo", True),
    ]


def test_a_name_after_a_possessive_goes_both_ways() -> None:
    found = said("Oslo's mayor Ann Lee ran.")
    assert ("Lee", "IS_MAYOR_OF", "Oslo", False) in found
    assert ("Oslo", "HAS_MAYOR", "Lee", False) in found


@pytest.mark.parametrize("text", ["Yes.", "What a day!", "It rains.", "Ran away quickly."])
def test_nothing_is_said_of_nothing(text: str) -> None:
    assert said(text) == []
