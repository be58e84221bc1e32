"""What in a passage could be an answer: names, dates, numbers and the ends of triples."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mder.names import bare_title
from mder.reasoners.syntax.passages import STOP, Passage, about, form
from mder.reasoners.syntax.wanted import DATE, GROUP, NUMBER, ORGANIZATION, PLACE, YEAR

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_YEAR = r"(?:1\d{3}|20\d{2})"
_DATES = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? {_YEAR})?|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:, ?{_YEAR})?|{_MONTH},? {_YEAR}|{_YEAR}s?\b)"
)
_YEARS = re.compile(rf"\b{_YEAR}s?\b")
_SPELLED = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
)
_NUMBERS = re.compile(
    rf"[$€£]?\b(?:\d[\d,]*(?:\.\d+)?|(?:{_SPELLED})(?:-[a-z]+)?)"
    r"(?P<unit>%| ?(?:thousand|million|billion|trillion|percent)\b)?",
    re.IGNORECASE,
)
_CAP = r"(?:[A-Z0-9À-ÖØ-Þ]|[a-z]+-(?=[A-Z]))[\w’'&./+-]*"
_JOINER = r"(?:of the|of|the|de la|de|la|le|du|des|von|van der|van|der|del|di|da|al|bin|ibn|y|&)"
_NAME = re.compile(rf"(?:[A-ZÀ-ÖØ-Þ][\w’'&./+-]*)(?: (?:{_JOINER} )?(?:{_CAP}))*")
_QUOTED = re.compile(r"[\"“](?P<title>[^\"“”]{2,60})[\"”]")
_ARTICLE = re.compile(r"^(?:the|an?|his|her|its|their|in|on|at|by|for|from|with|and|but|as) ", re.I)
_ADJECTIVE = re.compile(r"[A-Z][a-z]+(?:ish|[^aeiou]ch|ese|ian|ean|an|[rt]ani|i|ic|ek|ss)$")
_TRAILING = re.compile(r"(?:['’]s?|[.,;:])+$")
_LONGEST = 12  # words
_PLACES = frozenset(
    """city town village county country state province river lake island mountain region capital
    district street municipality borough area territory continent kingdom republic valley sea
    ocean""".split()
)
_BODIES = frozenset(
    """company university college school band team club party group label agency newspaper
    magazine corporation institute association league church channel network club""".split()
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer in one passage.

    :param start: where it stands in the text, -1 where only a triple or the title has it.
    :param types: as far as they are known: of names, of the parser, of the name of dates.
    """

    value: str
    key: str
    passage: Passage
    start: int
    types: frozenset[str]
    titled: bool = False


def candidates(found: Sequence[Passage]) -> Iterator[Candidate]:
    """Yield the candidates of all passages; one that is in several comes several times."""
    known = _types(found)
    for passage in found:
        seen: set[str] = set()
        for value, start, types, titled in _spans(passage):
            value = _trimmed(value)
            name = form(value)
            if not name or name in seen or name in STOP or len(name.split()) > _LONGEST:
                continue
            # A list is no one of what it lists.
            if name.startswith("list of "):
                continue
            seen.add(name)
            kinds = types or known.get(name, frozenset()) or _shape(value)
            yield Candidate(value, name, passage, start, kinds, titled)


def _types(found: Sequence[Passage]) -> Mapping[str, frozenset[str]]:
    """Return the types of names as the triples know them."""
    table: defaultdict[str, set[str]] = defaultdict(set)
    for passage in found:
        if passage.place == 0 and passage.triples:
            # A Document opens with what it is about, by a longer name maybe.
            first = passage.triples[0].subject
            if set(form(first.name).split()) & set(about(passage).split()):
                table[about(passage)].update(_coarse(first.types))
    for passage in found:
        for triple in passage.triples:
            for end in (triple.subject, triple.object):
                table[form(bare_title(end.name))].update(_coarse(end.types))
    return {name: frozenset(types) for name, types in table.items()}


def _coarse(types: Sequence[str]) -> Iterator[str]:
    yield from types
    yield from (PLACE for t in types if t in _PLACES)
    yield from (ORGANIZATION for t in types if t in _BODIES)


def _spans(passage: Passage) -> Iterator[tuple[str, int, frozenset[str], bool]]:
    text = passage.text
    yield bare_title(passage.title), text.find(bare_title(passage.title)), frozenset(), True
    yield from ((value, start, frozenset({kind}), False) for value, start, kind in _values(text))
    for match in _QUOTED.finditer(text):
        yield match["title"], match.start("title"), frozenset(), False
    for match in _NAME.finditer(text):
        yield from ((v, s, frozenset[str](), False) for v, s in _names(match))
    for triple in passage.triples:
        for end in (triple.subject, triple.object):
            name = bare_title(end.name)
            yield name, text.find(name), frozenset(_coarse(end.types)), False


def _values(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield dates, their years, and the numbers that are no part of one, with their types."""
    dated: set[int] = set()
    for match in _DATES.finditer(text):
        dated.update(range(*match.span()))
        whole = _YEARS.fullmatch(match[0])
        yield match[0], match.start(), YEAR if whole else DATE
        for year in () if whole else _YEARS.finditer(match[0]):
            yield year[0], match.start() + year.start(), YEAR
    for match in _NUMBERS.finditer(text):
        if match.start() not in dated:
            yield match[0], match.start(), NUMBER


def _names(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """Yield a run of capitalised words, and its parts where it is joined by "of"."""
    text, start = match[0], match.start()
    first = text.split(" ", 1)
    while len(first) == 2 and first[0].lower() in STOP:
        start += len(first[0]) + 1
        text = first[1]
        first = text.split(" ", 1)
    yield text, start
    if re.search(r"['’]s ", text):
        for part in re.finditer(r"(?:(?!['’]s ).)+?(?=['’]s )|(?<=['’]s ).+$", text):
            yield part[0], start + part.start()


def _trimmed(value: str) -> str:
    return _TRAILING.sub("", _ARTICLE.sub("", value.strip(" \"“”'‘’()")))


def _shape(value: str) -> frozenset[str]:
    """Guess a type by the name of a name that is known of no triple."""
    words = value.split()
    last = words[-1].lower()
    if last in _PLACES or words[0] in {"Lake", "Mount", "River"}:
        return frozenset({PLACE})
    if last in _BODIES or words[0] == "University":
        return frozenset({ORGANIZATION})
    if len(words) == 1 and _ADJECTIVE.fullmatch(value):
        return frozenset({GROUP})
    return frozenset()
