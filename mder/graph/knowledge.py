"""What a Generation says of one Document, as quads."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from pyoxigraph import NamedNode, Quad

from mder.graph import convert
from mder.graph.vocabulary import triple_iri
from mder.records import Link, Reading, Triple


def document_graph(
    reading: Reading,
    triples: Iterable[Triple],
    links: Iterable[Link],
    about: str,
    agent: NamedNode | None,
) -> Iterator[Quad]:
    """Yield the named graph of a Document.

    :param triples: of those with one IRI, the first counts.
    :param about: name of the Entity that the Document is about.
    :param agent: the Reasoner that mapped it.
    """
    source = reading.document.source
    yield from convert.document_quads(reading.document)
    yield convert.subject_quad(source, about)
    for chunk in reading.chunks:
        yield from convert.chunk_quads(chunk)
    starts = sorted(chunk.start for chunk in reading.chunks)
    for start, following in pairwise(starts):
        yield convert.next_quad(source, start, following)
    yield from map(convert.link_quad, links)
    for iri, triple in {triple_iri(t): t for t in reversed(list(triples))}.items():
        yield from convert.triple_quads(iri, triple, agent)
