"""The lexical index of a Generation: BM25 over the words of its Chunks, memory-mapped.

What :mod:`bm25s` makes of the Chunks stands in three arrays, a column a word: ``data`` (float32,
what the word adds to the score of a Chunk), ``rows`` (int32, of which Chunk) and ``starts`` (int64,
where each column begins). ``ids`` holds the IRIs of the Chunks and ``vocabulary`` the words, both
sorted, a line each. The same Chunks give the same files.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mder.errors import GraphError
from mder.graph.disk import writing
from mder.names import UNSPACED, normalise, storable

Scores = NDArray[np.float32]
Chunks = Callable[[], Iterable[tuple[str, str]]]
"""Gives the IRI of each Chunk and its words, with spaces between them, in the order of the IRIs."""

WORDS = "words"
"""The folder of a Generation that holds its index."""

_MEANT = re.compile(r"\w")
_POSSESSIVE = re.compile(r"['\u2019][sS]?(?!\w)")
_RUNS = re.compile(f"({UNSPACED.pattern}+)")
_ARRAYS = ("starts", "rows", "data")
# A word that more Chunks have than this, and than this share of all, tells nothing but costs time.
_COMMON, _SHARE = 1000, 0.1


def words(text: str) -> Iterator[str]:
    """Yield the words of a text in order, folded as names are.

    Of scripts that put no spaces between words, any two characters that follow each other are one.

    >>> list(words("J.R.R. Tolkien's 3.14 (C++)")), list(words("東京都"))
    (['jrr', 'tolkien', '3.14', 'c++'], ['東京', '京都'])
    """
    for word in normalise(_POSSESSIVE.sub(" ", storable(text))).split():
        for place, run in enumerate([word] if word.isascii() else _RUNS.split(word)):
            if place % 2:
                yield from (run[at : at + 2] for at in range(max(len(run) - 1, 1)))
            elif _MEANT.search(run):
                yield run


class WordIndex:
    """The lexical index as :func:`write_words` left it."""

    def __init__(self, folder: Path) -> None:
        """Open an index without reading its arrays.

        :raises GraphError: when there is none, or its files do not belong together.
        """
        try:
            self.ids = _lines(folder / "ids")
            self._vocabulary = _lines(folder / "vocabulary")
            self._starts, self._rows, self._data = (
                np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in _ARRAYS
            )
        except (EOFError, OSError, ValueError) as error:
            raise GraphError(
                f"{folder.parent}: no index of words ({error}); run mder index again"
            ) from error
        sizes = len(self._starts) - 1, int(self._starts[-1]), len(self._data)
        if sizes != (len(self._vocabulary), len(self._rows), len(self._rows)):
            raise GraphError(f"{folder}: the files do not fit together; run mder index again")

    def scores(self, text: str) -> Scores:
        """Return the BM25 score of each Chunk, of shape (len(ids),); 0 without a word in common.

        Words that very many Chunks have are left out where others remain.
        """
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for start, end in self._columns(text):
            scores[self._rows[start:end]] += self._data[start:end]
        return scores

    def scores_of(self, text: str, ids: Iterable[str]) -> dict[str, float]:
        """Return the scores of some Chunks; 0 for one that is not in the index."""
        scores = self.scores(text)
        rows = {iri: _place(self.ids, iri) for iri in ids}
        return {iri: 0.0 if row is None else float(scores[row]) for iri, row in rows.items()}

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        """Return the IRIs of the ``k`` Chunks of highest score above 0, best first; equal by IRI.

        A text is words: nothing in it has another meaning.
        """
        return self.best(self.scores(text), k)

    def best(self, scores: Scores, k: int) -> list[tuple[str, float]]:
        """Return the IRIs of the ``k`` Chunks of highest score above 0, given the scores of all."""
        found = np.flatnonzero(scores > 0)
        if 0 < k < len(found):
            least = np.partition(scores[found], len(found) - k)[len(found) - k]
            found = found[scores[found] >= least]
        ranked = sorted((-float(scores[row]), self.ids[row]) for row in found)
        return [(iri, -score) for score, iri in ranked[: max(k, 0)]]

    def places(self, ids: Iterable[str]) -> NDArray[np.int64]:
        """Return the rows of Chunks.

        :raises GraphError: when one is not in the index.
        """
        found = [(iri, _place(self.ids, iri)) for iri in ids]
        if missing := [iri for iri, row in found if row is None]:
            raise GraphError(f"no words of {missing[0]}; run mder index again")
        return np.array([row for _, row in found], dtype=np.int64)

    def part(self, word: str, rows: NDArray[np.int64]) -> Scores:
        """Return what one word adds to the scores of these rows."""
        found = np.zeros(len(rows), dtype=np.float32)
        numbers, data = self._postings(word)
        if len(numbers):
            at = np.minimum(np.searchsorted(numbers, rows), len(numbers) - 1)
            held = numbers[at] == rows
            found[held] = data[at[held]]
        return found

    def rarity(self, word: str) -> float:
        """Return the inverse document frequency of a word, as BM25 has it."""
        count = len(self._postings(word)[0])
        return float(np.log1p((len(self.ids) - count + 0.5) / (count + 0.5)))

    def holding(self, wanted: Iterable[str], most: int) -> NDArray[np.int32]:
        """Return the rows that hold all these words; none where they are more than ``most``."""
        postings = sorted((self._postings(word)[0] for word in set(wanted)), key=len)
        found = postings[0] if postings else np.empty(0, dtype=np.int32)
        for numbers in postings[1:]:
            if not len(found):
                break
            found = found[numbers.take(numbers.searchsorted(found), mode="clip") == found]
        return np.asarray(found) if len(found) <= most else np.empty(0, dtype=np.int32)

    def _postings(self, word: str) -> tuple[NDArray[np.int32], Scores]:
        place = _place(self._vocabulary, word)
        if place is None:
            return self._rows[:0], self._data[:0]
        start, end = int(self._starts[place]), int(self._starts[place + 1])
        return self._rows[start:end], self._data[start:end]

    def _columns(self, text: str) -> list[tuple[int, int]]:
        """Return where the postings of the words of a text begin and end."""
        places = [_place(self._vocabulary, word) for word in sorted(set(words(text)))]
        found = [(int(self._starts[p]), int(self._starts[p + 1])) for p in places if p is not None]
        most = max(_COMMON, int(_SHARE * len(self.ids)))
        return [(start, end) for start, end in found if end - start <= most] or found


def write_words(folder: Path, chunks: Chunks) -> None:
    """Index Chunks in a new folder.

    :param chunks: called several times, so that the words are never in memory all at once.
    :raises GraphError: when the disk fails.
    """
    with writing(folder):
        folder.mkdir()
        found: set[str] = set()
        count = 0
        with (folder / "ids").open("w", encoding="utf-8", newline="\n") as ids:
            for iri, spaced in chunks():
                ids.write(f"{iri}\n")
                found.update(spaced.split())
                count += 1
        vocabulary = sorted(found)
        text = "".join(f"{word}\n" for word in vocabulary)
        (folder / "vocabulary").write_text(text, encoding="utf-8", newline="\n")
        columns = _matrix(_Rows(chunks, count, vocabulary), len(vocabulary))
        for name, column in zip(_ARRAYS, columns, strict=True):
            np.save(folder / f"{name}.npy", column)


def _matrix(rows: "_Rows", size: int) -> tuple[NDArray[np.generic], ...]:
    """Return the three arrays for a vocabulary of this size."""
    if not size:
        starts, numbers, data = np.zeros(1), np.empty(0), np.empty(0)
    else:
        from bm25s import BM25

        # Building the matrix in NumPy alone takes twice the memory.
        model = BM25(method="lucene", csc_backend="scipy")
        made = model.build_index_from_ids(range(size), rows, show_progress=False)
        starts, numbers, data = made["indptr"], made["indices"], made["data"]
    types = "<i8", "<i4", "<f4"
    arrays = zip((starts, numbers, data), types, strict=True)
    return tuple(array.astype(kind, copy=False) for array, kind in arrays)


class _Rows:
    """The words of each Chunk as places in the vocabulary, a list of lists to whoever iterates."""

    def __init__(self, chunks: Chunks, count: int, vocabulary: Iterable[str]) -> None:
        self._chunks, self._count = chunks, count
        self._ranks = {word: rank for rank, word in enumerate(vocabulary)}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[list[int]]:
        for _, spaced in self._chunks():
            yield [self._ranks[word] for word in spaced.split()]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _place(ordered: Sequence[str], key: str) -> int | None:
    place = bisect_left(ordered, key)
    return place if ordered[place : place + 1] == [key] else None
