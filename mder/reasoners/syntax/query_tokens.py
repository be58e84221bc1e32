"""What single tokens of a parsed question tell, before anything has a value."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_order import MARK
from mder.reasoners.syntax.roles import counts

if TYPE_CHECKING:
    from spacy.tokens import Token

WH = frozenset({"WP", "WDT", "WRB", "WP$"})
CLAUSES = frozenset({"relcl", "acl"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})
_NAMING = frozenset({"called", "named", "titled", "entitled"})


def asks(token: "Token") -> bool:
    """Say whether a token is a question word, or a noun with one: "which river"."""
    asked = any(
        (t.tag_ in {"WDT", "WP"} or t.lower_ == MARK) and t.dep_ == "det" for t in token.lefts
    )
    return token.tag_ in WH or asked or counts(token) or fronting(token) is not None


def bare(token: "Token") -> bool:
    """Say whether "N of this token" asks for N itself: "a population of what"."""
    return token.tag_ in WH or counts(token)


def fronting(noun: "Token") -> "Token | None":
    """Return the preposition that the parser left to the question word: "in which county is N"."""
    before = noun.doc[noun.left_edge.i - 1] if noun.left_edge.i else noun
    asked = before.tag_ in {"WDT", "WP"} and before.dep_ == "pobj"
    return before.head if asked and before.head.i < before.i else None


def fronted(verb: "Token", subjects: Sequence["Token"]) -> "Token | None":
    """Return a question word that looks like a subject but is not: "who did N play"."""
    helpers = [t for t in verb.children if t.dep_ == "aux"]
    words = [t for helper in helpers for t in helper.children]
    words += subjects[:1] if len(subjects) > 1 else []
    asking = (t for t in words if t.tag_ in WH or any(c.tag_ in WH for c in t.lefts))
    return next(asking, None)


def naming(verb: "Token") -> bool:
    """Say whether a participle only gives a name: "a song called N"."""
    return verb.dep_ == "acl" and verb.lower_ in _NAMING


def objects_of(token: "Token", word: str) -> list["Token"]:
    """Return what stands behind a preposition of the token."""
    phrases = (t for t in token.children if t.dep_ == "prep" and t.lower_ == word)
    return [inner for phrase in phrases for inner in phrase.children if inner.dep_ == "pobj"]


def pobjs(preposition: "Token") -> Iterator["Token"]:
    """Yield the objects of a preposition, and of one nested in it."""
    for child in preposition.children:
        if child.dep_ == "pobj" or (child.dep_ == "pcomp" and child.pos_ == "NOUN"):
            yield child
        elif child.dep_ == "prep":
            yield from pobjs(child)


def owned(noun: "Token") -> bool:
    """Say whether a noun has an owner: "the director of N", "N's director"."""
    return any(t.dep_ == "poss" for t in noun.children) or bool(objects_of(noun, "of"))


def stranded(verb: "Token") -> tuple[str, ...]:
    """Return the preposition that has lost its object: "what … was N called by"."""
    for child in verb.children:
        if child.dep_ in {"prep", "agent"} and all(t.is_punct for t in child.children):
            return (child.lower_,)
        if child.dep_ == "acomp" and (inner := stranded(child)):
            return (child.lower_, *inner)
    return ()


def clauses(noun: "Token") -> list["Token"]:
    """Return the clauses that tell of a noun, those that the parser hung elsewhere as well.

    "The head of the party that N joined" tells of the party, which stands next to the clause.
    """
    found = [t for t in noun.children if t.dep_ in CLAUSES and beside(t) in {None, noun}]
    if noun.dep_ == "pobj":
        found += [t for t in noun.head.children if t.dep_ == "pcomp" and t.i > noun.i]
    return found + [t for t in noun.sent if t.i > noun.i and misplaced(t) and beside(t) == noun]


def misplaced(clause: "Token") -> bool:
    """Say whether the parser hung a clause on something else than the noun beside it."""
    noun = beside(clause)
    return noun is not None and noun != clause.head


def beside(clause: "Token") -> "Token | None":
    """Return the common noun that a clause with "that" or "which" directly follows."""
    first = clause.left_edge
    before = first.doc[first.i - 1] if first.i else first
    if before.pos_ != "NOUN" or first.lower_ not in {"that", "which"} or first == clause:
        return None
    if clause.dep_ in CLAUSES:
        return before
    # "Leads the party that N is a member of": a gap shows that the clause is a relative one.
    gap = any(stranded(t) for t in (clause, *clause.children) if t.pos_ in {"VERB", "AUX", "NOUN"})
    return before if clause.dep_ in {"ccomp", "advcl"} and gap else None


def relative(token: "Token", verb: "Token") -> bool:
    """Say whether a token is a relative pronoun of this clause and no inner one."""
    pronoun = (token.tag_ in WH and token.dep_ != "det") or (
        token.lower_ == "that" and token.dep_ in {"pobj", "dobj", "nsubj", "nsubjpass"}
    )
    if not pronoun or (token.i > verb.i and token.tag_ != "WP$"):
        return False
    return next((a for a in token.ancestors if a.dep_ in CLAUSES), None) == verb
