"""Map: the triples that a Document's Chunks state, each checked against the text it points at."""

from collections.abc import Sequence
from dataclasses import replace

from mder.names import canonical
from mder.reasoners.base import Reasoner
from mder.records import Chunk, Document, Extraction, Triple


def map_document(document: Document, chunks: Sequence[Chunk], reasoner: Reasoner) -> Extraction:
    """Extract from the Chunks that the Reasoner can read; what points at no text is unverified.

    Names that hold nothing to be seen are dropped, with the triples that use them; so is a triple
    of no Chunk.
    """
    readable = [c for c in chunks if reasoner.reads(c.language)]
    if not readable:
        return Extraction()
    found = reasoner.extract(document, readable)
    ends = {chunk.start: chunk.end for chunk in readable}
    return Extraction(
        tuple(
            _checked(t, ends, document.text) for t in found.triples if t.chunk in ends and _named(t)
        ),
        tuple(m for m in found.mentions if canonical(m.name)),
        tuple(a for a in found.aliases if canonical(a.name) and canonical(a.alias)),
        found.failed,
        found.missed,
    )


def _named(triple: Triple) -> bool:
    return bool(
        canonical(triple.subject.name) and triple.predicate and canonical(triple.object.name)
    )


def _checked(triple: Triple, ends: dict[int, int], text: str) -> Triple:
    """Take the verified mark from a triple whose span is not in its Chunk or holds no words."""
    inside = triple.chunk <= triple.start < triple.end <= ends.get(triple.chunk, -1)
    sound = inside and any(c.isalnum() for c in text[triple.start : triple.end])
    return triple if sound or not triple.verified else replace(triple, verified=False)
