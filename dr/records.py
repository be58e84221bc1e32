"""What asking leaves behind: hops, answers, citations."""

from dataclasses import dataclass

from mder.records import Binding, Evidence, QueryTriple, Question


@dataclass(frozen=True, slots=True)
class Anchor:
    """An Entity that a name in a question may mean.

    :param score: 1.0 for the name itself, else the cosine of the two names.
    """

    entity: str
    score: float


@dataclass(frozen=True, slots=True)
class Hop:
    """One query triple resolved, or not.

    :param asked: the query triple as it was decomposed.
    :param resolved: the same with the Placeholders that were known filled in.
    :param anchors: the Entities tried as its known end, best first.
    :param bindings: what was proposed for its Placeholder, best first.
    :param chosen: the one that the next hops went on with; None where the hop failed.
    :param evidence: what the proposals rest on, best first.
    """

    asked: QueryTriple
    resolved: QueryTriple
    anchors: tuple[Anchor, ...] = ()
    bindings: tuple[Binding, ...] = ()
    chosen: Binding | None = None
    evidence: tuple[Evidence, ...] = ()

    @property
    def failed(self) -> bool:
        """Say whether nothing was found."""
        return self.chosen is None


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that an Answer rests on."""

    number: int
    title: str
    source: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered, on what grounds.

    :param answered: False where the graph does not support an answer; ``text`` says so.
    :param hops: the trace, one a query triple.
    :param evidence: everything shown to the Reasoner, in the order of its use.
    :param value: the answer alone, without what it rests on; ``""`` where nothing is answered.
    :param guess: where nothing is answered, the best value found that was not sure enough.
    """

    question: str
    text: str
    answered: bool
    decomposition: Question
    citations: tuple[Citation, ...] = ()
    hops: tuple[Hop, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    value: str = ""
    guess: str = ""

    @property
    def sources(self) -> tuple[str, ...]:
        """The Documents of the Evidence, each once, in the order of its use."""
        return tuple(dict.fromkeys(e.source for e in self.evidence if e.source))
