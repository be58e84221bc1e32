"""Reduce: everything known of an Entity to one summary. Consumes the whole set of triples."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mder.names import bare_title, normalise
from mder.reasoners.base import Reasoner
from mder.records import Entity, Link, Reading, Triple
from mder.sentences import sentences

_MENTIONS = 3  # passages shown for an Entity that no triple speaks of


def in_order(
    entities: Sequence[Entity], facts: Mapping[str, Sequence[str]]
) -> list[tuple[Entity, Sequence[str]]]:
    """Return each Entity with its descriptions, those of which most is known first."""
    portraits = [(entity, facts.get(entity.name, ())) for entity in entities]
    return sorted(portraits, key=lambda p: (-len(p[1]), p[0].name))


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


def known(
    entities: Sequence[Entity],
    triples: Iterable[Triple],
    links: Iterable[Link],
    readings: Iterable[Reading],
) -> dict[str, list[str]]:
    """Return what is known of each Entity: how its own page opens, then its triples' descriptions.

    For an Entity of which no triple speaks, the passages that mention it.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    by_source = {r.document.source: r for r in readings}
    for entity in entities:
        for source in entity.documents:
            found[entity.name].update(dict.fromkeys(_opening(by_source[source])))
    for triple in triples:
        for name in (triple.subject.name, triple.object.name):
            found[name][triple.description] = None
    for name, passage in _mentions(entities, links, by_source, found):
        found[name][passage] = None
    return {name: list(texts) for name, texts in found.items()}


def _opening(reading: Reading) -> Iterator[str]:
    """Yield the first sentence of a Document that is not a heading."""
    headings = {normalise(section.title) for section in reading.document.sections}
    headings.add(normalise(reading.document.title))
    for chunk in reading.chunks[:2]:
        text = chunk.english or chunk.text
        for start, end in sentences(text, chunk.language):
            if normalise(text[start:end]) not in headings:
                yield " ".join(text[start:end].split())
                return


def _mentions(
    entities: Sequence[Entity],
    links: Iterable[Link],
    by_source: Mapping[str, Reading],
    found: Mapping[str, Mapping[str, None]],
) -> Iterator[tuple[str, str]]:
    silent = {e.name: (bare_title(e.name), *e.aliases) for e in entities if not found.get(e.name)}
    shown: dict[str, int] = defaultdict(int)
    for link in links:
        if link.entity in silent and shown[link.entity] < _MENTIONS:
            chunks = by_source[link.source].chunks
            text = next(c.text for c in chunks if c.start == link.chunk)
            passage = _passage(text, silent[link.entity])
            if passage:
                shown[link.entity] += 1
                yield link.entity, passage


def _passage(text: str, names: Sequence[str]) -> str:
    for start, end in sentences(text):
        if any(name in text[start:end] for name in names):
            return " ".join(text[start:end].split())
    return ""
