"""The seam to whatever finds Evidence for a question."""

from dataclasses import dataclass
from typing import Protocol

from dr.records import Hop
from mder.embedders.base import Embedder
from mder.graph.store import Graph
from mder.reasoners.base import Reasoner
from mder.records import Evidence, Question


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found for a question.

    :param question: as it was taken apart; without query triples where nothing takes it apart.
    :param evidence: best first, each node once; its Documents are ranked by where they come first.
    :param hops: the query triples as they were resolved, where there are some.
    :param recalled: whether nothing was looked for, so that the Reasoner says what it knows.
    """

    question: Question
    evidence: tuple[Evidence, ...] = ()
    hops: tuple[Hop, ...] = ()
    recalled: bool = False


@dataclass(frozen=True, slots=True)
class Means:
    """What Retrievers find Evidence with; each takes what it needs.

    :param top_k: Entities tried for a name.
    :param max_evidence: the most Evidence returned.
    :param extra: summaries and passages added by their likeness to the whole question.
    """

    graph: Graph
    embedder: Embedder
    reasoner: Reasoner
    top_k: int = 5
    max_evidence: int = 30
    extra: int = 10


class Retriever(Protocol):
    """Finds ranked Evidence."""

    @property
    def name(self) -> str:
        """What it is asked for by: one of :data:`dr.retrievers.RETRIEVERS`."""

    def retrieve(self, text: str) -> Retrieved:
        """Return the Evidence for a question in the language of the index."""
