"""Products of one vector with many, which several threads may compute together."""

from collections.abc import Iterable
from threading import Event, Lock

import numpy as np

from mder.embedders.base import Vectors

_LEAST = 4096  # rows that a thread takes at a time: half a millisecond


class Products:
    """The dot products of one vector with rows.

    Whoever calls :meth:`work` takes part, and whoever wants :meth:`all` does as well. Unlike ``@``,
    it holds up no core that nothing was given to: the threads of BLAS wait busily.
    """

    def __init__(self, matrices: Iterable[Vectors], vector: Vectors) -> None:
        """Begin; nothing is computed yet.

        :param matrices: of shape (n, dimension), whose rows are counted on.
        :param vector: of shape (dimension,).
        """
        self._vector = vector.astype(np.float32, copy=False)
        self._matrices = list(matrices)
        self._products: Vectors = np.empty(sum(map(len, self._matrices)), dtype=np.float32)
        self._begun = self._ended = 0
        self._lock, self._done = Lock(), Event()
        self.begun = Event()

    def work(self) -> None:
        """Compute what no other thread has begun."""
        while rows := self._taken():
            try:
                self._compute(rows)
            finally:
                with self._lock:
                    self._ended += len(rows)
                    if self._ended == len(self._products):
                        self._done.set()

    def all(self) -> Vectors:
        """Return the products of all rows, in their order."""
        self.work()
        if len(self._products):
            self._done.wait()
        return self._products

    def _taken(self) -> range:
        """Return rows to compute: first most of them, then a few of those that are left.

        For each part, a thread beside one that is busy with Python waits until that lets it go on.
        """
        with self._lock:
            left = len(self._products) - self._begun
            part = left // 4 if self._begun else left * 2 // 3
            rows = range(self._begun, self._begun + min(max(part, _LEAST), left))
            self._begun = rows.stop
        self.begun.set()
        return rows

    def _compute(self, rows: range) -> None:
        first = 0
        for matrix in self._matrices:
            part = matrix[max(rows.start - first, 0) : max(rows.stop - first, 0)]
            at = max(rows.start, first)
            np.vecdot(part, self._vector, out=self._products[at : at + len(part)])
            first += len(matrix)
