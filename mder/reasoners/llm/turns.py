"""One at a time asks for the same thing, so that the others find it answered."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition


class Turns:
    """Keys that somebody is busy with; safe to use from several threads."""

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._changed = Condition()

    @contextmanager
    def alone(self, keys: Iterable[str]) -> Iterator[None]:
        """Wait until nobody is busy with any of these keys, and keep others from them.

        Who is busy with some must not ask for more: two could wait for each other.
        """
        mine = set(keys)
        with self._changed:
            self._changed.wait_for(lambda: self._busy.isdisjoint(mine))
            self._busy |= mine
        try:
            yield
        finally:
            with self._changed:
                self._busy -= mine
                self._changed.notify_all()
