"""Reads the questions that say what something is: "Who is the mayor of N?", "Where is N?"."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_nouns import ASKED, Nouns
from mder.reasoners.syntax.query_tokens import (
    WH,
    asks,
    fronting,
    objects_of,
    owned,
    pobjs,
    stranded,
)
from mder.reasoners.syntax.roles import ATTRIBUTES, PERSONS, TRANSPARENT, has, kind, telling
from mder.reasoners.syntax.verbs import predicate

if TYPE_CHECKING:
    from spacy.tokens import Token


class Copulas(Nouns):
    """Clauses with "be" as their verb."""

    def copula(self, verb: "Token", subjects: Sequence["Token"]) -> bool:
        """Read "A is B"; False where the verb is to be read like any other."""
        nominals = [*subjects, *(t for t in verb.children if t.dep_ == "attr")]
        where = _adverb(verb)
        if any(t.dep_ == "expl" or t.lower_ == "there" for t in verb.children):
            return self._there(verb, nominals)
        if where is not None and len(nominals) == 1 and where.i not in self._values:
            return self._where(where, nominals[0])
        if len(nominals) != 2:
            return False
        first, second = sorted(nominals, key=lambda t: not self._fixed(t))
        if stranded(verb):
            for value in self.values(second):
                self.emit(value, predicate(["is", *stranded(verb)]), self.value(first))
            return True
        self._equate(first, second)
        for phrase in (t for t in verb.children if t.dep_ == "prep"):
            for value in filter(self.binds, map(self.value, pobjs(phrase))):
                self.emit(self.value(first), predicate(["is", phrase.lower_]), value)
        return True

    def equates(self, verb: "Token") -> bool:
        """Say whether a verb puts one thing in the place of another: "became the capital of N"."""
        grown = verb.lemma_ == "become" and not self.polar
        return verb.lemma_ == "be" or (
            grown and any(t.dep_ == "attr" and owned(t) for t in verb.children)
        )

    def part(self, verb: "Token", subjects: Sequence["Token"], gap: str) -> bool:
        """Read "(the league that) N is a member of"; False where the clause is none such."""
        noun = next((t for t in verb.children if t.dep_ == "attr"), None)
        if noun is None or not subjects or not stranded(noun):
            return False
        for value in self.values(subjects[0]):
            self.emit(gap, has(noun), value)
        return True

    def _fixed(self, token: "Token") -> bool:
        return token.i in self._values or self.named(token) or asks(token)

    def _equate(self, first: "Token", second: "Token") -> None:
        value = self.value(first)
        preposition = fronting(first)
        attribute = first.pos_ == "NOUN" and (self.named(second) or first.lemma_ in ATTRIBUTES)
        if preposition is not None:
            self._tell(second, predicate(["is", preposition.lower_]), value)
        elif value == ASKED and attribute:
            self._tell(second, has(first), value)
        elif self.named(second):
            self._tell(second, "IS_A", value)
        elif second.tag_ in WH:
            self._tell(first, "IS_A", self.value(second))
        elif value != ASKED and asks(second):
            self._tell(first, has(_core(second)), self.value(second))
        else:
            self._identify(value, first, second)

    def _tell(self, noun: "Token", words: str, target: str) -> None:
        """Note a fact about a noun and all that is coordinated with it."""
        for value in self.values(noun):
            self.emit(value, words, target)

    def _identify(self, value: str, first: "Token", second: "Token") -> None:
        """Give the second noun the value of the first."""
        behind = objects_of(second, "of")
        if value != ASKED and _core(second) != second:
            second = _core(second)
        elif behind and self.polar:
            for owner in (v for token in behind for v in self.values(token)):
                self.emit(value, predicate(["is", *telling(second), second.lemma_, "of"]), owner)
            return
        if value == ASKED and (first.lower_ in {"what", "which"} or not kind(second.lemma_)):
            self.asked = second
        self._values[second.i] = value
        found = self.find(second)
        if found != value:
            self.emit(value, "IS_A", found)
        elif not owned(second):
            self._describe(value, second)

    def _describe(self, value: str, noun: "Token") -> None:
        if value == ASKED and not self.told(noun):
            # "What is a glacier" asks for no glacier.
            self.asked = next((t for t in self.doc if t.tag_ in WH), None)
            self.emit(self.plain(noun), "IS_A", value)
        else:
            words = self.plain(noun)
            # "Are N and M rivers?": each is to be a river.
            words = words.removesuffix(noun.text) + noun.lemma_ if self.polar else words
            self.emit(value, "IS_A", words)

    def _where(self, adverb: "Token", noun: "Token") -> bool:
        """Read "where is N" and "when is the birthday of N"."""
        self.asked = self.asked or adverb
        if owned(noun) and noun.lemma_.lower() not in PERSONS and not self.named(noun):
            self._values[noun.i] = ASKED
            self.find(noun)
        else:
            words = "IS_LOCATED_IN" if adverb.lower_ == "where" else "IS_ON"
            self.emit(self.value(noun), words, ASKED)
        return True

    def _there(self, verb: "Token", nominals: Sequence["Token"]) -> bool:
        """Read "how many N are there in M" as what M has."""
        noun = next((t for t in nominals if t.pos_ == "NOUN"), None)
        if noun is None:
            return False
        for phrase in (t for t in (*verb.children, *noun.children) if t.dep_ == "prep"):
            for inner in pobjs(phrase):
                self.emit(self.value(inner), has(noun), self.value(noun))
        return True


def _adverb(verb: "Token") -> "Token | None":
    return next((t for t in verb.children if t.dep_ == "advmod" and t.tag_ == "WRB"), None)


def _core(noun: "Token") -> "Token":
    """Return the noun behind "a kind of", which says more."""
    behind = objects_of(noun, "of")
    return behind[0] if behind and noun.lemma_ in TRANSPARENT else noun
