"""The statements of one parsed sentence, between tokens: subject, predicate, object."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mder.reasoners.syntax.nominals import NAMING, beside, described, name_given, owner, referents
from mder.reasoners.syntax.phrases import is_named, value_span
from mder.reasoners.syntax.verbs import (
    asserted,
    excluded,
    group,
    light_object,
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
IS_NOT_A = "IS_NOT_A"
_PLACES = frozenset({"GPE", "LOC", "FAC"})
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
        if not asserted(verb):
            continue
        state = _copula if verb.lemma_ == "be" else _action
        for subject in subjects(verb):
            for name in referents(subject, parsed):
                found = state(verb, name, parsed)
                yield from map(_denied, found) if excluded(subject) else found
    for token in sentence:
        if token.pos_ in {"NOUN", "PROPN", "X"}:
            yield from _apposition(token, parsed)
            yield from _possession(token, parsed)
            yield from _location(token, parsed)


def _denied(statement: Statement) -> Statement:
    if statement.negated:
        return statement
    denied = IS_NOT_A if statement.predicate == IS_A else f"NOT_{statement.predicate}"
    return replace(statement, predicate=denied, negated=True)


def _to_all(
    subject: "Token", words: list[str], target: "Token", parsed: "Parsed", denied: bool
) -> Iterator[Statement]:
    """Yield a statement for each thing that the target names; "no" before it denies."""
    for thing in referents(target, parsed):
        if thing.i != subject.i:
            stated = Statement(subject, predicate(words), thing, denied)
            yield _denied(stated) if excluded(target) else stated


def _action(verb: "Token", subject: "Token", parsed: "Parsed") -> Iterator[Statement]:
    words, denied = group(verb), negated(verb)
    if verb.dep_ == "acl" and verb.lemma_ in NAMING and subject == name_given(verb, parsed):
        yield from _is_a(subject, verb.head, parsed)
        return
    light = light_object(verb)
    if light is not None:
        words = [*words, light.text]
        yield from _governed(subject, words, light, parsed, denied)
    for target in objects(verb):
        if target != light:
            yield from _to_all(subject, words, target, parsed, denied)
            yield from _of_object(subject, words, target, parsed, denied)
            if verb.lemma_ == "have" and referents(target, parsed) != [target]:
                # "had a daughter, Eve"
                yield from _to_all(subject, ["has", target.lemma_], target, parsed, denied)
    yield from _governed(subject, words, verb, parsed, denied)


def _of_object(
    subject: "Token", words: list[str], target: "Token", parsed: "Parsed", denied: bool
) -> Iterator[Statement]:
    """Say of the subject what a common noun governs: "won the prize for Physics"."""
    if not is_named(target, parsed) and target.pos_ == "NOUN":
        for word, inner in prepositions(target, target):
            value = value_span(inner)
            full = predicate([*words, target.lemma_, *word.split()])
            for name in referents(inner, parsed):
                if is_named(name, parsed) or (value is not None and value.start > target.i):
                    yield Statement(subject, full, name, denied)


def _copula(verb: "Token", subject: "Token", parsed: "Parsed") -> Iterator[Statement]:
    words, denied = group(verb), negated(verb)
    complements = [t for t in verb.children if t.dep_ in {"attr", "acomp"} and t != subject]
    for complement in (c for t in complements for c in with_conjuncts(t)):
        if complement.dep_ == "acomp":
            yield from _governed(subject, [*words, complement.text], complement, parsed, denied)
        elif owner(subject) is not None and (is_named(complement, parsed) or complement.ent_type_):
            yield from _owned(subject, complement, denied)
        elif is_named(complement, parsed):
            yield Statement(subject, predicate(words), complement, denied)
        else:
            yield from _is_a(subject, complement, parsed, denied)
    noun = [t.lemma_ for t in complements[:1] if t.pos_ == "NOUN"]
    stem = ["is", *(["not"] if denied else []), *noun] if noun else words
    yield from _governed(subject, stem, verb, parsed, denied)


def _is_a(
    subject: "Token", noun: "Token", parsed: "Parsed", denied: bool = False
) -> Iterator[Statement]:
    if subject.i == noun.i or noun.lemma_ in _WORDS:
        return
    denied = denied or excluded(noun)
    yield Statement(subject, IS_NOT_A if denied else IS_A, noun, denied)
    stem = ["is", "not", noun.lemma_] if denied else ["is", noun.lemma_]
    yield from _governed(subject, stem, noun, parsed, denied)
    yield from _attributes(subject, noun, denied)
    for whose in (t for t in noun.children if t.dep_ == "poss"):
        yield Statement(subject, predicate([*stem, "of"]), whose, denied)


def _attributes(subject: "Token", noun: "Token", denied: bool) -> Iterator[Statement]:
    """Yield what adjectives say: "a 1994 Italian film" is Italian, and a film of 1994."""
    stem = ["is", "not"] if denied else ["is"]
    for child in noun.children:
        if child.dep_ in {"amod", "compound", "nmod"} and child.ent_type_ == "NORP":
            yield Statement(subject, predicate(stem), child, denied)
        elif child.dep_ == "nummod" and child.ent_type_ == "DATE":
            yield Statement(subject, predicate([*stem, noun.lemma_, "of"]), child, denied)


def _governed(
    subject: "Token", words: list[str], head: "Token", parsed: "Parsed", denied: bool
) -> Iterator[Statement]:
    """Yield a statement for each preposition that a word governs."""
    for word, target in prepositions(head, head):
        full = [*words, *word.split()]
        yield from _to_all(subject, full, target, parsed, denied)
        yield from _of_object(subject, full, target, parsed, denied)


def _owned(noun: "Token", thing: "Token", denied: bool = False) -> Iterator[Statement]:
    whose = owner(noun)
    if whose is not None and whose.i != thing.i:
        yield Statement(whose, predicate(["has", noun.lemma_]), thing, denied)


def _apposition(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    for child in token.children:
        if is_named(token, parsed):
            yield from _beside_name(token, child, parsed)
        elif beside(child, token) and described(token) is None:
            if is_named(child, parsed):
                for name in referents(token, parsed):
                    yield from _is_a(name, token, parsed)
                    yield from _owned(token, name)
            elif child.pos_ == "NOUN" and any(t.dep_ == "det" for t in child.children):
                # "pitchblende, an ore of uranium"
                yield from _is_a(token, child, parsed)


def _beside_name(name: "Token", child: "Token", parsed: "Parsed") -> Iterator[Statement]:
    if child.dep_ == "appos" and child.pos_ == "NOUN" and not is_named(child, parsed):
        for noun in with_conjuncts(child):
            yield from _is_a(name, noun, parsed)
    elif child.dep_ == "appos" and {name.ent_type_, child.ent_type_} <= _PLACES:
        # Not in "Stuttgart, Hamburg and Bremen".
        if not any(t.dep_ == "conj" for t in (*name.children, *child.children)):
            yield Statement(name, "IS_LOCATED_IN", child)
    elif child.dep_ in {"compound", "nmod"} and child.pos_ == "NOUN" and child.text.islower():
        # "film director Ann Lee"
        yield Statement(name, IS_A, child)


def _possession(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    """Yield who has which named thing: "the band's album Dust"."""
    if is_named(token, parsed) and token.ent_type_ != "PERSON":
        for whose in (t for t in token.children if t.dep_ == "poss"):
            yield Statement(whose, "HAS", token)


def _location(token: "Token", parsed: "Parsed") -> Iterator[Statement]:
    if is_named(token, parsed) and token.dep_ != "pobj":
        for word, target in prepositions(token, token):
            if word.lower() in _WHERE and is_named(target, parsed):
                yield Statement(token, predicate(["is", word]), target)
