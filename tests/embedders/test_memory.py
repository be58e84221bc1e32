from collections.abc import Sequence

import numpy as np
import pytest

from mder.embedders import memory
from mder.embedders.base import Vectors
from mder.embedders.memory import RememberingEmbedder, digest
from tests.doubles import HashingEmbedder


class Counting(HashingEmbedder):
    """Notes what it was asked to encode."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().encode(texts)


def test_a_text_is_encoded_once() -> None:
    inner = Counting()
    known = RememberingEmbedder(inner)
    first = known.encode(["Warsaw", "Rome", "Warsaw"])
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(known.encode(["Rome"])[0], first[1])
    assert sorted(inner.asked) == ["Rome", "Warsaw"]


def test_what_an_earlier_run_encoded_is_recalled_by_its_digest() -> None:
    inner = Counting()
    kept = {digest("Warsaw"): np.ones(inner.dimension, dtype=np.float32)}
    known = RememberingEmbedder(inner, kept.get)
    assert np.array_equal(known.encode(["Warsaw", "Rome"])[0], kept[digest("Warsaw")])
    assert inner.asked == ["Rome"]


def test_of_more_texts_than_are_kept_the_last_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST", 3)
    inner = Counting()
    known = RememberingEmbedder(inner)
    assert known.encode(list("abcde")).shape == (5, inner.dimension)
    known.encode(["e", "a", "d", "c"])
    assert inner.asked == [*"abcde", "a"]


def test_what_two_know_is_the_same() -> None:
    texts = ["Warsaw", "Rome", "Warsaw", "\ud800", ""]
    known = RememberingEmbedder(HashingEmbedder())
    again = np.stack([known.encode([text])[0] for text in texts])
    assert np.array_equal(known.encode(texts), again)
    assert np.array_equal(HashingEmbedder().encode(texts), again)


def test_no_texts_give_no_rows() -> None:
    assert RememberingEmbedder(HashingEmbedder()).encode([]).shape == (0, 64)
