"""Reduce, for the Entities that a change bears on."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from mder.disambiguate import label
from mder.graph import convert
from mder.graph.vocabulary import agent_iri, entity_iri, merge_iri, type_iri
from mder.names import canonical
from mder.pipeline.pool import spread
from mder.pipeline.whole.meanings import Settled
from mder.pipeline.whole.work import Work
from mder.reasoners.base import Portrait
from mder.records import Entity, Merge
from mder.reduce import opening, passage, reduce

_MENTIONS = 3  # passages shown for an Entity that no triple speaks of
_SLICE = 100  # Entities reduced together
_EMBEDDED = 500  # characters of a summary; sentence embedding models are made for short texts


def write_entities(work: Work, settled: Settled, concerned: Collection[str]) -> None:
    """Reduce these Entities anew and those that are not as before; write them, and their Merges."""
    gone = {name for name, entity in settled.entities.items() if entity is None}
    for name in sorted(gone):
        work.draft.node(entity_iri(name), ())
    names = (settled.entities.keys() | concerned) - gone
    # Those of which most is known come first.
    ordered = sorted(names, key=lambda name: (-work.state.facts.count(name), name))
    slices = [ordered[at : at + _SLICE] for at in range(0, len(ordered), _SLICE)]
    limit, count = work.settings.summary_characters, work.counted("reduce", len(slices))
    portraits = (_portraits(work, part) for part in slices)
    with work.clock.time("reduce"):
        made = spread(lambda p: reduce(p, work.cast.reduce, limit), portraits, work.jobs, work.stop)
        for entities in map(count, made):
            _write(work, entities)
    _write_merges(work, settled)


def _portraits(work: Work, names: Sequence[str]) -> list[Portrait]:
    """Return Entities with what is known of them: how their own pages open, then their facts.

    Of an Entity of which nothing else is known, the first passages that mention it.
    """
    entities = [entity for name in names if (entity := work.state.entities.get(name))]
    portraits: list[Portrait] = []
    for entity in entities:
        openings = (opening(work.reading(source)) for source in entity.documents)
        known = dict.fromkeys((*filter(None, openings), *work.state.facts.of(entity.name)))
        portraits.append((entity, list(known)))
    shown = _passages(work, {e.name: e for e, known in portraits if not known})
    return [(entity, known or shown.get(entity.name, [])) for entity, known in portraits]


def _passages(work: Work, silent: Mapping[str, Entity]) -> dict[str, list[str]]:
    shown: dict[str, list[str]] = defaultdict(list)
    for link in work.state.facts.links(silent):
        if len(shown[link.entity]) < _MENTIONS:
            chunks = work.reading(link.source).chunks
            chunk = next(c for c in chunks if c.start == link.chunk)
            text = passage(chunk, silent[link.entity])
            shown[link.entity] += [text] if text else []
    return {name: list(dict.fromkeys(texts)) for name, texts in shown.items()}


def _write(work: Work, entities: Sequence[Entity]) -> None:
    agent = agent_iri(work.cast.names["reduce"])
    with work.clock.time("write"):
        for entity in entities:
            node = entity_iri(entity.name)
            work.draft.node(node, convert.entity_quads(entity, agent))
            for kind in entity.types:
                work.draft.declare(type_iri(kind), convert.type_quads(kind))
    kinds = sorted({canonical(kind) for entity in entities for kind in entity.types})
    work.embed("relations", {type_iri(kind).value: kind for kind in kinds})
    iris = {entity_iri(entity.name).value: entity for entity in entities}
    work.embed("names", {iri: label(e.name, e.types) for iri, e in iris.items()})
    work.embed("summaries", {iri: _embedded(work, entity) for iri, entity in iris.items()})


def _embedded(work: Work, entity: Entity) -> str:
    """Return what is embedded of a summary: its beginning, where the most informative stands.

    An Entity of which one thing is known shares the vector of that description.
    """
    facts = work.state.facts.of(entity.name)
    return facts[0] if len(facts) == 1 and not entity.documents else entity.summary[:_EMBEDDED]


def _write_merges(work: Work, settled: Settled) -> None:
    # Of Merges with one IRI, the first counts.
    merges: dict[str, Merge] = {merge_iri(m).value: m for m in reversed(settled.merges)}
    for name in settled.looked_at if work.base else ():
        for node in work.draft.merges(entity_iri(name)):
            if node.value not in merges:
                work.draft.node(node, ())
    for merge in merges.values():
        work.draft.node(merge_iri(merge), convert.merge_quads(merge))
