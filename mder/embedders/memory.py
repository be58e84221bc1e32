"""An Embedder that encodes each text once in its life, and knows how long encoding took."""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from mder.embedders.base import Embedder, Vectors

DIGEST = 16  # bytes


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
        self._known: dict[str, Vectors] = {}
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

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, from memory where it was encoded before."""
        with self._lock:
            began = time.perf_counter()
            new: list[str] = []
            for text in dict.fromkeys(text for text in texts if text not in self._known):
                vector = self._recall(digest(text))
                if vector is None:
                    new.append(text)
                else:
                    self._known[text] = vector
            if new:
                self._known.update(zip(new, self._embedder.encode(new), strict=True))
            self.seconds += time.perf_counter() - began
            if not texts:
                return np.zeros((0, self.dimension), dtype=np.float32)
            return np.stack([self._known[text] for text in texts])
