"""What nouns and question words ask for: predicates of possession, and expected types."""

from typing import TYPE_CHECKING

from mder.reasoners.syntax.verbs import predicate

if TYPE_CHECKING:
    from spacy.tokens import Token

PERSONS = frozenset(
    """father mother parent son daughter child brother sister sibling husband wife spouse partner
    uncle aunt nephew niece cousin grandfather grandmother grandson granddaughter grandchild
    grandparent ancestor director producer composer author writer screenwriter performer singer
    actor actress artist creator founder inventor owner editor president leader mayor governor
    king queen emperor manager coach captain conductor drummer guitarist vocalist architect
    designer teacher student successor predecessor narrator chairman commander discoverer
    publisher player man woman person people individual""".split()
)
# Roles that people as well as companies have.
_BODIES = frozenset(
    """employer owner publisher manufacturer maker developer operator distributor sponsor
    broadcaster winner champion""".split()
)
# Attributes that texts state with a verb.
_STATED = {
    "birthplace": ("WAS_BORN_IN", "place"),
    "deathplace": ("DIED_IN", "place"),
    "birthdate": ("WAS_BORN", "date"),
    "deathdate": ("DIED", "date"),
    "age": ("IS_AGED", "number"),
    "name": ("IS_NAMED", ""),
}
EXPECTS = {
    "year": "date",
    "date": "date",
    "day": "date",
    "month": "date",
    "decade": "date",
    "century": "date",
    "time": "date",
    "location": "place",
    "place": "place",
    "number": "number",
    "population": "number",
    "height": "number",
    "length": "number",
    "percentage": "number",
    "organisation": "organization",
}
_WORDS = {"who": "person", "whom": "person", "whose": "person", "where": "place", "when": "date"}
_EMPTY = frozenset({"same", "other", "many", "more", "most", "much"})
_MEASURES = frozenset("many much old long tall high far large big deep fast often".split())
# "What colour is N" asks for what N has, not for what N is.
ATTRIBUTES = frozenset(
    """nationality ethnicity religion colour color age height size length depth weight genre
    profession occupation language gender shape denomination population currency""".split()
)
# "The name of the river", "a kind of bread": what they ask for is the noun behind.
TRANSPARENT = frozenset(
    "name title kind type sort one city town village end beginning start middle".split()
)


def has(noun: "Token") -> str:
    """Return the predicate that leads from an owner to what it owns: HAS_DIRECTOR."""
    modifiers = telling(noun)
    stated = _STATED.get(noun.lemma_.lower())
    if stated and not modifiers:
        return stated[0]
    head = noun.lower_ if noun.tag_ in {"NNS", "NNPS"} and counts(noun) else noun.lemma_.lower()
    return predicate(["has", *modifiers, head])


def telling(noun: "Token") -> list[str]:
    """Return the modifiers of a noun that say which kind it is: "original name"."""
    kept = (t for t in noun.lefts if t.dep_ in {"amod", "compound", "nmod"})
    return [t.lower_ for t in kept if t.pos_ != "PROPN" and t.lower_ not in _EMPTY]


def counts(noun: "Token") -> bool:
    """Say whether a noun is asked for its number: "how many members"."""
    return any(t.lower_ in {"many", "much"} and _how(t) for t in noun.lefts)


def _how(token: "Token") -> bool:
    return any(t.lower_ == "how" for t in token.lefts)


def expected(token: "Token") -> str:
    """Return the type that a question word or an asked noun expects, or an empty string."""
    lower = token.lower_
    if lower in _WORDS:
        return _WORDS[lower]
    if token.pos_ not in {"NOUN", "PROPN"}:
        return "number" if lower == "how" and token.head.lower_ in _MEASURES else ""
    return "number" if counts(token) else kind(token.lemma_.lower())


def kind(lemma: str) -> str:
    """Return the type that a noun speaks of."""
    if lemma in _BODIES:
        return ""
    if lemma in PERSONS:
        return "person"
    if lemma in _STATED:
        return _STATED[lemma][1]
    return EXPECTS.get(lemma, lemma)


def singular(noun: str) -> str:
    """Return the singular of a noun."""
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun
