"""What the replies of a run cost."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mder.models.base import Completion, LanguageModel, Message


@dataclass(frozen=True, slots=True)
class Usage:
    """Replies so far.

    :param calls: all of them, ``cached`` included.
    :param seconds: time spent waiting, summed over threads.
    """

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class MeteredModel:
    """A LanguageModel that keeps count of another; safe to share between threads."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def name(self) -> str:
        """Name of the model that answers."""
        return self._model.name

    @property
    def options(self) -> Mapping[str, object]:
        """Options of the model that answers."""
        return self._model.options

    @property
    def usage(self) -> Usage:
        """What it took so far."""
        return self._usage

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer, and count the reply.

        :raises ModelError: when the model does.
        """
        began = time.perf_counter()
        completion = self._model.complete(messages, schema)
        seconds = time.perf_counter() - began
        with self._lock:
            self._usage = _added(self._usage, completion, seconds)
        return completion


def _added(usage: Usage, completion: Completion, seconds: float) -> Usage:
    return Usage(
        usage.calls + 1,
        usage.cached + completion.cached,
        usage.tokens_in + completion.tokens_in,
        usage.tokens_out + completion.tokens_out,
        usage.seconds + seconds,
    )
