"""What a comparison compares: the predicate that gives each option's value, and which end wins."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from mder.reasoners.syntax.roles import PERSONS
from mder.reasoners.syntax.verbs import predicate

LEAST, MOST, SAME = "least", "most", "same"

_TIMES = {
    "most recently": MOST,
    "more recently": MOST,
    "earlier": LEAST,
    "earliest": LEAST,
    "first": LEAST,
    "later": MOST,
    "latest": MOST,
    "last": MOST,
}
_TIME = re.compile(
    r"(?P<verb>(?:(?:is|was|were|has|had|been) )*(?!(?:is|was|were|has|had|the|an?)\b)[a-z]+"
    rf"(?: (?:out|up|(?:in|into|to|on|at)(?: [a-z]+)?))?) (?:the )?(?P<time>{'|'.join(_TIMES)})\b"
)
_AGE = re.compile(
    r"\b(?P<old>older|oldest|elder|eldest)\b"
    r"|\b(?:younger|youngest|newer|newest|(?:more|most) recent)\b"
)
_LIVED = re.compile(
    r"\blived? (?:the longest|longer|(?:an?|the) long(?:er|est) life"
    r"|to (?:an?|the) (?:old|great)er age)\b"
)
_DATED = re.compile(r"\bat an? (earlier|later) (?:date|time|point)\b")
_EXTENT = re.compile(
    r"(?P<verb>[a-z]+(?: (?:for|in|to|on|with))?) (?:an? |the )?"
    r"(?P<end>more|most|less|least|fewer|fewest|[a-z]+er|[a-z]+est)\b ?(?P<what>[A-Za-z' -]*)"
)
_LESS = re.compile(r"less|least|fewe|small|short|low|close|near|light|slow|narrow")
# The stem of an adjective leads to what texts give a figure for.
_QUANTITIES = {
    "tall": "height",
    "high": "height",
    "low": "height",
    "long": "length",
    "larg": "size",
    "big": "size",
    "small": "size",
    "deep": "depth",
    "fast": "speed",
    "heav": "weight",
    "wid": "width",
    "populous": "population",
    "numerous": "number",
}
_WORKS = frozenset("film movie song album single book novel game series documentary".split())
_BE = frozenset({"is", "are", "was", "were", "be", "will be"})


@dataclass(frozen=True, slots=True)
class Measure:
    """What is known of each option, and which end of it is asked for.

    :param predicates: one a value; two where the span between them counts (a lifetime).
    """

    predicates: tuple[str, ...]
    expects: str
    order: str


def measure(text: str, noun: str, comparatives: Collection[str]) -> Measure | None:
    """Return what a question compares, or None where it only picks one option.

    :param text: the question without the options.
    :param noun: what the options, or those in the role that is compared, are.
    :param comparatives: the comparatives and superlatives of the question.
    """
    age = _AGE.search(text)
    if _LIVED.search(text) or (age and " died" in text):
        return Measure(("WAS_BORN", "DIED"), "duration", MOST)
    text = _DATED.sub(r"\1", text)
    time = _TIME.search(text)
    if time:
        words = time["verb"].split()
        return Measure((predicate(_finite(words)),), "date", _TIMES[time["time"]])
    if age:
        begun = "WAS_RELEASED" if noun in _WORKS else "WAS_FOUNDED"
        begun = "WAS_BORN" if not noun or noun in PERSONS else begun
        return Measure((begun,), "date", LEAST if age["old"] else MOST)
    extents = (m for m in _EXTENT.finditer(text) if m["end"] in comparatives)
    return next((_extent(m) for m in extents), None)


def _finite(words: list[str]) -> list[str]:
    """Complete a bare participle: "the director born first"."""
    if words[0] in {"is", "was", "were", "has", "had"}:
        return words
    bare = words[0] in {"born", "built", "made", "set"} or (
        words[0].endswith("ed") and words[0] not in {"died", "aired", "debuted", "opened", "ended"}
    )
    return ["was", *words] if bare else words


def _extent(match: re.Match[str]) -> Measure:
    order = LEAST if _LESS.match(match["end"]) else MOST
    verb = match["verb"]
    what = re.sub(r" (?:than|of the two|out of|between)\b.*", "", match["what"]).strip()
    compared = what if match["end"] in {"more", "most", "less", "least"} else match["end"]
    quantity = next((q for stem, q in _QUANTITIES.items() if compared.startswith(stem)), "")
    if quantity and not (what and verb not in _BE) and not verb.endswith(" for"):
        words = ["has", quantity]
    elif verb in _BE:
        words = [verb, re.sub(r"i?er$", "", compared), what]
    elif verb.endswith(" for") and not what:
        words = [verb]
    else:
        words = ["has" if verb == "have" else verb, what or quantity or match["end"]]
    return Measure((predicate(" ".join(words).split()),), "number", order)
