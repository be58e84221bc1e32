"""The only owner of sentencex: where the sentences of a text are, in any script.

Offsets index into the text as given. Spans are ordered, disjoint, free of white space at their
ends, and hold every other character of the text. An empty line always ends a sentence.
"""

import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]

# A longer sentence is a table, a list or noise; it is cut at white space where there is some.
LONGEST = 2000
# How much is segmented at a time: quotation marks that are never closed cost quadratic time.
WINDOW = 10_000

PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![^\S\n]*\n)[^\n]*)*")
# Abbreviations that something always follows, and that the segmenter does not know.
UNFINISHED = re.compile(r"\b(?:Ms|[Vv]ol|[Aa]pprox|[Ss]ect|[Cc]h|[Ss]ig|[Dd]ott)\.\s*$")
# The segmenter indexes bytes and takes every space for one byte long.
SPACES = {code: " " for code in range(0x0B, 0x3001) if chr(code).isspace()}


def sentences(text: str, language: str = "") -> list[Span]:
    """Return the (start, end) of each sentence.

    :param language: ISO 639-1 code, which tells the abbreviations; English where it is unknown.

    >>> sentences("Dr. Smith left. He ran.")
    [(0, 15), (16, 23)]
    """
    plain = text.encode("utf-8", "replace").decode("utf-8").translate(SPACES)
    return [
        span
        for paragraph in PARAGRAPH.finditer(text)
        for start, end in segments(plain, *paragraph.span(), language or "en")
        for span in cut(text, start, end)
    ]


def segments(text: str, start: int, end: int, language: str) -> Iterator[Span]:
    """Yield what the segmenter finds in ``text[start:end]``, with no gap between."""
    from sentencex import segment

    while start < end:
        stop = reach(text, start, end, WINDOW)
        found = list(finished(segment(language, text[start:stop])))
        if stop < end and len(found) > 1:
            # The window may have cut the last sentence: begin again where it begins.
            found.pop()
        for part in found:
            yield start, start + len(part)
            start += len(part)


def finished(parts: Iterable[str]) -> Iterator[str]:
    """Join each part that ends in the middle of a sentence to the next one."""
    pending = ""
    for part in parts:
        pending += part
        if not UNFINISHED.search(part[-12:]):
            yield pending
            pending = ""
    if pending:
        yield pending


def cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield ``text[start:end]`` without the white space around it, in pieces of bounded length."""
    while start < end:
        stop = reach(text, start, end, LONGEST)
        trimmed = text[start:stop].strip()
        if trimmed:
            begin = text.index(trimmed, start)
            yield begin, begin + len(trimmed)
        start = stop


def reach(text: str, start: int, end: int, size: int) -> int:
    """Return where to stop at most ``size`` characters on: between words where that can be."""
    stop = min(end, start + size)
    words = text[start:stop].rsplit(None, 1)
    if stop == end or text[stop - 1].isspace() or len(words) < 2:
        return stop
    return stop - len(words[1])
