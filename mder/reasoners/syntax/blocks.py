"""What is taken out of the parser's way: whole names, and brackets.

Names whose words look like ordinary language ("What We Keep"), known from the title or from
quotation marks, become one token each; brackets ("Ada Byron (born 1815)") are set aside, for rules
of their own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ASIDE = re.compile(r"\s?\(((?:[^()\n]|\([^()\n]*\)){1,300})\)")
_QUOTED = re.compile(r"[\"“«]\s?([^\"“”«»\n]{2,90}?)[,.]?\s?[\"”»]")
_WORD = re.compile(r"\w[\w'’.-]*")
# Words of sentences rather than of names, however they are written.
_ORDINARY = frozenset(
    """i you he she it we they me him us them my your his its our their who whom whose what when
    where why how which is are was were be been am do does did has have had will would can could
    shall should may might must not no if and or but as than that this these those""".split()
)
_LONGEST_TITLE = 10  # words; a longer quotation is somebody's words


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text, by offsets: a whole name, or a bracket with what it says in ``aside``."""

    start: int
    end: int
    aside: str = ""


def blocks(text: str, names: Sequence[str]) -> list[Block]:
    """Return the blocks of a text in order, none overlapping another; brackets win over names."""
    found = [Block(m.start(), m.end(), m[1].strip()) for m in _ASIDE.finditer(text) if m[1].strip()]
    for start, end in (*_occurrences(text, names), *_quoted(text)):
        if all(end <= b.start or b.end <= start for b in found):
            found.append(Block(start, end))
    return sorted(found, key=lambda b: b.start)


def _occurrences(text: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    for name in sorted((n for n in set(names) if _confuses(n)), key=lambda n: (-len(n), n)):
        # Not where it is part of a longer name.
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w| [A-Z])", text):
            yield match.span()


def _confuses(name: str) -> bool:
    """Say whether a parser would take the words of a name for other than a name."""
    words = name.split()
    if len(words) < 2:
        return False
    marks = name[-1] in "?!.,:" or any(
        w[-1] in "?!:," or w[-2:] in {"'s", "’s"} for w in words[:-1]
    )
    return marks or any(w[0].islower() or w.lower() in _ORDINARY for w in words)


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    for match in _QUOTED.finditer(text):
        words = _WORD.findall(match[1])
        long = [w for w in words if len(w) > 3]
        if 0 < len(words) <= _LONGEST_TITLE and all(not w[0].islower() for w in long or words):
            yield match.span(1)
