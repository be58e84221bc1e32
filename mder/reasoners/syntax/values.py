"""Dates and numbers read from text, so that two of them can be compared."""

import re

_MONTHS = {
    month: number
    for number, month in enumerate(
        (
            "january february march april may june july august september october november december"
        ).split(),
        start=1,
    )
}
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b", re.IGNORECASE)
# Not a part of "1,200", and not a count of what follows it in lower case.
_YEAR = re.compile(
    r"(?<![\d,.])(\d{3,4})s?\b(?![,.]\d)(\s*BCE?\b)?(?!\s+(?!to\b|and\b|or\b|in\b|until\b)[a-z])"
)
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}


def date_of(text: str) -> tuple[int, int, int] | None:
    """Return (year, month, day) of the first date in a text, 0 where a part is not said.

    >>> date_of("on 2 November 1932"), date_of("c. 44 BC"), date_of("spring 1871")
    ((1932, 11, 2), None, (1871, 0, 0))
    """
    year = _YEAR.search(text)
    if year is None:
        return None
    month = _MONTH.search(text)
    rest = text[: year.start()] + text[year.end() :]
    day = _DAY.search(rest) if month else None
    return (
        -int(year[1]) if year[2] else int(year[1]),
        _MONTHS[month[1].lower()] if month else 0,
        int(day[1]) if day else 0,
    )


def number_of(text: str) -> float | None:
    """Return the first number in a text, with its scale.

    >>> number_of("about 1,250 people"), number_of("3.5 million"), number_of("none")
    (1250.0, 3500000.0, None)
    """
    match = _NUMBER.search(text)
    if match is None:
        return None
    following = text[match.end() :].split()[:1]
    scale = _SCALES.get(following[0].lower().strip(".,"), 1.0) if following else 1.0
    return float(match[0].replace(",", "")) * scale


def ordinal(text: str) -> tuple[float, ...] | None:
    """Return what a value sorts by: its date, else its number, else None."""
    date = date_of(text)
    if date is not None:
        return tuple(float(part) for part in date)
    number = number_of(text)
    return None if number is None else (number,)
