"""Acts on many things: how they are shown, and how many of them in one request."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mder.names import spoken
from mder.reasoners.base import Portrait
from mder.reasoners.llm.acts import DESCRIBE, REDUCE, SAME
from mder.reasoners.llm.conversation import Conversation, Topic
from mder.reasoners.llm.locate import cut
from mder.reasoners.llm.many import ask_each
from mder.reasoners.llm.shapes import Judged, NumberedText
from mder.reasoners.llm.wording import said, without_examples
from mder.records import Candidate, Entity, Triple, Verdict

Pair = tuple[Candidate, Candidate]
NO_VERDICT = Verdict(same=False, reason="the model gave no verdict")

_CONTEXT = 400  # characters of text shown for a Candidate
_REQUEST = 6000  # characters of things asked for in one request
_DESCRIBED = 25  # groups of triples described in one request
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Size:
    """How much one request asks for.

    :param things: the most; 1 asks for each thing by itself, as the paper does.
    :param own_summary: characters up to which a text is its own summary.
    """

    things: int = 10
    own_summary: int = 600

    @property
    def single(self) -> bool:
        """Whether each thing is asked for by itself."""
        return self.things == 1


def same(talk: Conversation, pairs: Sequence[Pair], size: Size) -> tuple[Verdict, ...]:
    """Give one Verdict a pair; a pair that the model passes over is not the same."""
    items = [f"{_candidate(a)}\n    {_candidate(b)}" for a, b in pairs]
    topics = [Topic(f"verdict on {a.name!r} and {b.name!r}") for a, b in pairs]

    def use(_place: int, judged: Judged) -> Verdict:
        return Verdict(judged.same, judged.reason.strip() or "the model says so")

    found = ask_each(talk, SAME, items, topics, use, _parted(items, size.things))
    return tuple(verdict or NO_VERDICT for verdict in found)


def _candidate(candidate: Candidate) -> str:
    types = ", ".join(candidate.types) or "type unknown"
    context = " ".join(candidate.context.split())[:_CONTEXT]
    return f"{candidate.name} ({types}), in {candidate.source or 'some document'}: {context}"


def describe(
    talk: Conversation, triples: Sequence[Triple], size: Size, **context: str
) -> tuple[str, ...]:
    """Give one description a triple; one that the model passes over is put in plain words.

    What one passage states together is described together.
    """
    groups: dict[object, list[Triple]] = defaultdict(list)
    for place, triple in enumerate(triples):
        groups[place if size.single else (triple.start, triple.end)].append(triple)
    items = ["; ".join(_facts(group)) for group in groups.values()]
    topics = [Topic(f"description of {item[:60]!r}", triples[0].source) for item in items]
    shown = " ".join(context.values())

    def use(place: int, described: NumberedText) -> str:
        return without_examples(" ".join(described.text.split()), f"{shown} {items[place]}")

    most = 1 if size.single else _DESCRIBED
    found = ask_each(talk, DESCRIBE, items, topics, use, _parted(items, most), **context)
    texts = dict(zip(groups, found, strict=True))
    return tuple(
        texts[place if size.single else (t.start, t.end)]
        or said(t.subject.name, t.predicate, t.object.name)
        for place, t in enumerate(triples)
    )


def _facts(triples: Sequence[Triple]) -> Iterator[str]:
    """Yield what is stated of each subject, named once."""
    by_subject: dict[str, list[str]] = defaultdict(list)
    for t in triples:
        by_subject[t.subject.name].append(f"{spoken(t.predicate)} {t.object.name}")
    for subject, facts in by_subject.items():
        yield f"{subject}: {', '.join(facts)}"


def reduce(
    talk: Conversation, things: Sequence[Portrait], limit: int, size: Size, language: str
) -> tuple[str, ...]:
    """Reduce what is known of each thing to at most ``limit`` characters, hubs in rounds.

    One description that fits is the summary as it stands, and so are some that are short together.
    """
    texts = [list(dict.fromkeys(t.strip() for t in known if t.strip())) for _, known in things]
    for turn in range(_ROUNDS):
        open_ones = [i for i, known in enumerate(texts) if _needs(known, limit, size, turn)]
        if not open_ones:
            break
        places = [(i, group) for i in open_ones for group in _groups(texts[i])]
        parts = [(things[i][0], group) for i, group in places]
        written = _entries(talk, parts, limit, size, language)
        for i in open_ones:
            texts[i] = [text for (j, _), text in zip(places, written, strict=True) if j == i]
    return tuple(cut(" ".join(known), limit) for known in texts)


def _needs(texts: Sequence[str], limit: int, size: Size, turn: int) -> bool:
    """Say whether a model has to reduce these texts."""
    if size.single and not turn:
        return bool(texts)
    fits = sum(map(len, texts)) <= limit
    short = not turn and sum(map(len, texts)) <= size.own_summary and not size.single
    return not (fits and (len(texts) < 2 or short))


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
        items,
        topics,
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
    lengths: Mapping[int, int] = dict(enumerate(map(len, items)))

    def part(places: Iterable[int]) -> Iterator[Sequence[int]]:
        batch: list[int] = []
        for place in places:
            long = sum(lengths[p] for p in batch) + lengths[place] > _REQUEST
            if batch and (long or len(batch) >= most):
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch

    return part


def _groups(texts: Sequence[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for text in texts:
        if group and sum(map(len, group)) + len(text) > _REQUEST:
            yield group
            group = []
        group.append(text)
    if group:
        yield group
