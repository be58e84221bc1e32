"""A text that is too long for one request, asked for in halves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from mder.errors import ReplyError, TooLongError
from mder.reasoners.llm.acts import Act
from mder.reasoners.llm.batches import NEIGHBOUR
from mder.reasoners.llm.conversation import Conversation, Topic, Wanted
from mder.reasoners.llm.locate import halves
from mder.reasoners.llm.prompt import render

T = TypeVar("T", bound=Struct)
R = TypeVar("R")
Shown = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Task(Generic[T, R]):
    """An act on a text.

    :param use: turns a reply to what was shown into a result; a ValueError says what is wrong.
    :param joined: puts replies to parts of a text together.
    :param language: of the text, where it is known (ISO 639-1).
    """

    act: Act[T]
    topic: Topic
    use: Callable[[Shown, T], R]
    joined: Callable[[Sequence[T]], T]
    language: str = ""


def ask_whole(talk: Conversation, task: Task[T, R], /, **shown: str) -> R:
    """Put a task to the model, whole, or in halves where that is too long.

    What came in halves is kept, and used, as if it had come whole: a later run asks for nothing.

    :param shown: the data of the prompt, ``text`` among it.
    :raises ReplyError: when there is no usable reply to the text or to a part of it.
    :raises ModelError: when the server or the model fails.
    """
    return _asked(talk, task, shown, 1)[1]


def _asked(talk: Conversation, task: Task[T, R], shown: Shown, things: int) -> tuple[T, R]:
    parts = _parts(shown, task.language)
    mended = (TooLongError,) if parts else ()
    try:
        return talk.ask(
            task.act,
            lambda reply: (reply, task.use(shown, reply)),
            task.topic,
            mended=mended,
            things=things,
            **shown,
        )
    except TooLongError:
        if not parts:
            raise
    whole = task.joined([_asked(talk, task, part, 0)[0] for part in parts])
    try:
        result = task.use(shown, whole)
    except ValueError as error:
        lost = Wanted(talk.key(task.act, render(task.act.prompt, **shown)), task.topic)
        failure = ReplyError(f"{talk.model.name}: no {task.topic.about}: {error}", "", str(error))
        talk.fail(task.act, [lost], failure)
        raise failure from error
    talk.keep(task.act, whole, **shown)
    return whole, result


def _parts(shown: Shown, language: str) -> tuple[Shown, ...]:
    """Return what is shown of each half of the text; nothing where it cannot be parted."""
    found = halves(shown["text"], language)
    if not found:
        return ()
    first, second = found
    one, other = {**shown, "text": first}, {**shown, "text": second}
    if "after" in shown:
        one["after"] = f"{second} {shown['after']}"[:NEIGHBOUR]
    if "before" in shown:
        other["before"] = f"{shown['before']} {first}"[-NEIGHBOUR:]
    return one, other
