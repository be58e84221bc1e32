"""Disambiguate, for the Senses that a change bears on."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from mder.disambiguate import Resolved, Sense, disambiguate, label, meeting, senses
from mder.graph.vocabulary import entity_iri
from mder.link import folded
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
    found, fresh, left = _exchanged(work, changed, keys)
    region = found if work.base is None else work.state.senses.reach(found, fresh)
    while True:
        rows = list(work.state.senses.of(sorted(region)))
        resolved = disambiguate(
            (sense for _, sense, _ in rows),
            work.cast.disambiguate,
            work.embedder,
            threshold=work.settings.merge_threshold,
            rounds=work.settings.merge_rounds,
        )
        near = set(_near(work, resolved)) - region
        if not near:
            return _settled(work, rows, resolved, left)
        region = work.state.senses.reach(region | near, ())


def _exchanged(
    work: Work, changed: Collection[str], keys: Mapping[str, str]
) -> tuple[set[int], set[int], set[str]]:
    """Replace the Senses of Documents; return the new ones, and keys and Entities of the old."""
    count = work.counted("disambiguate", len(changed))
    found: set[int] = set()
    left: set[int] = set()
    meant: set[str] = set()
    for source in sorted(changed):
        went, entities = work.state.senses.drop(source)
        left |= went
        meant |= entities
        if source in keys:
            reading = work.reading(source)
            found.update(work.state.senses.add(source, senses(reading)))
            work.state.facts.fold(source, folded(reading))
        else:
            work.state.facts.fold(source, None)
        count(source)
    return found, left, meant


def _near(work: Work, resolved: Resolved) -> Iterator[int]:
    """Yield Senses that are near a label: by that of their Entity, or one they had on the way."""
    labels = sorted({text for text, _ in resolved.labels})
    if work.base is None or not labels:
        return
    vectors = work.embedder.encode(labels)
    names = work.base.vectors("names")
    for _, iri, _ in names.above(vectors, work.settings.merge_threshold):
        sense = work.state.senses.sense_of(iri)
        if sense is not None:
            yield sense
    known = work.state.senses.labels()
    for place in meeting(vectors, [vector for _, vector in known], work.settings.merge_threshold):
        yield known[place][0]


def _settled(
    work: Work, rows: Iterable[tuple[int, Sense, str]], resolved: Resolved, left: Collection[str]
) -> Settled:
    """Write down what was found, and tell what is new in it."""
    ids: dict[tuple[str, str], int] = {}
    meanings: dict[int, str] = {}
    before = set(left)
    sources = set()
    for key, sense, meant in rows:
        ids |= {(sense.source, name): key for name in sense.uses}
        meanings[key] = resolved.names[sense.source, min(sense.uses)]
        before |= {meant} - {""}
        if meanings[key] != meant:
            sources.add(sense.source)
    work.state.senses.mean(meanings.items(), ((ids[a], ids[b]) for a, b in resolved.near))
    now = {entity.name: entity for entity in resolved.entities}
    labels = {name: label(name, entity.types) for name, entity in now.items()}
    others = [
        (ids[name], text) for text, name in resolved.labels if text != labels[resolved.names[name]]
    ]
    vectors = work.embedder.encode([text for _, text in others])
    rows_ = ((key, text, v.tobytes()) for (key, text), v in zip(others, vectors, strict=True))
    work.state.senses.label(meanings, rows_)
    entities = dict(_changed(work, before, now))
    looked_at = frozenset(before | now.keys())
    return Settled(looked_at, entities, frozenset(sources), resolved.merges)


def _changed(
    work: Work, before: Iterable[str], now: Mapping[str, Entity]
) -> Iterator[tuple[str, Entity | None]]:
    for name in before - now.keys():
        work.state.entities.remove(name)
        yield name, None
    for name, entity in now.items():
        if work.state.entities.get(name) != entity:
            work.state.entities.put(entity, entity_iri(name).value)
            yield name, entity
