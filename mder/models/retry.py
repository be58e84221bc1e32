"""One bounded policy for failures that may pass."""

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mder.errors import ModelError
from mder.models.base import Completion, LanguageModel, Message
from mder.models.pace import Pace
from mder.models.tokens import prompt_tokens


@dataclass(slots=True)
class Breaker:
    """Counts requests in a row that failed all their tries; too many, and nobody is there.

    :param after: how many are too many.
    """

    after: int = 5
    _failed: int = field(default=0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def answered(self) -> None:
        """Note that the server said something, be it a refusal."""
        with self._lock:
            self._failed = 0

    def failed(self) -> int:
        """Note a request that failed for good.

        :returns: how many have by now, in a row, if that is too many; else 0.
        """
        with self._lock:
            self._failed += 1
            return self._failed if self._failed >= self.after else 0


@dataclass(frozen=True, slots=True)
class RetryingModel:
    """A LanguageModel that asks another at its pace, and again where that makes sense.

    :param delay: seconds before the second try, more or less; doubled for each one after it.
    :param budget: seconds after which a request is not tried again.
    """

    model: LanguageModel
    tries: int = 5
    delay: float = 2.0
    budget: float = 900.0
    pace: Pace = field(default_factory=Pace)
    breaker: Breaker = field(default_factory=Breaker)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    @property
    def name(self) -> str:
        """Name of the model that answers."""
        return self.model.name

    @property
    def options(self) -> Mapping[str, object]:
        """Options of the model that answers."""
        return self.model.options

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer at the first try that succeeds.

        :raises ModelError: the last one, or the first for which another try makes no sense; not
            retryable any more when several requests in a row have come to this.
        """
        started, attempt = self.clock(), 1
        while True:
            try:
                completion = self._once(messages, schema)
            except ModelError as error:
                if not error.retryable:
                    self.breaker.answered()
                    raise
                if attempt == self.tries or self.clock() - started > self.budget:
                    self._give_up(error)
                    raise
                self.sleep(self._wait(attempt, error.retry_after))
            else:
                self.breaker.answered()
                return completion
            attempt += 1

    def _once(self, messages: Sequence[Message], schema: Mapping[str, object] | None) -> Completion:
        with self.pace.turn(prompt_tokens(messages, schema)) as turn:
            started = self.clock()
            completion = self.model.complete(messages, schema)
            turn.settle(completion.tokens_in, completion.tokens_out)
        if completion.seconds:
            return completion
        return replace(completion, seconds=self.clock() - started)

    def _wait(self, attempt: int, asked: float | None) -> float:
        # Jitter keeps threads that failed together from coming back together.
        jitter = random.uniform(0.5, 1.5)  # noqa: S311
        return self.delay * jitter * 2 ** (attempt - 1) if asked is None else asked + jitter

    def _give_up(self, error: ModelError) -> None:
        in_a_row = self.breaker.failed()
        if in_a_row:
            raise ModelError(
                f"{self.name}: {in_a_row} requests in a row failed at every try; mend the server "
                f"and run the same command again. The last one: {error}"
            ) from error
