"""Disambiguate: find the names that mean one thing, and give each thing one canonical name.

Consumes the whole set of Documents. Merges are a union over components, made in an order that comes
from the names. MDER-DR paper, section on entity disambiguation; the lexical rules are ours.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mder.disambiguate.across import Group, across
from mder.disambiguate.meanings import Meanings, told_apart
from mder.disambiguate.names import Name, Use, collect
from mder.disambiguate.naming import entity, entity_names, proper_name, types_of
from mder.disambiguate.proposals import by_company, label, proposals
from mder.disambiguate.within import within
from mder.embedders.base import Embedder
from mder.names import canonical, normalise
from mder.reasoners.base import Reasoner
from mder.records import Candidate, Entity, Mention, Merge, Reading, Triple

__all__ = ["Resolved", "disambiguate", "label"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The outcome: Entities without summaries, Triples with canonical names, and the record.

    :param names: the Entity that each name of each source means.
    """

    entities: tuple[Entity, ...]
    triples: tuple[Triple, ...]
    merges: tuple[Merge, ...]
    names: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class _Join:
    left: Name
    right: Name
    score: float
    decided_by: str
    evidence: str


def disambiguate(
    readings: Sequence[Reading],
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
    uses = collect(readings)
    components = Meanings(uses)
    joins = list(_lexical(readings, uses, components))
    different: set[tuple[Name, Name]] = set()
    for _ in range(rounds):
        found = list(_judged(_groups(uses, components), reasoner, embedder, threshold, different))
        joins += [j for j in found if components.join(j.left, j.right)]
        if not found:
            break
    return _resolved(readings, uses, components, joins)


def _lexical(
    readings: Sequence[Reading], uses: Mapping[Name, Use], components: Meanings
) -> Iterator[_Join]:
    for reading in sorted(readings, key=lambda r: r.document.source):
        for left, right, rule in within(reading, uses):
            if components.join(left, right):
                yield _Join(left, right, 1.0, "lexical", rule)
    for left, right in list(across(_groups(uses, components))):
        if components.join(left, right):
            yield _Join(left, right, 1.0, "lexical", "same name in several documents")


def _groups(uses: Mapping[Name, Use], components: Meanings) -> dict[Name, Group]:
    ordered = {min(names): sorted(names) for names in components.groups()}
    return {key: Group(ordered[key], [uses[n] for n in ordered[key]]) for key in sorted(ordered)}


def _judged(
    groups: Mapping[Name, Group],
    reasoner: Reasoner,
    embedder: Embedder,
    threshold: float,
    different: set[tuple[Name, Name]],
) -> Iterator[_Join]:
    """Put likely pairs to the Reasoner; yield those it finds the same, remember the others."""
    sides: dict[Name, Candidate] = {}
    for group in groups.values():
        name = proper_name(group)
        key = next(n for n in group.names if n[1] == name)
        sides[key] = _candidate(name, group)
    pairs = [
        (left, right, score)
        for left, right, score in _pairs(groups, embedder, threshold)
        if (left, right) not in different
    ]
    verdicts = reasoner.same([(sides[left], sides[right]) for left, right, _ in pairs])
    for (left, right, score), verdict in zip(pairs, verdicts, strict=True):
        if verdict.same:
            yield _Join(left, right, score, reasoner.name, verdict.reason)
        else:
            different.add((left, right))


def _pairs(
    groups: Mapping[Name, Group], embedder: Embedder, threshold: float
) -> Iterator[tuple[Name, Name, float]]:
    """Yield pairs that may be one, by their proper names, with the cosine of their labels."""
    known = [g for g in groups.values() if not (g.value or g.local)]
    names = [proper_name(group) for group in known]
    yield from _named(known, names, proposals(known, names, embedder, threshold))
    given = [g for g in groups.values() if g.local and not (g.value or _phrase(g))]
    names = [proper_name(group) for group in given]
    pairs = by_company(given, names, _company(known))
    yield from _named(given, names, ((i, j, 1.0) for i, j in pairs))


def _named(
    groups: Sequence[Group], names: Sequence[str], pairs: Iterable[tuple[int, int, float]]
) -> Iterator[tuple[Name, Name, float]]:
    keys = [next(n for n in g.names if n[1] == w) for g, w in zip(groups, names, strict=True)]
    for i, j, score in pairs:
        if not told_apart(groups[i].titles, groups[j].titles):
            yield keys[i], keys[j], score


def _company(groups: Iterable[Group]) -> Mapping[str, set[str]]:
    """Return the full names that each Document has."""
    company: dict[str, set[str]] = defaultdict(set)
    for source, name in (n for group in groups for n in group.names):
        if " " in name and not name.islower():
            company[source].add(normalise(name))
    return company


def _phrase(group: Group) -> bool:
    """Say whether a group is a common noun that means something in its Document only."""
    return group.local and all(name[:1].islower() for _, name in group.names)


def _candidate(name: str, group: Group) -> Candidate:
    return Candidate(name, types_of(group), group.contexts(), group.names[0][0])


def _resolved(
    readings: Sequence[Reading],
    uses: Mapping[Name, Use],
    components: Meanings,
    joins: Sequence[_Join],
) -> Resolved:
    groups = _groups(uses, components)
    titles = {r.document.source: r.document.title for r in readings}
    names = entity_names(groups, titles)
    meaning = {name: names[key] for key, group in groups.items() for name in group.names}
    entities = {names[key]: entity(names[key], group) for key, group in groups.items()}
    triples = [t for r in readings for t in _renamed(r, meaning, entities)]
    return Resolved(
        tuple(entities[name] for name in sorted(entities)),
        tuple(sorted(triples, key=_place)),
        tuple(_merges(joins, meaning)),
        meaning,
    )


def _place(triple: Triple) -> tuple[str, int, int, str, str, str]:
    return (
        triple.source,
        triple.chunk,
        triple.start,
        triple.subject.name,
        triple.predicate,
        triple.object.name,
    )


def _renamed(
    reading: Reading, meaning: Mapping[Name, str], entities: Mapping[str, Entity]
) -> Iterator[Triple]:
    """Yield a Reading's triples with canonical names; what became "A is A" is left out."""
    source = reading.document.source
    seen: set[Triple] = set()
    for triple in reading.extraction.triples:
        subject, thing = (
            Mention(name, entities[name].types)
            for name in (
                meaning[source, canonical(triple.subject.name)],
                meaning[source, canonical(triple.object.name)],
            )
        )
        renamed = replace(triple, subject=subject, object=thing)
        if subject.name != thing.name and renamed not in seen:
            seen.add(renamed)
            yield renamed


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
