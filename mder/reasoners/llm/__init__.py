"""The Reasoner that puts every act to a language model."""

from collections.abc import Mapping, Sequence

from mder.names import normalise
from mder.reasoners.base import Passage, Portrait
from mder.reasoners.llm import answering, batches, reading
from mder.reasoners.llm.acts import ANSWER, DECOMPOSE, GROUND, JUDGE, RECALL, wording
from mder.reasoners.llm.batches import NEIGHBOUR, Size
from mder.reasoners.llm.conversation import Conversation, Topic
from mder.reasoners.llm.mapping import Page, joined
from mder.reasoners.llm.prompt import language_name, numbered
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


class LlmReasoner:
    """A Reasoner over any LanguageModel.

    The acts of indexing outlive a reply that cannot be used: they log a warning and give what can
    be said without the model. The acts of asking raise a ReplyError. Both raise a ModelError when
    the server or the model is not there, and a BudgetError when no more may be spent.

    :param language: of the index: descriptions and summaries are written in it.
    :param size: how much one request asks for.
    """

    multilingual = True

    def __init__(self, talk: Conversation, language: str = "en", size: Size = Size()) -> None:  # noqa: B008
        self._talk = talk
        self._language = language
        self._size = size

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._talk.model.name

    def wording(self, stage: str) -> str:
        """Return the digest of the prompts of a stage."""
        return wording(stage)

    def reads(self, language: str) -> bool:  # noqa: ARG002
        """Say yes: a model is asked about a text in any language."""
        return True

    def summarize(self, chunks: Sequence[Chunk], to: str) -> tuple[Chunk, ...]:
        """Keep what has content of each Chunk; a short one is its own summary.

        A Chunk in another language than ``to`` is summarised and translated in one request.
        """
        texts = ["", *(chunk.text for chunk in chunks), ""]
        around = zip(texts, texts[2:], strict=False)
        scenes = [reading.Scene(c, *near) for c, near in zip(chunks, around, strict=True)]
        return tuple(
            self._talk.each(lambda s: reading.shorten(self._talk, s, to, self._size), scenes)
        )

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:
        """Return the text in the language ``to``; no request is made when it is in it already."""
        return text if language == to else reading.translate(self._talk, text, to, source)

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """Map a Document to triples, one request a Chunk.

        A Chunk in the index language is read as it stands, so that evidence can be located; one in
        another language is read in its English. A Chunk without a usable reply is told as failed.
        """
        befores = ("", *(chunk.text[-NEIGHBOUR:] for chunk in chunks))
        pages = [
            self._page(chunk, document.title, before)
            for chunk, before in zip(chunks, befores, strict=False)
        ]
        written = [page for page in pages if page.text.strip()]
        return joined(list(self._talk.each(lambda p: reading.extract(self._talk, p), written)))

    def _page(self, chunk: Chunk, title: str, before: str) -> Page:
        foreign = chunk.language not in ("", self._language)
        text = (chunk.english if foreign else "") or chunk.text
        return Page(chunk, text, chunk.start if text == chunk.text else -1, title, before)

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        """Give one Verdict a pair; a pair that the model passes over is not the same."""
        return batches.same(self._talk, pairs, self._size)

    def describe(self, passages: Sequence[Passage]) -> tuple[tuple[str, ...], ...]:
        """Give one description a triple; one that the model passes over is put in plain words."""
        return batches.describe(self._talk, passages, self._size, language_name(self._language))

    def reduce(self, things: Sequence[Portrait], limit: int) -> tuple[str, ...]:
        """Reduce descriptions to summaries of at most ``limit`` characters, hubs in rounds."""
        return batches.reduce(self._talk, things, limit, self._size, language_name(self._language))

    def decompose(self, question: str) -> Question:
        """Take a question apart.

        :raises ReplyError: when no reply gives query triples.
        """
        return self._talk.ask(
            DECOMPOSE,
            lambda reply: answering.to_question(question, reply),
            Topic(),
            mended=(),
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
            GROUND,
            lambda reply: answering.to_bindings(evidence, reply),
            Topic(),
            mended=(),
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
            ANSWER,
            lambda reply: answering.to_reply(bindings, evidence, reply),
            Topic(),
            mended=(),
            question=question.text,
            language=language_name(language),
            bindings=found or "nothing",
            evidence=numbered(answering.shown(evidence)),
        )

    def recall(self, question: str, language: str) -> Reply:
        """Answer from what the model knows by itself.

        :raises ReplyError: when no reply can be used.
        """
        return self._talk.ask(
            RECALL,
            answering.to_recalled,
            Topic(),
            mended=(),
            question=question,
            language=language_name(language),
        )

    def judge(self, question: str, expected: str, answer: str) -> bool:
        """Say whether an answer means the expected one; no request where the words settle it.

        :raises ReplyError: when no reply can be used.
        """
        if not answer.strip() or normalise(answer) == normalise(expected):
            return bool(answer.strip())
        return self._talk.ask(
            JUDGE,
            lambda reply: reply.correct,
            Topic(),
            mended=(),
            question=question,
            expected=expected,
            answer=answer,
        )


__all__ = ["LlmReasoner"]
