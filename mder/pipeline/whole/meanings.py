"""Disambiguate, for the Senses that a change bears on."""

from array import array
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass

from mder.disambiguate import senses
from mder.graph.vocabulary import entity_iri
from mder.link import folded
from mder.pipeline.whole.region import Region
from mder.pipeline.whole.work import Work
from mder.records import Entity, Merge


@dataclass(frozen=True, slots=True)
class Settled:
    """What names mean now, where that may have changed.

    :param looked_at: names of all Entities that were worked out anew, as before and as now.
    :param entities: those of them that are not as before, without summaries; None for those gone.
    :param sources: Documents in which a name means another Entity than before.
    :param merges: of the Entities looked at.
    """

    looked_at: frozenset[str]
    entities: Mapping[str, Entity | None]
    sources: frozenset[str]
    merges: tuple[Merge, ...]


def settle(work: Work, changed: Collection[str], keys: Mapping[str, str]) -> Settled:
    """Work out what names mean where these Documents came, went or changed.

    :param keys: the Documents there are now, by their sources.
    """
    fresh, left, meant = _exchanged(work, changed, keys)
    region = Region(work)
    # In a first run, those reached are the same.
    region.work_out(work.state.senses.reach(fresh, left) if work.base else fresh)
    return _settled(work, region, meant)


def _exchanged(
    work: Work, changed: Collection[str], keys: Mapping[str, str]
) -> tuple["array[int]", set[int], set[str]]:
    """Replace the Senses of Documents; return the new ones, and keys and Entities of the old."""
    count = work.counted("disambiguate", len(changed))
    fresh = array("q")
    left: set[int] = set()
    meant: set[str] = set()
    for source in sorted(changed):
        went, entities = work.state.senses.drop(source)
        left |= went
        meant |= entities
        if source in keys:
            reading = work.reading(source)
            fresh.extend(work.state.senses.add(source, senses(reading)))
            work.state.facts.fold(source, folded(reading))
        else:
            work.state.facts.fold(source, None)
        count(source)
    return fresh, left, meant


def _settled(work: Work, region: Region, left: Collection[str]) -> Settled:
    """Write down what was found, and tell what is new in it."""
    before, sources = work.state.senses.mean(region.meanings(), region.near())
    work.state.senses.label(region.senses, region.labels())
    things = region.things()
    now = {entity.name: entity for entity, _ in things}
    looked_at = before.union(left, now)
    entities = dict(_changed(work, looked_at, now))
    merges = tuple(merge for _, found in things for merge in found)
    return Settled(frozenset(looked_at), entities, frozenset(sources), merges)


def _changed(
    work: Work, before: Set[str], now: Mapping[str, Entity]
) -> Iterator[tuple[str, Entity | None]]:
    for name in before - now.keys():
        work.state.entities.remove(name)
        yield name, None
    for name, entity in now.items():
        if work.state.entities.get(name) != entity:
            work.state.entities.put(entity, entity_iri(name).value)
            yield name, entity
