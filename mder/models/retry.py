"""One bounded policy for failures that may pass."""

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mder.errors import ModelError, ReplyError, TooLongError
from mder.models.base import Completion, LanguageModel, Message
from mder.models.pace import Pace
from mder.models.tokens import prompt_tokens


@dataclass(slots=True)
class Breaker:
    """Counts requests in a row that failed for good; too many, and nobody is there.

    :param after: how many are too many.
    """

    after: int = 5
    _failed: int = field(default=0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def answered(self) -> None:
        """Note that the server said something that shows it at work."""
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
    :param budget: seconds under way, waiting not counted, after which a request is not tried a
        third time.
    """

    model: LanguageModel
    tries: int = 5
    delay: float = 2.0
    budget: float = 600.0
    pace: Pace = field(default_factory=Pace)
    breaker: Breaker = field(default_factory=Breaker)
    sleep: Callable[[float], object] | None = None
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
        :raises BudgetError: when the run is stopped.
        """
        took: list[float] = []
        while True:
            try:
                completion = self._once(messages, schema, took)
            except ModelError as error:
                if not self._again(error, took):
                    raise
                (self.sleep or self.pace.sleep)(self._wait(len(took), error.retry_after))
            else:
                self.breaker.answered()
                return completion

    def _once(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, object] | None,
        took: list[float],
    ) -> Completion:
        """Try once, and add the seconds that the request was under way."""
        with self.pace.turn(prompt_tokens(messages, schema)) as turn:
            started = self.clock()
            try:
                completion = self.model.complete(messages, schema)
            finally:
                took.append(self.clock() - started)
            turn.settle(completion.tokens_in, completion.tokens_out)
        return completion if completion.seconds else replace(completion, seconds=took[-1])

    def _again(self, error: ModelError, took: Sequence[float]) -> bool:
        """Say whether to try again.

        :raises ModelError: when too many requests in a row have failed for good.
        """
        # One request that took all the time may have been hung.
        spent = len(took) >= self.tries or (len(took) > 1 and sum(took) > self.budget)
        if error.retryable and not spent:
            return True
        refused = isinstance(error, ReplyError) and not isinstance(error, TooLongError)
        if error.retryable or refused:
            self._give_up(error)
        else:
            self.breaker.answered()
        return False

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
