"""Rewrites a question so that the parser cannot misread it.

Titles hold commas, brackets, verbs and question marks that lead a dependency parser astray: one
plain proper noun stands in for each name. Words that mean two hops ("maternal grandfather",
"mother-in-law") and fixed phrases ("place of birth") are spelt out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mder.reasoners.syntax.query_names import STAND_IN, STEMS, find
from mder.reasoners.syntax.query_words import Known

DESCRIPTORS = frozenset(
    """film movie song single album record book novel play poem magazine newspaper journal band
    group company series show game opera painting city town village river mountain actor actress
    singer writer director player genus plant species drink airport school university team club
    party comedy drama thriller documentary sitcom musical sculpture poem symphony""".split()
)
# After other words than "the", these may be verbs.
_VERBS = frozenset("play show record book plant drink team".split())
_DESCRIBED = re.compile(
    r"\bthe\s+(?:[12]\d\d\d\s+)?(?:(?!(?:of|in|on|at|by|for|from|with|to|and|or|the|a|an|that|who"
    r"|which|where)\b)[A-Za-z-]+ ){0,3}?"
    rf"(?:{'|'.join(sorted(DESCRIPTORS))})s?\s+(?={STAND_IN})"
    rf"|\b(?:[12]\d\d\d\s+)?(?:{'|'.join(sorted(DESCRIPTORS - _VERBS))})s?\s+(?={STAND_IN})"
)
# Each means the second of the first: the father of the mother, the mother of the spouse.
_TWO_HOPS = {
    "paternal grandfather": ("father", "father"),
    "paternal grandmother": ("father", "mother"),
    "maternal grandfather": ("mother", "father"),
    "maternal grandmother": ("mother", "mother"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "brother-in-law": ("spouse", "brother"),
    "sister-in-law": ("spouse", "sister"),
    "sibling-in-law": ("spouse", "sibling"),
    "child-in-law": ("child", "spouse"),
    "son-in-law": ("daughter", "husband"),
    "daughter-in-law": ("son", "wife"),
    "stepfather": ("mother", "husband"),
    "stepmother": ("father", "wife"),
    "stepchild": ("spouse", "child"),
    "stepson": ("spouse", "son"),
    "stepdaughter": ("spouse", "daughter"),
}
_PHRASES = {
    r"(?:place|town|city) of birth|birth ?place": "birthplace",
    r"(?:place|town|city) of death": "deathplace",
    r"(?:date|day|year) of birth|birth (?:date|year)|birthday": "birthdate",
    r"(?:date|day|year) of death|death (?:date|year)": "deathdate",
}


@dataclass(frozen=True, slots=True)
class Masked:
    """A question with stand-ins; ``names`` leads from each to the name."""

    text: str
    names: Mapping[str, str]


def mask(question: str, known: Known | None = None) -> Masked:
    """Replace each name by a stand-in, and spell out what hides a hop.

    :param known: says whether a string is a name in the graph.
    """
    question = question.replace("\0", " ")
    if question.isupper():
        question = question.lower()
    pieces: list[str] = []
    stand_ins: dict[str, str] = {}
    at = 0
    for span in find(question, known):
        stand_in = stand_ins.setdefault(span.name, _stand_in(len(stand_ins)))
        pieces += [
            question[at : span.start],
            " " if _touches(question, span.start) else "",
            stand_in,
        ]
        at = span.end
    text = " ".join(("".join(pieces) + question[at:]).split())
    return Masked(_spell_out(text), {s: name for name, s in stand_ins.items()})


def _touches(question: str, start: int) -> bool:
    """Say whether a name follows a word, or another name, without a space."""
    return start > 0 and (question[start - 1].isalnum() or question[start - 1] in "\"”»’'")


def _stand_in(number: int) -> str:
    turn, stem = divmod(number, len(STEMS))
    return f"{STEMS[stem]}{'n' * turn}ville"


def _spell_out(text: str) -> str:
    text = _DESCRIBED.sub("", text)
    for phrase, word in _PHRASES.items():
        text = re.sub(rf"\b(?:{phrase})\b", word, text)
    for word, (first, second) in _TWO_HOPS.items():
        text = re.sub(rf"(['’]s?) {word}\b", rf"\1 {first}'s {second}", text)
        text = re.sub(rf"\b{word} of\b", f"{second} of the {first} of", text)
    return text
