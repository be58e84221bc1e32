import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Span, Token

from mder.reasoners.syntax import verbs
from mder.reasoners.syntax.parser import parse


def sentence(text: str) -> Span:
    (parsed,) = parse([text])
    (only,) = parsed.doc.sents
    return only


def verb(text: str, word: str) -> Token:
    return next(t for t in sentence(text) if t.text == word)


def texts(tokens: list[Token]) -> list[str]:
    return [token.text for token in tokens]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["was", "born", "in"], "WAS_BORN_IN"),
        (["did", "n't", "win"], "DID_NOT_WIN"),
        (["ca", "n't", "swim"], "CAN_NOT_SWIM"),
        (["wo", "n’t", "go"], "WILL_NOT_GO"),
        (["'s", "made"], "IS_MADE"),
        (["co-wrote"], "COWROTE"),
        (["is", "poet", "out of"], "IS_POET_OUTOF"),
        (["", "–"], ""),
    ],
)
def test_words_are_joined_to_a_predicate(words: list[str], expected: str) -> None:
    assert verbs.predicate(words) == expected


@given(st.lists(st.text(max_size=8), max_size=6))
def test_a_predicate_holds_letters_and_digits_in_upper_case(words: list[str]) -> None:
    predicate = verbs.predicate(words)
    assert predicate == predicate.upper()
    assert all(part for part in predicate.split("_")) or predicate == ""
    assert all(c.isalnum() or c == "_" for c in predicate)


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("Ann was born in Oslo.", "born", "was born"),
        ("Ann has been living in Oslo.", "living", "has been living"),
        ("Ann did not run.", "run", "did not run"),
        ("Ann is not a poet.", "is", "is not"),
        ("Ann grew up in Oslo.", "grew", "grew up"),
        ("Ann wanted to visit Oslo.", "visit", "wanted to visit"),
        ("The film was written and directed by Ann.", "directed", "was directed"),
        ("Ann was born in Oslo and died in Bergen.", "died", "died"),
        ("The child born in Oslo ran.", "born", "was born"),
    ],
)
def test_a_verb_group_has_auxiliaries_denial_and_particles(
    text: str, main: str, expected: str
) -> None:
    assert " ".join(verbs.group(verb(text, main))) == expected


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("Ann did not run.", "run", True),
        ("Ann never ran.", "ran", True),
        ("Ann did not want to visit Oslo.", "visit", True),
        ("Ann ran.", "ran", False),
        ("Ann did not run but swam in Oslo.", "swam", False),
    ],
)
def test_denial_reaches_the_verbs_that_it_governs(text: str, main: str, *, expected: bool) -> None:
    assert verbs.negated(verb(text, main)) is expected


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("Ann and Karl ran.", "ran", ["Ann", "Karl"]),
        ("Ann sang and danced.", "danced", ["Ann"]),
        ("Ann wanted to visit Oslo.", "visit", ["Ann"]),
        ("Ann, who wrote novels, sang.", "wrote", ["Ann"]),
        ("The bridge designed by Ann fell.", "designed", ["bridge"]),
        ("Ann asked Karl to leave Oslo.", "leave", []),
        ("There are bridges in Oslo.", "are", []),
    ],
)
def test_subjects_are_found_also_where_they_are_left_out(
    text: str, main: str, expected: list[str]
) -> None:
    assert texts(verbs.subjects(verb(text, main))) == expected


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("Ann wrote novels and poems.", "wrote", ["novels", "poems"]),
        ("Ann wrote and sang songs.", "wrote", ["songs"]),
        ("The novel that Ann wrote won.", "wrote", ["novel"]),
        ("Ann ran.", "ran", []),
    ],
)
def test_objects_are_found_also_where_they_are_shared(
    text: str, main: str, expected: list[str]
) -> None:
    assert texts(verbs.objects(verb(text, main))) == expected


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("Ann lived in Oslo and Bergen.", "lived", [("in", "Oslo"), ("in", "Bergen")]),
        ("Ann fell out of bed.", "fell", [("out of", "bed")]),
        ("It was written by Ann.", "written", [("by", "Ann")]),
        ("It was given to Ann.", "given", [("to", "Ann")]),
        ("Ann ran faster than Karl.", "ran", []),
    ],
)
def test_prepositions_lead_to_their_objects(
    text: str, main: str, expected: list[tuple[str, str]]
) -> None:
    token = verb(text, main)
    assert [(word, t.text) for word, t in verbs.prepositions(token, token)] == expected


def test_auxiliaries_are_no_main_verbs() -> None:
    found = [t.text for t in verbs.verbs(sentence("Ann has been living in Oslo and was happy."))]
    assert found == ["living", "was"]
