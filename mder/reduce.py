"""Reduce: everything known of an Entity to one summary. Consumes the whole set of triples."""

from collections.abc import Sequence
from dataclasses import replace

from mder.names import bare_title, normalise
from mder.reasoners.base import Reasoner
from mder.records import Chunk, Entity, Reading
from mder.sentences import sentences


def reduce(
    portraits: Sequence[tuple[Entity, Sequence[str]]], reasoner: Reasoner, limit: int
) -> tuple[Entity, ...]:
    """Fill in the summaries of Entities.

    :param limit: the most characters of a summary.
    """
    summaries = reasoner.reduce(portraits, limit)
    return tuple(
        replace(entity, summary=summary)
        for (entity, _), summary in zip(portraits, summaries, strict=True)
    )


def opening(reading: Reading) -> str:
    """Return the first sentence of a Document that is not a heading, ``""`` where there is none."""
    headings = {normalise(section.title) for section in reading.document.sections}
    headings.add(normalise(reading.document.title))
    for chunk in reading.chunks[:2]:
        text = chunk.english or chunk.text
        for start, end in sentences(text, chunk.language):
            if normalise(text[start:end]) not in headings:
                return " ".join(text[start:end].split())
    return ""


def passage(chunk: Chunk, entity: Entity) -> str:
    """Return the first sentence of a Chunk that names an Entity, ``""`` where there is none."""
    names = (bare_title(entity.name), *entity.aliases)
    for start, end in sentences(chunk.text):
        if any(name in chunk.text[start:end] for name in names):
            return " ".join(chunk.text[start:end].split())
    return ""
