"""Enrich: every Triple with a description of its context."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from mder.names import said
from mder.reasoners.base import Passage, Reasoner
from mder.records import Chunk, Reading, Triple


def passages(reading: Reading, triples: Sequence[Triple]) -> Iterator[Passage]:
    """Yield a Document's triples, Chunk by Chunk.

    :param triples: those of this Document, in the order of their Chunks.
    """
    chunks = {chunk.start: i for i, chunk in enumerate(reading.chunks)}
    for start, group in groupby(triples, key=lambda t: t.chunk):
        before, chunk, after = _around(reading.chunks, chunks[start])
        yield Passage(tuple(group), before, chunk.text, after)


def enrich(passages: Sequence[Passage], reasoner: Reasoner) -> Iterator[Triple]:
    """Yield the triples of passages with their descriptions filled in.

    The Reasoner is asked about those that are verified; the others are put in plain words.
    """
    sound = [replace(p, triples=tuple(t for t in p.triples if t.verified)) for p in passages]
    for passage, made in zip(passages, reasoner.describe(sound), strict=True):
        descriptions = iter(made)
        for triple in passage.triples:
            plain = said(triple.subject.name, triple.predicate, triple.object.name)
            yield replace(triple, description=next(descriptions) if triple.verified else plain)


def _around(chunks: Sequence[Chunk], index: int) -> tuple[str, Chunk, str]:
    before = chunks[index - 1].text if index else ""
    after = chunks[index + 1].text if index + 1 < len(chunks) else ""
    return before, chunks[index], after
