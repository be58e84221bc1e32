"""The Reasoner that puts every act to a language model."""

import logging
from collections.abc import Mapping, Sequence

from mder.models.base import LanguageModel
from mder.names import normalise
from mder.reasoners.llm import answering, batches
from mder.reasoners.llm.conversation import Conversation
from mder.reasoners.llm.mapping import Page, mentions, to_extraction
from mder.reasoners.llm.prompt import language_name, numbered
from mder.reasoners.llm.shapes import (
    Answered,
    Correct,
    Decomposed,
    Extracted,
    Grounded,
    Written,
    written,
)
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
    Triple,
    Verdict,
)

logger = logging.getLogger(__name__)

_NEIGHBOUR = 800  # characters of a neighbouring Chunk that a prompt shows
_SHORT = 200  # characters that need no summary


class LlmReasoner:
    """A Reasoner over any LanguageModel.

    The acts of indexing outlive a reply that cannot be used: they log a warning and give what can
    be said without the model. The acts of asking raise a ReplyError. Both raise a ModelError when
    the server or the model is not there.

    :param language: of the index: descriptions and summaries are written in it.
    """

    def __init__(self, model: LanguageModel, language: str = "en") -> None:
        self._talk = Conversation(model)
        self._language = language

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._talk.model.name

    def reads(self, language: str) -> bool:  # noqa: ARG002
        """Say yes: a model is asked about a text in any language."""
        return True

    def summarize(self, chunk: Chunk, before: str, after: str) -> str:
        """Keep what has content of a Chunk; a short one is its own summary."""
        if len(chunk.text) <= _SHORT:
            return chunk.text
        return self._talk.ask_or(
            chunk.text,
            f"summary of {_place(chunk)}",
            "summarize",
            Written,
            written,
            language=language_name(chunk.language) if chunk.language else "the one it is in",
            before=before[-_NEIGHBOUR:],
            after=after[:_NEIGHBOUR],
            text=chunk.text,
        )

    def translate(self, text: str, language: str, to: str) -> str:
        """Return the text in the language ``to``; no request is made when it is in it already."""
        if language == to or not text.strip():
            return text
        about = f"translation of {text[:40]!r}"
        return self._talk.ask_or(
            text, about, "translate", Written, written, language=language_name(to), text=text
        )

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """Map a Document to triples, one request a Chunk.

        A Chunk in the index language is read as it stands, so that evidence can be located; one in
        another language is read in its English. A Chunk without a usable reply is told as failed.
        """
        befores = ("", *(chunk.text[-_NEIGHBOUR:] for chunk in chunks))
        pages = [
            Page(chunk, self._readable(chunk), document.title, before)
            for chunk, before in zip(chunks, befores, strict=False)
        ]
        found = [self._read(page) for page in pages if page.text.strip()]
        return Extraction(
            tuple(triple for part in found for triple in part.triples),
            mentions(mention for part in found for mention in part.mentions),
            tuple(dict.fromkeys(alias for part in found for alias in part.aliases)),
            tuple(start for part in found for start in part.failed),
        )

    def _readable(self, chunk: Chunk) -> str:
        foreign = chunk.language not in ("", self._language)
        return (chunk.english if foreign else "") or chunk.text

    def _read(self, page: Page) -> Extraction:
        return self._talk.ask_or(
            Extraction(failed=(page.chunk.start,)),
            f"triples of {_place(page.chunk)}",
            "extract",
            Extracted,
            lambda reply: _borne_out(page, reply),
            title=page.title,
            before=page.before,
            text=page.text,
        )

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        """Give one Verdict a pair; a pair that the model passes over is not the same."""
        return batches.same(self._talk, pairs)

    def describe(
        self, triples: Sequence[Triple], before: str, text: str, after: str
    ) -> tuple[str, ...]:
        """Give one description a triple; one that the model passes over is put in plain words."""
        return batches.describe(
            self._talk,
            triples,
            before=before[-_NEIGHBOUR:],
            text=text,
            after=after[:_NEIGHBOUR],
            language=language_name(self._language),
        )

    def summarize_entity(
        self, name: str, types: Sequence[str], descriptions: Sequence[str], limit: int
    ) -> str:
        """Reduce descriptions to at most ``limit`` characters, in rounds when they are many."""
        return batches.reduce(
            self._talk,
            descriptions,
            limit,
            name=name,
            types=", ".join(types) or "unknown",
            language=language_name(self._language),
        )

    def decompose(self, question: str) -> Question:
        """Take a question apart.

        :raises ReplyError: when no reply gives query triples.
        """
        return self._talk.ask(
            "decompose",
            Decomposed,
            lambda reply: answering.to_question(question, reply),
            question=question,
        )

    def ground(
        self, triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
    ) -> tuple[Binding, ...]:
        """Propose values that stand in the Evidence, best first; scores only tell the order.

        :raises ReplyError: when no reply can be used.
        """
        if not evidence:
            return ()
        if not triple.placeholders:
            # What relates the two ends is known; whether that means yes is for the answer to say.
            return (Binding(triple.object, 1.0, (evidence[0].id,)),)
        return self._talk.ask(
            "ground",
            Grounded,
            lambda reply: answering.to_bindings(evidence, reply),
            question=question.text,
            triple=f"({triple.subject}, {triple.predicate}, {triple.object})",
            evidence=numbered(answering.shown(evidence)),
        )

    def answer(
        self,
        question: Question,
        bindings: Mapping[str, Binding],
        evidence: Sequence[Evidence],
        language: str,
    ) -> Reply:
        """Answer from the Evidence alone; an answer that rests on none of it is none.

        :raises ReplyError: when no reply can be used.
        """
        if not evidence:
            return Reply(answering.NO_ANSWER, answered=False)
        found = "\n".join(f"{x} = {binding.value}" for x, binding in sorted(bindings.items()))
        return self._talk.ask(
            "answer",
            Answered,
            lambda reply: answering.to_reply(bindings, evidence, reply),
            question=question.text,
            language=language_name(language),
            bindings=found or "nothing",
            evidence=numbered(answering.shown(evidence)),
        )

    def judge(self, question: str, expected: str, answer: str) -> bool:
        """Say whether an answer means the expected one; no request where the words settle it.

        :raises ReplyError: when no reply can be used.
        """
        if not answer.strip() or normalise(answer) == normalise(expected):
            return bool(answer.strip())
        return self._talk.ask(
            "judge",
            Correct,
            lambda reply: reply.correct,
            question=question,
            expected=expected,
            answer=answer,
        )


def _borne_out(page: Page, reply: Extracted) -> Extraction:
    """Return what the Page bears out of a reply.

    :raises ValueError: when that is none of its triples, in a text long enough for some.
    """
    extraction = to_extraction(page, reply)
    if not extraction.triples and len(page.text) > _SHORT:
        if reply.triples:
            raise ValueError("no triple has names of the text; copy them from it letter by letter")
        logger.warning("no triples in %s", _place(page.chunk))
    return extraction


def _place(chunk: Chunk) -> str:
    return f"{chunk.source}, characters {chunk.start} to {chunk.end}"


__all__ = ["LlmReasoner"]
