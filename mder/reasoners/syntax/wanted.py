"""What kind of answer a question wants, by its question words and the nouns behind them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mder.names import normalise
from mder.reasoners.syntax.passages import STOP, WORD, Passage, key, words_of
from mder.reasoners.syntax.relations import content
from mder.reasoners.syntax.roles import PERSONS, kind, singular
from mder.records import Question, is_placeholder

PERSON, PLACE, DATE, YEAR, NUMBER = "person", "place", "date", "year", "number"
GROUP, ORGANIZATION, THING, TEXT = "group", "organization", "", "text"

_KINDS = {
    noun: one
    for one, nouns in {
        PLACE: """place location city town village country nation state county province region
            district continent island river lake ocean sea mountain capital birthplace hometown
            territory municipality borough neighborhood neighbourhood prefecture street area
            department republic kingdom parish suburb community peninsula valley""",
        YEAR: "year decade century",
        DATE: "date day month birthday birthdate deathdate",
        NUMBER: "number percentage amount percent",
        GROUP: "nationality ethnicity citizenship nationalities",
        ORGANIZATION: """company organization organisation band group team club university college
            school label party agency network corporation institution firm publisher employer
            studio league airline church channel newspaper manufacturer brand department""",
        PERSON: "person star stepchild stepmother stepfather politician whom" + " ".join(PERSONS),
    }.items()
    for noun in nouns.split()
} | dict.fromkeys(PERSONS, PERSON)
# A question word with its noun, but not a relative pronoun: "that it crosses in which county".
_ASKING = re.compile(
    r"\b(?P<word>what|which|whose)\b(?P<is>'s| is| was| are| were)?"
    r"(?P<rest>(?! (?:he|she|it|they|we|you|i|his|her|its|their|this|that|these|has|have|had|did"
    r"|does|do|will|would|can|could)\b).*)",
    re.IGNORECASE,
)
_EXTENTS = "many|much|tall|long|old|far|high|large|big|deep|wide|fast|heavy"
_HOW_MANY = re.compile(
    rf"\bhow (?:{_EXTENTS})\b|"
    r"\bwhat (?:is|was|were|are) the (?:total |current |estimated |average )*"
    r"(?:number|population|percentage|amount|height|length|width|size|elevation|area|age|depth|speed|"
    r"distance|cost|price|capacity)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(r"\b(?:did|was|were|has|have|had)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (?:(?!(?:is|was|does|has)\b)[\w'-]+ ){0,3}?"
    r"(?P<noun>(?!(?:is|was|does|has)\b)[a-z]+(?<![uis])s|people|men|women|children)\b",
    re.IGNORECASE,
)
# How many these are stands beside "population" as well.
_PEOPLE = frozenset({"people", "persons", "inhabitants", "residents"})
_WAY = rf"^\W*(?:how (?!{_EXTENTS}|often)|why\b)"
_ASKS_WAY = re.compile(_WAY, re.IGNORECASE)
_TELL = re.compile(
    rf"{_WAY}|^\W*(?:what (?:is|are|was|were|does|do|did) (?:an? |the )?[a-z][a-z0-9' -]*\??$"
    r"|(?:define|meaning of|definition of)\b)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:who|whom)\b", re.IGNORECASE)
_WHO_BODY = re.compile(
    r"\bwho (?:is|was|are|were) the (?:[a-z]+ )?(?:employer|owner|publisher|manufacturer"
    r"|distributor|developer|record label|broadcaster|operator|winner)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"^\W*(?:(?:in|on|at|by|for|of|from|to|with|after|as|and) )?(?:the )?"
    r"(?P<word>who|whom|whose|what|which|when|where|how)\b",
    re.IGNORECASE,
)
# Words at which the noun phrase behind a question word ends.
_ENDS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|do|will|would|can|could|of|that|who|which|whose|"
    r"whom|in|on|at|for|from|by|with|to|where|when|as|located|born|[a-z]+ed|wrote|won|made|sang|led"
    r"|held|known)\b|[,?;:]",
    re.IGNORECASE,
)
_OF = re.compile(r"^ (?:kind|type|sort|kinds|types|name|title|part|one)s? of (?:the |an? )?")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answer has to be, and the words of the question to look for near it.

    :param kind: "person", "place", "date", "year", "number", "group", "organization", "text"
        where a sentence answers best, or ``""`` where nothing is known of it.
    :param noun: the noun that the answer is one of, in the form of :func:`~.passages.key`.
    :param focus: content words of the relation that leads to the answer.
    :param words: content words of the whole question.
    :param said: the question, normalised, between spaces.
    :param near: the named things that the relation asked for leads from.
    :param indirect: it leads from something that is not named and has to be found first.
    :param steps: how many relations the question holds.
    :param relation: the predicate of the relation asked for.
    :param relations: content words of all relations.
    :param counted: it is how many there are of the noun.
    :param happened: it is asked how something was or came about, not what it is like.
    """

    kind: str
    noun: str
    focus: frozenset[str]
    words: frozenset[str]
    said: str
    near: tuple[str, ...] = ()
    indirect: bool = False
    steps: int = 1
    relation: str = ""
    relations: frozenset[str] = frozenset()
    counted: bool = False
    happened: bool = False

    def spoken(self, found: Sequence[Passage]) -> bool:
        """Say whether some passages speak of a relation that the question holds."""
        words = frozenset[str]().union(*(p.words for p in found))
        return not self.relations or not self.relations.isdisjoint(words)


def wanted(question: Question) -> Wanted:
    """Return what a question wants."""
    text = question.text
    noun = _noun(text)
    if re.search(
        rf"\b(?:what|which) (?:[\w-]+ )?{re.escape(question.expects)}\b", text, re.IGNORECASE
    ):
        # The parser knows better where the noun phrase ends.
        noun = question.expects or noun
    asked = [t for t in question.triples if question.asks in {t.subject, t.object}]
    focus = frozenset().union(*(content(t.predicate) for t in asked))
    ends = dict.fromkeys(end for t in asked for end in (t.subject, t.object))
    near = tuple(normalise(end) for end in ends if end and not is_placeholder(end))
    nouns = frozenset(key(w) for w in WORD.findall(noun))
    return Wanted(
        _kind(text, noun, question.expects),
        key(singular(noun)) if noun else "",
        focus - nouns,
        words_of(text),
        f" {normalise(text)} ",
        near,
        len(question.triples) > 1 and not near,
        len(question.triples),
        next((t.predicate for t in asked), ""),
        frozenset[str]().union(*(content(t.predicate) for t in question.triples)) - nouns,
        bool(_COUNTED.search(text)) and noun not in _PEOPLE,
        bool(_HAPPENED.search(text)),
    )


def asks_way(question: Question) -> bool:
    """Say whether it is asked how or why something is so, which no name answers."""
    return _ASKS_WAY.match(question.text) is not None


def _noun(text: str) -> str:
    """Return the head of what is asked for, in lower case: "which French river" gives river."""
    counted = _COUNTED.search(text)
    if counted:
        return counted["noun"].lower()
    first = _FIRST.search(text)
    if first and first["word"].lower() in {"who", "whom", "when", "where", "how"}:
        return ""
    asking = [*_ASKING.finditer(text)]
    found = asking[0] if first and asking else next((m for m in asking if not m["is"]), None)
    if found is None:
        asking.reverse()
        found = next((m for m in asking if re.match(r" [a-z]", m["rest"])), None)
    if found is None:
        return ""
    rest = found["rest"]
    if found["is"]:
        if not re.match(r" (?:the|his|her|its|their) ", rest):
            # "What is a mill?" asks what a mill is, "what is Ida's job?" for a job.
            owned = re.search(r"['’]s? (?P<noun>[a-z]+(?: of [a-z]+)?)\??$", rest)
            return owned["noun"].split()[0] if owned else ""
        rest = re.sub(r"^ (?:the|his|her|its|their)\b", "", rest)
    rest = _OF.sub(" ", rest)
    end = _ENDS.search(rest)
    phrase = rest[: end.start()] if end else rest
    tokens = [w for w in WORD.findall(phrase) if w.lower() not in STOP]
    return tokens[-1].lower() if tokens and not tokens[-1].endswith(("'s", "’s", "s'")) else ""


def _kind(text: str, noun: str, expects: str) -> str:
    first = _FIRST.search(text)
    word = first["word"].lower() if first else ""
    if _HOW_MANY.search(text) and word in {"", "how", "what"}:
        return NUMBER
    if word in {"who", "whom"}:
        body = _WHO_BODY.search(text)
        return THING if body else PERSON
    if word in {"when", "where"}:
        return DATE if word == "when" else PLACE
    if noun:
        one = singular(noun)
        return _KINDS.get(noun) or _KINDS.get(one) or _KINDS.get(kind(one), THING)
    if _TELL.search(text):
        return TEXT
    if not word and _WHO.search(text):
        return PERSON
    return _KINDS.get(expects, THING)
