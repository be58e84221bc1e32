"""Who is meant: pronouns and definite noun phrases resolved to what a Document spoke of before.

A light salience model (recency, subjecthood, the topic of the Document), in the spirit of
Lappin and Leass (1994), "An Algorithm for Pronominal Anaphora Resolution".
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mder.reasoners.syntax.phrases import is_named, mention
from mder.reasoners.syntax.verbs import with_conjuncts
from mder.records import VALUES, Mention

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mder.reasoners.syntax.parser import Parsed

_HE = frozenset({"he", "him", "his", "himself"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_THINGS = frozenset(
    """river newspaper settlement instrument continent paper letter tower order number center
    theater chapter border computer water power character header server layer parameter container
    cluster filter monument document apartment department government movement agreement event
    element component parliament environment equipment experiment treatment moment segment motor
    sector factor colour color floor door error mirror vector""".split()
)
_WEATHER = frozenset({"rain", "snow", "hail", "thunder"})
_TOGETHER = frozenset({"couple", "pair", "duo", "brother", "sister", "sibling"})
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
_UNLIKELY = -2.5  # score up to which a pronoun is left alone
_REACH = 3  # sentences that a pronoun looks back


def is_person(types: Iterable[str]) -> bool:
    """Say whether nouns that something was said to be are words for people."""
    return any(kind == "person" or _DOER.search(kind) for kind in {*types} - _THINGS)


@dataclass(slots=True)
class _Seen:
    mention: Mention
    sentence: int
    position: int
    subject: bool
    plural: bool = False


def _definite(token: "Token") -> bool:
    """Say whether a noun is one already spoken of: "the company", but not "the first company"."""
    if token.dep_ in {"attr", "oprd"}:
        return False
    alone = all(t.dep_ in {"det", "punct", "case"} for t in token.children)
    return alone and any(t.lower_ in _DEFINITE for t in token.children)


@dataclass(slots=True)
class _Group:
    members: tuple[Mention, ...]
    sentence: int
    position: int


def _barred(token: "Token") -> set[int]:
    """Return the places of subjects that a pronoun in their clause cannot mean.

    "Ann saw her" and "Ann was one of her students" speak of somebody else.
    """
    clause = token.head
    possessive = token.dep_ == "poss"
    while clause.pos_ not in {"VERB", "AUX"} and clause.head != clause:
        clause = clause.head
    if token.dep_ in {"nsubj", "nsubjpass"} or (possessive and clause.lemma_ != "be"):
        return set()
    return {t.i for t in clause.children if t.dep_ in {"nsubj", "nsubjpass"}}


@dataclass(slots=True)
class Discourse:
    """What a Document has spoken of so far; one for each Document, fed in reading order.

    :param topic: the Entity that the title names, antecedent of last resort.
    """

    topic: Mention
    sentence: int = 0
    seen: list[_Seen] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=list)
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
            together = [mention(t, parsed) for t in with_conjuncts(token) if is_named(t, parsed)]
            if len(together) > 1 and token.dep_ != "conj":
                members = tuple(m for m in together if m is not None)
                self.groups.append(_Group(members, self.sentence, token.i))

    def note_plural(self, token: "Token", parsed: "Parsed") -> None:
        """Note a plural noun as what a later "they" may mean."""
        found = mention(token, parsed)
        if found is not None and not VALUES.intersection(found.types):
            self.seen.append(_Seen(found, self.sentence, token.i, subject=True, plural=True))

    def resolve(self, token: "Token", parsed: "Parsed") -> tuple[Mention, ...]:
        """Return the Mentions that a token means; none where that cannot be told."""
        if token.pos_ == "PRON" or token.tag_ in {"PRP", "PRP$"}:
            return self._pronoun(token)
        found = mention(token, parsed)
        if found is None:
            return ()
        if is_named(token, parsed) or VALUES.intersection(found.types):
            return (found,)
        if _definite(token):
            if token.lemma_ in _TOGETHER and (group := self._group(token.i)):
                return group
            return (self._of_type(token.lemma_.lower()) or found,)
        owner = next((t for t in token.children if t.dep_ == "poss"), None)
        if owner is not None and token.pos_ == "NOUN":
            whose = self.resolve(owner, parsed)
            if len(whose) == 1:
                name = f"{whose[0].name}'s {found.name}"
                return (Mention(name, found.types, whose[0].local),)
        return (found,)

    def _pronoun(self, token: "Token") -> tuple[Mention, ...]:
        if token.head.lemma_ in _WEATHER:
            return ()
        for gender, words in (("he", _HE), ("she", _SHE), ("it", _IT), ("they", _THEY)):
            if token.lower_ in words:
                group = self._group(token.i) if gender == "they" else ()
                if group:
                    return group
                best = self._best(gender, token)
                if best is not None and gender in {"he", "she"}:
                    self.genders[best.name] = gender
                    self.learn(best.name, "person")
                return () if best is None else (best,)
        return ()

    def _group(self, position: int) -> tuple[Mention, ...]:
        """Return the names last spoken of together, in this sentence or the one before."""
        for group in reversed(self.groups):
            near = group.sentence == self.sentence - 1
            if near or (group.sentence == self.sentence and group.position < position):
                return group.members
        return ()

    def _best(self, gender: str, token: "Token") -> Mention | None:
        barred = _barred(token)
        candidates = [
            s
            for s in self.seen
            if s.sentence >= self.sentence - _REACH
            and (s.sentence < self.sentence or (s.position < token.i and s.position not in barred))
        ]
        scored = [(self._score(s, gender), i, s.mention) for i, s in enumerate(candidates)]
        topic = _Seen(self.topic, self.sentence - _REACH, -1, subject=True)
        scored.append((self._score(topic, gender), -1, self.topic))
        score, _, best = max(scored, key=lambda found: found[:2])
        return best if score > _UNLIKELY else None

    def _score(self, seen: _Seen, gender: str) -> float:
        if seen.plural:
            return float(seen.sentence - self.sentence) + (3.0 if gender == "they" else -9.0)
        name = seen.mention.name
        score = float(seen.sentence - self.sentence) + (2.0 if seen.subject else 0.0)
        score += 1.5 if self.is_topic(name) else 0.0
        known = self.genders.get(name)
        if known is not None and gender in {"he", "she", "it"}:
            score += 2.0 if known == gender else -10.0
        # The label of the topic, met in its first sentence, is the one most often wrong.
        labels = () if name in self.topics else seen.mention.types
        types = {*labels, *self.types.get(name, ())}
        if gender == "they" and not (types & _PLURAL or name.endswith("s")):
            score -= 3.0
        return score + self._fit(types, gender)

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
            return -6.0 if is_person(types) else 0.5
        singular = is_person(types) or "place" in types
        return 1.0 if types & _PLURAL else -6.0 if singular else 0.0

    def is_topic(self, name: str) -> bool:
        """Say whether a name is that of what the Document is about."""
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
