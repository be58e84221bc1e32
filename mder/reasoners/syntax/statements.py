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
    if is_named(token, parsed) or token.pos_ != "NOUN":
        return token
    named = next((t for t in token.children if t.dep_ == "appos" and is_named(t, parsed)), None)
    if named is not None:
        return named
    if token.dep_ == "appos" and is_named(token.head, parsed):
        return token.head
    called = next((t for t in token.children if t.dep_ == "acl" and t.lemma_ in _NAMING), None)
    if called is not None and (name := _name_given(called, parsed)) is not None:
        return name
    complement = token
    while complement.dep_ == "conj":
        complement = complement.head
    if complement.dep_ == "attr" and complement.head.lemma_ == "be":
        found = subjects(complement.head)
        return found[0] if found else token
    return token


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
    """ "won the prize for Physics": what a common noun governs is said of the subject as well."""
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
        for owner in (t for t in noun.children if t.dep_ == "poss"):
            yield Statement(subject, predicate([*stem, noun.lemma_, "of"]), owner, denied)


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
    named = is_named(token, parsed)
    for child in token.children:
        if child.dep_ == "appos":
            other = is_named(child, parsed)
            if named and not other and child.pos_ == "NOUN":
                for noun in with_conjuncts(child):
                    yield from _is_a(token, noun, parsed)
            elif other and not named and token.pos_ == "NOUN":
                yield from _is_a(child, token, parsed)
                yield from _owned(token, child)
            elif named and other and {token.ent_type_, child.ent_type_} <= _PLACES:
                yield Statement(token, "IS_LOCATED_IN", child)
        elif named and child.dep_ in {"compound", "nmod"} and child.pos_ == "NOUN":
            if child.i < token.i and child.text.islower():
                yield Statement(token, IS_A, child)


def _possession(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    """ "Pink Floyd's The Wall", "the film's sequel, Dust": who has which named thing."""
    if is_named(token, parsed) and not token.ent_type_ == "PERSON":
        for owner in (t for t in token.children if t.dep_ == "poss"):
            yield Statement(owner, "HAS", token)


def _location(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    if is_named(token, parsed) and token.dep_ != "pobj":
        for word, target in prepositions(token, token):
            if word.lower() in _WHERE and is_named(target, parsed):
                yield Statement(token, predicate(["is", word]), target)
