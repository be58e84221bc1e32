"""Summarize: keep of each Chunk what has content; the original text stays beside it."""

from collections.abc import Sequence
from dataclasses import replace

from mder.reasoners.base import Reasoner
from mder.records import Chunk


def summarize(chunks: Sequence[Chunk], reasoner: Reasoner, to: str = "") -> tuple[Chunk, ...]:
    """Fill in the summaries of a Document's Chunks, and translations that came along.

    :param to: the index language, where this Reasoner translates as well; ``""`` where it does not.
    """
    made = reasoner.summarize(chunks, to)
    return tuple(
        replace(chunk, summary=short.summary, english=short.english)
        for chunk, short in zip(chunks, made, strict=True)
    )
