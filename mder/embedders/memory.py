"""An Embedder that encodes each text once in its life, and knows how long encoding took."""

import threading
import time
from collections.abc import Sequence

import numpy as np

from mder.embedders.base import Embedder, Vectors


class RememberingEmbedder:
    """Wraps another Embedder; safe to share between threads.

    :ivar seconds: time spent in the other one.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
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
            new = list(dict.fromkeys(text for text in texts if text not in self._known))
            if new:
                began = time.perf_counter()
                self._known.update(zip(new, self._embedder.encode(new), strict=True))
                self.seconds += time.perf_counter() - began
            if not texts:
                return np.zeros((0, self.dimension), dtype=np.float32)
            return np.stack([self._known[text] for text in texts])
