"""One act: a request, a repair of its reply, and one more request that shows the error."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from mder.errors import ModelError, ReplyError, TooLongError
from mder.models.base import Completion, LanguageModel, Message
from mder.models.ledger import Ledger, Spent
from mder.models.replies import Failure, NoReplies, Replies, request_key
from mder.models.tokens import prompt_tokens
from mder.reasoners.llm.acts import Act
from mder.reasoners.llm.prompt import legible, render
from mder.reasoners.llm.reply import parse
from mder.reasoners.llm.shapes import schema_of
from mder.reasoners.llm.turns import Turns

T = TypeVar("T", bound=Struct)
R = TypeVar("R")
Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""A function like ``map``, which may do several at once."""
Mended = tuple[type[ModelError], ...]

logger = logging.getLogger(__name__)

_SHOWN = 4000
_CUT = "it was cut at the most tokens allowed"


@dataclass(frozen=True, slots=True)
class Topic:
    """What an act is about, for those who read of its failure.

    :param source: the Document that it belongs to, or ``""``.
    """

    about: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something asked for: the key that its answer is kept under, and its topic."""

    key: str
    topic: Topic


@dataclass(frozen=True, slots=True)
class Conversation:
    """Puts acts to a model; each act stands alone, nothing is remembered but what ``replies`` keep.

    :param each: a function like ``map`` that may send several requests at once.
    """

    model: LanguageModel
    ledger: Ledger = field(default_factory=Ledger)
    replies: Replies = field(default_factory=NoReplies)
    each: Each = map
    turns: Turns = field(default_factory=Turns)

    def ask(
        self,
        act: Act[T],
        use: Callable[[T], R],
        topic: Topic,
        /,
        *,
        mended: Mended,
        things: int = 1,
        **values: str,
    ) -> R:
        """Put an act to the model and return what ``use`` makes of the reply.

        :param use: turns the reply into a result; a ValueError says what is wrong with it.
        :param mended: errors after which the caller asks otherwise, so that nothing has failed yet.
        :param things: how many things the ledger counts: none for a part of one that it has.
        :param values: the data that the prompt shows.
        :raises TooLongError: when the request does not fit the model, or the reply was cut.
        :raises ReplyError: when the second reply cannot be used either.
        :raises ModelError: when the server or the model fails.
        """
        messages = render(act.prompt, **values)
        wanted = {1: Wanted(self.key(act, messages), topic)}
        source = "\n".join(values.values())

        def take(text: str) -> dict[int, tuple[R, str]]:
            return {1: (use(parse(text, act.kind, source)), text)}

        with self.turns.alone([wanted[1].key]):
            found = self.kept(wanted, take)
            self.ledger.add(act.stage, Spent(asked=things, cached=things * len(found)))
            if not found:
                found = self.asked(act, messages, wanted, take, mended)
        return found[1]

    def keep(self, act: Act[T], reply: T, /, **values: str) -> None:
        """Keep a reply that was put together of others as the one to this request."""
        key = self.key(act, render(act.prompt, **values))
        text = msgspec.json.encode(reply).decode()
        self.replies.keep({key: text}, self.model.name, act.stage, Spent())

    def key(self, act: Act[T], messages: Sequence[Message]) -> str:
        """Return what the reply to a request is kept under."""
        return request_key(self.model, messages, schema_of(act.kind))

    def kept(
        self, wanted: Mapping[int, Wanted], take: Callable[[str], Mapping[int, tuple[R, str]]]
    ) -> dict[int, R]:
        """Return what was answered before."""
        found: dict[int, R] = {}
        for number, want in wanted.items():
            text = self.replies.get(want.key)
            try:
                taken = take(text) if text is not None else {}
            except ValueError:
                # The reply was fit for an older version only.
                continue
            if taken:
                found[number] = next(iter(taken.values()))[0]
        return found

    def asked(
        self,
        act: Act[T],
        messages: list[Message],
        wanted: Mapping[int, Wanted],
        take: Callable[[str], Mapping[int, tuple[R, str]]],
        mended: Mended,
    ) -> dict[int, R]:
        """Ask, and once more where nothing of use came; return what did, be it all or not.

        :param mended: errors after which the caller asks otherwise, so that nothing has failed yet.
        :raises ReplyError: when nothing that is wanted could be had.
        """
        try:
            return self._exchange(act, messages, wanted, take)
        except ModelError as error:
            # After an error that ends the run, nothing else is told than that.
            if passing(error) and not isinstance(error, mended):
                self.fail(act, wanted.values(), error)
            raise

    def _exchange(
        self,
        act: Act[T],
        messages: list[Message],
        wanted: Mapping[int, Wanted],
        take: Callable[[str], Mapping[int, tuple[R, str]]],
    ) -> dict[int, R]:
        """Ask, and once more with the error shown.

        :raises ReplyError: when nothing came that is wanted.
        """
        turn = messages
        for last in (False, True):
            completion = self._complete(act, turn)
            taken, problem = _taken(completion, take)
            new = {number: made for number, made in taken.items() if number in wanted}
            self._settle(act, completion, {wanted[n].key: kept for n, (_, kept) in new.items()})
            if new:
                break
            problem = problem or f"it has none of the numbers {', '.join(map(str, wanted))}"
            if last or problem == _CUT:
                raise self._useless(act, problem, completion.text)
            turn = [*messages, *_again(completion, problem)]
        return {number: result for number, (result, _) in new.items()}

    def _useless(self, act: Act[T], problem: str, text: str) -> ReplyError:
        kind = TooLongError if problem == _CUT else ReplyError
        return kind(
            f"{self.model.name}: no usable reply to {act.prompt!r}: {problem}; it began "
            f"{text[:60]!r}; try another model",
            text,
            problem,
        )

    def _complete(self, act: Act[T], messages: Sequence[Message]) -> Completion:
        schema = schema_of(act.kind)
        held = self.ledger.reserve(act.stage, prompt_tokens(messages, schema))
        try:
            completion = self.model.complete(messages, schema)
        except BaseException as error:
            self._release(act, held, error.completion if isinstance(error, ModelError) else None)
            raise
        # Before the reply is kept: the budget must miss it at no time.
        self.ledger.add(act.stage, _cost(completion), held)
        return replace(completion, text=legible(completion.text))

    def _release(self, act: Act[T], held: Spent, lost: Completion | None) -> None:
        """Give back what was held for a request that failed, but for what it cost all the same."""
        if lost is None:
            self.ledger.release(held)
        else:
            self.ledger.add(act.stage, _cost(lost), held)
            self._settle(act, lost, {})

    def _settle(self, act: Act[T], completion: Completion, kept: Mapping[str, str]) -> None:
        """Make what is of use in a reply durable before it is used, and what it cost."""
        self.replies.keep(kept, self.model.name, act.stage, _cost(completion))

    def fail(self, act: Act[T], lost: Iterable[Wanted], error: ModelError) -> None:
        """Note that these things have no answer now."""
        said = error if isinstance(error, ReplyError) else ReplyError(str(error))
        failures = [
            Failure(w.key, act.stage, w.topic.source, w.topic.about, said.problem, said.reply)
            for w in lost
        ]
        self.ledger.add(act.stage, Spent(failed=len(failures)))
        self.replies.fail(failures)
        for failure in failures:
            logger.warning("no %s: %s", failure.about or act.prompt, failure.problem)


def _cost(completion: Completion) -> Spent:
    return Spent(
        calls=1,
        tokens_in=completion.tokens_in,
        tokens_out=completion.tokens_out,
        seconds=completion.seconds,
    )


def passing(error: ModelError) -> bool:
    """Say whether other requests may succeed after this error."""
    return error.retryable or isinstance(error, ReplyError)


def _taken(
    completion: Completion, take: Callable[[str], Mapping[int, tuple[R, str]]]
) -> tuple[Mapping[int, tuple[R, str]], str]:
    """Return what a reply gives, and what is wrong with it."""
    if completion.finish_reason == "length":
        # Even where it parses, nobody knows what is missing.
        return {}, _CUT
    try:
        return take(completion.text), ""
    except ValueError as error:
        return {}, str(error) if completion.text.strip() else "it is empty"


def _again(first: Completion, complaint: str) -> list[Message]:
    return [
        Message("assistant", first.text[:_SHOWN]),
        Message("user", f"This reply cannot be used: {complaint}. Reply again, with JSON alone."),
    ]
