"""The words of a question, and which Chunks hold them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mder.graph.words import WordIndex, words


class Lexicon:
    """The lexical index as one question sees it."""

    def __init__(self, index: WordIndex, text: str) -> None:
        self._index = index
        self._known: dict[str, int] = {}
        self.words = tuple(dict.fromkeys(words(text)))
        self._scores = index.scores(text)
        self.best = max(float(self._scores.max(initial=0.0)), 1e-6)

    def search(self, most: int) -> list[str]:
        """Return the Chunks whose words are most like those of the question."""
        return [iri for iri, _ in self._index.best(self._scores, most)]

    def shares(self, chunks: Sequence[str]) -> NDArray[np.float32]:
        """Return the BM25 scores of Chunks as shares of the best score of any."""
        return self._scores[self._places(chunks)] / self.best

    def parts(self, chunks: Sequence[str]) -> NDArray[np.float32]:
        """Return what each word adds to the BM25 score of each Chunk: a row a word."""
        places = self._places(chunks)
        if not self.words:
            return np.zeros((1, len(places)), dtype=np.float32)
        return np.stack([self._index.part(word, places) for word in self.words])

    def _places(self, chunks: Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of Chunks; most are asked for again and again."""
        new = [chunk for chunk in chunks if chunk not in self._known]
        self._known.update(zip(new, self._index.places(new).tolist(), strict=True))
        return np.array([self._known[chunk] for chunk in chunks], dtype=np.int64)

    def rarity(self, name: str) -> float:
        """Return how rare the words of a name are, together."""
        return sum(self._index.rarity(word) for word in set(words(name)))

    def holding(self, name: str, most: int) -> tuple[str, ...]:
        """Return the Chunks that hold all words of a name; none where they are more than most."""
        rows = self._index.holding(words(name), most).tolist()
        found = {self._index.ids[row]: row for row in rows}
        self._known.update(found)
        return tuple(found)
