from collections.abc import Iterator, Mapping, Sequence

import pytest

from mder.errors import ModelError
from mder.models.base import CallableModel, Message
from mder.models.retry import RetryingModel
from tests.models.doubles import ASKED


def failing(*errors: ModelError) -> CallableModel:
    pending: Iterator[ModelError] = iter(errors)

    def answer(_messages: Sequence[Message], _schema: Mapping[str, object] | None) -> str:
        error = next(pending, None)
        if error:
            raise error
        return "at last"

    return CallableModel(answer)


def test_passing_failure_is_tried_again_after_longer_waits() -> None:
    waits: list[float] = []
    model = failing(ModelError("busy", retryable=True), ModelError("busy", retryable=True))
    assert RetryingModel(model, sleep=waits.append).complete(ASKED).text == "at last"
    assert 0.5 <= waits[0] <= 1.5
    assert 1.0 <= waits[1] <= 3.0


def test_lasting_failure_is_not_tried_again() -> None:
    waits: list[float] = []
    with pytest.raises(ModelError, match="no key"):
        RetryingModel(failing(ModelError("no key")), sleep=waits.append).complete(ASKED)
    assert waits == []


def test_tries_are_bounded() -> None:
    model = failing(*(ModelError(f"busy {n}", retryable=True) for n in range(9)))
    with pytest.raises(ModelError, match="busy 2"):
        RetryingModel(model, tries=3, sleep=lambda _seconds: None).complete(ASKED)
