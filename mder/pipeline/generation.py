"""A Generation from all that is known: the graph, its vectors, and the check of both."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mder import VERSION
from mder.disambiguate import label
from mder.embedders.base import Embedder, Vectors
from mder.embedders.memory import DIGEST, digest
from mder.errors import GraphError
from mder.graph import store, vectors
from mder.graph.manifest import Cost, Manifest
from mder.graph.store import SETS, Graph
from mder.graph.validate import violations
from mder.graph.vectors import VectorSet
from mder.graph.vocabulary import chunk_iri, entity_iri, triple_iri
from mder.pipeline.clock import Clock
from mder.records import Knowledge

_SHOWN = 5
_EMBEDDED = 500  # characters of a summary; sentence embedding models are made for short texts


def write(
    staged: Path,
    knowledge: Knowledge,
    documents: Mapping[str, str],
    settings: Mapping[str, str | int | float | bool],
    reasoners: Mapping[str, str],
    costs: Sequence[Cost],
    embedder: Embedder,
    clock: Clock,
) -> None:
    """Write a staged Generation.

    :param documents: the key of each Document's results in the journal, by source.
    :raises GraphError: when the disk fails, or the graph breaks a rule of the ontology.
    """
    with clock.time("vectors"):
        for name, texts in _texts(knowledge):
            encoded = embedder.encode(list(texts.values()))
            vectors.write(staged / "vectors", name, list(texts), encoded)
            digests = b"".join(map(digest, texts.values()))
            (staged / "vectors" / f"{name}.texts").write_bytes(digests)
    manifest = Manifest(
        version=VERSION,
        embedder=embedder.name,
        dimension=embedder.dimension,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        reasoners=dict(reasoners),
        costs=list(costs),
        settings=dict(settings),
        documents=dict(documents),
    )
    with clock.time("write"):
        store.write(staged, knowledge, manifest)
    with clock.time("validate"):
        _check(staged)


def recall(graph: Graph | None, embedder: str) -> Callable[[bytes], Vectors | None]:
    """Return what finds the vector of a text in an earlier Generation, by the text's digest."""
    found: dict[bytes, tuple[VectorSet, int]] = {}
    if graph is not None and graph.manifest.embedder == embedder:
        for name in SETS:
            path = graph.path / "vectors" / f"{name}.texts"
            data = path.read_bytes() if path.is_file() else b""
            for row in range(len(data) // DIGEST):
                found[data[row * DIGEST : (row + 1) * DIGEST]] = (graph.vectors(name), row)

    def find(key: bytes) -> Vectors | None:
        place = found.get(key)
        return None if place is None else place[0].row(place[1])

    return find


def _texts(knowledge: Knowledge) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each set of vectors: its name, and what is embedded by IRI."""
    yield "names", {entity_iri(e.name).value: label(e.name, e.types) for e in knowledge.entities}
    yield "summaries", dict(_summaries(knowledge))
    # Of triples with one IRI, the first counts.
    yield "triples", {triple_iri(t).value: t.description for t in reversed(knowledge.triples)}
    chunks = (chunk for reading in knowledge.readings for chunk in reading.chunks)
    yield "chunks", {chunk_iri(c.source, c.start).value: c.english or c.text for c in chunks}


def _summaries(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Yield what is embedded of each summary: its beginning, where the most informative stands.

    An Entity of which one thing is known shares the vector of that description.
    """
    facts: dict[str, set[str]] = defaultdict(set)
    for triple in (t for t in knowledge.triples if t.verified):
        for name in (triple.subject.name, triple.object.name):
            facts[name].add(triple.description)
    for entity in knowledge.entities:
        single = len(facts[entity.name]) == 1 and not entity.documents
        text = next(iter(facts[entity.name])) if single else entity.summary[:_EMBEDDED]
        yield entity_iri(entity.name).value, text


def _check(staged: Path) -> None:
    found = violations(Graph.open(staged))
    if found:
        shown = "; ".join(str(violation) for violation in found[:_SHOWN])
        raise GraphError(
            f"the new graph breaks {len(found)} rules of the ontology; the old one stays: {shown}"
        )
