"""Short ways to have a text read, and to say what was found in it."""

from itertools import pairwise

from mder.reasoners.syntax.extract import extract
from mder.records import Chunk, Document, Extraction, Section

Stated = tuple[str, str, str]

SOURCE = "page.md"
IDA, KARL = "Ida Holm", "Karl Ott"


def document(text: str, title: str = "Untitled", *headings: str) -> Document:
    """Return a Document in which the headings named begin sections."""
    sections = tuple(Section(text.index(h), 2, h) for h in headings)
    return Document(SOURCE, title, text, "0" * 64, "en", sections)


def chunks(text: str, *starts: int) -> tuple[Chunk, ...]:
    """Cut a text at the starts given; what is before the first one is in no Chunk."""
    bounds = [*(starts or (0,)), len(text)]
    return tuple(Chunk(SOURCE, a, b, text[a:b], "en") for a, b in pairwise(bounds))


def read(text: str, title: str = "Untitled") -> Extraction:
    return extract(document(text, title), chunks(text))


def stated(text: str, title: str = "Untitled") -> set[Stated]:
    """Return the triples of a text by their names alone."""
    triples = read(text, title).triples
    return {(t.subject.name, t.predicate, t.object.name) for t in triples}


def denied(text: str) -> set[Stated]:
    triples = (t for t in read(text).triples if t.negated)
    return {(t.subject.name, t.predicate, t.object.name) for t in triples}


def aliases(text: str, title: str = "Untitled") -> set[tuple[str, str]]:
    return {(a.name, a.alias) for a in read(text, title).aliases}


def types(text: str, title: str = "Untitled") -> dict[str, tuple[str, ...]]:
    """Return the types of every name in a triple."""
    triples = read(text, title).triples
    return {m.name: m.types for t in triples for m in (t.subject, t.object)}


def three(*texts: str) -> set[Stated]:
    """Write triples as "subject | PREDICATE | object"."""
    triples = [tuple(part.strip() for part in text.split("|")) for text in texts]
    return {(a, b, c) for a, b, c in triples}
