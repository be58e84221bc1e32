"""The order of asking: Decompose, Resolve, gather, answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dr.decompose import translated
from dr.records import Answer, Citation, Hop
from dr.retrievers import DEFAULT, Means, Retriever, open_retriever
from mder.embedders.base import Embedder
from mder.errors import GraphError, UsageError
from mder.graph.store import SETS, Graph
from mder.languages import detect
from mder.reasoners.base import Reasoner
from mder.records import Binding, Evidence
from mder.settings import Settings

if TYPE_CHECKING:
    from mder.models.ledger import Ledger


@dataclass(slots=True)
class Engine:
    """Answers questions from one Generation of a graph.

    :param retriever: one of :data:`dr.retrievers.RETRIEVERS`.
    :param top_k: Entities tried as the known end of a query triple.
    :param max_evidence: the most Evidence that the Reasoner answers from.
    :param extra: summaries and passages added by their likeness to the whole question.
    :raises GraphError: when the graph's vectors were made by another Embedder.
    """

    graph: Graph
    embedder: Embedder
    reasoner: Reasoner
    retriever: str = DEFAULT
    top_k: int = 5
    max_evidence: int = 30
    extra: int = 10
    _retriever: Retriever = field(init=False)

    def __post_init__(self) -> None:
        made = self.graph.manifest
        if made.embedder != self.embedder.name:
            raise GraphError(
                f"the graph was built with the embedder {made.embedder!r}; to ask with another "
                f"one, run: mder reembed --embedder {self.embedder.name}"
            )
        for which in SETS:
            # Opened now, they stay readable when this Generation is pruned.
            self.graph.vectors(which)
        self._retriever = open_retriever(
            self.retriever,
            Means(
                self.graph, self.embedder, self.reasoner, self.top_k, self.max_evidence, self.extra
            ),
        )

    def ask(self, text: str) -> Answer:
        """Answer a question, with its trace."""
        # To load the detector takes longer than all else that a first question needs but parsing.
        told = self.reasoner.multilingual and len(text) > 20
        language = detect(text) if told else ""
        indexed = str(self.graph.manifest.settings.get("language", "en"))
        found = self._retriever.retrieve(translated(text, language, indexed, self.reasoner))
        bindings = dict(_bindings(found.hops))
        spoken = language or indexed
        if found.recalled:
            reply = self.reasoner.recall(text, spoken)
        else:
            reply = self.reasoner.answer(found.question, bindings, found.evidence, spoken)
        by_id = {e.id: e for e in found.evidence}
        cited = [by_id[i] for i in reply.cited if i in by_id]
        return Answer(
            text,
            reply.text,
            reply.answered,
            found.question,
            _citations(cited),
            found.hops,
            found.evidence,
            reply.value,
            reply.guess,
        )


def open_engine(
    graph: Graph,
    *,
    llm: str = "",
    embedder: str = "",
    retriever: str = DEFAULT,
    top_k: int | None = None,
    max_evidence: int | None = None,
    extra: int | None = None,
    ledger: "Ledger | None" = None,
) -> Engine:
    """Return an Engine over a graph, with the Embedder that the graph was built with.

    :param llm: ``provider/model``, or ``""`` for the built-in syntax Reasoner.
    :param embedder: the graph's embedding model, which has to be named where it is a server.
        Another one is refused, with the command that makes the graph's vectors anew.
    :param top_k: see :class:`Engine`; numbers left out are those of the graph's settings.
    :param ledger: where what a language model takes is counted.
    :raises UsageError: when the model's name has no known provider, or the question would be sent
        to a server that was not named.
    """
    from mder.embedders import is_served, open_embedder
    from mder.models.ledger import Ledger
    from mder.reasoners import Terms, open_reasoner

    settings = Settings().changed(graph.manifest.settings)
    if is_served(settings.embedder) and not embedder:
        raise UsageError(
            f"the graph was built with {settings.embedder}; say --embedder {settings.embedder} to "
            "send questions there"
        )
    terms = Terms(
        ledger or Ledger(),
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        reply_tokens=settings.reply_tokens,
    )
    name = "" if llm == "syntax" else llm
    reasoner = open_reasoner(name, settings.language, lambda text: bool(graph.find(text)), terms)
    return Engine(
        graph,
        open_embedder(embedder or settings.embedder),
        reasoner,
        retriever,
        settings.top_k if top_k is None else top_k,
        settings.max_evidence if max_evidence is None else max_evidence,
        settings.extra if extra is None else extra,
    )


def _bindings(hops: Sequence[Hop]) -> Iterator[tuple[str, Binding]]:
    """Yield what each Placeholder was bound to; under ``""``, whether complete triples hold.

    Several complete triples hold together, so that one that is denied or not stated decides.
    """
    complete = [hop.chosen for hop in hops if not hop.resolved.placeholders]
    for hop in hops:
        if hop.chosen is not None and hop.resolved.placeholders:
            yield hop.resolved.placeholders[0], hop.chosen
    stated = [binding for binding in complete if binding is not None]
    if stated and len(stated) == len(complete):
        yield "", next((b for b in stated if b.value == "no"), stated[0])


def _citations(cited: Sequence[Evidence]) -> tuple[Citation, ...]:
    return tuple(
        Citation(number, e.title, e.source, e.quote, e.start, e.end)
        for number, e in enumerate(cited, start=1)
    )
