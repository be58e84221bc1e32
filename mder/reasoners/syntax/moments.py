"""When something began or ended, by the sentences about it: births, deaths and other events."""

import re
from collections.abc import Iterator, Sequence

from mder.reasoners.syntax.passages import WORD, Passage, key
from mder.reasoners.syntax.relations import content

BIRTH, DEATH = content("BORN_BIRTH"), content("DIED_DEATH")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_YEAR = r"(?:[1-9]\d{2,3}|20\d{2})(?: BCE?)?"
DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? {_YEAR}|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? ?{_YEAR}|{_MONTH},? {_YEAR}|{_YEAR})\b(?![,.]\d)"
)
# Three digits are a year in the dates of a life only.
_LATE = re.compile(DATE.pattern.replace(_YEAR, r"(?:1\d{3}|20\d{2})"))
_BRACKET = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BORN = re.compile(r"\b(?:born|b\.|né|née)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|d\.|death|killed|assassinated|executed|passed away)(?!\w)", re.I)
_SPAN = re.compile(r"\s(?:-|–|—|to)\s|–|—|(?<=\d)-(?=\d)|-\s|\s-")


def moment(predicate: str, found: Sequence[Passage]) -> tuple[str, Passage] | None:
    """Return the date of an event as it is written, and the passage that tells it.

    :param predicate: of the event: WAS_BORN, DIED, WAS_RELEASED.
    :param found: the passages about one thing, in their order.
    """
    asked = content(predicate)
    if asked & BIRTH:
        return next(_lives(found, _BORN, 0), None)
    if asked & DEATH:
        return next(_lives(found, _DIED, 1), None)
    return next(_events(asked, found), None)


def _lives(
    found: Sequence[Passage], cue: re.Pattern[str], part: int
) -> Iterator[tuple[str, Passage]]:
    """Yield one end of a life: out of brackets first, then behind the word for it."""
    for passage in found[:2]:
        for bracket in _BRACKET.finditer(passage.text[:400]):
            dates = [m[0] for m in DATE.finditer(bracket[1])]
            ends = _SPAN.split(bracket[1])
            if len(dates) > 1 and len(ends) > 1:
                yield dates[part if part == 0 else -1], passage
            elif dates and cue.search(bracket[1]):
                yield dates[0], passage
    for passage in found:
        for said in cue.finditer(passage.text):
            date = DATE.search(passage.text, said.end(), said.end() + 120)
            if date:
                yield date[0], passage


def _events(asked: frozenset[str], found: Sequence[Passage]) -> Iterator[tuple[str, Passage]]:
    """Yield the date nearest to the word for an event, then the first date there is."""
    for passage in found:
        cues = [m.start() for m in WORD.finditer(passage.text) if key(m[0]) in asked]
        dates = [*_LATE.finditer(passage.text)]
        if cues and dates:
            near = min(dates, key=lambda d: min(_gap(d.start(), cue) for cue in cues))
            yield near[0], passage
    for passage in found:
        date = _LATE.search(passage.text)
        if date:
            yield date[0], passage


def _gap(date: int, cue: int) -> int:
    """Return how far a date is from a word; it seldom stands before it."""
    return date - cue if date >= cue else 3 * (cue - date)
