"""Sets of unit vectors with ids, memory-mapped and searched exactly."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

from mder.embedders.base import Vectors
from mder.errors import GraphError


def write(directory: Path, name: str, ids: Sequence[str], vectors: Vectors) -> None:
    """Write a set; one row an id, in the same order.

    :raises ValueError: when the rows are not as many as the ids, or an id stands twice.
    """
    if vectors.ndim != 2 or len(vectors) != len(ids):
        raise ValueError(f"{name}: {len(ids)} ids for vectors of shape {vectors.shape}")
    if len(set(ids)) != len(ids):
        raise ValueError(f"{name}: an id stands twice among {len(ids)}")
    directory.mkdir(parents=True, exist_ok=True)
    np.save(directory / f"{name}.npy", np.ascontiguousarray(vectors, dtype=np.float32))
    (directory / f"{name}.json").write_bytes(msgspec.json.encode(list(ids)))


class VectorSet:
    """A set of vectors as :func:`write` left it."""

    def __init__(self, directory: Path, name: str) -> None:
        """Open a set without reading its vectors.

        :raises GraphError: when there is no such set, or its two files do not belong together.
        """
        path = directory / f"{name}.npy"
        try:
            self._vectors: Vectors = np.load(path, mmap_mode="r")
            self.ids = msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=list[str])
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise GraphError(f"{path}: cannot read: {error}; run mder index again") from error
        if self._vectors.ndim != 2 or len(self._vectors) != len(self.ids):
            raise GraphError(
                f"{path}: shape {self._vectors.shape} for {len(self.ids)} ids; run mder index again"
            )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._vectors.shape[1])

    def row(self, index: int) -> Vectors:
        """Return one vector by its place."""
        return np.array(self._vectors[index])

    def search(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the ``k`` ids of highest dot product, best first; equal scores by id.

        :param vector: of shape (dimension,), unit length.
        :raises GraphError: when the vector is of another dimension.
        """
        if vector.shape != (self.dimension,):
            raise GraphError(
                f"the graph holds vectors of dimension {self.dimension}, the question has "
                f"{vector.shape}; ask with the embedder that the graph was built with"
            )
        if k < 1 or not self.ids:
            return []
        # One thread, unlike ``@``: for one vector the threads of BLAS cost more than they give.
        scores = np.einsum("ij,j->i", self._vectors, vector.astype(np.float32, copy=False))
        if k < len(scores):
            least = np.partition(scores, len(scores) - k)[len(scores) - k]
            rows = np.flatnonzero(scores >= least)
        else:
            rows = np.arange(len(scores))
        found = [(self.ids[row], float(scores[row])) for row in rows]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:k]

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these ids, of shape (len(ids), dimension).

        :raises GraphError: when an id is not in the set.
        """
        try:
            rows = [self._rows[key] for key in ids]
        except KeyError as error:
            raise GraphError(f"no vector for {error.args[0]}; run mder index again") from error
        return np.asarray(self._vectors[rows], dtype=np.float32)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {key: row for row, key in enumerate(self.ids)}
