import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.reasoners.syntax.extract import extract
from mder.records import Extraction, Triple
from tests.reasoners.syntax.reading import (
    KARL,
    chunks,
    document,
)

PAGE = """About this page

Karl Ott was born in Halden. He founded
Orion Press in 1901.

Later life

Ida Holm married Karl Ott in 1921. She was a chemist (and a good one). They had no car.

Orion Press sells atlases.
"""
SENTENCES = (
    "Karl Ott was born in Halden.",
    "He founded\nOrion Press in 1901.",
    "Ida Holm married Karl Ott in 1921.",
    "She was a chemist (and a good one).",
    "They had no car.",
    "Orion Press sells atlases.",
)


def located(triple: Triple, text: str = PAGE) -> str:
    return text[triple.start : triple.end]


def read_page(*starts: int) -> Extraction:
    page = document(PAGE, KARL, "About this page", "Later life")
    return extract(page, chunks(PAGE, *starts))


@pytest.mark.parametrize(
    "starts",
    [
        (0,),
        (PAGE.index("Karl Ott"),),
        (PAGE.index("Karl Ott"), PAGE.index("Later life")),
        (0, PAGE.index("He founded"), PAGE.index("She was"), PAGE.index("Orion Press sells")),
    ],
)
def test_spans_are_the_sentences_of_the_document(starts: tuple[int, ...]) -> None:
    extraction = read_page(*starts)
    by_predicate = {t.predicate: located(t) for t in extraction.triples}
    assert by_predicate["WAS_BORN_IN"] == SENTENCES[0]
    assert by_predicate["FOUNDED"] == SENTENCES[1]
    assert by_predicate["MARRIED"] == SENTENCES[2]
    assert by_predicate["IS_A"] == SENTENCES[3]
    assert by_predicate["SELLS"] == SENTENCES[5]
    assert {located(t) for t in extraction.triples} <= set(SENTENCES)


def test_a_triple_names_the_chunk_that_holds_it() -> None:
    starts = (PAGE.index("Karl Ott"), PAGE.index("Later life"))
    ends = dict(zip(starts, (starts[1], len(PAGE)), strict=True))
    for triple in read_page(*starts).triples:
        assert triple.chunk <= triple.start < triple.end <= ends[triple.chunk]


def test_who_was_spoken_of_is_known_in_the_next_chunk() -> None:
    starts = (0, PAGE.index("He founded"))
    (founded,) = (t for t in read_page(*starts).triples if t.predicate == "FOUNDED")
    assert founded.subject.name == KARL


def test_headings_are_not_read() -> None:
    text = "Karl Ott founded Vega Books\n\nIda Holm lives in Halden."
    page = document(text, "Untitled", "Karl Ott founded")
    assert {t.predicate for t in extract(page, chunks(text)).triples} == {"LIVES_IN"}


_POOL = st.sampled_from(
    (
        *SENTENCES,
        "The World Glass Union (WGU) met in Halden.",
        'Ida Holm wrote "Long Winter Road" in 1951.',
        "Orion Press, based in Oslo, is a re-founded firm - and a good one.",
        "Who Sees Us? is a film directed by Karl Ott.",
        "Das Haus steht am Fluss.",
        "()",
    )
)
_PARAGRAPH = st.lists(_POOL, min_size=1, max_size=3)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(_PARAGRAPH, min_size=1, max_size=4),
    st.sampled_from(["\n\n", "\n\n\n  ", "\r\n\r\n"]),
    st.booleans(),
)
def test_every_span_holds_the_names_or_their_stand_ins(
    paragraphs: list[list[str]], gap: str, cut: bool
) -> None:
    text = "Preface" + gap + gap.join(" ".join(sentences) for sentences in paragraphs)
    starts = [len("Preface" + gap)]
    if cut and len(paragraphs) > 1:
        starts.append(len("Preface" + gap + " ".join(paragraphs[0]) + gap))
    extraction = extract(document(text, "Who Sees Us?"), chunks(text, *starts))
    for triple in extraction.triples:
        quote = located(triple, text)
        assert quote == quote.strip()
        assert any(quote in s or s in quote for s in _sentences(paragraphs))
        assert triple.chunk in starts
        assert triple.chunk <= triple.start < triple.end
        assert triple.object.name in quote or triple.object.name.split("'s ")[-1] in quote


def _sentences(paragraphs: list[list[str]]) -> set[str]:
    return {sentence for sentences in paragraphs for sentence in sentences}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(min_size=1, max_size=30))
def test_any_text_can_be_read(text: str, title: str) -> None:
    extraction = extract(document(text, title), chunks(text))
    for triple in extraction.triples:
        assert 0 <= triple.start < triple.end <= len(text)
        assert triple.subject.name
        assert triple.object.name
        assert triple.predicate == triple.predicate.upper()
