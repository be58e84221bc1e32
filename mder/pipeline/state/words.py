"""The words of all Chunks, as they are searched for."""

from collections.abc import Iterable, Iterator

from mder.pipeline.state.base import Base


class Words:
    """The words of Chunks by IRI."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def put(self, source: str, words: Iterable[tuple[str, str]]) -> None:
        """Replace the words of a Document.

        :param words: the IRI of each of its Chunks, and the words with spaces between them.
        """
        self._base.change("DELETE FROM words WHERE source = ?", source)
        rows = ((iri, source, spaced) for iri, spaced in words)
        self._base.change_each("INSERT INTO words VALUES (?, ?, ?)", rows)

    def each(self) -> Iterator[tuple[str, str]]:
        """Yield the IRI of each Chunk and its words, in the order of the IRIs."""
        yield from self._base.each("SELECT chunk, words FROM words ORDER BY chunk")
