"""Disambiguate: find the names that mean one thing, and give each thing one canonical name.

Consumes the whole set of Documents. Merges are a union over components, made in an order that comes
from the names; those of Senses that share nothing do not bear on each other (see
:mod:`mder.disambiguate.senses`). MDER-DR paper, section on entity disambiguation; the lexical
rules are ours.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mder.disambiguate.across import Group, across
from mder.disambiguate.components import Partition
from mder.disambiguate.meanings import Meanings, told_apart
from mder.disambiguate.names import Name, Use
from mder.disambiguate.naming import entity, entity_names, proper_name, types_of
from mder.disambiguate.proposals import by_company, label, meeting, proposals, stacked
from mder.disambiguate.senses import Sense, given, keys, senses
from mder.embedders.base import Embedder
from mder.names import canonical
from mder.reasoners.base import Reasoner
from mder.records import Candidate, Entity, Mention, Merge, Reading, Triple

__all__ = [
    "Partition",
    "Resolved",
    "Sense",
    "disambiguate",
    "keys",
    "label",
    "meeting",
    "renamed",
    "senses",
    "stacked",
]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The outcome: Entities without summaries, and the record of how they came about.

    :param names: the Entity that each name of each source means.
    :param labels: what was compared by cosine in any round, with one of the names behind it.
    :param near: pairs of such names whose labels were near each other.
    """

    entities: tuple[Entity, ...]
    merges: tuple[Merge, ...]
    names: Mapping[Name, str]
    labels: frozenset[tuple[str, Name]]
    near: frozenset[tuple[Name, Name]]


@dataclass(frozen=True, slots=True)
class _Join:
    left: Name
    right: Name
    score: float
    decided_by: str
    evidence: str


def disambiguate(
    senses: Iterable[Sense],
    reasoner: Reasoner,
    embedder: Embedder,
    *,
    threshold: float = 0.95,
    rounds: int = 10,
) -> Resolved:
    """Merge names into Entities, round after round until nothing merges.

    :param threshold: cosine of two names with their types above which the Reasoner is asked.
    :param rounds: the most rounds; one in which nothing merges is the last in any case.
    """
    senses = sorted(senses, key=lambda s: (s.source, min(s.uses)))
    uses = {(s.source, name): use for s in senses for name, use in s.uses.items()}
    components = Meanings(uses)
    joins = list(_lexical(senses, uses, components))
    company: dict[str, Sequence[str]] = defaultdict(tuple)
    company.update((s.source, s.company) for s in senses if s.company)
    judged = _Judged(reasoner, embedder, threshold, company)
    for _ in range(rounds):
        found = list(judged.round(_groups(uses, components)))
        joins += [j for j in found if components.join(j.left, j.right)]
        if not found:
            break
    groups = _groups(uses, components)
    names = entity_names(groups, {s.source: s.title for s in senses})
    meaning = {name: names[key] for key, group in groups.items() for name in group.names}
    entities = sorted((entity(names[k], g) for k, g in groups.items()), key=lambda e: e.name)
    merges = tuple(_merges(joins, meaning))
    labels, near = frozenset(judged.labels), frozenset(judged.near)
    return Resolved(tuple(entities), merges, meaning, labels, near)


def _lexical(
    senses: Sequence[Sense], uses: Mapping[Name, Use], components: Meanings
) -> Iterator[_Join]:
    for sense in senses:
        for one, other, rule in sense.joins:
            left, right = (sense.source, one), (sense.source, other)
            if components.join(left, right):
                yield _Join(left, right, 1.0, "lexical", rule)
    for left, right in list(across(_groups(uses, components))):
        if components.join(left, right):
            yield _Join(left, right, 1.0, "lexical", "same name in several documents")


def _groups(uses: Mapping[Name, Use], components: Meanings) -> dict[Name, Group]:
    ordered = {min(names): sorted(names) for names in components.groups()}
    return {key: Group(ordered[key], [uses[n] for n in ordered[key]]) for key in sorted(ordered)}


@dataclass(slots=True)
class _Judged:
    """Likely pairs, put to the Reasoner round after round."""

    reasoner: Reasoner
    embedder: Embedder
    threshold: float
    company: Mapping[str, Sequence[str]]
    labels: set[tuple[str, Name]] = field(default_factory=set)
    near: set[tuple[Name, Name]] = field(default_factory=set)
    different: set[tuple[Name, Name]] = field(default_factory=set)

    def round(self, groups: Mapping[Name, Group]) -> Iterator[_Join]:
        """Yield the pairs found the same; the others are remembered."""
        pairs = [pair for pair in self._pairs(groups) if pair[:2] not in self.different]
        likely = {side for pair in pairs for side in pair[:2]}
        sides = {
            side: _candidate(side[1], group)
            for group in groups.values()
            if (side := _side(group, proper_name(group))) in likely
        }
        verdicts = self.reasoner.same([(sides[left], sides[right]) for left, right, _ in pairs])
        for (left, right, score), verdict in zip(pairs, verdicts, strict=True):
            if verdict.same:
                yield _Join(left, right, score, self.reasoner.name, verdict.reason)
            else:
                self.different.add((left, right))

    def _pairs(self, groups: Mapping[Name, Group]) -> Iterator[tuple[Name, Name, float]]:
        """Yield pairs that may be one, by their proper names, with the cosine of their labels."""
        known = [g for g in groups.values() if not (g.value or g.local)]
        names = [proper_name(group) for group in known]
        for group, name in zip(known, names, strict=True):
            self.labels.add((label(name, types_of(group)), _side(group, name)))
        found = list(_named(known, names, proposals(known, names, self.embedder, self.threshold)))
        self.near.update((left, right) for left, right, score in found if score > self.threshold)
        yield from found
        alone = [g for g in groups.values() if given(g)]
        names = [proper_name(group) for group in alone]
        pairs = by_company(alone, names, self.company)
        yield from _named(alone, names, ((i, j, 1.0) for i, j in pairs))


def _named(
    groups: Sequence[Group], names: Sequence[str], pairs: Iterable[tuple[int, int, float]]
) -> Iterator[tuple[Name, Name, float]]:
    sides = [_side(group, name) for group, name in zip(groups, names, strict=True)]
    for i, j, score in pairs:
        if not told_apart(groups[i].titles, groups[j].titles):
            yield sides[i], sides[j], score


def _side(group: Group, name: str) -> Name:
    return next(n for n in group.names if n[1] == name)


def _candidate(name: str, group: Group) -> Candidate:
    return Candidate(name, types_of(group), group.contexts(), group.names[0][0])


def renamed(reading: Reading, names: Mapping[str, str]) -> tuple[Triple, ...]:
    """Return the triples of a Document with the names of Entities, in the order of their places.

    What became "A is A" is left out.

    :param names: the Entity that each name of the Document means.
    """
    found: dict[Triple, None] = {}
    for triple in reading.extraction.triples:
        subject, thing = (names[canonical(m.name)] for m in (triple.subject, triple.object))
        if subject != thing:
            found[replace(triple, subject=Mention(subject), object=Mention(thing))] = None
    return tuple(sorted(found, key=_place))


def _place(triple: Triple) -> tuple[int, int, str, str, str]:
    names = (triple.subject.name, triple.predicate, triple.object.name)
    return triple.chunk, triple.start, *names


def _merges(joins: Sequence[_Join], meaning: Mapping[Name, str]) -> Iterator[Merge]:
    """Yield one record for each spelling that was found to mean an Entity of another name."""
    records: dict[tuple[str, str, str, str], list[_Join]] = {}
    for join in joins:
        for source, name in (join.left, join.right):
            kept = meaning[source, name]
            if name != kept:
                key = (kept, name, join.decided_by, join.evidence)
                records.setdefault(key, []).append(join)
    for (kept, name, decided_by, evidence), found in sorted(records.items()):
        sources = {s for j in found for s, n in (j.left, j.right) if n == name}
        score = max(join.score for join in found)
        yield Merge(kept, name, score, decided_by, evidence, tuple(sorted(sources)))
