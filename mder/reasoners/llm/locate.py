"""Names and quotations found again in the text that they are said to come from."""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from mder.sentences import Span, sentences

_MINUS, _QUOTES = "\u2212", '"`\u00b4\u201a\u201e'


@dataclass(frozen=True, slots=True)
class Folded:
    """A text without case, accents and doubled spaces, that knows where each character was."""

    text: str
    offsets: tuple[int, ...]

    def find(self, passage: str) -> Span | None:
        """Return where a passage stands in the original text, or None.

        A passage that begins or ends with a letter or digit is not found inside a longer word,
        except in scripts without case, which may join words.
        """
        needle = fold(passage).text
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            end = at + len(needle)
            if not (_joined(self.text, at) or _joined(self.text, end)):
                return self.offsets[at], self.offsets[end - 1] + 1
            at = self.text.find(needle, at + 1)
        return None


def fold(text: str) -> Folded:
    """Fold a text; spaces at its ends are dropped."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        for folded in _folded(character):
            if folded == " " and (not characters or characters[-1] == " "):
                continue
            characters.append(folded)
            offsets.append(offset)
    if characters and characters[-1] == " ":
        characters.pop()
        offsets.pop()
    return Folded("".join(characters), tuple(offsets))


def _folded(character: str) -> str:
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category == "Pd" or character == _MINUS:
        return "-"
    if category in ("Pi", "Pf") or character in _QUOTES:
        return "'"
    parts = unicodedata.normalize("NFKD", character).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part))


def _joined(text: str, at: int) -> bool:
    """Say whether the characters on both sides of a position are of one word or number."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    cased = left.upper() != left and right.upper() != right
    return cased or (left.isdecimal() and right.isdecimal())


def holding(text: str, spans: Sequence[Span], names: Sequence[str]) -> Span | None:
    """Return the first of the spans whose text holds all the names, or None."""
    for start, end in spans:
        folded = fold(text[start:end])
        if all(folded.find(name) for name in names):
            return start, end
    return None


def widened(spans: Sequence[Span], passage: Span) -> Span:
    """Return a passage that reaches to the ends of the spans that it touches."""
    touched = [span for span in spans if span[0] < passage[1] and passage[0] < span[1]]
    return (touched[0][0], touched[-1][1]) if touched else passage


def cut(text: str, limit: int) -> str:
    """Return the sentences from the start of a text that fit a number of characters."""
    if len(text) <= limit:
        return text
    ends = [end for _, end in sentences(text)]
    fitting = bisect_right(ends, limit)
    if fitting:
        return text[: ends[fitting - 1]].rstrip()
    return text[:limit].rsplit(" ", 1)[0]
