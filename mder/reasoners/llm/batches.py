"""Acts on many things at once: several in one request, or one thing in several rounds."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from mder.reasoners.llm.conversation import Conversation
from mder.reasoners.llm.locate import cut
from mder.reasoners.llm.prompt import numbered
from mder.reasoners.llm.shapes import Descriptions, Verdicts, Written, written
from mder.reasoners.llm.wording import said
from mder.records import Candidate, Triple, Verdict

T = TypeVar("T")

Pair = tuple[Candidate, Candidate]
NO_VERDICT = Verdict(same=False, reason="the model gave no verdict")

_PAIRS = 10
_TRIPLES = 25
_CONTEXT = 400  # characters of text shown for a Candidate
_GROUP = 8000  # characters of descriptions reduced in one request
_ROUNDS = 5


def same(talk: Conversation, pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
    """Give one Verdict a pair; a pair that the model passes over is not the same."""
    verdicts: list[Verdict] = []
    for batch in _batches(pairs, _PAIRS):
        none: dict[int, Verdict] = {}
        given = talk.ask_or(
            none,
            f"verdicts on {len(batch)} pairs, from {batch[0][0].name!r} on",
            "same",
            Verdicts,
            lambda reply: {
                judged.pair: Verdict(judged.same, judged.reason.strip() or "the model says so")
                for judged in reply.verdicts
            },
            pairs=numbered([f"{_candidate(a)}\n    {_candidate(b)}" for a, b in batch]),
        )
        verdicts += [given.get(number, NO_VERDICT) for number in range(1, len(batch) + 1)]
    return tuple(verdicts)


def _candidate(candidate: Candidate) -> str:
    types = ", ".join(candidate.types) or "type unknown"
    context = " ".join(candidate.context.split())[:_CONTEXT]
    return f"{candidate.name} ({types}), in {candidate.source or 'some document'}: {context}"


def describe(talk: Conversation, triples: Sequence[Triple], **context: str) -> tuple[str, ...]:
    """Give one description a triple; one that the model passes over is put in plain words."""
    descriptions: list[str] = []
    for batch in _batches(triples, _TRIPLES):
        lines = [f"({t.subject.name}, {t.predicate}, {t.object.name})" for t in batch]
        none: dict[int, str] = {}
        given = talk.ask_or(
            none,
            f"descriptions of {len(batch)} triples of {batch[0].source}",
            "describe",
            Descriptions,
            lambda reply: {d.triple: " ".join(d.text.split()) for d in reply.descriptions},
            triples=numbered(lines),
            **context,
        )
        descriptions += [given.get(n) or _plain(t) for n, t in enumerate(batch, start=1)]
    return tuple(descriptions)


def _plain(triple: Triple) -> str:
    return said(triple.subject.name, triple.predicate, triple.object.name)


def reduce(talk: Conversation, descriptions: Sequence[str], limit: int, **entity: str) -> str:
    """Reduce descriptions to at most ``limit`` characters, in rounds when they are many.

    One description that fits is the summary as it stands.
    """
    texts = list(dict.fromkeys(text.strip() for text in descriptions if text.strip()))
    for _ in range(_ROUNDS):
        if sum(map(len, texts)) <= limit and len(texts) < 2:
            break
        texts = [_reduced(talk, group, limit, entity) for group in _groups(texts)]
    return cut(" ".join(texts), limit)


def _reduced(talk: Conversation, group: Sequence[str], limit: int, entity: dict[str, str]) -> str:
    return talk.ask_or(
        cut(" ".join(group), limit),
        f"summary of {entity['name']!r}",
        "summarize_entity",
        Written,
        lambda reply: cut(written(reply), limit),
        limit=str(limit),
        descriptions=numbered(list(group)),
        **entity,
    )


def _batches(things: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(things), size):
        yield things[start : start + size]


def _groups(texts: Sequence[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for text in texts:
        if group and sum(map(len, group)) + len(text) > _GROUP:
            yield group
            group = []
        group.append(text)
    if group:
        yield group
