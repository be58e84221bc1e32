"""The statements of one parsed sentence, between tokens: subject, predicate, object."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mder.reasoners.syntax.phrases import is_named
from mder.reasoners.syntax.verbs import (
    group,
    negated,
    objects,
    predicate,
    prepositions,
    subjects,
    verbs,
    with_conjuncts,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from mder.reasoners.syntax.parser import Parsed

IS_A = "IS_A"
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_NAMING = frozenset({"call", "name", "title", "entitle", "dub"})
_WORDS = frozenset({"name", "term", "title", "word", "phrase", "nickname"})
_NEAR = 3  # words between a noun and a name in apposition to it
_WHERE = frozenset({"in", "near", "at"})


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple of tokens; a mention of each is made later, when pronouns are resolved."""

    subject: "Token"
    predicate: str
    object: "Token"
    negated: bool = False


def statements(sentence: "Span", parsed: "Parsed") -> Iterator[Statement]:
    """Yield what a sentence states: by its verbs, then within its noun phrases."""
    for verb in verbs(sentence):
        for subject in subjects(verb):
            if verb.lemma_ == "be":
                yield from _copula(verb, referent(subject, parsed), parsed)
            else:
                yield from _action(verb, referent(subject, parsed), parsed)
    for token in sentence:
        if token.pos_ in {"NOUN", "PROPN", "X"}:
            yield from _apposition(token, parsed)
            yield from _possession(token, parsed)
            yield from _location(token, parsed)


def referent(token: "Token", parsed: "Parsed") -> "Token":
    """Return the token that names what a common noun stands for in its sentence.

    "the writer Ann Lee" and "Ann Lee, a writer, …" stand for Ann Lee; so does "writer" in
    "Ann Lee is a writer who …".
    """
    if is_named(token, parsed) or token.pos_ not in {"NOUN", "PROPN"}:
        return token
    named = _described(token) or _renamed(token, parsed) or _in_apposition(token, parsed)
    return token if named is None else named


def _described(token: "Token") -> "Token | None":
    """Return the subject of which a noun is the complement: "Ann Lee is a writer"."""
    while token.dep_ == "conj":
        token = token.head
    if token.dep_ != "attr" or token.head.lemma_ != "be":
        return None
    return next((s for s in subjects(token.head) if s.pos_ != "NOUN" or s.i != token.i), None)


def _renamed(token: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name given to a noun: "a company called Orion"."""
    called = next((t for t in token.children if t.dep_ == "acl" and t.lemma_ in _NAMING), None)
    return None if called is None else _name_given(called, parsed)


def _in_apposition(token: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name beside a noun: "the writer Ann Lee", "Ann Lee, a writer"."""
    if token.dep_ == "appos" and is_named(token.head, parsed):
        return token.head
    return next((t for t in token.children if _names(t, token) and is_named(t, parsed)), None)


def _names(child: "Token", noun: "Token") -> bool:
    """Say whether a word stands in apposition to a noun, close by."""
    return child.dep_ == "appos" and child.left_edge.i - noun.i <= _NEAR


def _name_given(verb: "Token", parsed: "Parsed") -> "Token | None":
    """Return the name in "a company called Prologic"."""
    return next((t for t in objects(verb) if is_named(t, parsed)), None)


def _action(verb: "Token", subject: "Token", parsed: "Parsed") -> Iterator[Statement]:
    words, denied = group(verb), negated(verb)
    if verb.dep_ == "acl" and verb.lemma_ in _NAMING and subject == _name_given(verb, parsed):
        yield from _is_a(subject, verb.head, parsed)
        return
    for target in objects(verb):
        if target.i != subject.i:
            yield Statement(subject, predicate(words), referent(target, parsed), denied)
            yield from _of_object(subject, words, target, parsed, denied)
    for word, target in prepositions(verb, verb):
        full = [*words, *word.split()]
        yield Statement(subject, predicate(full), referent(target, parsed), denied)
        yield from _of_object(subject, full, target, parsed, denied)


def _of_object(
    subject: "Token", words: list[str], target: "Token", parsed: "Parsed", denied: bool
) -> Iterator[Statement]:
    """Say of the subject what a common noun governs: "won the prize for Physics"."""
    if not is_named(target, parsed) and target.pos_ == "NOUN":
        for word, inner in prepositions(target, target):
            if is_named(inner, parsed):
                yield Statement(
                    subject, predicate([*words, target.lemma_, *word.split()]), inner, denied
                )


def _copula(verb: "Token", subject: "Token", parsed: "Parsed") -> Iterator[Statement]:
    words, denied = group(verb), negated(verb)
    complements = [t for t in verb.children if t.dep_ in {"attr", "acomp"}]
    for complement in (c for t in complements for c in with_conjuncts(t)):
        if complement.dep_ == "acomp":
            yield from _governed(subject, [*words, complement.text], complement, parsed, denied)
        elif _owner(subject) is not None and (is_named(complement, parsed) or complement.ent_type_):
            yield from _owned(subject, complement, denied)
        elif is_named(complement, parsed):
            yield Statement(subject, predicate(words), complement, denied)
        else:
            yield from _is_a(subject, complement, parsed, denied)
    noun = [t.lemma_ for t in complements[:1] if t.pos_ == "NOUN"]
    for word, target in prepositions(verb, verb):
        stem = ["is", *(["not"] if denied else []), *noun] if noun else words
        full = [*stem, *word.split()]
        yield Statement(subject, predicate(full), referent(target, parsed), denied)
        yield from _of_object(subject, full, target, parsed, denied)


def _is_a(
    subject: "Token", noun: "Token", parsed: "Parsed", denied: bool = False
) -> Iterator[Statement]:
    if subject.i != noun.i and noun.lemma_ not in _WORDS:
        yield Statement(subject, "IS_NOT_A" if denied else IS_A, noun, denied)
        stem = ["is", "not"] if denied else ["is"]
        yield from _governed(subject, [*stem, noun.lemma_], noun, parsed, denied)
        yield from _attributes(subject, noun, stem, denied)
        for owner in (t for t in noun.children if t.dep_ == "poss"):
            yield Statement(subject, predicate([*stem, noun.lemma_, "of"]), owner, denied)


def _attributes(
    subject: "Token", noun: "Token", stem: list[str], denied: bool
) -> Iterator[Statement]:
    """Yield what adjectives say: "a 1994 Italian film" is Italian, and a film of 1994."""
    for child in noun.children:
        if child.dep_ in {"amod", "compound", "nmod"} and child.ent_type_ == "NORP":
            yield Statement(subject, predicate(stem), child, denied)
        elif child.dep_ == "nummod" and child.ent_type_ == "DATE":
            yield Statement(subject, predicate([*stem, noun.lemma_, "of"]), child, denied)


def _governed(
    subject: "Token", words: list[str], noun: "Token", parsed: "Parsed", denied: bool
) -> Iterator[Statement]:
    for word, target in prepositions(noun, noun):
        if target.i != subject.i:
            full = [*words, *word.split()]
            yield Statement(subject, predicate(full), referent(target, parsed), denied)
            yield from _of_object(subject, full, target, parsed, denied)


def _owner(noun: "Token") -> "Token | None":
    """Return whose a noun is: "her father", "the capital of France"."""
    if noun.pos_ != "NOUN":
        return None
    owner = next((t for t in noun.children if t.dep_ == "poss"), None)
    if owner is None:
        owner = next((target for word, target in prepositions(noun, noun) if word == "of"), None)
    return owner


def _owned(noun: "Token", thing: "Token", denied: bool = False) -> Iterator[Statement]:
    owner = _owner(noun)
    if owner is not None and owner.i != thing.i:
        yield Statement(owner, predicate(["has", noun.lemma_]), thing, denied)


def _apposition(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    for child in token.children:
        if is_named(token, parsed):
            yield from _beside_name(token, child, parsed)
        elif _names(child, token) and is_named(child, parsed) and _described(token) is None:
            yield from _is_a(child, token, parsed)
            yield from _owned(token, child)


def _beside_name(name: "Token", child: "Token", parsed: "Parsed") -> Iterator[Statement]:
    if child.dep_ == "appos" and child.pos_ == "NOUN" and not is_named(child, parsed):
        for noun in with_conjuncts(child):
            yield from _is_a(name, noun, parsed)
    elif child.dep_ == "appos" and {name.ent_type_, child.ent_type_} <= _PLACES:
        yield Statement(name, "IS_LOCATED_IN", child)
    elif child.dep_ in {"compound", "nmod"} and child.pos_ == "NOUN" and child.text.islower():
        # "film director Ann Lee"
        yield Statement(name, IS_A, child)


def _possession(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    """Yield who has which named thing: "the band's album Dust"."""
    if is_named(token, parsed) and token.ent_type_ != "PERSON":
        for owner in (t for t in token.children if t.dep_ == "poss"):
            yield Statement(owner, "HAS", token)


def _location(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    if is_named(token, parsed) and token.dep_ != "pobj":
        for word, target in prepositions(token, token):
            if word.lower() in _WHERE and is_named(target, parsed):
                yield Statement(token, predicate(["is", word]), target)
