"""The act of Resolve by rules: which end of which triple a Placeholder may stand for."""

import re
from collections import defaultdict
from collections.abc import Sequence

from mder.names import normalise
from mder.records import Binding, Evidence, Mention, QueryTriple, Question

PLACEHOLDER = re.compile(r"[XYZ]\d*$")
_EMPTY = frozenset(
    "has have had is was are were be been do did does a an the of in on at by".split()
)
_KIN = {
    "parent": frozenset({"father", "mother", "parent"}),
    "child": frozenset({"son", "daughter", "child"}),
    "spouse": frozenset({"spouse", "husband", "wife", "marri", "widow"}),
    "sibling": frozenset({"brother", "sister", "sibling"}),
}
_LIFE = (frozenset({"born", "birth"}), frozenset({"died", "die", "death"}))
_MUTUAL = frozenset({"spouse", "sibling"})
_CONVERSE = {"parent": "child", "child": "parent"}
# Expected types that a value has or has not, whatever the parser's labels.
_CERTAIN = frozenset({"date", "person", "place", "number"})
_CLASSES = frozenset({"occupation", "profession", "genre", "type", "kind"})
_PLACE = ("place",)
_KINDS_OF = {
    "nationality": ("group",),
    "country": ("place", "group"),
    "city": _PLACE,
    "town": _PLACE,
    "state": _PLACE,
    "county": _PLACE,
    "region": _PLACE,
    "year": ("date",),
    "company": ("organization",),
    "university": ("organization",),
    "school": ("organization",),
    "team": ("organization",),
    "club": ("organization",),
    "band": ("organization",),
}
_ENDINGS = re.compile(r"(?:ies|ied|ing|ings|er|or|ers|ors|ed|es|s|ion|ions|ment|al|ship|e|y)$")
LEAST = 0.55  # score below which a value is not proposed


def ground(
    triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
) -> tuple[Binding, ...]:
    """Propose the far ends of triples whose relation is like the one asked for, best first.

    An Evidence's ``entity`` is the known end, and its score says how like the relations are.
    """
    forward = PLACEHOLDER.match(triple.object) is not None
    expects = question.expects if _last(triple, question, forward) else ""
    known = normalise(triple.subject if forward else triple.object)
    scores: dict[str, float] = {}
    support: dict[str, list[str]] = defaultdict(list)
    for found in evidence:
        value = _far_end(found)
        if not value or normalise(value) == known:
            continue
        score = _score(found, value, triple, forward, expects)
        if score > scores.get(value, LEAST):
            scores[value] = score
            support[value].insert(0, found.id)
    ranked = sorted(scores, key=lambda value: (-scores[value], value))
    return tuple(Binding(v, scores[v], tuple(support[v][:3])) for v in ranked)


def _last(triple: QueryTriple, question: Question, forward: bool) -> bool:
    """Say whether a triple's Placeholder is the one asked for, or ends a comparison's chain."""
    slot = triple.object if forward else triple.subject
    ends = [end for t in question.triples for end in (t.subject, t.object)]
    return slot == question.asks or (not question.asks and ends.count(slot) == 1)


def _far_end(evidence: Evidence) -> str:
    triple, known = evidence.triple, evidence.entity
    if triple is None or triple.negated:
        return ""
    if triple.subject.name == known:
        return triple.object.name
    return triple.subject.name if triple.object.name == known else ""


def _score(
    evidence: Evidence, value: str, query: QueryTriple, forward: bool, expects: str
) -> float:
    triple = evidence.triple
    if triple is None:
        return 0.0
    outward = triple.object.name == value
    far = triple.object if outward else triple.subject
    role = content(query.predicate)
    score = evidence.score + 0.35 * overlap(query.predicate, triple.predicate)
    score += 0.2 if role & {_stem(kind) for kind in far.types} else 0.0
    score += _kinship(query.predicate, triple.predicate, outward == forward)
    score += _fit(far, expects)
    score -= 0.5 if _contradicts(role, content(triple.predicate)) else 0.0
    score -= 0.3 if _kin(query.predicate) and not _proper(value) else 0.0
    score -= 0.3 if triple.predicate == "IS_A" and expects not in _CLASSES else 0.0
    return score + _order(evidence.quote, value, role)


def _contradicts(asked: frozenset[str], stated: frozenset[str]) -> bool:
    """Say whether one speaks of birth and the other of death, which embeddings take for alike."""
    return any(asked & one and stated & other for one, other in (_LIFE, _LIFE[::-1]))


def _proper(value: str) -> bool:
    return value[:1].isupper() and "'s " not in value


def _fit(value: Mention, expects: str) -> float:
    """Weigh the type of a value against the one expected."""
    if not expects:
        return 0.0
    wanted = {expects, *_KINDS_OF.get(expects, ())}
    if wanted & set(value.types):
        return 0.25
    return -0.35 if expects in _CERTAIN else 0.0


def _order(quote: str, value: str, role: frozenset[str]) -> float:
    """Break ties by order: in "son of A and B" the father comes first, the mother last."""
    place = quote.find(value)
    share = place / len(quote) if quote and place >= 0 else 1.0
    return 0.02 * (share if "mother" in role else 1 - share)


def _kinship(asked: str, stated: str, along: bool) -> float:
    """Weigh kinship by its direction: a son's father is the one whose son he is.

    :param along: the triple leads from the known end as the query triple does.
    """
    query, fact = _kin(asked), _kin(stated)
    if query is None:
        return 0.0
    if fact is None:
        return -0.3
    if query == fact:
        # "A HAS_SON B" leads from parent to child, "B IS_SON_OF A" back.
        same = along == (_has(asked) == _has(stated))
        return 0.3 if same or query in _MUTUAL else -0.5
    if fact == _CONVERSE.get(query):
        return 0.3 if along == (_has(asked) != _has(stated)) else -0.5
    return -0.3


def _kin(predicate: str) -> str | None:
    words = content(predicate)
    return next((kin for kin, names in _KIN.items() if words & names), None)


def _has(predicate: str) -> bool:
    return predicate.startswith(("HAS_", "HAD_", "HAVE_"))


def overlap(asked: str, stated: str) -> float:
    """Return the share of the content words asked for that a predicate has, by their stems."""
    wanted = content(asked)
    return len(wanted & content(stated)) / len(wanted) if wanted else 0.0


def content(predicate: str) -> frozenset[str]:
    """Return the stems of a predicate's words that carry meaning.

    >>> sorted(content("WAS_DIRECTED_BY")), sorted(content("HAS_DIRECTOR"))
    (['direct'], ['direct'])
    """
    words = predicate.lower().split("_")
    return frozenset(_stem(word) for word in words if word and word not in _EMPTY)


def _stem(word: str) -> str:
    stem = _ENDINGS.sub("", word)
    return stem if len(stem) > 2 else word
