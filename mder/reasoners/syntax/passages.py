"""The sentences of the Evidence, with the words by which they are compared to a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mder.names import bare_title, normalise
from mder.reasoners.syntax.relations import content
from mder.records import Evidence, EvidenceKind, Triple
from mder.sentences import sentences

WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")
# Words that say nothing of what a question is about.
STOP = frozenset(
    """a an the of in on at by to from for with as into and or but nor is was were are am be been
    being has have had having do does did done can could will would shall should may might must who
    whom whose what which where when why how that this these those it its he his him she her they
    them their there here i you we me my your our us not no yes also than then so if both either
    all any some more most other another such same one ones name named called title known kind type
    sort""".split()
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a Document.

    :param id: of the Evidence that quotes it, the most exact one.
    :param rank: place of its Document among those found, from 0.
    :param place: number of the sentence among those known of its Document, from 0.
    :param score: of the best Evidence for it.
    :param tokens: its words with their places, in the form of :func:`key`.
    :param words: those that carry meaning.
    :param said: the text, normalised, between spaces.
    :param path: how its Document was reached.
    :param triples: what is stated in it.
    """

    id: str
    text: str
    source: str
    title: str
    rank: int
    place: int
    score: float
    tokens: tuple[tuple[int, str], ...]
    words: frozenset[str]
    said: str
    path: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()


# Names come up once a passage and question; folding them is most of the work.
form = lru_cache(maxsize=16384)(normalise)


@lru_cache(maxsize=16384)
def key(word: str) -> str:
    """Return the form in which the words of questions and passages are compared.

    >>> key("Directed") == key("director"), key("1,200")
    (True, '1200')
    """
    plain = normalise(word)
    return plain.replace(",", "") if plain[:1].isdigit() else "".join(content(plain)) or plain


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[tuple[int, str], ...]:
    """Return each word with its place, in the form of :func:`key`; ``""`` for what says nothing."""
    return tuple(
        (m.start(), "" if m[0].lower() in STOP else key(m[0])) for m in WORD.finditer(text)
    )


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the content words of a text in the form of :func:`key`."""
    return frozenset(word for _, word in tokens(text) if word)


def passages(evidence: Sequence[Evidence]) -> tuple[Passage, ...]:
    """Return the sentences of all Evidence, each once, by the rank of their Documents."""
    ranks: dict[str, int] = {}
    exact: dict[tuple[str, int], list[Evidence]] = {}
    whole: dict[tuple[str, int], tuple[Evidence, str]] = {}
    for found in evidence:
        ranks.setdefault(found.source, len(ranks))
        if found.kind is EvidenceKind.CHUNK:
            for start, text in _sentences(found):
                whole.setdefault((found.source, start), (found, text))
        elif found.quote:
            exact.setdefault((found.source, found.start), []).append(found)
    places = sorted({*exact, *whole}, key=lambda p: (ranks[p[0]], p[1]))
    counts: dict[str, int] = {}
    made = []
    for source, start in places:
        number = counts[source] = counts.get(source, -1) + 1
        pieces = exact.get((source, start)) or [whole[source, start][0]]
        text = pieces[0].quote if (source, start) in exact else whole[source, start][1]
        made.append(_passage(pieces, text, ranks[source], number))
    return tuple(made)


def _sentences(chunk: Evidence) -> Iterator[tuple[int, str]]:
    for start, end in sentences(chunk.quote):
        yield chunk.start + start, chunk.quote[start:end]


def _passage(pieces: Sequence[Evidence], text: str, rank: int, number: int) -> Passage:
    best = max(pieces, key=lambda e: e.score)
    text = " ".join(text.split())
    facts = tuple(e.triple for e in pieces if e.triple is not None)
    return Passage(
        best.id,
        text,
        best.source,
        best.title,
        rank,
        number,
        best.score,
        tokens(text),
        words_of(text),
        f" {normalise(text)} ",
        max((e.path for e in pieces), key=len),
        facts,
    )


def about(passage: Passage) -> str:
    """Return what a passage's Document is about, in the form of :func:`~mder.names.normalise`."""
    return form(bare_title(passage.title))
