"""Sets of unit vectors with ids, memory-mapped and searched exactly."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mder.embedders.base import Vectors
from mder.errors import GraphError
from mder.graph.products import Products
from mder.graph.segments import (
    ID,
    ROW,
    TEXT,
    Index,
    Segment,
    digest_of,
    keys_of,
    merge,
    segments_of,
)

_CELLS = 1 << 20  # products at a time
_PAIRS = 1 << 12  # vectors taken out at a time
_MOST = 8  # segments
_FRESH = 4096  # rows found by a dict
_SLACK = 1e-4  # more than the order of summing can change in a product


class VectorSet:
    """A set of vectors as a :class:`VectorWriter` left it."""

    def __init__(self, directory: Path, name: str) -> None:
        """Open a set without reading its vectors.

        :raises GraphError: when there is no such set, or its files do not belong together.
        """
        # Of a set without segments, the first is missed.
        self._files = segments_of(directory, name) or [Segment(directory, name, 0)]
        # What NumPy adds to a plain array for a mapped one costs more than taking a few rows.
        self._segments = [file.matrix().view(np.ndarray) for file in self._files]
        self._starts = np.cumsum([0, *map(len, self._segments)])
        self._dead = self._files[-1].dead()
        self._rows = int(self._starts[-1])
        ids = sum(file.count() for file in self._files)
        if ids != self._rows or not ((self._dead >= 0) & (self._dead < self._rows)).all():
            raise GraphError(
                f"{directory / name}: {self._rows} vectors for {ids} ids; run mder index again"
            )

    @cached_property
    def ids(self) -> list[str]:
        """The ids, in the order of the rows."""
        return [self._all[row] for row in self._live.tolist()] if len(self._dead) else self._all

    def __len__(self) -> int:
        return self._rows - len(self._dead)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._segments[0].shape[1])

    def search(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the ``k`` ids of highest dot product, best first; equal scores by id.

        :param vector: of shape (dimension,), unit length.
        :raises GraphError: when the vector is of another dimension.
        """
        return self.best(self.products(vector).all(), k)

    def products(self, vector: Vectors) -> Products:
        """Begin to compute the dot products of all rows, for :meth:`best` and :meth:`of`.

        :raises GraphError: when the vector is of another dimension.
        """
        self._require(vector.shape, (self.dimension,))
        return Products(self._segments, vector)

    def best(self, products: Vectors, k: int) -> list[tuple[str, float]]:
        """Return what :meth:`search` does, given the products of all rows."""
        k = min(k, len(self))
        if k < 1:
            return []
        scores = products.copy()
        scores[self._dead] = -np.inf
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        found = [(self._all[row], float(scores[row])) for row in np.flatnonzero(scores >= least)]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:k]

    def of(self, products: Vectors, ids: Sequence[str]) -> Vectors:
        """Return those of the products of all rows that are of these ids.

        :raises GraphError: when an id is not in the set.
        """
        return products[self._rows_of(ids)]

    def above(self, vectors: Vectors, threshold: float) -> Iterator[tuple[int, str, float]]:
        """Yield (row of ``vectors``, id, dot product) of all pairs with no less than ``threshold``.

        The product of two vectors is the same to the last bit, whatever else is searched for.

        :param vectors: of shape (n, dimension), unit length.
        :raises GraphError: when the vectors are of another dimension.
        """
        self._require(vectors.shape[1:], (self.dimension,))
        dead = np.zeros(self._rows, dtype=bool)
        dead[self._dead] = True
        step = max(1, _CELLS // max(1, len(vectors)))
        for start, segment in zip(self._starts, self._segments, strict=False):
            for at in range(0, len(segment), step):
                block = segment[at : at + step]
                rows, given = np.nonzero(block @ vectors.T >= threshold - _SLACK)
                scores = _products(block, rows, vectors, given)
                near = (scores >= threshold) & ~dead[start + at + rows]
                for row, place, score in zip(rows[near], given[near], scores[near], strict=True):
                    yield int(place), self._all[start + at + row], float(score)

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these ids, of shape (len(ids), dimension).

        :raises GraphError: when an id is not in the set.
        """
        return self._at(self._rows_of(ids))

    def by_digest(self, digest: bytes) -> Vectors | None:
        """Return the vector of the text with this digest, where it was ever embedded."""
        row = next(self._texts.rows(digest), None)
        return None if row is None else self._at(np.array([row]))[0]

    def items(self) -> Iterator[tuple[str, Vectors]]:
        """Yield (id, vector): what the set says, however it is stored."""
        for row in self._live:
            yield self._all[row], self._at(np.array([row]))[0]

    @cached_property
    def _all(self) -> list[str]:
        return [key for file in self._files for key in file.ids()]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {self._all[row]: row for row in self._live.tolist()}

    @cached_property
    def _live(self) -> NDArray[np.int64]:
        return np.delete(np.arange(self._rows), self._dead)

    @cached_property
    def _texts(self) -> Index:
        return Index(keys_of(self._files), TEXT)

    def _rows_of(self, ids: Sequence[str]) -> NDArray[np.int64]:
        try:
            return np.array([self._places[key] for key in ids], dtype=np.int64)
        except KeyError as error:
            raise GraphError(f"no vector for {error.args[0]}; run mder index again") from error

    def _at(self, rows: NDArray[np.int64]) -> Vectors:
        if len(self._segments) == 1:
            return self._segments[0][rows]
        found = np.empty((len(rows), self.dimension), dtype=np.float32)
        places = np.searchsorted(self._starts, rows, side="right") - 1
        for place in np.unique(places):
            here = places == place
            found[here] = self._segments[place][rows[here] - self._starts[place]]
        return found

    def _require(self, shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
        if shape != wanted:
            raise GraphError(
                f"the graph holds vectors of dimension {self.dimension}, the question has "
                f"{shape}; run: mder reembed --embedder NAME with the one that you ask with"
            )


class VectorWriter:
    """Changes a set by one more segment, which readers see when it is closed."""

    def __init__(self, directory: Path, name: str) -> None:
        self._old = segments_of(directory, name)
        self._segment = Segment(directory, name, self._old[-1].number + 1 if self._old else 0)
        self._known = Index(keys_of(self._old), ID)
        self._dead = set(self._old[-1].dead().tolist()) if self._old else set()
        self._dimension = self._old[0].matrix().shape[1] if self._old else None
        self._new: dict[bytes, int] = {}
        self._begin = self._end = len(self._known.keys)
        self._changed = not self._old

    def put(self, ids: Sequence[str], digests: Sequence[bytes], vectors: Vectors) -> None:
        """Add vectors, in the place of those that their ids had.

        An id that has the vector of a text with the same digest keeps it; of an id that stands
        twice, the last counts.

        :param digests: of the texts that were embedded, 16 bytes each.
        :param vectors: of shape (len(ids), dimension).
        :raises ValueError: when there are not as many of each, or the dimension is another one.
        :raises GraphError: when the disk fails.
        """
        self._require(len(ids), len(digests), vectors)
        new: dict[bytes, int] = {}
        for key, place in {digest_of(key): place for place, key in enumerate(ids)}.items():
            row = self._find(key)
            if row is None or self._text(row) != digests[place]:
                self._bury(row)
                new[key] = place
        if new:
            places = list(new.values())
            keys = b"".join(key + digests[place] for key, place in new.items())
            self._segment.append([ids[place] for place in places], keys, vectors[places])
            self._new.update(zip(new, range(self._end, self._end + len(new)), strict=True))
            self._end += len(new)
            self._changed = True
            if len(self._new) > max(_FRESH, len(self._known.keys) // 8):
                # Arrays take a fourth of what a dict does, but none of them grows.
                self._known = Index(keys_of([*self._old, self._segment]), ID)
                self._new.clear()

    def drop(self, ids: Iterable[str]) -> None:
        """Remove vectors; an id that has none is no error."""
        for key in map(digest_of, ids):
            self._bury(self._find(key))
            self._new.pop(key, None)

    def close(self, dimension: int) -> None:
        """Finish the segment, and make one of many small or half empty ones.

        :param dimension: length of the vectors, for a set that has none.
        """
        if not self._changed:
            return
        rows = self._end - self._begin
        dead = np.array(sorted(self._dead), dtype=ROW)
        self._segment.finish(rows, self._dimension or dimension, dead)
        self._changed, segments = False, [*self._old, self._segment]
        base = len(segments[0].matrix())
        if (self._end - base) * 4 > base or len(dead) * 4 > self._end:
            merge(segments, 0, dead)
        elif len(segments) > _MOST:
            merge(segments, base, dead)

    def _require(self, ids: int, digests: int, vectors: Vectors) -> None:
        name = self._segment.name
        if vectors.ndim != 2 or not ids == digests == len(vectors):
            raise ValueError(f"{name}: {ids} ids, {digests} digests, vectors of {vectors.shape}")
        if self._dimension not in {None, vectors.shape[1]}:
            raise ValueError(f"{name}: vectors of {vectors.shape} beside some of {self._dimension}")
        self._dimension = vectors.shape[1]

    def _find(self, key: bytes) -> int | None:
        """Return the row of an id, given the digest of that."""
        if key in self._new:
            return self._new[key]
        return next((row for row in self._known.rows(key) if row not in self._dead), None)

    def _text(self, row: int) -> bytes:
        """Return the digest of the text that a row is the vector of."""
        if row < len(self._known.keys):
            return self._known.keys[row, TEXT:].tobytes()
        return self._segment.text(row - self._begin)

    def _bury(self, row: int | None) -> None:
        if row is not None:
            self._dead.add(row)
            self._changed = True


def _products(
    left: Vectors, rows: NDArray[np.int64], right: Vectors, others: NDArray[np.int64]
) -> Vectors:
    """Return the dot product of each pair of rows, summed in the same order always."""
    parts = [
        np.einsum("ij,ij->i", left[rows[at : at + _PAIRS]], right[others[at : at + _PAIRS]])
        for at in range(0, len(rows), _PAIRS)
    ]
    return np.concatenate([np.empty(0, dtype=np.float32), *parts])
