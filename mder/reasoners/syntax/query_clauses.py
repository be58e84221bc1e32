"""Cuts relative clauses out of a question: each becomes a statement about a stand-in of its own.

"The seat of the county where N is located" becomes "the seat of M" and "N is located in M". Short
statements are read with few mistakes; nested clauses hang on the wrong noun in most parses.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from mder.reasoners.syntax.query_names import STEMS
from mder.reasoners.syntax.query_verbs import AUXILIARIES, NOT_BEFORE_VERBS, finite, predicates

# Stands for an unknown as a stand-in stands for a name.
UNKNOWN = rf"\b(?:{'|'.join(STEMS)})n*burg\b"
NAME = rf"\b(?:{'|'.join(STEMS)})n*(?:ville|burg)\b"
PREPOSITIONS = """in on at of for by with from to into under during after before over through
    against about between within near as like""".split()
_PREPOSITION = "|".join(PREPOSITIONS)
_NOUN = rf"(?!(?:{_PREPOSITION}|and|or|is|was|are|were|{NAME})\b)[A-Za-z-]+"
_CLAUSE = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Tt]his|that|one|another|some|what|which) "
    rf"(?P<noun>(?:{_NOUN} ){{0,4}}?{_NOUN}),? "
    rf"(?:(?P<prep>{_PREPOSITION}) (?:which|whom)|(?P<word>that|which|who|whom|where|whose)) "
)
_OPENING = re.compile(
    rf"(?:the|an?|this) (?:{_NOUN} )+?(?:(?:{_PREPOSITION}) which|who|that|which|whose|where) ",
    re.IGNORECASE,
)
_MOST = 8  # clauses cut out of one question
_HAD = re.compile(r"\b(?:has|have|had|with) $")
_PRONOUN = re.compile(r"(?:he|she|it|they|we|you|i|his|her|its|their)\b", re.IGNORECASE)
_STRANDED = re.compile(rf"\b(?:{_PREPOSITION})$")
_TRIVIAL = re.compile(
    r"\W*(?:who|what|which(?: [a-z]+)?) (?:is|are|was|were) (?:the name of )?"
    rf"(?P<unknown>{UNKNOWN})\W*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Cutter:
    """Collects the statements that were cut out of one question.

    :param nouns: leads from the stand-in of an unknown to the noun that it stands for.
    """

    clauses: list[str] = field(default_factory=list)
    nouns: dict[str, str] = field(default_factory=dict)

    def phrase(self, text: str) -> str:
        """Cut the clauses that a noun phrase ends in, the innermost first."""
        return self._cut(text, 0)

    def question(self, text: str) -> str:
        """Cut the clauses that a question ends in; one on its first noun has a verb behind it."""
        return self._cut(self._opening(text), 1)

    def _cut(self, text: str, start: int) -> str:
        while len(self.nouns) < _MOST:
            match = _last(text)
            if match is None or match.start() < start:
                break
            turn, stem = divmod(len(self.nouns), len(STEMS))
            stand_in = f"{STEMS[-1 - stem]}{'n' * turn}burg"
            clause = _statement(match, stand_in)
            if not clause:
                break
            self.nouns[stand_in] = match["noun"].split()[-1].lower()
            self.clauses.append(f"{clause}.")
            before = text[: match.start()]
            # "Had a drummer who …" says what its owner has.
            kept = f"a {match['noun']} named " if _HAD.search(before) else ""
            text = before + kept + stand_in + ("?" if text.endswith("?") else "")
        return text

    def _opening(self, text: str) -> str:
        """Cut the clause from "The actor who played N won which award?"."""
        match = _OPENING.match(text)
        ends = _main_verb(text, match.end()) if match else 0
        return f"{self.phrase(text[: ends - 1])} {text[ends:]}" if ends else text


def identified(text: str) -> str:
    """Return the unknown that a question only asks to name ("Who is M?"), or ``""``."""
    match = _TRIVIAL.fullmatch(text)
    return match["unknown"] if match else ""


def _last(text: str) -> re.Match[str] | None:
    """Return the opening of the last relative clause of a text, which is the innermost one."""
    return next(reversed(list(_CLAUSE.finditer(text))), None)


def _statement(match: re.Match[str], unknown: str) -> str:
    """Return what a relative clause says as a statement about the unknown, or ``""``."""
    rest, word = match.string[match.end() :].rstrip(" ,.?"), match["word"]
    if not rest or _PRONOUN.match(rest):
        return ""
    if match["prep"] == "in" or (word == "where" and not _STRANDED.search(rest)):
        # In front, it hangs on the verb for certain.
        return f"In {unknown}, {rest}"
    if match["prep"] or word == "where":
        return " ".join(filter(None, (rest, match["prep"], unknown)))
    if word == "whose":
        return f"{unknown}'s {rest}"
    return f"{unknown} {rest}" if predicates(rest) else _with_object(rest, unknown)


def _with_object(clause: str, unknown: str) -> str:
    """Return "N plays M in the film" for "(that) N plays in the film"."""
    words = clause.split()
    places = (i for i in range(1, len(words)) if finite(" ".join(words[i:])))
    place = None if _STRANDED.search(clause) else next(places, None)
    if place is None or words[place] in AUXILIARIES:
        return f"{clause} {unknown}"
    return " ".join((*words[: place + 1], unknown, *words[place + 1 :]))


def _main_verb(text: str, start: int) -> int:
    """Return where the main verb begins behind a relative clause that starts there, or 0."""
    words = list(re.finditer(r"\S+", text[start:]))
    for before, word in pairwise(words[1:]):
        governed = before.group() in NOT_BEFORE_VERBS or before.group().endswith("ly")
        if not governed and finite(text[start + word.start() :]):
            return start + word.start()
    return 0
