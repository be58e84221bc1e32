"""Generations made by a Draft out of records."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from pyoxigraph import NamedNode, Quad

from mder.embedders.base import Vectors
from mder.embedders.memory import digest
from mder.graph import convert, provenance
from mder.graph import vocabulary as v
from mder.graph.draft import Draft
from mder.graph.knowledge import document_graph
from mder.graph.manifest import Cost, Manifest
from mder.graph.store import Which
from mder.graph.words import words
from mder.records import Entity, Link, Merge, Reading, Triple

DIMENSION = 3
COST = Cost(
    stage="reduce",
    model="ollama/tiny",
    calls=3,
    tokens_in=900,
    tokens_out=60,
    cached=2,
    failed=1,
    seconds=1.5,
)
MANIFEST = Manifest(
    version="0.1.0",
    embedder="test",
    dimension=DIMENSION,
    created="2026-01-01T00:00:00+00:00",
    reasoners={"map": "syntax", "enrich": "ollama/tiny", "reduce": "ollama/tiny"},
    costs=[COST],
    settings={"top_k": 5},
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a graph says; a Document of which no Entity says so is about its title."""

    readings: tuple[Reading, ...] = ()
    entities: tuple[Entity, ...] = ()
    triples: tuple[Triple, ...] = ()
    links: tuple[Link, ...] = ()
    merges: tuple[Merge, ...] = ()


NOTHING = Knowledge()


def quads(knowledge: Knowledge, manifest: Manifest = MANIFEST) -> Iterator[Quad]:
    """Yield the quads of a whole graph, as the stages of a run give them."""
    mapping, reducing = (_agent(manifest, stage) for stage in ("map", "reduce"))
    yield from provenance.agent_quads(manifest.reasoners.values())
    yield from provenance.activity_quads(manifest.costs)
    triples = _by_source(knowledge.triples, lambda triple: triple.source)
    links = _by_source(knowledge.links, lambda link: link.source)
    about = {source: entity.name for entity in knowledge.entities for source in entity.documents}
    for reading in knowledge.readings:
        source, title = reading.document.source, reading.document.title
        name = about.get(source, title)
        yield from document_graph(reading, triples[source], links[source], name, mapping)
    for entity in knowledge.entities:
        yield from convert.entity_quads(entity, reducing)
    for predicate in {triple.predicate for triple in knowledge.triples}:
        yield from convert.relationship_quads(predicate)
    for kind in {kind for entity in knowledge.entities for kind in entity.types}:
        yield from convert.type_quads(kind)
    for merge in knowledge.merges:
        yield from convert.merge_quads(merge)


def vector_of(text: str) -> Vectors:
    """Return the unit vector that stands for a text."""
    row = np.frombuffer(digest(text)[:DIMENSION], dtype=np.uint8).astype(np.float32) - 127.5
    unit: Vectors = row / np.linalg.norm(row)
    return unit


def texts(knowledge: Knowledge) -> dict[Which, dict[str, str]]:
    """Return what is embedded for each set of vectors, by id."""
    there = {reading.document.source for reading in knowledge.readings}
    entities = {v.entity_iri(entity.name).value: entity for entity in knowledge.entities}
    chunks = [chunk for reading in knowledge.readings for chunk in reading.chunks]
    stated = [triple for triple in knowledge.triples if triple.source in there]
    relations = {v.relation_iri(t.predicate).value: t.predicate for t in knowledge.triples}
    kinds = {v.type_iri(kind).value: kind for e in knowledge.entities for kind in e.types}
    return {
        "names": {iri: entity.name for iri, entity in entities.items()},
        "summaries": {iri: entity.summary for iri, entity in entities.items()},
        "triples": {v.triple_iri(triple).value: triple.description for triple in stated},
        "chunks": {v.chunk_iri(c.source, c.start).value: c.english or c.text for c in chunks},
        "relations": {**relations, **kinds},
    }


def change(
    draft: Draft, before: Knowledge, after: Knowledge, manifest: Manifest = MANIFEST
) -> None:
    """Bring a Draft from what ``before`` says to what ``after`` does.

    As a run does, this gives what there is and takes what is gone of Documents, Entities and
    Merges: what many share, and the vectors, are for the Draft to let go.
    """
    old, new = _parts(before, manifest), _parts(after, manifest)
    shared = (v.PREFIXES["rel"], v.PREFIXES["type"])
    for graph, node in {**old, **new}:
        given = new.get((graph, node), [])
        if node is None:
            draft.graph(graph, given)
        elif given or not node.value.startswith(shared):
            draft.node(node, given)
    for which, told in texts(after).items():
        rows = np.array([vector_of(text) for text in told.values()], dtype=np.float32)
        digests = [digest(text) for text in told.values()]
        draft.vectors[which].put(list(told), digests, rows.reshape(-1, DIMENSION))


def spoken(knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return the words of each Chunk by IRI."""
    chunks = texts(knowledge)["chunks"].items()
    return [(iri, " ".join(words(text))) for iri, text in sorted(chunks)]


def write(
    path: Path,
    knowledge: Knowledge,
    manifest: Manifest = MANIFEST,
    *,
    base: Path | None = None,
    before: Sequence[Knowledge] = (NOTHING,),
) -> Path:
    """Make a finished Generation, and return where it is.

    :param before: what ``base`` says, and what the Draft is brought to on the way.
    """
    path.mkdir(parents=True, exist_ok=True)
    draft = Draft.begin(path, base)
    for this, following in pairwise([*before, knowledge]):
        change(draft, this, following, manifest)
    draft.index(lambda: spoken(knowledge))
    draft.finish(manifest)
    return path


def _parts(
    knowledge: Knowledge, manifest: Manifest
) -> Mapping[tuple[NamedNode, NamedNode | None], list[Quad]]:
    """Return the quads of each graph, and in that of the Entities of each node."""
    found = defaultdict[tuple[NamedNode, NamedNode | None], list[Quad]](list)
    for quad in quads(knowledge, manifest):
        assert isinstance(quad.graph_name, NamedNode)
        assert isinstance(quad.subject, NamedNode)
        node = quad.subject if quad.graph_name == v.ENTITIES else None
        found[quad.graph_name, node].append(quad)
    return found


def _agent(manifest: Manifest, stage: str) -> NamedNode | None:
    name = manifest.reasoners.get(stage)
    return v.agent_iri(name) if name else None


def _by_source(records: Iterable[T], source: Callable[[T], str]) -> Mapping[str, list[T]]:
    table: defaultdict[str, list[T]] = defaultdict(list)
    for record in records:
        table[source(record)].append(record)
    return table
