"""Products of one vector with many, which several threads may compute together."""

from collections.abc import Iterable
from threading import Lock

import numpy as np

from mder.embedders.base import Vectors

_LEAST = 4096  # rows that a thread takes at a time: half a millisecond


class Products:
    """The dot product of one vector with each row.

    :ivar values: of shape (rows,), when all threads are done.

    One thread a row, unlike ``@``: for one vector the threads of BLAS cost more than they give.
    """

    def __init__(self, matrices: Iterable[Vectors], vector: Vectors) -> None:
        """Begin; nothing is computed yet.

        :param matrices: of shape (n, dimension), whose rows are counted on.
        :param vector: of shape (dimension,).
        """
        self._vector = vector.astype(np.float32, copy=False)
        self._matrices = list(matrices)
        self.values: Vectors = np.empty(sum(map(len, self._matrices)), dtype=np.float32)
        self._begun = 0
        self._lock = Lock()

    def work(self) -> None:
        """Compute what no other thread has begun, which may still be at a part of its own."""
        while rows := self._taken():
            start = 0
            for matrix in self._matrices:
                some = slice(max(rows.start - start, 0), max(rows.stop - start, 0))
                part = matrix[some]
                at = start + some.start
                np.vecdot(part, self._vector, out=self.values[at : at + len(part)])
                start += len(matrix)

    def _taken(self) -> range:
        """Return rows to compute: half of those left, for who works beside Python waits for it."""
        with self._lock:
            left = len(self.values) - self._begun
            rows = range(self._begun, self._begun + min(max(left // 2, _LEAST), left))
            self._begun = rows.stop
        return rows
