"""The stages that need the whole set: one graph of all Documents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from mder.disambiguate import Resolved, disambiguate
from mder.embedders.base import Embedder
from mder.enrich import enrich, passages
from mder.link import link, name_table, words_of
from mder.pipeline.clock import Clock
from mder.pipeline.pool import Stop, spread
from mder.reasoners.cast import Cast
from mder.records import Entity, Knowledge, Link, Reading, Triple
from mder.reduce import in_order, known, reduce
from mder.settings import Settings

T = TypeVar("T")
_PASSAGES = 12  # enriched together
_SLICE = 100  # Entities reduced together
# (what is being done, how many are done, how many there are)
Progress = Callable[[str, int, int], None]


def build(
    readings: Sequence[Reading],
    settings: Settings,
    cast: Cast,
    embedder: Embedder,
    *,
    jobs: int,
    stop: Stop,
    clock: Clock,
    progress: Progress,
) -> Knowledge:
    """Disambiguate, Enrich, Link and Reduce.

    :param stop: see :func:`mder.pipeline.pool.spread`.
    """
    readings = sorted(readings, key=lambda r: r.document.source)
    progress("disambiguate", 0, 1)
    with clock.time("disambiguate"):
        resolved = disambiguate(
            readings,
            cast.disambiguate,
            embedder,
            threshold=settings.merge_threshold,
            rounds=settings.merge_rounds,
        )
    progress("disambiguate", 1, 1)
    with clock.time("enrich"):
        triples = tuple(_enriched(readings, resolved.triples, cast, jobs, stop, progress))
    with clock.time("link"):
        links = tuple(_links(readings, resolved))
    with clock.time("reduce"):
        facts = known(resolved.entities, [t for t in triples if t.verified], links, readings)
        entities = _reduced(resolved.entities, facts, cast, settings, jobs, stop, progress)
    return Knowledge(tuple(readings), entities, triples, links, resolved.merges)


def _enriched(
    readings: Sequence[Reading],
    triples: Sequence[Triple],
    cast: Cast,
    jobs: int,
    stop: Stop,
    progress: Progress,
) -> Iterator[Triple]:
    by_source = {source: list(g) for source, g in groupby(triples, key=lambda t: t.source)}
    found = [p for r in readings for p in passages(r, by_source.get(r.document.source, ()))]
    slices = [found[at : at + _PASSAGES] for at in range(0, len(found), _PASSAGES)]
    counted = _counted("enrich", len(slices), progress)
    made = spread(lambda p: list(enrich(p, cast.enrich)), slices, jobs, stop)
    for part in map(counted, made):
        yield from part


def _reduced(
    entities: Sequence[Entity],
    facts: Mapping[str, Sequence[str]],
    cast: Cast,
    settings: Settings,
    jobs: int,
    stop: Stop,
    progress: Progress,
) -> tuple[Entity, ...]:
    """Return the Entities with their summaries, in the order given."""
    portraits = in_order(entities, facts)
    slices = [portraits[at : at + _SLICE] for at in range(0, len(portraits), _SLICE)]
    limit = settings.summary_characters
    counted = _counted("reduce", len(slices), progress)
    made = spread(lambda part: reduce(part, cast.reduce, limit), slices, jobs, stop)
    by_name = {entity.name: entity for part in map(counted, made) for entity in part}
    return tuple(by_name[entity.name] for entity in entities)


def _links(readings: Sequence[Reading], resolved: Resolved) -> Iterator[Link]:
    table = name_table(resolved.entities)
    pages = {r.document.source: words_of(r.document.text[:2000]) for r in readings}
    about = {
        e.name: set[str]().union(*(pages[source] for source in e.documents))
        for e in resolved.entities
        if e.documents
    }
    names: dict[str, dict[str, str]] = {}
    for (source, name), entity in resolved.names.items():
        names.setdefault(source, {})[name] = entity
    for reading in readings:
        yield from link(reading, names.get(reading.document.source, {}), table, about)


def _counted(stage: str, total: int, progress: Progress) -> Callable[[T], T]:
    done = 0

    def count(item: T) -> T:
        nonlocal done
        done += 1
        progress(stage, done, total)
        return item

    return count
