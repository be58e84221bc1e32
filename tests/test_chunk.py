import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.chunk import chunk, identified
from mder.embedders.base import Vectors
from mder.records import Chunk, Document, Section
from mder.sentences import sentences

# The first example also loads the language detector.
unhurried = settings(deadline=None)

SUBJECTS = ("moon", "bread", "music")


@dataclass
class SubjectEmbedder:
    """Texts are alike when they name the same subject."""

    name: str = "subjects"
    dimension: int = len(SUBJECTS) + 1
    asked: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = [[*(float(s in text) for s in SUBJECTS), 0.01] for text in texts]
        return np.array([[x / math.hypot(*row) for x in row] for row in rows], dtype=np.float32)


class Refusing(SubjectEmbedder):
    def encode(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(f"asked for {len(texts)} vectors")


def document(text: str, sections: tuple[Section, ...] = ()) -> Document:
    return Document("a.txt", "A", text, "0" * 64, sections=sections)


def about(subject: str, count: int) -> str:
    return " ".join(f"Sentence {n} of many says much about the {subject}." for n in range(count))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Headings, sentences of all lengths, in paragraphs; the empty document too."""
    text, sections = "", []
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.booleans()):
            sections.append(Section(len(text), 1, "Heading"))
            text += "Heading\n\n"
        for _ in range(draw(st.integers(0, 12))):
            subject = draw(st.sampled_from(SUBJECTS))
            text += f"The {subject} {'is ' * draw(st.integers(1, 200))}there. "
        text += "\n\n"
    return document(text, tuple(sections))


@unhurried
@given(documents())
def test_every_sentence_is_in_exactly_one_chunk(source: Document) -> None:
    spans = [(c.start, c.end) for c in chunk(source, SubjectEmbedder())]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for start, end in sentences(source.text):
        assert sum(a <= start and end <= b for a, b in spans) == 1


@unhurried
@given(documents())
def test_a_chunk_is_the_text_of_its_span(source: Document) -> None:
    for part in chunk(source, SubjectEmbedder()):
        assert part.text == source.text[part.start : part.end] == part.text.strip() != ""
        assert (part.source, part.summary, part.english) == (source.source, "", "")


@unhurried
@given(documents())
def test_a_chunk_is_too_large_only_where_a_sentence_is(source: Document) -> None:
    for part in chunk(source, SubjectEmbedder()):
        count = len(sentences(part.text))
        assert count == 1 or (count <= 20 and len(part.text) <= 1500)


@unhurried
@given(documents())
def test_a_chunk_is_too_small_only_where_its_successor_has_no_room(source: Document) -> None:
    for small, large in pairwise(chunk(source, SubjectEmbedder())):
        if len(small.text) < 200 or len(sentences(small.text)) < 2:
            first_end = sentences(large.text)[0][1]
            assert large.start + first_end - small.start > 1500


@unhurried
@given(documents())
def test_the_same_document_gives_the_same_chunks(source: Document) -> None:
    assert chunk(source, SubjectEmbedder()) == chunk(source, SubjectEmbedder())


@pytest.mark.parametrize("text", ["", " \n\n ", "Short.", about("moon", 20)])
def test_a_document_that_fits_one_chunk_needs_no_vectors(text: str) -> None:
    assert [c.text for c in chunk(document(text), Refusing())] == ([text] if text.strip() else [])


def test_a_new_chunk_begins_where_the_subject_changes() -> None:
    parts = [about("moon", 9), about("bread", 12), about("music", 9)]
    chunks = chunk(document(" ".join(parts)), SubjectEmbedder(), threshold=0.3)
    assert [c.text for c in chunks] == parts


def test_a_threshold_below_every_likeness_leaves_only_the_bounds() -> None:
    text = " ".join([about("moon", 15), about("bread", 15)])
    chunks = chunk(document(text), SubjectEmbedder(), threshold=-1.0)
    # Even then the cut that the bounds ask for is made where the subject changes.
    assert [c.text for c in chunks] == [about("moon", 15), about("bread", 15)]


def test_each_distinct_text_is_asked_for_in_one_call() -> None:
    embedder = SubjectEmbedder()
    text = about("moon", 60)
    chunk(document(text), embedder)
    assert len(embedder.asked) == 60


def headed(first: str) -> tuple[str, Document]:
    """A Document of one subject with a heading after the first part."""
    text = f"{first}\n\nHeading\n\n{about('moon', 25)}"
    return text, document(text, (Section(len(first) + 2, 1, "Heading"),))


def test_a_heading_begins_a_chunk() -> None:
    first = about("moon", 8)
    _, source = headed(first)
    assert chunk(source, SubjectEmbedder())[0].text == first


def test_a_heading_begins_no_chunk_where_the_one_before_would_be_too_small() -> None:
    text, source = headed("Too short.")
    assert chunk(source, SubjectEmbedder())[0].text.startswith("Too short.\n\nHeading\n\nSentence")
    assert text.startswith("Too short.")


def test_a_chunk_does_not_end_with_a_heading() -> None:
    _, source = headed(about("moon", 3))
    for threshold in (0.3, 2.0):
        parts = chunk(source, SubjectEmbedder(), threshold=threshold)
        assert not any(c.text.endswith("Heading") for c in parts)


def test_bounds_are_those_asked_for() -> None:
    text = about("moon", 30)
    chunks = chunk(
        document(text),
        SubjectEmbedder(),
        threshold=2.0,
        min_sentences=3,
        max_sentences=5,
        min_characters=1,
        max_characters=10_000,
    )
    assert [len(sentences(c.text)) for c in chunks] == [3] * 10


FRENCH = (
    "La lune tourne autour de la Terre en un peu plus de vingt-sept jours, et elle lui montre "
    "toujours la même face. Les hommes y ont marché pour la première fois il y a longtemps."
)


def languages(chunks: Sequence[Chunk]) -> list[str]:
    return [c.language for c in chunks]


def test_each_chunk_has_its_own_language() -> None:
    text = f"{about('bread', 25)}\n\n{FRENCH.replace('lune', 'moon')}"
    found = languages(chunk(document(text), SubjectEmbedder(), threshold=0.3))
    assert (found[0], found[-1]) == ("en", "fr")


def test_a_chunk_too_short_to_tell_has_the_language_of_its_document() -> None:
    source = replace(document(f"{about('bread', 25)}\n\nMoon."), language="en")
    chunks = chunk(source, SubjectEmbedder(), threshold=2.0, min_sentences=1, min_characters=1)
    assert set(languages(chunks)) == {"en"}


def test_a_language_that_is_known_is_kept() -> None:
    source = replace(document(FRENCH), language="en")
    assert identified(source) is source
    assert languages(chunk(source, Refusing())) == ["en"]
    assert identified(document(FRENCH)).language == "fr"
