"""How fast a model reads and writes, and whether it does more when asked several things at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mder.errors import ModelError
from mder.models.base import Completion
from mder.models.doctor.interview import Interview
from mder.models.doctor.obedience import ASKS

_WORTH = 1.25  # times as many replies, or more at once is not worth it


class Together(Protocol):
    """A ``map`` whose calls run at the same time."""

    def __call__(
        self, function: Callable[[int], Completion], numbers: Iterable[int], /
    ) -> Iterable[Completion]:
        """Return the results in order; the first error is raised."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second; None where it cannot be told."""

    reading: float | None
    writing: float | None


@dataclass(frozen=True, slots=True)
class Crowd:
    """Replies a minute with so many requests at once, as pairs; it may have ended early."""

    rates: tuple[tuple[int, float], ...]
    ended: str = ""

    @property
    def best(self) -> int:
        """The most at once that is worth it; 1 where nothing was measured."""
        best, most = 1, 0.0
        for together, rate in self.rates:
            if rate >= _WORTH * most:
                best, most = together, rate
        return best

    @property
    def gain(self) -> float:
        """How many times as many replies come at that number as come at one."""
        rates = dict(self.rates)
        return rates[self.best] / rates[1] if 1 in rates else 1.0


def examine_speed(replies: Sequence[Completion]) -> Speed:
    """Solve for both speeds, from a reply that was mostly reading and one mostly writing."""
    timed = [reply for reply in replies if reply.seconds > 0]
    if not timed:
        return Speed(None, None)
    read, wrote = _longest_read(timed), max(timed, key=lambda reply: reply.tokens_out)
    # Each took tokens_in / reading + tokens_out / writing seconds.
    determinant = read.tokens_in * wrote.tokens_out - wrote.tokens_in * read.tokens_out
    reading = read.seconds * wrote.tokens_out - wrote.seconds * read.tokens_out
    writing = read.tokens_in * wrote.seconds - wrote.tokens_in * read.seconds
    if min(determinant, reading, writing) <= 0:
        return Speed(_rate(read.tokens_in, read.seconds), _rate(wrote.tokens_out, wrote.seconds))
    return Speed(determinant / reading, determinant / writing)


def _longest_read(timed: Sequence[Completion]) -> Completion:
    """Return a reply to a long prompt: the fastest, for others had to wait for the weights."""
    longest = max(reply.tokens_in for reply in timed)
    long = [reply for reply in timed if reply.tokens_in >= longest / 4]
    return max(long, key=lambda reply: reply.tokens_in / reply.seconds)


def _rate(tokens: int, seconds: float) -> float | None:
    return tokens / seconds if tokens > 0 else None


def examine_crowd(
    interview: Interview,
    together: Together,
    patience: float,
    progress: Callable[[str], None],
    numbers: Sequence[int] = (1, 2, 4),
) -> Crowd:
    """Send ever more requests at once.

    :param patience: seconds that they may be expected to take, one after the other.
    """
    rates: list[tuple[int, float]] = []
    for number in numbers:
        if rates and 60.0 * number / rates[0][1] > patience:
            return Crowd(tuple(rates), f"{number}: not tried, for the model is slow")
        progress(f"sends {number} at once" if number > 1 else "sends one for comparison")
        began = interview.clock()
        try:
            list(together(lambda _: _extract(interview), range(number)))
        except ModelError as error:
            return Crowd(tuple(rates), f"{number}: {error}")
        rates.append((number, 60.0 * number / max(interview.clock() - began, 1e-6)))
    return Crowd(tuple(rates))


def _extract(interview: Interview) -> Completion:
    return interview.ask(f"Page {interview.word()}.\n{ASKS[0].prompt}", ASKS[0].schema)
