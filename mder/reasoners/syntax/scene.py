"""The Documents found for a question, and how they hang together."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mder.reasoners.syntax.moments import BIRTH, DEATH, moment
from mder.reasoners.syntax.passages import Passage, about, form, words_of
from mder.reasoners.syntax.wanted import DATE, YEAR, Wanted
from mder.records import Binding

_BEFORE, _AFTER = 8, 6  # words on either side of a title that say why it is mentioned


@dataclass(frozen=True, slots=True)
class Page:
    """A Document among those found.

    :param title: what it is about, normalised.
    :param words: those of all its passages and its title.
    :param named: the question names it.
    :param bridges: passages that lead to it: those of others that mention it, and its own that
        mention what the question names.
    :param beside: share of the question that stands beside a mention of it in another Document.
    :param event: the date of birth or death of what it is about, where that is asked for.
    """

    title: str
    words: frozenset[str]
    opening: Passage
    named: bool
    bridges: tuple[Passage, ...] = ()
    beside: float = 0.0
    event: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What candidates for an answer are weighed against.

    :param rarity: weight of each word of the question: rarer words say more.
    :param pages: by source of the Document, the best first.
    :param titles: what a Document is about, to its source.
    :param best: the best score of any passage.
    :param bound: what the relation asked for leads from, where that was found and not named.
    """

    wanted: Wanted
    rarity: Mapping[str, float]
    pages: Mapping[str, Page]
    titles: Mapping[str, str]
    best: float
    bound: frozenset[str]

    def share(self, words: frozenset[str]) -> float:
        """Return how much of the question is among some words, from 0 to 1."""
        return sum(r for word, r in self.rarity.items() if word in words)


def scene(wanted: Wanted, found: Sequence[Passage], bound: Sequence[Binding] = ()) -> Scene:
    """Return how the Documents of some passages bear on a question."""
    own: defaultdict[str, list[Passage]] = defaultdict(list)
    for passage in found:
        own[passage.source].append(passage)
    words = {s: words_of(ps[0].title).union(*(p.words for p in ps)) for s, ps in own.items()}
    rarity = _rarity(wanted.words, tuple(words.values()))
    titles = {s: about(ps[0]) for s, ps in own.items()}
    named = {s for s, title in titles.items() if f" {title} " in wanted.said}
    pages = {}
    for source, passages in own.items():
        title = titles[source]
        over = [p for p in found if p.source != source and f" {title} " in p.said]
        others = {titles[s] for s in named} - {title}
        back = [p for p in passages if any(f" {t} " in p.said for t in others)]
        pages[source] = Page(
            title,
            words[source],
            passages[0],
            source in named,
            (*over, *back),
            max((_beside(title, p, rarity, wanted.focus) for p in over), default=0.0),
            _event(wanted, passages),
        )
    return Scene(
        wanted,
        rarity,
        pages,
        {title: source for source, title in reversed(titles.items())},
        max((p.score for p in found), default=0.0),
        frozenset(form(b.value) for b in bound),
    )


def _rarity(asked: frozenset[str], texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    counts = Counter(word for words in texts for word in words & asked)
    weights = {w: math.log(1 + (len(texts) + 1) / (0.5 + counts[w])) for w in sorted(asked)}
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()}


def _beside(
    title: str, passage: Passage, rarity: Mapping[str, float], focus: frozenset[str]
) -> float:
    """Return the share of a question, its last relation apart, that surrounds a title."""
    best = 0.0
    before, *after = passage.said.split(f" {title} ")
    for text in after:
        near = words_of(" ".join(before.split()[-_BEFORE:])) | words_of(
            " ".join(text.split()[:_AFTER])
        )
        best = max(best, sum(rarity.get(w, 0.0) for w in near - focus))
        before = text
    return best


def _event(wanted: Wanted, passages: Sequence[Passage]) -> str:
    if wanted.kind not in {DATE, YEAR} or not wanted.focus & (BIRTH | DEATH):
        return ""
    told = moment(wanted.relation, passages)
    return told[0] if told else ""
