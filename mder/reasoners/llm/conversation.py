"""One act: a request, a repair of its reply, and one more request that shows the error."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from msgspec import Struct

from mder.errors import ModelError, ReplyError
from mder.models.base import Completion, LanguageModel, Message
from mder.reasoners.llm.prompt import render
from mder.reasoners.llm.reply import parse
from mder.reasoners.llm.shapes import schema_of

T = TypeVar("T", bound=Struct)
R = TypeVar("R")

logger = logging.getLogger(__name__)

_SHOWN = 4000


@dataclass(frozen=True, slots=True)
class Conversation:
    """Puts acts to a model; each act stands alone, nothing is remembered."""

    model: LanguageModel

    def ask(self, act: str, kind: type[T], use: Callable[[T], R], /, **values: str) -> R:
        """Put an act to the model and return what ``use`` makes of the reply.

        Only a reply that could be used is kept by a cache, under the request that came first.

        :param use: turns the reply into a result; a ValueError says what is wrong with it.
        :param values: the data that the prompt shows.
        :raises ReplyError: when the second reply cannot be used either.
        :raises ModelError: when the server or the model fails.
        """
        messages, schema = render(act, **values), schema_of(kind)
        first = self.model.complete(messages, schema)
        try:
            result = use(parse(first.text, kind))
        except ValueError as error:
            complaint = _complaint(first, error)
        else:
            first.keep(first.text)
            return result
        second = self.model.complete([*messages, *_again(first, complaint)], schema)
        try:
            result = use(parse(second.text, kind))
        except ValueError as error:
            raise ReplyError(
                f"{self.model.name}: no usable reply to {act!r}: {_complaint(second, error)}; "
                f"it began {second.text[:60]!r}; try another model",
                second.text,
            ) from error
        first.keep(second.text)
        return result

    def ask_or(
        self,
        fallback: R,
        about: str,
        act: str,
        kind: type[T],
        use: Callable[[T], R],
        /,
        **values: str,
    ) -> R:
        """Ask, but warn and return the fallback where this request fails and others may not.

        :param about: what is missed then.
        :raises ModelError: when the server or the model is not there.
        """
        try:
            return self.ask(act, kind, use, **values)
        except ModelError as error:
            if not (error.retryable or isinstance(error, ReplyError)):
                raise
            logger.warning("no %s: %s", about, error)
            return fallback


def _again(first: Completion, complaint: str) -> list[Message]:
    return [
        Message("assistant", first.text[:_SHOWN]),
        Message("user", f"This reply cannot be used: {complaint}. Reply again, with JSON alone."),
    ]


def _complaint(completion: Completion, error: ValueError) -> str:
    if completion.finish_reason == "length":
        return "it was cut at the most tokens allowed; be shorter"
    return str(error) if completion.text.strip() else "it is empty"
