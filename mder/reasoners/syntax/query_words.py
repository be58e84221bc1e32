"""The words of a question as they are written, and which of them may make up a known name."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

Known = Callable[[str], bool]

# Words that open a question, or a clause of it, with a capital and yet begin no name.
OPENERS = frozenset(
    """who whom whose what which where when why how is are was were am be do does did has have had
    can could will would shall should may might must in on at to of for from by with under during
    after before since until according aside besides between both considering the an a name tell
    give list if as while and or but that this these those there it its his her their he she they
    among also out into about not""".split()
)
JOINERS = frozenset(
    """of the de del della delle di da do dos das du des la le les el los las von van der den het
    ter zu bin ibn al y e und et og""".split()
)
_FUNCTION = OPENERS | JOINERS
_ENDING = re.compile(r"[)\]]*(?:['’]s|(?<=s)['’])?[,:;?!)\]}\"]*$")
_LONGEST = 14  # words of a name
_GAP = 3  # words without a capital between two that have one
_LOOK_UPS = 60  # a question


@dataclass(frozen=True)
class Word:
    """A word without the punctuation around it; ``trail`` is what follows it directly."""

    start: int
    end: int
    text: str
    trail: str
    bracketed: bool

    @cached_property
    def capital(self) -> bool:
        """Whether a name can begin or go on here; letters without case belong to names only."""
        letter = next((c for c in self.text if c.isalnum()), "")
        return letter.isalpha() and not letter.islower()

    @cached_property
    def number(self) -> bool:
        """Whether it is a number, or a sign that stands between names like one."""
        return bool(re.match(r"['’]?\d", self.text)) or self.text in {"&", "–", "-", "/"}


def split(question: str, start: int, end: int) -> Iterator[Word]:
    """Yield the words between two places of a question."""
    for match in re.finditer(r"\S+", question[start:end]):
        raw = match.group()
        lead = len(raw) - len(raw.lstrip('([{¿¡"'))
        text = _ENDING.sub("", raw[lead:])
        if not question[start + match.end() :].strip(" ?"):
            text = text.rstrip(".")
        if text:
            at = start + match.start() + lead
            bracketed = raw.startswith("(")
            yield Word(at, at + len(text), text, raw[lead + len(text) :], bracketed)


class Lookup:
    """Asks whether strings are names in the graph: each once, and a bounded number of them."""

    def __init__(self, known: Known | None) -> None:
        self._known = known
        self._asked: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        """Say whether a string is a name; False for all that come too late."""
        if name not in self._asked:
            if self._known is None or len(self._asked) >= _LOOK_UPS:
                return False
            self._asked[name] = self._known(name)
        return self._asked[name]


def runs(words: Sequence[Word], cased: bool) -> list[tuple[int, int]]:
    """Return the first and last words of what may be a name, the likeliest runs first.

    :param cased: names in this question have capitals.
    """
    found = []
    for first in range(len(words)):
        for last in range(first, min(len(words), first + _LONGEST)):
            if last > first and "?" in words[last - 1].trail:
                break
            rank = _rank(words, first, last, cased)
            if rank is not None:
                found.append((rank, first - last, first, last))
    return [(first, last) for _, _, first, last in sorted(found)]


def _rank(words: Sequence[Word], first: int, last: int, cased: bool) -> int | None:
    """Return 0 for runs between capitals, more for others, None for no names."""
    start, end = words[first], words[last]
    opens = start.text.lower() in OPENERS
    if not cased:
        ends = end.text.lower() in OPENERS
        return None if opens or ends or first == last else 0
    inside = [i for i in range(first, last + 1) if words[i].capital or words[i].number]
    if not any(words[i].capital for i in inside) or (
        opens and (not start.capital or start.start == 0)
    ):
        return None
    gaps = [b - a - 1 for a, b in zip([first, *inside], inside, strict=False)]
    if max(gaps) > _GAP or last - inside[-1] > 2 * _GAP:
        return None
    closed = inside[-1] == last
    between = any(words[i].text in _FUNCTION for i in range(first, last))
    # "Gone with the wind" is a title, "Danish chemist" is a kind of chemist.
    if not closed and (end.text in _FUNCTION or not between):
        return None
    return (0 if closed else 1) if start.capital or start.number else 2
