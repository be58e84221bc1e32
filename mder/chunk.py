"""Chunk: cut a Document between sentences where its subject changes.

At each gap between two sentences, the ``window`` sentences before it are compared with those after
it; where they are less alike than ``threshold``, a new Chunk begins. Headings begin one too. Bounds
on size overrule both. The vector of a window is the mean of its sentences' vectors, so that every
sentence is encoded once: windows encoded as texts would cost twice ``window`` as much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from mder.languages import detect
from mder.records import Chunk, Document, Section
from mder.sentences import Span, sentences

if TYPE_CHECKING:
    from mder.embedders.base import Embedder

# A shorter Chunk has too few words to tell its language by; it has that of its Document.
LEAST_FOR_LANGUAGE = 100
# More alike than any two windows: a heading stays with what follows it.
TOGETHER = 2.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """How small and how large a Chunk may be; the upper bounds go before the lower."""

    min_sentences: int
    max_sentences: int
    min_characters: int
    max_characters: int

    def fits(self, spans: Sequence[Span]) -> bool:
        """Say whether these sentences are not too much for one Chunk."""
        return len(spans) <= self.max_sentences and extent(spans) <= self.max_characters

    def suffices(self, spans: Sequence[Span]) -> bool:
        """Say whether these sentences are enough for one Chunk."""
        return len(spans) >= self.min_sentences and extent(spans) >= self.min_characters


@dataclass(frozen=True, slots=True)
class Outline:
    """What decides where a Document is cut.

    :param headings: which of the sentences are headings, by their place in ``spans``.
    :param likeness: cosine of the windows at each gap; gap ``i`` is before sentence ``i + 1``.
    """

    spans: Sequence[Span]
    headings: frozenset[int]
    likeness: Sequence[float]

    def starts(self, end: int, threshold: float) -> bool:
        """Say whether sentence ``end`` begins something new."""
        return end in self.headings or self.likeness[end - 1] < threshold

    def weakest(self, ends: Iterable[int]) -> int:
        """Return the end with the least likeness between what is before and after it."""
        return min(ends, key=lambda end: (self.likeness[end - 1], -end))


def identified(document: Document) -> Document:
    """Fill in the language of a Document where it is not known yet."""
    return document if document.language else replace(document, language=detect(document.text))


def chunk(
    document: Document,
    embedder: "Embedder",
    *,
    threshold: float = 0.75,
    window: int = 3,
    min_sentences: int = 2,
    max_sentences: int = 20,
    min_characters: int = 200,
    max_characters: int = 1500,
) -> tuple[Chunk, ...]:
    """Cut a Document into Chunks, each sentence in exactly one.

    The embedder is not asked when the whole Document fits one Chunk. A Chunk is larger than the
    bounds only where one sentence is, and smaller only where its neighbours have no room for it.

    :param threshold: cosine of adjacent windows below which a new Chunk begins.
    """
    bounds = Bounds(min_sentences, max_sentences, min_characters, max_characters)
    document = identified(document)
    spans = sentences(document.text, document.language)
    if bounds.fits(spans):
        return tuple(piece(document, part) for part in (spans,) if part)
    headings = heading_sentences(document.sections, spans)
    texts = [document.text[start:end] for start, end in spans]
    likeness = similarities(texts, embedder, window)
    for gap in headings & frozenset(range(len(likeness))):
        likeness[gap] = TOGETHER
    ends = boundaries(Outline(spans, headings, likeness), threshold, bounds)
    return tuple(piece(document, spans[a:b]) for a, b in pairwise([0, *ends]))


def extent(spans: Sequence[Span]) -> int:
    """Return the number of characters from the first sentence to the last."""
    return spans[-1][1] - spans[0][0] if spans else 0


def piece(document: Document, spans: Sequence[Span]) -> Chunk:
    """Make the Chunk of these sentences."""
    start, end = spans[0][0], spans[-1][1]
    text = document.text[start:end]
    whole = len(text) < LEAST_FOR_LANGUAGE or len(text) == len(document.text)
    language = document.language if whole else detect(text) or document.language
    return Chunk(document.source, start, end, text, language)


def heading_sentences(sections: Sequence[Section], spans: Sequence[Span]) -> frozenset[int]:
    """Return the places in ``spans`` of the sentences that headings begin with."""
    starts = {section.start for section in sections}
    return frozenset(place for place, span in enumerate(spans) if span[0] in starts)


def similarities(texts: Sequence[str], embedder: "Embedder", window: int) -> list[float]:
    """Return the cosine of the windows on either side of each gap between texts."""
    import numpy as np

    vectors = embedder.encode(texts)
    sums = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, 0, np.float64)])
    gaps = np.arange(1, len(texts))
    before = sums[gaps] - sums[np.maximum(gaps - window, 0)]
    after = sums[np.minimum(gaps + window, len(texts))] - sums[gaps]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    return [float(x) for x in (before * after).sum(1) / np.maximum(lengths, 1e-12)]


def boundaries(outline: Outline, threshold: float, bounds: Bounds) -> list[int]:
    """Return where Chunks end: places in ``outline.spans``, the last one past its end."""
    spans = outline.spans
    ends: list[int] = []
    start, end = 0, 1
    while end < len(spans):
        if not bounds.fits(spans[start : end + 1]):
            enough = [e for e in range(start + 1, end + 1) if bounds.suffices(spans[start:e])]
            start = end = outline.weakest(enough or [end])
            ends.append(end)
        elif outline.starts(end, threshold) and bounds.suffices(spans[start:end]):
            start = end
            ends.append(end)
        end += 1
    return [*settled(ends, outline, bounds), len(spans)]


def settled(ends: list[int], outline: Outline, bounds: Bounds) -> list[int]:
    """Take in a remainder that is too small: join it to the last Chunk, or move its beginning."""
    spans = outline.spans
    if not ends or bounds.suffices(spans[ends[-1] :]):
        return ends
    *kept, last = ends
    start = kept[-1] if kept else 0
    if bounds.fits(spans[start:]):
        return kept
    better = [
        end
        for end in range(start + 1, last)
        if all(bounds.fits(s) and bounds.suffices(s) for s in (spans[start:end], spans[end:]))
    ]
    return [*kept, outline.weakest(better) if better else last]
