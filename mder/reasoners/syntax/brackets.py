"""What brackets and "also known as" say of the name before them: dates of life, other names."""

import re
from collections.abc import Iterator

YEAR = "HAS_YEAR"
LIFE = frozenset({"WAS_BORN_ON", "WAS_BORN_IN", "DIED_ON", "DIED_IN"})
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE = rf"(?:\d{{1,2}}\s+{_MONTH},?\s+\d{{3,4}}|{_MONTH}\s+(?:\d{{1,2}},?\s+)?\d{{3,4}}|\d{{3,4}})"
_ABOUT = r"(?:c\.|ca\.|circa|about|around)?\s*"
_LIFE = re.compile(rf"{_ABOUT}({_DATE})\s*(?:AD|BC|BCE|CE)?\s*[–—-]+\s*{_ABOUT}({_DATE})\b")
_BORN = re.compile(rf"\b(?:born|b\.)\s*(?:on\s+)?(?:[^\d\W][^\d,;]*?\bon\s+)?({_DATE})?")
_PLACE = r"[^;]*?\bin\s+([^\W\d_][^;,()\d]+)"
_BORN_IN = re.compile(rf"\bborn\b(?![^;]*\bdied\b){_PLACE}|\bborn\b{_PLACE}(?=[,;]\s*died\b)")
_DIED_IN = re.compile(rf"\bdied\b{_PLACE}")
_DIED = re.compile(rf"\b(?:died|d\.)\s*(?:on\s+)?({_DATE})")
_YEAR = re.compile(r"\d{4}")
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
    life = _LIFE.search(aside)
    if life is not None and (years or not (_YEAR.fullmatch(life[1]) and _YEAR.fullmatch(life[2]))):
        yield "WAS_BORN_ON", _tidy(life[1]), "date"
        yield "DIED_ON", _tidy(life[2]), "date"
        return
    for predicate, pattern, kind in (
        ("WAS_BORN_ON", _BORN, "date"),
        ("WAS_BORN_IN", _BORN_IN, "place"),
        ("DIED_ON", _DIED, "date"),
        ("DIED_IN", _DIED_IN, "place"),
    ):
        match = pattern.search(aside)
        value = next((group for group in match.groups() if group), "") if match else ""
        if value:
            yield predicate, _tidy(value), kind
    if _YEAR.fullmatch(aside.strip()):
        yield YEAR, aside.strip(), "date"


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
