"""What brackets and "also known as" say of the name before them: dates of life, other names."""

import re
from collections.abc import Iterator

YEAR = "HAS_YEAR"
LIFE = frozenset({"WAS_BORN_ON", "WAS_BORN_IN", "DIED_ON", "DIED_IN"})
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_BARE_YEAR = r"\d{3,4}(?:\s+BCE?\b)?"
_DATE = rf"(?:(?:\d{{1,2}}\s+{_MONTH},?\s+|{_MONTH}\s+(?:\d{{1,2}},?\s+)?)?{_BARE_YEAR})"
_DATED = re.compile(_DATE)
_DASH = re.compile(r"\s+[–—-]+\s+|\s*[–—]\s*|(?<=\d)-(?=[\dA-Z])")
_BORN = re.compile(r"\b(?:born|b\.)\s+(.*?)(?=[,;]?\s*\bdied\b|[,;]?\s*\bd\.|$)")
_DIED = re.compile(r"\b(?:died|d\.)\s+(.*?)(?=;|$)")
_IN = re.compile(r"\b(?:in|at)\s+([^\W\d_].*)")
_PLACE_ENDS = re.compile(r"\s+on\b|[,;()\d]")
_ERA = re.compile(r"\b(?:A\.?D|(?:B\.?)?C(?:\.?E)?)\b\.?")
_YEAR = re.compile(r"\d{4}")
_SHARED_ERA = re.compile(r"\b(\d{3,4})(\s?[–—-]\s?\d{3,4})(\s+BCE?)\b")
_LONGEST_PLACE = 4  # words
_OTHER = re.compile(
    r"(?:^|[;,]\s*)(?:also|formerly|commonly|originally|abbreviated|or|known|called|née|nee|simply"
    r"|better|sometimes|as|born|stylized|alias|aka|a\.k\.a\.|\s)+(?=[A-Z\"“‘'])([^;,]+)"
)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{2,80})[\"”»]")
_MARKS = " \"“”'‘’.:"


def facts(aside: str, years: bool) -> Iterator[tuple[str, str, str]]:
    """Yield (predicate, object, type of the object) that a bracket states of the name before it.

    :param years: read two bare years as a life, which is right for a person.
    """
    if _YEAR.fullmatch(aside.strip()):
        yield YEAR, aside.strip(), "date"
        return
    life = _range(_SHARED_ERA.sub(r"\1\3\2\3", aside))
    if life and (years or not all(re.fullmatch(_BARE_YEAR, part.strip()) for part in life)):
        yield from _event("WAS_BORN", life[0], bare=True)
        yield from _event("DIED", life[1], bare=True)
        return
    for predicate, pattern in (("WAS_BORN", _BORN), ("DIED", _DIED)):
        match = pattern.search(aside)
        if match is not None:
            yield from _event(predicate, match[1], bare=False)


def _range(aside: str) -> tuple[str, str] | None:
    """Return what stands on both sides of the dash between two dates."""
    for dash in _DASH.finditer(aside):
        before, after = aside[: dash.start()], aside[dash.end() :]
        if re.search(r"\d{3,4}", before) and _DATED.search(after):
            return before, after.split(";")[0]
    return None


def _event(predicate: str, text: str, *, bare: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the date and the place of an event.

    :param bare: a place may stand without "in": "3 May 1881, Halden".
    """
    date = _DATED.search(text)
    if date is not None:
        yield f"{predicate}_ON", _tidy(date[0]), "date"
    named = _IN.search(text)
    rest = named[1] if named else _ERA.sub("", _DATED.sub("", text)).strip(" ,.") if bare else ""
    place = _tidy(_PLACE_ENDS.split(rest)[0])
    if place[:1].isupper() and ":" not in place and len(place.split()) <= _LONGEST_PLACE:
        yield f"{predicate}_IN", place, "place"


def alias(aside: str, name: str) -> tuple[str, str]:
    """Return (name, other name) that a bracket states; the other is ``""`` where it states none.

    An acronym may stand for the last words of a name only: "head of the Atomic Agency (AA)".
    """
    short = aside.strip(_MARKS)
    words = name.split()
    for start in range(len(words) - 1):
        if is_acronym(short, " ".join(words[start:])):
            return " ".join(words[start:]), short
    if quoted := _QUOTED.fullmatch(aside.strip()):
        return name, quoted[1].strip(_MARKS)
    other = _OTHER.search(aside)
    found = other[1].strip(_MARKS) if other is not None else ""
    return name, found if 1 < len(found) < 60 and not re.search(r"[\d:]", found) else ""


def is_acronym(short: str, name: str) -> bool:
    """Say whether a short form is made of the first letters of a name, in order."""
    letters = [c for c in short if c.isalnum()]
    capitals = sum(c.isupper() for c in letters)
    if not 2 <= len(letters) <= 8 or capitals < 2 or " " in short.strip():
        return False
    words = re.findall(r"[^\W_]+", name)
    initials = "".join(w[0] for w in words).casefold()
    content = "".join(w[0] for w in words if w[0].isupper()).casefold()
    return "".join(letters).casefold() in {initials, content}


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(_MARKS)
