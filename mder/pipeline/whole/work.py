"""What all stages of the whole set work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from mder.embedders.base import Embedder
from mder.embedders.memory import digest
from mder.graph.draft import Draft
from mder.graph.store import Graph, Which
from mder.pipeline.clock import Clock
from mder.pipeline.pool import Stop
from mder.pipeline.state import State
from mder.reasoners.cast import Cast
from mder.records import Reading
from mder.settings import Settings

T = TypeVar("T")
# (what is being done, how many are done, how many there are)
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Work:
    """The Generation in the making, and whom to ask for it.

    :param base: the Generation before, where this one is made from that.
    :param reading: gives the results of a Document by its source.
    :param stop: see :func:`mder.pipeline.pool.spread`.
    """

    draft: Draft
    base: Graph | None
    state: State
    reading: Callable[[str], Reading]
    settings: Settings
    cast: Cast
    embedder: Embedder
    jobs: int
    stop: Stop
    clock: Clock
    progress: Progress

    def embed(self, which: Which, texts: Mapping[str, str]) -> None:
        """Put texts into one of the sets of vectors, by their ids."""
        if not texts:
            return
        with self.clock.time("vectors"):
            vectors = self.embedder.encode(list(texts.values()))
            digests = list(map(digest, texts.values()))
            self.draft.vectors[which].put(list(texts), digests, vectors)

    def counted(self, stage: str, total: int) -> Callable[[T], T]:
        """Return what tells of progress by each item that it passes on."""
        done = 0

        def count(item: T) -> T:
            nonlocal done
            done += 1
            self.progress(stage, done, total)
            return item

        return count
