from collections.abc import Sequence

import numpy as np
import pytest

from mder.embedders.remote import BATCH, RemoteEmbedder
from mder.errors import ModelError


def test_texts_are_sent_in_batches_once_each() -> None:
    sent: list[int] = []

    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        sent.append(len(texts))
        return [[float(text), 1.0] for text in texts]

    texts = [str(number) for number in range(BATCH + 6)]
    vectors = RemoteEmbedder("stub/a", send).encode(texts + texts)
    assert sent == [BATCH, 6]
    assert np.allclose(vectors[:, 0] / vectors[:, 1], [*range(BATCH + 6)] * 2, rtol=1e-4)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_blank_texts_are_not_sent_empty() -> None:
    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        assert all(text.strip() for text in texts)
        return [[1.0, 0.0] for _ in texts]

    assert RemoteEmbedder("stub/a", send).encode(["", " \n", "x"]).shape == (3, 2)


def test_a_failure_that_may_pass_is_tried_again() -> None:
    failures = [ModelError("busy", retryable=True), ModelError("busy", retryable=True)]

    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        if failures:
            raise failures.pop()
        return [[1.0] for _ in texts]

    assert RemoteEmbedder("stub/a", send, delay=0).encode(["x"]).shape == (1, 1)


@pytest.mark.parametrize(("retryable", "tries"), [(True, 3), (False, 1)])
def test_a_failure_that_stays_is_raised(*, retryable: bool, tries: int) -> None:
    sent: list[list[str]] = []

    def send(texts: list[str]) -> Sequence[Sequence[float]]:
        sent.append(texts)
        raise ModelError("down", retryable=retryable)

    with pytest.raises(ModelError, match="down"):
        RemoteEmbedder("stub/a", send, delay=0).encode(["x"])
    assert len(sent) == tries


@pytest.mark.parametrize("reply", [[], [[]], [[1.0], [1.0, 2.0]], [[1.0]], [[1.0]] * 3])
def test_a_reply_that_is_no_vector_a_text_is_refused(reply: list[list[float]]) -> None:
    with pytest.raises(ModelError, match="stub/a gave"):
        RemoteEmbedder("stub/a", lambda _: reply).encode(["x", "y"])
