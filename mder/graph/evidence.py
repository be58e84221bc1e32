"""Nodes of the graph as Evidence, each with the passage of its Document."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mder.graph import vocabulary as v
from mder.records import Chunk, Evidence, EvidenceKind

if TYPE_CHECKING:
    from mder.graph.store import Graph


def of_triple(graph: "Graph", iri: str) -> Evidence:
    """Return a Triple's description, with the span that states it as the quote."""
    triple = graph.triple(iri)
    chunk = graph.chunk(v.chunk_iri(triple.source, triple.chunk).value)
    return Evidence(
        id=iri,
        kind=EvidenceKind.TRIPLE,
        text=triple.description,
        source=triple.source,
        title=graph.title_of(v.chunk_iri(triple.source, triple.chunk).value),
        quote=chunk.text[max(triple.start - chunk.start, 0) : max(triple.end - chunk.start, 0)],
        start=triple.start,
        end=triple.end,
        score=0.0,
        entity=triple.subject.name,
        triple=triple,
    )


def of_chunk(graph: "Graph", iri: str) -> Evidence:
    """Return a Chunk's text in the index language, with the original as the quote."""
    chunk = graph.chunk(iri)
    return Evidence(
        id=iri,
        kind=EvidenceKind.CHUNK,
        text=chunk.english or chunk.summary or chunk.text,
        source=chunk.source,
        title=graph.title_of(iri),
        quote=chunk.text,
        start=chunk.start,
        end=chunk.end,
        score=0.0,
    )


def of_entity(graph: "Graph", iri: str) -> Evidence:
    """Return an Entity's summary, quoting the best passage for it.

    That is the first Triple of the first Document about it, else the first Chunk of that Document
    that mentions it; where no Document is about it, any of its Triples or of the Chunks.
    """
    name = graph.name_of(iri)
    entity = graph.entity(name)
    summary, about = (entity.summary, entity.documents) if entity else ("", ())
    place = _place(graph, name, about)
    if place is None:
        source = next(iter(about), "")
        title = graph.document(source).title if source else ""
        place = Evidence(iri, EvidenceKind.SUMMARY, "", source, title, "", 0, 0, 0.0)
    return replace(place, id=iri, kind=EvidenceKind.SUMMARY, text=summary, entity=name, triple=None)


def _place(graph: "Graph", name: str, about: Sequence[str]) -> Evidence | None:
    for source in about:
        triple = graph.first_triple(name, source)
        if triple is not None:
            return of_triple(graph, triple)
    chunks = sorted(graph.chunks_of(name), key=lambda iri: _own_first(graph.chunk(iri), about))
    if about and chunks:
        return of_chunk(graph, chunks[0])
    triple = graph.first_triple(name)
    if triple is not None:
        return of_triple(graph, triple)
    return of_chunk(graph, chunks[0]) if chunks else None


def _own_first(chunk: Chunk, about: Sequence[str]) -> tuple[bool, str, int]:
    return chunk.source not in about, chunk.source, chunk.start
