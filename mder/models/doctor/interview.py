"""Requests to the model that is examined, and what they all have in common."""

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mder.models.base import Completion, LanguageModel, Message

_THOUGHTS = re.compile(
    r"</?(?:think|thinking|thought|thoughts|reasoning|analysis)>|\[/?THINK\]|<\|channel\|?>",
    re.IGNORECASE,
)


class Interview:
    """Asks one model, and remembers its replies and how long they took; for several threads.

    :param clock: seconds; used where the model does not measure by itself.
    :param chance: makes the words that the model must remember; no two runs have the same ones,
        so that a server finds no prompt in its cache.
    """

    def __init__(
        self,
        model: LanguageModel,
        clock: Callable[[], float] = time.perf_counter,
        chance: random.Random | None = None,
    ) -> None:
        self.model = model
        self.clock = clock
        self.chance = chance or random.Random()  # noqa: S311
        self.requests = 0
        self.replies: list[Completion] = []

    def ask(self, prompt: str, schema: Mapping[str, object], system: str = "") -> Completion:
        """Send one request.

        :raises ModelError: as the model does.
        """
        messages: Sequence[Message] = [Message("user", prompt)]
        if system:
            messages = [Message("system", system), *messages]
        self.requests += 1
        began = self.clock()
        reply = self.model.complete(messages, schema)
        if not reply.seconds:
            reply = replace(reply, seconds=self.clock() - began)
        self.replies.append(reply)
        return reply

    def word(self) -> str:
        """Make up a word that can be spoken but not guessed."""
        choice = self.chance.choice
        return "".join(choice("bdfgklmnprstvz") + choice("aeiou") for _ in range(4))

    def thoughtful(self) -> int:
        """Count the replies that show thoughts of the model beside its answer."""
        return sum(bool(_THOUGHTS.search(reply.text)) for reply in self.replies)
