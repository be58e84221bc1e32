import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Token

from mder.reasoners.syntax.parser import Parsed, parse
from mder.reasoners.syntax.phrases import TYPES, is_named, mention, name_span, value_span
from mder.records import Mention


def find(text: str, word: str, *names: str) -> tuple[Token, Parsed]:
    """Return the first token that stands as ``word`` in a text."""
    (parsed,) = parse([text], names)
    return next(t for t in parsed.doc if parsed.word(t) == word), parsed


def named(text: str, word: str, *names: str) -> Mention | None:
    return mention(*find(text, word, *names))


@pytest.mark.parametrize(
    ("text", "head", "name"),
    [
        ("Clara Venn lives in Bergen.", "Venn", "Clara Venn"),
        ("Clara Venn lives in Bergen.", "Clara", "Clara Venn"),
        ("Dr. Karl Ott lives in Bergen.", "Ott", "Karl Ott"),
        ("Karl Ott's sister lives in Bergen.", "Ott", "Karl Ott"),
        ("The Glass Museum is in Halden.", "Museum", "Glass Museum"),
        ("He studied at the University of Lindby.", "University", "University of Lindby"),
        ("The Duke of Norr lived in Bergen.", "Duke", "Duke of Norr"),
        ("He lived in Halden-upon-Norr in 1901.", "Halden", "Halden-upon-Norr"),
    ],
)
def test_a_proper_name_is_found_whole(text: str, head: str, name: str) -> None:
    found = named(text, head)
    assert found is not None
    assert found.name == name
    assert not found.local


@pytest.mark.parametrize(
    ("text", "head", "name", "local"),
    [
        ("The old stone bridge was opened.", "bridge", "old stone bridge", True),
        ("A bridge was opened.", "bridge", "bridge", True),
        ("Her other three bridges were opened.", "bridges", "three bridges", False),
        ("Karl Ott studied organic chemistry.", "chemistry", "organic chemistry", False),
    ],
)
def test_a_common_noun_keeps_what_modifies_it(
    text: str, head: str, name: str, *, local: bool
) -> None:
    found = named(text, head)
    assert found is not None
    assert (found.name, found.local) == (name, local)


@pytest.mark.parametrize(
    ("text", "head", "expected"),
    [
        ("He died on 3 May 1950.", "May", Mention("3 May 1950", ("date",))),
        ("He moved in 1911.", "1911", Mention("1911", ("date",))),
        ("It cost $4 million.", "million", Mention("$4 million", ("amount",))),
        ("She is Norwegian.", "Norwegian", Mention("Norwegian", ("group",))),
        ("It has 40.", "40", Mention("40", ("number",))),
    ],
)
def test_values_and_nationalities_have_their_types(text: str, head: str, expected: Mention) -> None:
    assert named(text, head) == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("He ran home.", "He"),
        ("Karl ran quickly.", "quickly"),
        ("Karl ran quickly.", "ran"),
        ("It was a good thing.", "thing"),
        ("It was good.", "good"),
        ("The ship which sank was old.", "which"),
    ],
)
def test_words_that_name_nothing_are_no_mention(text: str, word: str) -> None:
    assert named(text, word) is None


def test_a_given_name_alone_means_somebody_in_its_document_only() -> None:
    found = named("Yesterday Anna met Karl Ott.", "Anna")
    assert found == Mention("Anna", ("person",), local=True)


def test_the_stand_in_for_a_title_is_named_as_the_title() -> None:
    token, parsed = find("Ann wrote Who Goes? in 1951.", "Who Goes?", "Who Goes?")
    assert is_named(token, parsed)
    assert mention(token, parsed) == Mention("Who Goes?")


def test_what_a_thing_is_a_kind_of_is_no_name() -> None:
    assert not is_named(*find("Silver Gate is a Western.", "Western"))


def test_vague_spans_of_time_are_no_values() -> None:
    token, _ = find("He came back later that day.", "day")
    assert value_span(token) is None


_TEXTS = st.lists(
    st.sampled_from(
        """Ann Lee Halden the a of in was is - – ' ’s ( ) " “ ” 1901 3 May % $ The Dr. and , . ; :
        US wrote film old film's co-written O'Neil 東京 émile NATO's""".split()
    ),
    min_size=1,
    max_size=14,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(_TEXTS)
def test_names_stand_in_the_text_without_articles_and_marks(text: str) -> None:
    (parsed,) = parse([text])
    for token in parsed.doc:
        found = mention(token, parsed)
        if found is None:
            continue
        assert any(c.isalnum() for c in found.name)
        assert found.name == found.name.strip(' ,;:"“”()')
        assert not found.name.lower().startswith(("the ", "a ", "an "))
        assert all(kind == kind.lower() for kind in found.types)


@settings(max_examples=80, deadline=None)
@given(_TEXTS)
def test_a_name_span_holds_its_token(text: str) -> None:
    (parsed,) = parse([text])
    for token in parsed.doc:
        if is_named(token, parsed):
            span = name_span(token, parsed)
            assert span.start <= token.i
            assert len(span) > 0
        value = value_span(token)
        if value is not None:
            assert value.start <= token.i < value.end
            assert value.label_ in TYPES
