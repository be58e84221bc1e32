"""Acts on many things: how they are shown, and how many of them in one request."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mder.models.tokens import estimate
from mder.names import said, spoken
from mder.reasoners.base import Passage, Portrait
from mder.reasoners.llm.acts import DESCRIBE, REDUCE, SAME
from mder.reasoners.llm.conversation import Conversation, Topic
from mder.reasoners.llm.locate import cut
from mder.reasoners.llm.many import Things, ask_each
from mder.reasoners.llm.shapes import Judged, NumberedText
from mder.reasoners.llm.wording import without_examples
from mder.records import VALUES, Candidate, Entity, Triple, Verdict

T = TypeVar("T")
Pair = tuple[Candidate, Candidate]
NO_VERDICT = Verdict(same=False, reason="the model gave no verdict")

_CONTEXT = 200  # characters of text shown for a Candidate
_REQUEST = 1500  # tokens of things asked for in one request, about
_DESCRIBED = 25  # groups of triples described in one request
_PASSAGES = 1500  # characters of short passages shown in one request
NEIGHBOUR = 800  # characters of a neighbouring Chunk that a prompt shows
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Size:
    """How much one request asks for.

    :param things: the most; 1 asks for each thing by itself, as the paper does.
    :param own_summary: characters up to which a text is its own summary.
    """

    things: int = 10
    own_summary: int = 1000

    @property
    def single(self) -> bool:
        """Whether each thing is asked for by itself."""
        return self.things == 1


def same(talk: Conversation, pairs: Sequence[Pair], size: Size) -> tuple[Verdict, ...]:
    """Give one Verdict a pair; a pair that the model passes over is not the same."""
    items = [f"{_candidate(a)}\n  {_candidate(b)}" for a, b in pairs]
    topics = [Topic(f"verdict on {a.name!r} and {b.name!r}") for a, b in pairs]

    def use(_place: int, judged: Judged) -> Verdict:
        return Verdict(judged.same, judged.reason.strip() or "the model says so")

    found = ask_each(talk, SAME, Things(items, topics), use, _parted(items, size.things))
    return tuple(verdict or NO_VERDICT for verdict in found)


def _candidate(candidate: Candidate) -> str:
    types = ", ".join(candidate.types) or "type unknown"
    context = " ".join(candidate.context.split())[:_CONTEXT]
    return f"{candidate.name} ({types}): {context}"


@dataclass(frozen=True, slots=True)
class _Group:
    """Triples that are described together: all of one sentence, or one alone."""

    passage: Passage
    triples: tuple[Triple, ...]

    @property
    def facts(self) -> str:
        """What is stated of each subject, named once."""
        by_subject: dict[str, list[str]] = defaultdict(list)
        for t in self.triples:
            by_subject[t.subject.name].append(f"{spoken(t.predicate)} {t.object.name}")
        return "; ".join(f"{name}: {', '.join(told)}" for name, told in by_subject.items())


def describe(
    talk: Conversation, passages: Sequence[Passage], size: Size, language: str
) -> tuple[tuple[str, ...], ...]:
    """Give one description a triple; one that the model passes over is put in plain words.

    What one sentence states together is described together.
    """
    groups = [group for passage in passages for group in _grouped(passage, size)]
    facts = [group.facts for group in groups]
    topics = [
        Topic(f"description of {told[:60]!r}", group.triples[0].source)
        for told, group in zip(facts, groups, strict=True)
    ]

    def use(place: int, described: NumberedText) -> str:
        text = " ".join(described.text.split())
        if not text:
            raise ValueError("a description is empty")
        passage = groups[place].passage
        shown = f"{passage.before} {passage.text} {passage.after} {facts[place]}"
        return without_examples(text, shown)

    found = ask_each(
        talk,
        DESCRIBE,
        Things(facts, topics, lambda places: _around([groups[place].passage for place in places])),
        use,
        lambda places: _by_passage(places, groups, size),
        language=language,
    )
    texts = {
        triple: text or said(triple.subject.name, triple.predicate, triple.object.name)
        for group, text in zip(groups, found, strict=True)
        for triple in group.triples
    }
    return tuple(tuple(texts[triple] for triple in passage.triples) for passage in passages)


def _grouped(passage: Passage, size: Size) -> Iterator[_Group]:
    groups: dict[object, list[Triple]] = defaultdict(list)
    for place, triple in enumerate(passage.triples):
        groups[place if size.single else (triple.start, triple.end)].append(triple)
    for triples in groups.values():
        yield _Group(passage, tuple(triples))


def _around(passages: Sequence[Passage]) -> dict[str, str]:
    """Return what a prompt shows of passages: only one of them has its neighbours shown."""
    shown = list(dict.fromkeys(passages))
    near = shown[0] if len(shown) == 1 else None
    return {
        "before": near.before[-NEIGHBOUR:] if near else "",
        "text": "\n\n".join(passage.text for passage in shown),
        "after": near.after[:NEIGHBOUR] if near else "",
    }


def _by_passage(
    places: Sequence[int], groups: Sequence[_Group], size: Size
) -> Iterator[Sequence[int]]:
    """Part groups into requests: those of one passage, or of several that are short and whole."""
    batch: list[int] = []
    for place in places:
        passages = list(dict.fromkeys(groups[p].passage for p in [*batch, place]))
        apart = any(p.before or p.after for p in passages) and len(passages) > 1
        long = sum(len(p.text) for p in passages) > _PASSAGES and len(passages) > 1
        if batch and (apart or long or size.single or len(batch) >= _DESCRIBED):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def reduce(
    talk: Conversation, things: Sequence[Portrait], limit: int, size: Size, language: str
) -> tuple[str, ...]:
    """Reduce what is known of each thing to at most ``limit`` characters, hubs in rounds.

    One description that fits is the summary as it stands, and so are some that are short together.
    """
    texts = [_told(known, size, plain=not VALUES.isdisjoint(e.types[:1])) for e, known in things]
    asked = {i for i, known in enumerate(texts) if size.single and known}
    for _ in range(_ROUNDS):
        asked |= {
            i for i, known in enumerate(texts) if sum(map(len, known[:1])) > limit or len(known) > 1
        }
        if not asked:
            break
        places = [(i, group) for i in sorted(asked) for group in _groups(texts[i])]
        parts = [(things[i][0], group) for i, group in places]
        written = _entries(talk, parts, limit, size, language)
        for i in asked:
            texts[i] = [text for (j, _), text in zip(places, written, strict=True) if j == i]
        asked = set()
    return tuple(cut(" ".join(known), limit) for known in texts)


def _told(descriptions: Sequence[str], size: Size, *, plain: bool) -> list[str]:
    """Return the texts to reduce: one where they are short enough together, or of a mere value."""
    texts = list(dict.fromkeys(text.strip() for text in descriptions if text.strip()))
    joined = " ".join(texts)
    if not texts or size.single:
        return texts
    if plain:
        return [cut(joined, size.own_summary)]
    return [joined] if len(joined) <= size.own_summary else texts


def _entries(
    talk: Conversation,
    parts: Sequence[Portrait],
    limit: int,
    size: Size,
    language: str,
) -> list[str]:
    items = [_entry(entity, group) for entity, group in parts]
    topics = [Topic(f"summary of {entity.name!r}") for entity, _ in parts]

    def use(place: int, entry: NumberedText) -> str:
        text = cut(entry.text.strip(), limit)
        if not text:
            raise ValueError("an entry is empty")
        return without_examples(text, items[place])

    found = ask_each(
        talk,
        REDUCE,
        Things(items, topics),
        use,
        _parted(items, size.things),
        limit=str(limit),
        language=language,
    )
    joined = (cut(" ".join(group), limit) for _, group in parts)
    return [text or plain for text, plain in zip(found, joined, strict=True)]


def _entry(entity: Entity, texts: Sequence[str]) -> str:
    types = f" ({', '.join(entity.types[:3])})" if entity.types else ""
    return "\n".join([f"{entity.name}{types}", *(f"- {' '.join(text.split())}" for text in texts)])


def _parted(items: Sequence[str], most: int) -> Callable[[Sequence[int]], Iterator[Sequence[int]]]:
    """Return how places of items are parted into requests: so many, and not too long."""
    return lambda places: _runs(places, lambda place: items[place], most)


def _groups(texts: Sequence[str]) -> Iterator[list[str]]:
    """Part the texts of one thing into what one request takes."""
    return _runs(texts, lambda text: text, len(texts))


def _runs(things: Iterable[T], shown: Callable[[T], str], most: int) -> Iterator[list[T]]:
    run: list[T] = []
    tokens = 0
    for thing in things:
        length = estimate(shown(thing))
        if run and (len(run) >= most or tokens + length > _REQUEST):
            yield run
            run, tokens = [], 0
        run.append(thing)
        tokens += length
    if run:
        yield run
