"""The built-in Reasoner: a dependency parse and rules. Deterministic; it quotes, never invents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mder.names import normalise
from mder.reasoners.base import Passage, Portrait
from mder.reasoners.parses import NOWHERE, Parses
from mder.reasoners.syntax import answers, grounding, select, verdicts
from mder.records import (
    Binding,
    Candidate,
    Chunk,
    Document,
    Evidence,
    Extraction,
    QueryTriple,
    Question,
    Reply,
    Verdict,
)

_LANGUAGES = frozenset({"", "en"})


class SyntaxReasoner:
    """All linguistic acts without a language model. It reads English.

    :param known: says whether a string is a name in the graph, to find names in questions.
    :param parses: where parses of long Documents are kept.
    """

    name = "syntax"
    multilingual = False

    def __init__(
        self, known: Callable[[str], bool] | None = None, parses: Parses = NOWHERE
    ) -> None:
        self._known = known
        self._parses = parses

    def wording(self, stage: str) -> str:  # noqa: ARG002
        """Return ``""``: it is shown no prompts."""
        return ""

    def reads(self, language: str) -> bool:
        """Say whether texts in this language can be mapped: English, or one not detected."""
        return language in _LANGUAGES

    def summarize(self, chunks: Sequence[Chunk], to: str) -> tuple[Chunk, ...]:  # noqa: ARG002
        """Keep every sentence that has content, drop markup noise."""
        return tuple(replace(c, summary=select.contentful(c.text, c.language)) for c in chunks)

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:  # noqa: ARG002
        """Return the text as it is: this Reasoner speaks one language."""
        return text

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """Map by rules over the dependency parse."""
        from mder.reasoners.syntax.extract import extract

        return extract(document, chunks, self._parses)

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        """Judge pairs of names by their letters and the company they keep."""
        return tuple(verdicts.verdict(left, right) for left, right in pairs)

    def describe(self, passages: Sequence[Passage]) -> tuple[tuple[str, ...], ...]:
        """Describe each triple by the sentence that states it, with what it leans on."""
        return tuple(select.describe(p.triples, p.before, p.text) for p in passages)

    def reduce(self, things: Sequence[Portrait], limit: int) -> tuple[str, ...]:
        """Choose the most informative descriptions that fit."""
        return tuple(select.summary(e.name, e.types, known, limit) for e, known in things)

    def decompose(self, question: str) -> Question:
        """Take a question apart by rules over its parse."""
        from mder.reasoners.syntax.parser import load
        from mder.reasoners.syntax.questions import decompose

        return decompose(question, load(), self._known)

    def ground(
        self, triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
    ) -> tuple[Binding, ...]:
        """Propose the far ends of triples whose relation is like the one asked for."""
        return grounding.ground(triple, question, evidence)

    def answer(
        self,
        question: Question,
        bindings: Mapping[str, Binding],
        evidence: Sequence[Evidence],
        language: str,  # noqa: ARG002
    ) -> Reply:
        """Answer by quotation."""
        return answers.answer(question, bindings, evidence)

    def recall(self, question: str, language: str) -> Reply:  # noqa: ARG002
        """Say that it knows nothing."""
        return answers.answer(Question(question, ()), {}, ())

    def judge(self, question: str, expected: str, answer: str) -> bool:  # noqa: ARG002
        """Say whether the expected words stand in the answer."""
        return f" {normalise(expected)} " in f" {normalise(answer)} "
