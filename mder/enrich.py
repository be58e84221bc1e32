"""Enrich: every Triple with a description of its context."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from mder.reasoners.base import Reasoner
from mder.records import Chunk, Reading, Triple


@dataclass(frozen=True, slots=True)
class Passage:
    """The triples of one Chunk, its text, and the texts before and after it."""

    triples: tuple[Triple, ...]
    before: str
    text: str
    after: str


def passages(reading: Reading, triples: Sequence[Triple]) -> Iterator[Passage]:
    """Yield a Document's triples, Chunk by Chunk.

    :param triples: those of this Document, in the order of their Chunks.
    """
    chunks = {chunk.start: i for i, chunk in enumerate(reading.chunks)}
    for start, group in groupby(triples, key=lambda t: t.chunk):
        before, chunk, after = _around(reading.chunks, chunks[start])
        yield Passage(tuple(group), before, chunk.text, after)


def enrich(passage: Passage, reasoner: Reasoner) -> tuple[Triple, ...]:
    """Fill in the descriptions of a passage's triples."""
    stated = passage.triples
    made = reasoner.describe(stated, passage.before, passage.text, passage.after)
    return tuple(
        replace(triple, description=description)
        for triple, description in zip(stated, made, strict=True)
    )


def _around(chunks: Sequence[Chunk], index: int) -> tuple[str, Chunk, str]:
    before = chunks[index - 1].text if index else ""
    after = chunks[index + 1].text if index + 1 < len(chunks) else ""
    return before, chunks[index], after
