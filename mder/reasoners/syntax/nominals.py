"""Noun phrases: which name a common noun stands for, and whose it is."""

from typing import TYPE_CHECKING

from mder.reasoners.syntax.phrases import is_named
from mder.reasoners.syntax.verbs import antecedent, objects, prepositions, subjects, with_conjuncts

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mder.reasoners.syntax.parser import Parsed

NAMING = frozenset({"call", "name", "title", "entitle", "dub"})
_KINDS = frozenset(
    "city town village island state province county district republic kingdom region".split()
)
_PARTS = frozenset(
    "majority half third quarter tenth number part rest lot remainder portion variety range".split()
)
_NEAR = 3  # words between a noun and a name in apposition to it


def referents(token: "Token", parsed: "Parsed") -> list["Token"]:
    """Return the tokens that name what a common noun stands for in its sentence.

    "the writer Ann Lee" and "Ann Lee, a writer, …" stand for Ann Lee; so does "writer" in
    "Ann Lee is a writer who …". "Two daughters, Eve and Ada" stand for both.
    """
    if is_named(token, parsed) or token.pos_ not in {"NOUN", "PROPN"}:
        return [token]
    if token.lemma_ in _PARTS:
        # "the majority of voters" are voters.
        whole = [t for word, t in prepositions(token, token) if word == "of"]
        return whole or [token]
    named = (
        described(token)
        or _renamed(token, parsed)
        or _in_apposition(token, parsed)
        or _of_kind(token, parsed)
    )
    if named is None:
        return [token]
    return with_conjuncts(named) if token.tag_ == "NNS" and named.i > token.i else [named]


def described(noun: "Token") -> "Token | None":
    """Return the subject of which a noun is the complement: "Ann Lee is a writer"."""
    while noun.dep_ == "conj":
        noun = noun.head
    if noun.dep_ != "attr" or noun.head.lemma_ != "be":
        return None
    return next((s for s in subjects(noun.head) if s.pos_ != "NOUN" or s.i != noun.i), None)


def _renamed(token: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name given to a noun: "a company called Orion"."""
    called = next((t for t in token.children if t.dep_ == "acl" and t.lemma_ in NAMING), None)
    return None if called is None else name_given(called, parsed)


def _in_apposition(token: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name beside a noun: "the writer Ann Lee", "Ann Lee, a writer"."""
    if token.dep_ == "appos" and is_named(token.head, parsed):
        return token.head
    return next((t for t in token.children if beside(t, token) and is_named(t, parsed)), None)


def _of_kind(token: "Token", parsed: "Parsed") -> "Token | None":
    """Return the place in "the town of Halden"."""
    if token.lemma_ not in _KINDS:
        return None
    targets = (target for word, target in prepositions(token, token) if word == "of")
    return next((t for t in targets if is_named(t, parsed)), None)


def beside(child: "Token", noun: "Token") -> bool:
    """Say whether a word stands in apposition to a noun, close by."""
    return child.dep_ == "appos" and child.left_edge.i - noun.i <= _NEAR


def name_given(verb: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name in "a company called Orion"."""
    return next((t for t in objects(verb) if is_named(t, parsed)), None)


def owner(noun: "Token") -> "Token | None":
    """Return whose a noun is: "her father", "the capital of France"."""
    if noun.pos_ != "NOUN":
        return None
    whose = next((t for t in noun.children if t.dep_ == "poss"), None)
    if whose is None:
        return next((target for word, target in prepositions(noun, noun) if word == "of"), None)
    return antecedent(whose, noun)
