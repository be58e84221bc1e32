"""Translate: bring each Chunk's summary into the index language."""

from collections.abc import Sequence
from dataclasses import replace

from mder.reasoners.base import Reasoner
from mder.records import Chunk


def translate(chunks: Sequence[Chunk], reasoner: Reasoner, language: str) -> tuple[Chunk, ...]:
    """Fill in the Chunks' text in the index language; one that is in it already costs nothing.

    :param language: the index language, an ISO 639-1 code.
    """
    return tuple(replace(chunk, english=_english(chunk, reasoner, language)) for chunk in chunks)


def _english(chunk: Chunk, reasoner: Reasoner, language: str) -> str:
    if chunk.language in {"", language}:
        return chunk.summary
    return chunk.english or reasoner.translate(
        chunk.summary, chunk.language, language, chunk.source
    )
