"""Readings in which names bear on each other in as many ways as there are, and who judges them."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Candidate, Mention, Reading, Verdict
from tests.samples import Statement, reading


@dataclass
class Judge(SyntaxReasoner):
    """Says the same of every pair, and remembers what it was asked."""

    same_: bool = False
    asked: list[frozenset[str]] = field(default_factory=list)
    name = "judge"

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        self.asked += [frozenset((left.name, right.name)) for left, right in pairs]
        return tuple(Verdict(self.same_, "as told") for _ in pairs)


class Lot(SyntaxReasoner):
    """Judges by lot, which falls by all that it is shown of a pair."""

    name = "lot"

    def same(self, pairs: Sequence[tuple[Candidate, Candidate]]) -> tuple[Verdict, ...]:
        return tuple(Verdict(zlib.crc32(repr(pair).encode()) % 3 > 0, "lot") for pair in pairs)


NAMES = (
    "Anna",
    "anna",
    "Anna Lee",
    "Ann Lee",
    "Anne Lee",
    "A. Lee",
    "Lee, Anna",
    "Anna (film) 2",
    "Lee",
    "Zoë Ray",
    "Zoe Ray",
    "Ray Zoe",
    "Zoey Raye",
    "WTO",
    "World Trade Organization",
    "World Trade Organisations",
    "Works Team of Ohio",
    "Mercury",
    "mercury",
    "Mercury (planet)",
    "the jury",
    "jury",
    "jury (A trial)",
    "jury (A trial) 2",
    "1990",
    "May 1990",
    "Москва",
    "東京",
    "word " * 20,
    "W" * 85,
)
TITLES = (
    "Anna",
    "Anna (film)",
    "Anna Lee",
    "Anna Lee, Duchess of Kent",
    "A trial",
    "Mercury (planet)",
    "Mercury (element)",
    "World Trade Organizations",
    "WTO",
    "1990",
    "jury",
    "date",
)
SENTENCES = (
    "Mercury is a planet near the sun, hot and small.",
    "Mercury is a liquid metal, silver and heavy.",
    "Anna Lee met Zoe Ray at the World Trade Organization in May 1990.",
    "Anne Lee saw Zoë Ray.",
    "Then Anna’s planet was a film.",
    "The jury of Lee sat in 1990.",
    "A jury trial in Москва.",
    "東京でLee.",
    "So the WTO said.",
)
# Types, and whether the words mean something in their Document only.
USES = (
    ((), False),
    (("person",), False),
    (("person", "film"), False),
    (("place",), False),
    (("film",), False),
    (("date",), False),
    (("date", "jury", "person"), True),
    (("person",), True),
    (("jury",), True),
)


@dataclass(frozen=True, slots=True)
class Words:
    """What Documents are made of."""

    names: tuple[str, ...] = NAMES
    titles: tuple[str, ...] = TITLES
    sentences: tuple[str, ...] = SENTENCES


@st.composite
def some_words(draw: st.DrawFn) -> Words:
    """Return few of each, so that Documents have much in common, or all."""

    def some(every: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(draw(st.sets(st.sampled_from(every), max_size=4)))) or every

    return Words(some(NAMES), some(TITLES), some(SENTENCES))


@dataclass(frozen=True, slots=True)
class Page:
    """What a Document says, to be changed in one part."""

    title: str
    sentences: tuple[str, ...]
    statements: tuple[Statement, ...]
    aliases: tuple[tuple[str, str], ...]
    mentions: tuple[Mention, ...]

    def reading(self, source: str) -> Reading:
        """Return what was read of it, in one Chunk or two."""
        found = reading(
            self.title,
            " ".join(self.sentences),
            *self.statements,
            source=source,
            aliases=self.aliases,
            mentions=self.mentions,
        )
        return found if len(self.sentences) < 3 else in_chunks(found, len(self.sentences[0]))


def parts(words: Words) -> dict[str, st.SearchStrategy[Any]]:
    """Return what each part of a Page may be."""
    names = st.sampled_from(words.names)
    mentions = st.builds(lambda name, use: Mention(name, *use), names, st.sampled_from(USES))
    statements = st.tuples(mentions, st.just("MET"), mentions)
    return {
        "title": st.sampled_from(words.titles),
        "sentences": st.lists(st.sampled_from(words.sentences), min_size=1, max_size=4).map(tuple),
        "statements": st.lists(statements, max_size=4).map(tuple),
        "aliases": st.lists(st.tuples(names, names), max_size=1).map(tuple),
        "mentions": st.lists(mentions, max_size=3).map(tuple),
    }


def pages(words: Words) -> st.SearchStrategy[Page]:
    """Return any Page made of some words."""
    return st.builds(Page, **parts(words))


@st.composite
def edited(draw: st.DrawFn, page: Page, words: Words) -> Page:
    """Return a Page with another part."""
    every = parts(words)
    part = draw(st.sampled_from(sorted(every)))
    return replace(page, **{part: draw(every[part])})


def in_chunks(page: Reading, end: int) -> Reading:
    """Return a Document of one Chunk in two."""
    (chunk,) = page.chunks
    first, second = chunk.text[:end], chunk.text[end:]
    return replace(
        page,
        chunks=(
            replace(chunk, end=end, text=first, summary=first, english=first),
            replace(chunk, start=end, text=second, summary=second, english=second),
        ),
    )


@st.composite
def some_readings(draw: st.DrawFn, most: int = 5) -> list[Reading]:
    """Return several Documents."""
    words, number = draw(some_words()), draw(st.integers(1, most))
    return [draw(pages(words)).reading(f"{i}.md") for i in range(number)]
