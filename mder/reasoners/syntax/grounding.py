"""The act of Resolve by rules: which end of which triple a Placeholder may stand for."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from mder.names import normalise
from mder.reasoners.syntax.discourse import is_person
from mder.reasoners.syntax.relations import (
    content,
    contradicts,
    is_kinship,
    kinship,
    overlap,
    reversed_roles,
    stem,
)
from mder.records import VALUES, Binding, Evidence, Mention, QueryTriple, Question, Triple

# Expected types that a value has or has not, whatever the parser's labels.
_CERTAIN = frozenset({"date", "year", "person", "place", "number"})
_VALUED = frozenset({"date", "year", "number"})
_CLASSES = frozenset({"occupation", "profession", "genre", "type", "kind"})
_PLACE = ("place",)
_ORGANIZATION = ("organization",)
_KINDS_OF = {
    "nationality": ("group",),
    "country": ("group", "place"),
    "year": ("date",),
    **dict.fromkeys(("city", "town", "state", "county", "region", "village", "river"), _PLACE),
    **dict.fromkeys(("company", "university", "school", "team", "club", "band"), _ORGANIZATION),
}
_ORIGIN = frozenset(map(stem, ("nationality", "from", "country", "citizenship", "ethnicity")))
_IS_IN = re.compile(r"IS_(?:[A-Z]+_)?IN(?:_[A-Z]+_OF)?$")
_STANDS_IN = re.compile(
    r"(?:IS|WAS|STANDS|STOOD|LIES|LAY)_(?:LOCATED_|SITUATED_)?(?:IN|AT|ON|NEAR)$"
)
_SITUATED = content("LOCATED")
_RELEASE = frozenset(map(stem, ("released", "release", "published", "made", "produced", "came")))
LEAST = 0.5  # likeness, the type of the value apart, from which a value is proposed


def ground(
    triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
) -> tuple[Binding, ...]:
    """Propose the far ends of triples whose relation is like the one asked for, best first.

    An Evidence's ``entity`` is the known end, and its score says how like the relations are.
    """
    if not triple.placeholders:
        return tuple(_verdicts(triple, evidence))
    forward = triple.object in triple.placeholders
    last = _last(triple, question, forward=forward)
    # How long something lasted is told by two dates.
    expects = question.expects.replace("duration", "date") if last else ""
    expects = expects or ("person" if is_kinship(triple.predicate) else "")
    known = normalise(triple.subject if forward else triple.object)
    slot = triple.placeholders[0]
    # Texas is not said by "Where is Paris, Texas?", which names another place.
    said = f" {normalise(question.text)} ".replace(f" {known} ", "  ")
    scores: dict[str, float] = {}
    support: dict[str, list[str]] = defaultdict(list)
    for found in evidence:
        fact = found.triple
        value = _far_end(fact, found.entity)
        if fact is None or value is None or normalise(value.name) == known:
            continue
        if slot == question.asks and f" {normalise(value.name)} " in said:
            # What the question says itself is no answer to it.
            continue
        score = found.score + _likeness(triple, fact, value, forward=forward)
        score += _order(found.quote, value.name, triple.predicate)
        if not (expects == "place" and _stands_in(fact.predicate, value)):
            score = score + _fit(value, expects) if score > LEAST else 0.0
        if last and not expects and VALUES & set(value.types):
            # What was asked for is seldom when it was.
            score -= 0.4
        if score > scores.get(value.name, LEAST):
            scores[value.name] = score
            support[value.name].insert(0, found.id)
    ranked = sorted(scores, key=lambda value: (-scores[value], value))
    return tuple(Binding(v, scores[v], tuple(support[v][:3])) for v in ranked)


def _verdicts(triple: QueryTriple, evidence: Sequence[Evidence]) -> Iterator[Binding]:
    """Say of a complete triple whether it is stated or denied."""
    for found in evidence:
        fact = found.triple
        if fact is None:
            continue
        outward = normalise(fact.subject.name) == normalise(triple.subject)
        if reversed_roles(triple.predicate, fact.predicate, along=outward):
            # Who directed is not who was directed.
            continue
        value = fact.object if outward else fact.subject
        score = found.score + _likeness(triple, fact, value, forward=True)
        if score > LEAST:
            yield Binding("no" if fact.negated else "yes", score, (found.id,))


def _last(triple: QueryTriple, question: Question, *, forward: bool) -> bool:
    """Say whether a triple's Placeholder is the one asked for, or ends a comparison's chain."""
    slot = triple.object if forward else triple.subject
    ends = [end for t in question.triples for end in (t.subject, t.object)]
    return slot == question.asks or (not question.asks and ends.count(slot) == 1)


def _far_end(fact: Triple | None, known: str) -> Mention | None:
    if fact is None or fact.negated:
        return None
    if fact.subject.name == known:
        return fact.object
    return fact.subject if fact.object.name == known else None


def _likeness(query: QueryTriple, fact: Triple, value: Mention, *, forward: bool) -> float:
    """Weigh what letters and grammar say of two relations, beside their embeddings."""
    asked, stated = query.predicate, fact.predicate
    score = 0.35 * overlap(asked, stated) + (0.1 if asked == stated else 0.0)
    score += kinship(asked, stated, along=(fact.object == value) == forward)
    score += 0.2 if content(asked) & {stem(kind) for kind in value.types} else 0.0
    score += 0.25 if _by_adjective(asked, stated, value) else 0.0
    score += 0.25 if _by_place(asked, stated, value) else 0.0
    # Embeddings find any two relations somewhat alike; alone they have to be more certain.
    score -= 0.0 if score else 0.25
    if reversed_roles(asked, stated, along=(fact.object == value) == forward):
        score -= 0.5
    score -= 0.5 if contradicts(asked, stated) else 0.0
    if is_kinship(asked) and not _proper(value.name):
        score -= 0.3
    if stated == "IS_A" and not (content(asked) <= {"a"} or content(asked) & _CLASSES):
        score -= 0.3
    return score


def _by_adjective(asked: str, stated: str, value: Mention) -> bool:
    """Say whether a date of release or a nationality is stated by an adjective.

    "a 1994 Italian film" is a film of 1994, and Italian.
    """
    wanted = content(asked)
    if stated == "IS" and "group" in value.types:
        return bool(wanted & _ORIGIN)
    dated = stated.startswith("IS_") and stated.endswith("_OF") and "date" in value.types
    return dated and bool(wanted & _RELEASE)


def _by_place(asked: str, stated: str, value: Mention) -> bool:
    """Say whether where something is follows from what it is: "a city in Texas" is in Texas."""
    if not content(asked) <= _SITUATED or not asked.endswith("_IN"):
        return False
    named = "place" in value.types and _IS_IN.match(stated) is not None
    return named or _stands_in(stated, value)


def _stands_in(stated: str, value: Mention) -> bool:
    """Say whether a relation alone makes its far end a place: "stands in the garden"."""
    unlike = VALUES.intersection(value.types) or (value.types and _proper(value.name))
    return not unlike and _STANDS_IN.match(stated) is not None


def _proper(name: str) -> bool:
    return not name[:1].islower() and "'s " not in name


def _fit(value: Mention, expects: str) -> float:
    """Weigh the type of a value against the one expected."""
    if not expects:
        return 0.0
    wanted = {expects, *_KINDS_OF.get(expects, ())}
    person = is_person(value.types)
    if wanted & set(value.types) or (is_person(wanted) and person):
        return 0.25
    valued = bool(VALUES & set(value.types))
    if valued != (expects in _VALUED) and (valued or expects in _CERTAIN):
        # A date where a place is asked for, or the other way round.
        return -1.0
    if person and not (is_person(wanted) or expects in _CERTAIN):
        # Not where a place is asked for: the parser takes many a place for a person.
        return -1.0
    if expects in _CERTAIN:
        return -0.35
    # An element is asked for, and this is known to be something else.
    return -0.4 if value.types else 0.0


def _order(quote: str, value: str, asked: str) -> float:
    """Break ties by order: in "son of A and B" the father comes first, the mother last."""
    place = quote.find(value)
    share = place / len(quote) if quote and place >= 0 else 1.0
    return 0.02 * (share if "MOTHER" in asked else 1 - share)
