"""An Embedder that remembers the texts it encoded last, and knows how long encoding took."""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from mder.embedders.base import Embedder, Vectors

DIGEST = 16  # bytes
_MOST = 50_000  # texts: 77 MB of vectors of 384 numbers


def digest(text: str) -> bytes:
    """Return what a text is known by in a set of vectors."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class RememberingEmbedder:
    """Wraps another Embedder; safe to share between threads.

    :param recall: gives the vector of a text encoded in an earlier run, by its digest, or None.
    :ivar seconds: time spent in the other one.
    """

    def __init__(
        self, embedder: Embedder, recall: Callable[[bytes], Vectors | None] = lambda _: None
    ) -> None:
        self._embedder = embedder
        self._recall = recall
        self._known: dict[bytes, Vectors] = {}
        self._lock = threading.Lock()
        self.seconds = 0.0

    @property
    def name(self) -> str:
        """Name of the wrapped Embedder."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    def forget(self) -> None:
        """Take over nothing from an earlier run."""
        self._recall = lambda _: None

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, from memory where it was encoded before."""
        with self._lock:
            began = time.perf_counter()
            keys = list(map(digest, texts))
            found = {key: v for key in set(keys) if (v := self._found(key)) is not None}
            new = {k: t for k, t in zip(keys, texts, strict=True) if k not in found}
            if new:
                encoded = dict(zip(new, self._embedder.encode(list(new.values())), strict=True))
                found |= encoded
                # A row by itself does not keep its whole batch in memory.
                self._known |= {key: vector.copy() for key, vector in encoded.items()}
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
            self.seconds += time.perf_counter() - began
            if not texts:
                return np.zeros((0, self.dimension), dtype=np.float32)
            return np.stack([found[key] for key in keys])

    def _found(self, key: bytes) -> Vectors | None:
        known = self._known.get(key)
        return self._recall(key) if known is None else known
