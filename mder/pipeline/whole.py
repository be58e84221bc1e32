"""The stages that need the whole set: one graph of all Documents."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from typing import TypeVar

from mder.disambiguate import Resolved, disambiguate
from mder.embedders.base import Embedder
from mder.enrich import enrich
from mder.link import link, name_table, words_of
from mder.pipeline.clock import Clock
from mder.reasoners.base import Reasoner
from mder.records import Entity, Knowledge, Link, Reading, Triple
from mder.reduce import known, reduce_entity
from mder.settings import Settings

T = TypeVar("T")
# (what is being done, how many are done, how many there are)
Progress = Callable[[str, int, int], None]


def build(
    readings: Sequence[Reading],
    settings: Settings,
    reasoner: Reasoner,
    embedder: Embedder,
    *,
    jobs: int,
    clock: Clock,
    progress: Progress,
) -> Knowledge:
    """Disambiguate, Enrich, Link and Reduce."""
    readings = sorted(readings, key=lambda r: r.document.source)
    progress("disambiguate", 0, 1)
    with clock.time("disambiguate"):
        resolved = disambiguate(
            readings,
            reasoner,
            embedder,
            threshold=settings.merge_threshold,
            rounds=settings.merge_rounds,
        )
    progress("disambiguate", 1, 1)
    with ThreadPoolExecutor(jobs) as pool:
        with clock.time("enrich"):
            triples = tuple(_enriched(readings, resolved.triples, reasoner, pool, progress))
        with clock.time("link"):
            links = tuple(_links(readings, resolved))
        with clock.time("reduce"):
            facts = known(resolved.entities, triples, links, readings)

            def reduced(entity: Entity) -> Entity:
                texts = facts.get(entity.name, ())
                return reduce_entity(entity, texts, reasoner, settings.summary_characters)

            counted = _counted("reduce", len(resolved.entities), progress)
            entities = tuple(map(counted, pool.map(reduced, resolved.entities)))
    return Knowledge(tuple(readings), entities, triples, links, resolved.merges)


def _enriched(
    readings: Sequence[Reading],
    triples: Sequence[Triple],
    reasoner: Reasoner,
    pool: ThreadPoolExecutor,
    progress: Progress,
) -> Iterator[Triple]:
    by_source = {source: list(g) for source, g in groupby(triples, key=lambda t: t.source)}
    counted = _counted("enrich", len(readings), progress)
    found = pool.map(
        lambda r: list(enrich(r, by_source.get(r.document.source, ()), reasoner)), readings
    )
    return chain.from_iterable(map(counted, found))


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
