"""Finds the names in a question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mder.reasoners.syntax.query_words import (
    JOINERS,
    OPENERS,
    Known,
    Lookup,
    Word,
    runs,
    split,
)

# A stand-in for a name is one of these with "ville": a proper noun that no parser misreads.
STEMS = """Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Omicron Sigma Tau
    Upsilon Phi Chi Psi Omega""".split()
STAND_IN = rf"\b(?:{'|'.join(STEMS)})n*ville\b"

_YEAR_OPENERS = frozenset("in since by until from to of before after during".split())
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|«([^«»]+)»|„([^„“”]+)[“”]|(?<!\w)[‘']([^\s‘’'](?:[^‘’']|[’'](?=\w))*)[’'](?!\w)"
)
_BRACKET = re.compile(r"\s*\([^()]{1,40}\)")
_DEMONYM = re.compile(
    r"(?:[12]\d\d\d )?(?:(?:North|South|East|West|Latin|Anglo|African|Native) ?)?"
    r"(?:(?:\w+-)?\w+(?:ish|ese|ian|ean|can|man|ani|aeli|aqi|tine)|\w+-(?:based|born)|French|Dutch|Greek|Czech|Swiss|Welsh|Thai)"
)
_AUXILIARIES = frozenset(
    "is are was were has have had do does did can could will would may and or by in of".split()
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a name stands in a question, and the name itself."""

    start: int
    end: int
    name: str


def find(question: str, known: Known | None = None) -> tuple[Span, ...]:
    """Return the names of a question in order, without overlaps.

    Quoted words and runs of capitalised words are names.

    :param known: says whether a string is a name in the graph; the longest such run wins.
    """
    quoted = tuple(_quoted(question))
    spans = list(quoted)
    at = 0
    lookup = Lookup(known)
    for quote in (*quoted, Span(len(question), len(question), "")):
        spans += _Scanner(question, tuple(split(question, at, quote.start)), lookup).spans()
        at = quote.end
    return tuple(sorted(spans, key=lambda s: s.start))


def _quoted(question: str) -> Iterator[Span]:
    for match in _QUOTED.finditer(question):
        name = next(group for group in match.groups() if group).strip(" ,.;\"'“”‘’")
        bracket = _BRACKET.match(question, match.end())
        if name:
            yield Span(match.start(), bracket.end() if bracket else match.end(), name)


class _Scanner:
    """Walks over the words between two quotations."""

    def __init__(self, question: str, words: tuple[Word, ...], lookup: Lookup) -> None:
        self.question = question
        self.words = words
        cased = any(word.capital for word in words if word.start)
        self.known: dict[int, int] = {}
        for first, last in runs(words, cased):
            longer = self.known.get(first, -1) >= last
            if not longer and lookup(self._span(first, last).name):
                self.known[first] = last

    def spans(self) -> Iterator[Span]:
        """Yield the names from left to right."""
        at = 0
        while at < len(self.words):
            last = self._last(at)
            if last is not None:
                yield self._span(at, last)
            elif self._starts(at):
                last = self._run(at)
            at = (at if last is None else last) + 1

    def _last(self, at: int) -> int | None:
        """Return the last word of the name that starts here, or None."""
        known = self.known.get(at)
        if not self._starts(at):
            return known
        run = self._run(at)
        if (known is None or known <= run) and self._describes(at, run):
            return None
        # A known name that only begins a longer title ("Silver" in "Silver Harbour") is not meant.
        meant = known is not None and (known >= run or self._breaks(known, run))
        return known if meant else run

    def _breaks(self, last: int, run: int) -> bool:
        """Say whether a run is two known names, not one title: "Lindby, Norway"."""
        following = last + 1
        while following < run and not self.words[following].capital:
            following += 1
        apart = bool(self.words[last].trail) or following > last + 1
        return apart and self.known.get(following) == run

    def _span(self, first: int, last: int) -> Span:
        start = self.words[first].start
        end = self._bracket_end(last)
        rest = self.question[end:]
        # A mark that the question goes on behind, or that is doubled at the end, is the title's.
        mark = re.match(r"[?!](?=\s+\S*\w)|[?!](?=[?!]\s*$)|!(?=\s*\?)", rest)
        end += mark.end() if mark else 0
        return Span(start, end, " ".join(self.question[start:end].split()))

    def _bracket_end(self, last: int) -> int:
        """Return where the last word ends, with the bracket that opened inside the run."""
        end = self.words[last].end
        first = next((i for i in range(last, -1, -1) if self.words[i].bracketed), None)
        closes = ")" in self.words[last].trail
        opened = first is not None and all(")" not in w.trail for w in self.words[first:last])
        return end + self.words[last].trail.index(")") + 1 if closes and opened else end

    def _starts(self, at: int) -> bool:
        word = self.words[at]
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        if word.capital:
            return not (word.text.lower() in OPENERS and self._opens(at, following))
        before = self.words[at - 1].text.lower() if at else ""
        goes_on = following.capital and not word.trail if following else before == "or"
        year = re.fullmatch(r"[12]\d\d\d", word.text) and before in _YEAR_OPENERS
        return word.number and word.text[0].isdigit() and goes_on and not year

    def _opens(self, at: int, following: Word | None) -> bool:
        """Say whether an opener is the question's own word, not the first of a title."""
        if self.words[at].start == 0 or following is None or self.words[at].trail:
            return True
        return not (following.capital or following.number)

    def _describes(self, first: int, last: int) -> bool:
        """Say whether a run only describes the noun behind it: "a Danish chemist"."""
        if last + 1 >= len(self.words) or self.words[last].trail:
            return False
        following = self.words[last + 1].text
        lower = following[0].islower() and following not in _AUXILIARIES
        text = self.question[self.words[first].start : self.words[last].end]
        opening = first == last and self.words[first].start == 0
        # "In which World Cup" asks for one; "the city in which N was born" names one.
        asked = first in {1, 2} and self.words[first - 1].text.lower() in {"which", "what"}
        if asked and (following in _AUXILIARIES or following.endswith("ed")):
            return True  # "Which World Champion had …" asks for one of a kind.
        return lower and (opening or _DEMONYM.fullmatch(text) is not None)

    def _run(self, at: int) -> int:
        last = at
        commas = []
        while (further := self._further(last)) is not None:
            if self.words[last].trail == ",":
                commas.append(last)
            last = further
        behind = self.question[self.words[last].end :]
        # "A, B, and C" is a list; "A, B or C" is most often a title and another one.
        lists = re.match(r",\s+(?:and|or)\s", behind) or (
            len(commas) > 1 and re.match(r"\s+and\s", behind)
        )
        if commas and lists:
            return commas[0]
        return commas[-1] if commas and self._options(at, behind) else last

    def _options(self, at: int, behind: str) -> bool:
        """Say whether a comma sets options apart: "Who came from Lund, Ada or Eve?"."""
        polar = self.words[0].text.lower() in _AUXILIARIES
        after_comma = at > 0 and self.words[at - 1].trail.startswith(",")
        return not polar and not after_comma and behind.lstrip().startswith("or ")

    def _further(self, last: int) -> int | None:
        """Return the next word of the run behind ``last``, skipping joiners, or None."""
        for skipped in range(4):
            following = last + 1 + skipped
            if following >= len(self.words) or not self._continues(last, following):
                return None
            word = self.words[following]
            if word.bracketed:
                return self._closing(following)
            if word.capital or (word.number and not skipped):
                return following
            if word.text.lower() not in JOINERS or self.words[last].trail:
                return None
        return None

    def _closing(self, first: int) -> int | None:
        return next(
            (
                i
                for i in range(first, min(first + 6, len(self.words)))
                if ")" in self.words[i].trail
            ),
            None,
        )

    def _continues(self, last: int, following: int) -> bool:
        """Say whether nothing but spaces, or a mark that titles hold, stands between two words."""
        trail = self.words[last].trail
        if following != last + 1 and self.words[following - 1].trail:
            return False
        if trail == "?" and self.words[following].text.lower() in OPENERS:
            return False
        return trail in {"", ",", ":", "!", "?", "'s", "’s", ")"} and (
            not trail
            or trail == ")"
            or self.words[following].capital
            or self.words[following].number
        )
