"""Many things of one act: several asked for in one request, each kept by itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from mder.errors import ModelError, ReplyError, TooLongError
from mder.models.ledger import Spent
from mder.reasoners.llm.acts import Act
from mder.reasoners.llm.conversation import Conversation, Topic, Wanted, passing
from mder.reasoners.llm.prompt import numbered, render
from mder.reasoners.llm.reply import parse
from mder.reasoners.llm.shapes import list_field

R = TypeVar("R")
Part = Callable[[Sequence[int]], Iterable[Sequence[int]]]
"""Parts the places of things that have to be asked for into requests."""


def _nothing(_places: Sequence[int]) -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Things:
    """Things that are asked for, in any number at once.

    :param items: how each is shown.
    :param topics: what each is about.
    :param around: given the places of some, what else a prompt shows that asks for them.
    """

    items: Sequence[str]
    topics: Sequence[Topic]
    around: Callable[[Sequence[int]], Mapping[str, str]] = _nothing

    def shown(self, places: Sequence[int]) -> dict[str, str]:
        """Return what a prompt shows that asks for the things at these places."""
        items = numbered([self.items[place] for place in places])
        return {"items": items, **self.around(places)}


def ask_each(
    talk: Conversation,
    act: Act[Any],
    things: Things,
    use: Callable[[int, Any], R],
    part: Part,
    /,
    **common: str,
) -> list[R | None]:
    """Put many things to the model; None for those without an answer.

    An answer is kept under the request that would ask for its thing alone, so that it does not
    matter what it was asked beside.

    :param use: given the place of a thing and the numbered answer to it; a ValueError says what is
        wrong with that.
    :raises ModelError: when the server or the model is not there.
    """
    alone = [render(act.prompt, **common, **things.shown([p])) for p in range(len(things.items))]
    wanted = [
        Wanted(talk.key(act, messages), topic)
        for messages, topic in zip(alone, things.topics, strict=True)
    ]
    batch = _Batch(talk, act, things, use, common, wanted)
    # The place of each, or of the first that is the same.
    first = {want.key: place for place, want in reversed([*enumerate(wanted)])}
    distinct = sorted(first.values())
    talk.ledger.add(act.stage, Spent(asked=len(distinct)))
    found: dict[int, R] = batch.known(distinct)
    missing = [place for place in distinct if place not in found]
    for answers in talk.each(batch.answered, list(part(missing))):
        found |= answers
    return [found.get(first[want.key]) for want in wanted]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Many things of one act, by their places.

    :param wanted: what each would be asked for as alone.
    """

    talk: Conversation
    act: Act[Any]
    things: Things
    use: Callable[[int, Any], Any]
    common: Mapping[str, str]
    wanted: Sequence[Wanted]

    def known(self, places: Sequence[int]) -> dict[int, Any]:
        """Return the answers kept from before."""
        found: dict[int, Any] = {}
        for place in places:
            found |= self.talk.kept({place: self.wanted[place]}, self._taking([place]))
        self.talk.ledger.add(self.act.stage, Spent(cached=len(found)))
        return found

    def answered(self, places: Sequence[int]) -> dict[int, Any]:
        """Return the answers for these places, of which others may just have asked for some."""
        with self.talk.turns.alone(self.wanted[place].key for place in places):
            found = self.known(places)
            rest = [place for place in places if place not in found]
            return found | (self.ask(rest) if rest else {})

    def ask(self, places: Sequence[int]) -> dict[int, Any]:
        """Ask for the things at these places: in one request, or in more where that is too much.

        What a reply passes over is asked for again without the rest. Where nothing of use comes, a
        half is asked for, and the other half where that is of use or the reply was too long.
        """
        wanted = {number: self.wanted[place] for number, place in enumerate(places, start=1)}
        mended = (ReplyError,) if len(places) > 1 else ()
        messages = render(self.act.prompt, **self._shown(places))
        take = self._taking(places)
        try:
            found = self.talk.asked(self.act, messages, wanted, take, mended)
        except ModelError as error:
            if not passing(error):
                raise
            return self._halved(places, error) if isinstance(error, mended) else {}
        answered = {places[number - 1]: result for number, result in found.items()}
        rest = [place for place in places if place not in answered]
        return answered | (self.ask(rest) if rest else {})

    def _halved(self, places: Sequence[int], error: ModelError) -> dict[int, Any]:
        half = len(places) // 2
        answered = self.ask(places[:half])
        if answered or isinstance(error, TooLongError):
            return answered | self.ask(places[half:])
        self.talk.fail(self.act, [self.wanted[place] for place in places[half:]], error)
        return answered

    def _shown(self, places: Sequence[int]) -> dict[str, str]:
        return {**self.common, **self.things.shown(places)}

    def _taking(self, places: Sequence[int]) -> Callable[[str], dict[int, tuple[Any, str]]]:
        def take(text: str) -> dict[int, tuple[Any, str]]:
            source = "\n".join(self._shown(places).values())
            return dict(self._numbered(parse(text, self.act.kind, source), places))

        return take

    def _numbered(
        self, reply: Struct, places: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Any, str]]]:
        """Yield each number with the result and the reply that would give it alone."""
        name = list_field(type(reply))
        problem: ValueError | None = None
        used = 0
        for answer in getattr(reply, name):
            if not 1 <= answer.number <= len(places):
                continue
            try:
                result = self.use(places[answer.number - 1], answer)
            except ValueError as error:
                problem = error
                continue
            used += 1
            alone = msgspec.structs.replace(answer, number=1)
            yield answer.number, (result, msgspec.json.encode({name: [alone]}).decode())
        if problem is not None and not used:
            raise problem
