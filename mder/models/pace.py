"""How many requests a server gets at once, and a minute."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mder.errors import BudgetError, ModelError

_MINUTE = 60.0
# What a reply is taken to cost before there was one.
_FIRST_REPLY = 256.0
# Weight of the latest reply in the average.
_LATEST = 0.2


@dataclass(slots=True)
class Turn:
    """One request under way.

    :param tokens: what it costs: reserved at first, what it was in the end once that is known.
    :param failures: how often the pace had been slowed down when it began.
    :param written: tokens of the reply; 0 before there is one.
    """

    started: float
    tokens: float
    failures: int
    written: int = 0

    def settle(self, tokens_in: int, tokens_out: int) -> None:
        """Replace what was reserved by what the request has cost; 0 and 0 where nobody counted."""
        if tokens_in + tokens_out:
            self.tokens, self.written = tokens_in + tokens_out, tokens_out


class Pace:
    """The speed at which all threads together ask one model.

    At most ``in_flight`` requests are under way at once; half as many after one that failed for
    now, one more again after as many successes as are allowed at once. When the server asks to be
    left alone, everybody waits.

    :param requests_per_minute: in any 60 seconds; 0 is no limit.
    :param tokens_per_minute: of prompts and replies, in any 60 seconds; 0 is no limit. What a
        request will cost is estimated before it and corrected after it.
    :param stopped: once it is set, nobody waits any more and no request begins.
    :param clock: seconds, from any moment on.
    """

    def __init__(
        self,
        in_flight: int = 1,
        requests_per_minute: int = 0,
        tokens_per_minute: int = 0,
        *,
        stopped: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.in_flight = max(1, in_flight)
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self.stopped = stopped or threading.Event()
        self.sleep = sleep or self.stopped.wait
        self._clock = clock
        self._changed = threading.Condition()
        self._allowed = self.in_flight
        self._active = 0
        self._successes = 0
        self._failures = 0
        self._quiet_until = float("-inf")
        self._recent: deque[Turn] = deque()
        self._reply = _FIRST_REPLY

    @property
    def allowed(self) -> int:
        """How many requests may be under way at once now."""
        return self._allowed

    @contextmanager
    def turn(self, tokens: int) -> Iterator[Turn]:
        """Wait until a request may be sent, and watch how it ends.

        :param tokens: estimate for its prompt.
        :raises BudgetError: when the run is stopped.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._active < self._allowed)
            self._active += 1
        try:
            turn = self._admitted(tokens)
            yield turn
            self._succeeded(turn)
        except ModelError as error:
            if error.retryable:
                self._slow_down(turn, error.retry_after)
            raise
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _admitted(self, tokens: int) -> Turn:
        while True:
            if self.stopped.is_set():
                raise BudgetError("the run was stopped")
            with self._changed:
                now = self._clock()
                cost = tokens + self._reply
                wait = max(self._quiet_until - now, self._until_room(now, cost))
                if wait <= 0:
                    turn = Turn(now, cost, self._failures)
                    self._recent.append(turn)
                    return turn
            self.sleep(wait)

    def _until_room(self, now: float, cost: float) -> float:
        """Return the seconds until a request fits into the minute before it."""
        if not (self.requests_per_minute or self.tokens_per_minute):
            self._recent.clear()
        while self._recent and self._recent[0].started <= now - _MINUTE:
            self._recent.popleft()
        requests, tokens = len(self._recent), sum(turn.tokens for turn in self._recent)
        wait = 0.0
        for turn in self._recent:
            if self._fits(requests, tokens + cost):
                break
            wait = turn.started + _MINUTE - now
            requests, tokens = requests - 1, tokens - turn.tokens
        return wait

    def _fits(self, requests: int, tokens: float) -> bool:
        return (not self.requests_per_minute or requests < self.requests_per_minute) and (
            not self.tokens_per_minute or tokens <= self.tokens_per_minute
        )

    def _succeeded(self, turn: Turn) -> None:
        with self._changed:
            if turn.written:
                self._reply += _LATEST * (turn.written - self._reply)
            self._successes += 1
            if self._successes >= self._allowed and self._allowed < self.in_flight:
                self._allowed, self._successes = self._allowed + 1, 0

    def _slow_down(self, turn: Turn, retry_after: float | None) -> None:
        with self._changed:
            self._quiet_until = max(self._quiet_until, self._clock() + (retry_after or 0.0))
            # Requests that were under way together fail together; that is one failure.
            if turn.failures == self._failures:
                self._allowed, self._successes = max(1, self._allowed // 2), 0
                self._failures += 1
