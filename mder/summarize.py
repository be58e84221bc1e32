"""Summarize: keep of each Chunk what has content; the original text stays beside it."""

from collections.abc import Sequence
from dataclasses import replace

from mder.reasoners.base import Reasoner
from mder.records import Chunk


def summarize(chunks: Sequence[Chunk], reasoner: Reasoner) -> tuple[Chunk, ...]:
    """Fill in the summaries of a Document's Chunks, each seen with its original neighbours."""
    texts = ["", *(chunk.text for chunk in chunks), ""]
    return tuple(
        replace(chunk, summary=reasoner.summarize(chunk, texts[i], texts[i + 2]))
        for i, chunk in enumerate(chunks)
    )
