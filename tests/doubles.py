"""Stand-ins that several rooms test with."""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mder.embedders.base import Vectors

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Sums of the hashes of words and their trigrams: like texts are near, and it costs nothing."""

    name = "test/hashing"
    dimension = 64

    def __init__(self) -> None:
        self.calls = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature, weight in _features(text):
                code = zlib.crc32(feature.encode("utf-8", "replace"))
                row[code % self.dimension] += weight if code & 1024 else -weight
            row[0] += 1e-3  # no text is without direction
            row /= np.linalg.norm(row)
        return vectors


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.casefold()):
        yield word, 1.0
        yield from ((f"{word} "[i : i + 3], 0.3) for i in range(len(word) - 1))


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str
