"""The seam to embedding models."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors of unit length."""

    @property
    def name(self) -> str:
        """What the graph stores, to refuse vectors of another space."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), each row of unit length."""
