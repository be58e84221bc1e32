"""Decompose: a question as it is taken apart, and query triples as they are filled in."""

from mder.names import storable
from mder.reasoners.base import Reasoner
from mder.records import QueryTriple


def translated(text: str, language: str, index_language: str, reasoner: Reasoner) -> str:
    """Return a question in the index language, translated where it is in another."""
    if language not in {"", index_language}:
        text = reasoner.translate(text, language, index_language)
    return " ".join(storable(text).split())


def substitute(triple: QueryTriple, values: dict[str, str]) -> QueryTriple:
    """Fill in the Placeholders that are known."""
    return QueryTriple(
        values.get(triple.subject, triple.subject),
        triple.predicate,
        values.get(triple.object, triple.object),
    )
