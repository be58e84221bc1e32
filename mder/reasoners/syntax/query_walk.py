"""Walks over the parse of a question and notes the triples that it speaks of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mder.reasoners.syntax.query_copulas import Copulas
from mder.reasoners.syntax.query_tokens import (
    OBJECTS,
    SUBJECTS,
    WH,
    asks,
    beside,
    clauses,
    fronted,
    misplaced,
    relative,
    stranded,
)
from mder.reasoners.syntax.query_verbs import verb_words
from mder.reasoners.syntax.roles import expected
from mder.reasoners.syntax.verbs import predicate

if TYPE_CHECKING:
    from spacy.tokens import Token

# What a verb is tied to: the words between (a preposition, mostly), and the value.
Link = tuple[tuple[str, ...], str]


class Walk(Copulas):
    """All triples of one parsed question."""

    def read(self) -> None:
        """Read every sentence."""
        for sentence in self.doc.sents:
            root = sentence.root
            if root.pos_ in {"VERB", "AUX"} or any(t.dep_ in SUBJECTS for t in root.children):
                self.clause(root)
            else:
                self.value(root)
            for noun in filter(None, map(beside, sentence)):
                self.value(noun)

    def clause(self, verb: "Token", gap: str = "", inherited: Sequence[str] = ()) -> None:
        """Read a verb with all that hangs on it, once."""
        if verb.i in self._read:
            return
        self._read.add(verb.i)
        filled = self._relate(verb, gap) if gap else True
        own = [t for t in verb.children if t.dep_ in SUBJECTS]
        question = fronted(verb, own)
        own = [t for t in own if t != question]
        if self.equates(verb) and (
            (not filled and self.part(verb, own, gap)) or self.copula(verb, own)
        ):
            self._further(verb, [v for t in own for v in self.values(t)])
            return
        subjects = [v for t in own for v in self.values(t)] or list(inherited)
        if not filled and not subjects:
            subjects, filled = [gap], True
        links = self._links(verb, subjects)
        if question is not None:
            links.append((stranded(verb), self.value(question)))
        if not filled:
            links.append((stranded(verb), gap))
        self._state(verb, subjects, links)
        self._further(verb, subjects)

    def _relate(self, verb: "Token", gap: str) -> bool:
        """Let the relative pronouns of a clause stand for what it tells about."""
        pronouns = [t for t in verb.subtree if relative(t, verb)]
        self._values |= {t.i: gap for t in pronouns}
        return bool(pronouns)

    def _links(self, verb: "Token", subjects: Sequence[str]) -> list[Link]:
        links: list[Link] = []
        owner = subjects[0] if verb.lemma_ == "have" and subjects else ""
        for child in verb.children:
            if child.dep_ in OBJECTS or (child.dep_ == "npadvmod" and asks(child)):
                links += self._object(child, "" if self.named(child) else owner)
            elif child.dep_ in {"prep", "agent"}:
                links += self._phrase(child, ())
            elif child.dep_ == "acomp":
                links += self._complement(child)
            elif child.dep_ == "advmod" or child.tag_ == "WRB":
                links += self._adverb(child, verb)
        return links

    def _object(self, noun: "Token", owner: str) -> list[Link]:
        """Return the links to an object, or through it: "has a border with N".

        :param owner: what has it, where the verb is "have".
        """
        behind = self._behind(noun) if not clauses(noun) else []
        if owner and not behind:
            self.value(noun, owner)
            return []
        values = self.values(noun)
        through = [] if any(self.binds(v) for v in values) else behind
        return through or [((), v) for v in values]

    def _behind(self, noun: "Token") -> list[Link]:
        phrases = [t for t in noun.children if t.dep_ == "prep" and t.lower_ != "of"]
        return [link for phrase in phrases for link in self._phrase(phrase, (noun.lower_,))]

    def _phrase(self, preposition: "Token", before: tuple[str, ...]) -> Iterator[Link]:
        words = (*before, preposition.lower_)
        for child in preposition.children:
            asked = child.dep_ == "pcomp" and (child.tag_ in WH or child.pos_ == "NOUN")
            if child.dep_ == "pobj" or asked:
                dated = asks(child) and expected(child) == "date"
                for value in self.values(child):
                    yield (before if dated else words), value
            elif child.dep_ == "prep":
                yield from self._phrase(child, words)

    def _complement(self, adjective: "Token") -> Iterator[Link]:
        found = False
        for child in adjective.children:
            if child.dep_ == "prep":
                found = True
                yield from self._phrase(child, (adjective.lower_,))
            elif child.tag_ == "WRB":
                found = True
                yield (adjective.lower_,), self.value(child)
        if not found and not stranded(adjective):
            yield (), adjective.lower_

    def _adverb(self, adverb: "Token", verb: "Token") -> Iterator[Link]:
        """Read where, when and how, and "how long"."""
        inner = next((t for t in adverb.children if t.tag_ == "WRB"), None)
        word = adverb if adverb.tag_ == "WRB" else inner
        if word is not None:
            place = ("in",) if word.lower_ == "where" else ()
            yield stranded(verb) or place, self.value(word)

    def _state(self, verb: "Token", subjects: Sequence[str], links: Sequence[Link]) -> None:
        """Note what a verb says of its subjects."""
        words, lost = verb_words(verb), stranded(verb)
        if words[-1] in {"do", "does", "did"}:
            return
        plain = [v for between, v in links if not between and not self.binds(v)]
        for between, value in [link for link in links if self.binds(link[1])] or links:
            # "won a medal for N": the plain object belongs to the predicate.
            middle = " ".join(plain).split() if between and value not in plain else []
            # "referred to as what": both prepositions belong to the verb.
            end = (*lost, *between) if between[:1] == ("as",) else between or lost
            for subject in subjects:
                self.emit(subject, predicate([*words, *middle, *end]), value)

    def _further(self, verb: "Token", subjects: Sequence[str]) -> None:
        for child in verb.children:
            if child.pos_ not in {"VERB", "AUX"} or misplaced(child):
                continue
            if child.dep_ in {"conj", "xcomp"}:
                self.clause(child, inherited=subjects)
            elif child.dep_ in {"advcl", "ccomp"}:
                self.clause(child)
