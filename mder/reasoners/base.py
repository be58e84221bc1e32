"""The seam to whoever reads and writes: the linguistic acts, typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mder.records import (
    Binding,
    Candidate,
    Chunk,
    Document,
    Entity,
    Evidence,
    Extraction,
    QueryTriple,
    Question,
    Reply,
    Triple,
    Verdict,
)

Portrait = tuple[Entity, Sequence[str]]
"""An Entity with the descriptions of everything that is known of it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The triples of one Chunk, its text, and the texts before and after it."""

    triples: tuple[Triple, ...]
    before: str
    text: str
    after: str


class Reasoner(Protocol):
    """The acts of MDER-DR. A stage asks only for the acts that it needs."""

    @property
    def name(self) -> str:
        """What results are recorded under: ``syntax``, or the name of the model."""

    @property
    def multilingual(self) -> bool:
        """Whether it translates, and answers in another language than that of the index."""

    def wording(self, stage: str) -> str:
        """Return what its results of a stage rest on beside its name, ``""`` for nothing else.

        Of a model, that is the digest of the prompts that it is shown.
        """

    def reads(self, language: str) -> bool:
        """Say whether texts in this language (ISO 639-1) can be mapped to triples."""

    def summarize(self, chunks: Sequence[Chunk], to: str) -> tuple[Chunk, ...]:
        """Fill in the summary of each Chunk of a Document, in the language of the Chunk.

        :param to: language to fill in a translation in where it comes along; ``""`` is none.
        """

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:
        """Return the text in the language ``to``, or unchanged where that cannot be done.

        :param source: of the Document that it comes from, where it comes from one.
        """

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """Map a Document to triples, names and stated aliases."""

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        """Give one Verdict a pair."""

    def describe(self, passages: Sequence[Passage]) -> tuple[tuple[str, ...], ...]:
        """Give one description a triple, by what its passage adds to it."""

    def reduce(self, things: Sequence[Portrait], limit: int) -> tuple[str, ...]:
        """Reduce the descriptions of each Entity to a summary of at most ``limit`` characters."""

    def decompose(self, question: str) -> Question:
        """Take a question apart into query triples."""

    def ground(
        self, triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
    ) -> tuple[Binding, ...]:
        """Propose values for the one Placeholder left in a query triple, best first.

        The Evidence of a triple without one is what stands between its two ends; the value is
        "yes" or "no", or there is none.
        """

    def answer(
        self,
        question: Question,
        bindings: Mapping[str, Binding],
        evidence: Sequence[Evidence],
        language: str,
    ) -> Reply:
        """Answer from the Evidence alone, in ``language``."""

    def recall(self, question: str, language: str) -> Reply:
        """Answer in ``language`` from what is known without any Evidence, citing none."""

    def judge(self, question: str, expected: str, answer: str) -> bool:
        """Say whether an answer means the expected one."""
