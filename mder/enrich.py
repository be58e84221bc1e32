"""Enrich: every Triple with a description of its context."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from mder.reasoners.base import Reasoner
from mder.records import Chunk, Reading, Triple


def enrich(reading: Reading, triples: Sequence[Triple], reasoner: Reasoner) -> Iterator[Triple]:
    """Yield a Document's triples with descriptions, made Chunk by Chunk.

    :param triples: those of this Document, in the order of their Chunks.
    """
    chunks = {chunk.start: i for i, chunk in enumerate(reading.chunks)}
    for start, group in groupby(triples, key=lambda t: t.chunk):
        stated = list(group)
        before, chunk, after = _around(reading.chunks, chunks[start])
        descriptions = reasoner.describe(stated, before, chunk.text, after)
        for triple, description in zip(stated, descriptions, strict=True):
            yield replace(triple, description=description)


def _around(chunks: Sequence[Chunk], index: int) -> tuple[str, Chunk, str]:
    before = chunks[index - 1].text if index else ""
    after = chunks[index + 1].text if index + 1 < len(chunks) else ""
    return before, chunks[index], after
