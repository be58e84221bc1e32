"""One bounded policy for failures that may pass."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mder.errors import ModelError
from mder.models.base import Completion, LanguageModel, Message


@dataclass(frozen=True, slots=True)
class RetryingModel:
    """A LanguageModel that asks another again where a ModelError says that it makes sense.

    :param delay: seconds before the second try, more or less; doubled for each one after it.
    """

    model: LanguageModel
    tries: int = 3
    delay: float = 1.0
    sleep: Callable[[float], None] = time.sleep

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

        :raises ModelError: the last one, or the first for which another try makes no sense.
        """
        for attempt in range(1, self.tries):
            try:
                return self.model.complete(messages, schema)
            except ModelError as error:
                if not error.retryable:
                    raise
            # Jitter keeps threads that failed together from coming back together.
            jitter = random.uniform(0.5, 1.5)  # noqa: S311
            self.sleep(self.delay * 2 ** (attempt - 1) * jitter)
        return self.model.complete(messages, schema)
