"""How long to wait for a server: what it asks for, and what it has shown to need."""

import math
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Servers that ask for more than this are asked again all the same.
LONGEST_WAIT = 300.0

# Reading a token costs this share of writing one: 20 and 3 tokens a second on a slow processor.
_READING = 3 / 20
# A request by itself, in tokens written.
_OVERHEAD = 100


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how many seconds a server wants to be left alone; ``None`` where it does not say so.

    :param headers: of a reply, with names in any case where the mapping knows no difference, else
        in lower case.
    """
    milliseconds = headers.get("retry-after-ms", "")
    if re.fullmatch(r"\d+(\.\d+)?", milliseconds):
        return min(float(milliseconds) / 1000, LONGEST_WAIT)
    seconds = _seconds(headers.get("retry-after", "").strip())
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_WAIT)


def _seconds(value: str) -> float | None:
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    # A date in Greenwich time without saying so, as old servers send it.
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime.now(UTC)).total_seconds()


@dataclass(slots=True)
class Patience:
    """Time-outs for one model, at first as for a slow processor, then by what replies have taken.

    Several threads may use one at once.

    :param least: seconds that every request is given.
    :param most: seconds that no request is given more of.
    :param factor: how many times the slowest reply so far, token for token, a reply may take.
    """

    least: float = 60.0
    most: float = 900.0
    factor: float = 10.0
    _slowest: float = field(default=0.0, init=False)
    _longest: int = field(default=0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def limit(self, tokens_in: int, tokens_out: int) -> float:
        """Return how many seconds a request may take.

        Few replies are as long as they may be, so that is not what is waited for.

        :param tokens_out: the most that it may write.
        """
        if self._slowest:
            # An eighth at ten times the pace leaves time for one that runs on to its end.
            likely = max(self._longest, tokens_out // 8)
            limit = self.factor * self._slowest * _work(tokens_in, likely)
        else:
            limit = self.least + _work(tokens_in, tokens_out // 4) / 3
        return min(max(limit, self.least), self.most)

    def saw(self, tokens_in: int, tokens_out: int, seconds: float) -> None:
        """Learn from a reply."""
        pace = seconds / _work(tokens_in, tokens_out)
        with self._lock:
            self._slowest = max(self._slowest, pace, math.ulp(0.0))
            self._longest = max(self._longest, tokens_out)


def _work(tokens_in: int, tokens_out: int) -> float:
    return _READING * tokens_in + tokens_out + _OVERHEAD
