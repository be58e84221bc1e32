"""Decompose: a question into query triples, in the order in which they can be resolved."""

from mder.reasoners.base import Reasoner
from mder.records import QueryTriple, Question


def decompose(text: str, language: str, index_language: str, reasoner: Reasoner) -> Question:
    """Translate a question into the index language where that is another, and take it apart."""
    if language not in {"", index_language}:
        text = reasoner.translate(text, language, index_language)
    return reasoner.decompose(" ".join(text.split()))


def substitute(triple: QueryTriple, values: dict[str, str]) -> QueryTriple:
    """Fill in the Placeholders that are known."""
    return QueryTriple(
        values.get(triple.subject, triple.subject),
        triple.predicate,
        values.get(triple.object, triple.object),
    )
