"""Reads the noun phrases of a question: each becomes a name, an unknown or plain words."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_masks import DESCRIPTORS
from mder.reasoners.syntax.query_tokens import (
    WH,
    asks,
    bare,
    clauses,
    naming,
    objects_of,
    owned,
    pobjs,
)
from mder.reasoners.syntax.roles import PERSONS, TRANSPARENT, has, telling
from mder.reasoners.syntax.verbs import predicate
from mder.records import QueryTriple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# What is asked for; other unknowns are numbered after it. No name can hold a NUL.
ASKED = "\0"
_SILENT = frozenset({"PRON", "DET", "ADV", "AUX", "CCONJ", "SCONJ", "PUNCT"})


class Nouns(ABC):
    """Values of tokens, and the triples that were noted while finding them.

    :param names: leads from a stand-in to the name.
    :param unknowns: leads from a stand-in to the unknown.
    :param polar: the text states something to be confirmed; nothing in it is asked for.
    :param number: tells the unknowns of this text from those of others.
    """

    def __init__(
        self,
        doc: "Doc",
        names: Mapping[str, str],
        unknowns: Mapping[str, str],
        *,
        polar: bool,
        number: int,
    ) -> None:
        self.doc = doc
        self.names = {**names, **unknowns}
        self.polar = polar
        self._number = number
        self.triples: list[QueryTriple] = []
        self.asked: Token | None = None
        self._anchors = set(names.values())
        self._values: dict[int, str] = {}
        self._read: set[int] = set()
        self._fresh = 0

    @abstractmethod
    def clause(self, verb: "Token", gap: str = "", inherited: Sequence[str] = ()) -> None:
        """Read a verb with all that hangs on it.

        :param gap: the value that a relative clause tells about.
        :param inherited: subjects of the verb that this one shares its subject with.
        """

    def emit(self, subject: str, words: str, target: str) -> None:
        """Note a triple, unless it says nothing or was said before."""
        triple = QueryTriple(subject, words, target)
        says = words and subject.strip("-") and target.strip("-") and subject != target
        if says and triple not in self.triples:
            self.triples.append(triple)

    def values(self, token: "Token") -> list[str]:
        """Return the values of a token and of what is coordinated with it."""
        others = token.conjuncts if token.dep_ != "conj" else ()
        nominal = [t for t in others if t.pos_ in {"NOUN", "PROPN", "PRON"}]
        return [value for t in (token, *nominal) if (value := self.value(t))]

    def value(self, token: "Token", owner: str = "") -> str:
        """Return a name, an unknown or plain words, noting what is said of it on the way.

        :param owner: what the token is had by, where a verb says so.
        """
        if token.i not in self._values:
            # A start, for what the reading of its own modifiers refers back to.
            self._values[token.i] = self.names.get(token.text) or (ASKED if asks(token) else "")
            self._values[token.i] = self.find(token, owner)
        return self._values[token.i]

    def find(self, token: "Token", owner: str = "") -> str:
        """Work out the value of a token; one set before for a noun is kept."""
        if self.named(token):
            self._modifiers(token, self.names[token.text])
            return self.names[token.text]
        if asks(token):
            self.asked = self.asked or token
        if token.tag_ in WH:
            return ASKED
        return "" if token.pos_ in _SILENT else self._noun(token, owner)

    def named(self, token: "Token") -> bool:
        """Say whether a token stands for a name."""
        return token.text in self.names

    def binds(self, value: str) -> bool:
        """Say whether a value is an unknown or a name, not plain words."""
        return value.startswith(ASKED) or value in self._anchors

    def told(self, noun: "Token") -> bool:
        """Say whether a clause or a preposition behind a noun tells which one it is."""
        if clauses(noun):
            return True
        phrases = [t for t in noun.children if t.dep_ == "prep" and noun.dep_ != "dobj"]
        inner = [t for phrase in phrases for t in phrase.subtree]
        return any(self.named(t) or t.tag_ in WH or t.pos_ == "PROPN" for t in inner)

    def plain(self, noun: "Token") -> str:
        """Return a noun with its modifiers; one that holds a name is an anchor: "Mach number"."""
        kept = [t for t in noun.lefts if t.dep_ in {"amod", "compound", "nmod"}]
        span = self.doc[min((t.left_edge.i for t in kept), default=noun.i) : noun.i + 1]
        text = "".join(self.names.get(t.text, t.text) + t.whitespace_ for t in span).strip()
        if any(self.named(t) for t in kept):
            self._anchors.add(text)
        return text

    def _noun(self, noun: "Token", owner: str) -> str:
        inner = self._inner_name(noun)
        if inner is not None:
            self._modifiers(noun, self.value(inner))
            self.emit(owner, has(noun), self.value(inner))
            return self.value(inner)
        behind = objects_of(noun, "of")
        if behind and not self._values[noun.i] and bare(behind[0]):
            self._values[noun.i] = self._values[behind[0].i] = ASKED
            self.asked = self.asked or (noun if behind[0].tag_ in WH else behind[0])
        if behind and noun.lemma_ in TRANSPARENT and not telling(noun):
            return self._through(noun, behind[0])
        owners = self._owners(noun)
        if owner:
            owners = [owner, *filter(self.binds, owners)]
        return self._known_by(noun, owners)

    def _through(self, noun: "Token", behind: "Token") -> str:
        """Return the value of what stands behind "the name of"."""
        if self._values[noun.i] and behind.i not in self._values:
            self.asked = behind
            self._values[behind.i] = self._values[noun.i]
            self.find(behind)
        return self.value(behind)

    def _known_by(self, noun: "Token", owners: Sequence[str]) -> str:
        """Return what a noun is to its owners, or by what else is told of it."""
        value = self._values[noun.i]
        owners = [one for one in owners if one != value]
        if not value and (owners or self.told(noun)):
            self._fresh += 1
            value = f"{ASKED}{self._number}.{self._fresh}"
        for one in owners:
            self.emit(one, has(noun), value)
        if value:
            self._values[noun.i] = value
            self._modifiers(noun, value)
        return value or self.plain(noun)

    def _owners(self, noun: "Token") -> list[str]:
        tokens = [t for t in noun.children if t.dep_ == "poss"] + objects_of(noun, "of")
        if noun.lemma_ in PERSONS or asks(noun):
            tokens += [t for t in noun.lefts if t.dep_ in {"compound", "nmod"} and self.named(t)]
        owners = [value for token in tokens for value in self.values(token)]
        return [one for one in owners if self.binds(one)] or owners

    def _inner_name(self, noun: "Token") -> "Token | None":
        """Return the name that a noun only describes: "a song called N", "the brand N"."""
        for child in noun.children:
            described = child.dep_ == "compound" and noun.lemma_ in DESCRIPTORS - PERSONS
            described = described and not asks(noun)
            if self.named(child) and (described or child.dep_ in {"appos", "oprd"}):
                return child
            if naming(child):
                return next((t for t in child.children if self.named(t)), None)
        return None

    def _modifiers(self, token: "Token", value: str) -> None:
        for verb in clauses(token):
            if not naming(verb):
                self.clause(verb, value)
        for child in token.children:
            if child.dep_ == "prep" and child.lower_ != "of":
                self._phrase_of(token, child, value)
            elif child.dep_ == "appos" and child.pos_ == "NOUN" and not self.named(child):
                self._values[child.i] = value
                self._modifiers(child, value)

    def _phrase_of(self, token: "Token", preposition: "Token", value: str) -> None:
        """Note "the castle in N" as IS_CASTLE_IN."""
        kind = "" if self.named(token) or owned(token) else token.lemma_
        for inner in pobjs(preposition):
            target = self.value(inner)
            if self.binds(target) or not self.names:
                self.emit(value, predicate(["is", kind, preposition.lower_]), target)
