"""Names and quotations found again in the text that they are said to come from."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mder.sentences import Span, sentences

REACH = 2  # sentences over which a pronoun may point back
_PART = 0.3  # of a name's words
_ENOUGH = 3.0  # of a score: one name whole, or most of both
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
        needle = _needle(passage)
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            end = at + len(needle)
            if not (_joined(self.text, at) or _joined(self.text, end)):
                return self.offsets[at], self.offsets[end - 1] + 1
            at = self.text.find(needle, at + 1)
        return None

    def find_inflected(self, name: str) -> bool:
        """Say whether the words of a name stand here in a row, with endings of their own."""
        pattern = _with_endings(name)
        return pattern is not None and pattern.search(self.text) is not None


# A name is looked for in each sentence of a page, and the names of a page come again.
@lru_cache(maxsize=4096)
def _needle(passage: str) -> str:
    return fold(passage).text


@lru_cache(maxsize=4096)
def _with_endings(name: str) -> re.Pattern[str] | None:
    words = _needle(name).split()
    pattern = r"[\s'-]+".join(map(_inflected, words))
    return re.compile(rf"(?<!\w){pattern}(?!\w)") if words else None


def _inflected(word: str) -> str:
    """Return a pattern for a word with any ending; short ones change little, numbers never."""
    if any(character.isdecimal() for character in word):
        return re.escape(word)
    if len(word) <= 4:
        return rf"{re.escape(word)}\w{{0,2}}"
    return rf"{re.escape(word[: -min(2, len(word) - 4)])}\w{{0,3}}"


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


@lru_cache(maxsize=4096)
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


def stating(
    sentences: Sequence[Folded], subject: Sequence[str], relation: str, obj: Sequence[str]
) -> int | None:
    """Return the place of the sentence that states a fact best, the first of equals, or None.

    It has the object or the subject; the other one may stand in it in part, or be a pronoun.

    :param subject: names of the subject; ``obj`` of the object.
    :param relation: a predicate in UPPER_SNAKE_CASE, whose words may stand in it.
    """
    words = relation.lower().split("_")
    scores = [
        4 * _named(sentence, obj)
        + 3 * _named(sentence, subject)
        + sum(sentence.find_inflected(w) for w in words if len(w) > 3) / len(words)
        for sentence in sentences
    ]
    best = max(scores, default=0.0)
    return scores.index(best) if best >= _ENOUGH else None


def _named(sentence: Folded, names: Sequence[str]) -> float:
    """Return how far a sentence has one of these names, from 0 to 1."""
    if any(sentence.find(name) is not None for name in names):
        return 1.0
    return max((_share(sentence, name) for name in names), default=0.0)


def follows(
    before: Sequence[Folded], sentences: Sequence[Folded], place: int, subject: Sequence[str]
) -> bool:
    """Say whether a sentence, or one just before it, names a subject in part at least.

    :param before: the sentences before the first one.
    """
    near = [*before, *sentences[: place + 1]][-REACH - 1 :]
    return any(_named(sentence, subject) >= _PART for sentence in near)


def _share(sentence: Folded, name: str) -> float:
    """Return the share of the words of a name that a sentence has, inflected at least."""
    words = name.split()
    return 0.9 * sum(sentence.find_inflected(word) for word in words) / max(len(words), 1)


def halves(text: str, language: str = "") -> tuple[str, ...]:
    """Return a text in two, cut between sentences; nothing where it has only one.

    :param language: ISO 639-1, where it is known.
    """
    starts = [start for start, _ in sentences(text, language)][1:]
    if not starts:
        return ()
    middle = min(starts, key=lambda at: abs(2 * at - len(text)))
    return text[:middle], text[middle:]


def cut(text: str, limit: int) -> str:
    """Return the sentences from the start of a text that fit a number of characters."""
    if len(text) <= limit:
        return text
    ends = [end for _, end in sentences(text)]
    fitting = bisect_right(ends, limit)
    if fitting:
        return text[: ends[fitting - 1]].rstrip()
    return text[:limit].rsplit(" ", 1)[0]
