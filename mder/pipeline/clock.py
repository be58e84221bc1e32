"""How long a run spent in what."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Clock:
    """Seconds by name, summed; nested names count in both."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._lock = Lock()

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        """Add the time that the body takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.seconds[name] += time.perf_counter() - began
