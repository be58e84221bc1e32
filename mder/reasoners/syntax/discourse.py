"""Who is meant: pronouns and definite noun phrases resolved to what a Document spoke of before.

A light salience model (recency, subjecthood, the topic of the Document), in the spirit of
Lappin and Leass (1994), "An Algorithm for Pronominal Anaphora Resolution".
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mder.reasoners.syntax.phrases import is_named, mention
from mder.records import VALUES, Mention

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mder.reasoners.syntax.parser import Parsed

_HE = frozenset({"he", "him", "his", "himself"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_NOT_PERSONS = frozenset({"place", "work", "product", "event", "law", "language"})
_PLURAL = frozenset({"group", "organization", "band", "duo", "team", "company"})
# Nouns that speak of the same thing by another word: "the film" of what was called a thriller.
_CLASSES = tuple(
    frozenset(words.split())
    for words in (
        "film movie drama comedy thriller musical documentary western sequel remake picture",
        "album record ep soundtrack single song track ballad tune",
        "novel book story novella memoir poem play opera",
        "series show sitcom program programme serial soap",
        "game videogame",
        "company firm corporation manufacturer retailer publisher label business brand",
        "band group organization duo trio quartet ensemble orchestra",
        "city town village municipality settlement commune suburb capital community",
        "country state nation republic kingdom",
        "school university college academy institute",
        "club team franchise side",
        "river stream creek tributary",
    )
)
# Endings of nouns for people; the words of other things that share them are spoken of as "it".
_DOER = re.compile(
    r"(?:er|or|ist|ian|man|woman|ess|eer|ent|king|queen|poet|judge|wife|son|pilot|chef|nurse|prince"
    r"|duke|count|earl|monk|nun|priest|saint|pope|general|athlete|model|person)$"
)
_ORGANIZATIONS = frozenset(
    "company firm corporation organization organisation group band school university college museum"
    " agency association foundation society institute party club team newspaper".split()
)
_REACH = 3  # sentences that a pronoun looks back


def is_person(types: Iterable[str]) -> bool:
    """Say whether nouns that something was said to be are words for people."""
    return any(kind == "person" or _DOER.search(kind) for kind in types)


@dataclass(slots=True)
class _Seen:
    mention: Mention
    sentence: int
    position: int
    subject: bool


@dataclass(slots=True)
class Discourse:
    """What a Document has spoken of so far; one for each Document, fed in reading order.

    :param topic: the Entity that the title names, antecedent of last resort.
    """

    topic: Mention
    sentence: int = 0
    seen: list[_Seen] = field(default_factory=list)
    types: dict[str, list[str]] = field(default_factory=dict)
    labels: dict[str, set[str]] = field(default_factory=dict)
    genders: dict[str, str] = field(default_factory=dict)
    topics: set[str] = field(default_factory=set)

    def learn(self, name: str, kind: str) -> None:
        """Note that a name was said to be of a type ("Ann Lee is a chemist")."""
        kinds = self.types.setdefault(name, [])
        if kind not in kinds:
            kinds.append(kind)

    def note(self, token: "Token", parsed: "Parsed") -> None:
        """Note a name as one that later pronouns may mean."""
        found = mention(token, parsed)
        if found is not None and not VALUES.intersection(found.types):
            subject = token.dep_ in {"nsubj", "nsubjpass"}
            self.labels.setdefault(found.name, set()).update(found.types)
            self.seen.append(_Seen(found, self.sentence, token.i, subject))

    def resolve(self, token: "Token", parsed: "Parsed") -> Mention | None:
        """Return the Mention that a token means, or None where that cannot be told."""
        word = token.lower_
        if token.pos_ == "PRON" or token.tag_ in {"PRP", "PRP$"}:
            return self._pronoun(word, token.i)
        found = mention(token, parsed)
        if found is None or is_named(token, parsed):
            return found
        if any(t.dep_ == "det" and t.lower_ in _DEFINITE for t in token.children):
            earlier = self._of_type(token.lemma_.lower())
            return earlier or found
        owner = next((t for t in token.children if t.dep_ == "poss"), None)
        if owner is not None and token.pos_ == "NOUN" and not VALUES.intersection(found.types):
            whose = self.resolve(owner, parsed)
            if whose is not None:
                return Mention(f"{whose.name}'s {found.name}", found.types, whose.local)
        return found

    def _pronoun(self, word: str, position: int) -> Mention | None:
        for gender, words in (("he", _HE), ("she", _SHE), ("it", _IT), ("they", _THEY)):
            if word in words:
                best = self._best(gender, position)
                if best is not None and gender in {"he", "she"}:
                    self.genders[best.name] = gender
                    self.learn(best.name, "person")
                return best
        return None

    def _best(self, gender: str, position: int) -> Mention | None:
        candidates = [
            s
            for s in self.seen
            if s.sentence >= self.sentence - _REACH
            and (s.sentence < self.sentence or s.position < position)
        ]
        scored = [(self._score(s, gender), i, s.mention) for i, s in enumerate(candidates)]
        topic = _Seen(self.topic, self.sentence - _REACH, -1, subject=True)
        scored.append((self._score(topic, gender), -1, self.topic))
        score, _, best = max(scored, key=lambda found: found[:2])
        return best if score > -_REACH - 1 else None

    def _score(self, seen: _Seen, gender: str) -> float:
        name = seen.mention.name
        score = float(seen.sentence - self.sentence) + (2.0 if seen.subject else 0.0)
        score += 1.5 if self._is_topic(name) else 0.0
        known = self.genders.get(name)
        if known is not None and gender in {"he", "she", "it"}:
            score += 2.0 if known == gender else -10.0
        # The label of the topic, met in its first sentence, is the one most often wrong.
        labels = () if name in self.topics else seen.mention.types
        return score + self._fit({*labels, *self.types.get(name, ())}, gender)

    def _fit(self, types: set[str], gender: str) -> float:
        if gender in {"he", "she"}:
            if "person" in types:
                return 1.0
            return (
                0.5
                if is_person(types)
                else -6.0
                if types & _NOT_PERSONS
                else -4.0
                if types
                else 0.0
            )
        if gender == "it":
            return -6.0 if "person" in types else 0.5
        return 1.0 if types & _PLURAL else -6.0 if "person" in types else 0.0

    def _is_topic(self, name: str) -> bool:
        return (
            name == self.topic.name
            or name in self.topics
            or (" " not in name and name in self.topic.name.split())
        )

    def _of_type(self, kind: str) -> Mention | None:
        """Return what was last spoken of that is known to be of a type: "the company"."""
        kinds = {kind}.union(*(c for c in _CLASSES if kind in c))
        if kind in _ORGANIZATIONS:
            kinds.add("organization")
        for name in (self.topic, *(s.mention for s in reversed(self.seen))):
            known = {*self.types.get(name.name, ()), *self.labels.get(name.name, ())}
            if kinds & known:
                return name
        return None
