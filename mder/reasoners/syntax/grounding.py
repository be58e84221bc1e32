"""The act of Resolve by rules: which end of which triple a Placeholder may stand for."""

import re
from collections import defaultdict
from collections.abc import Sequence

from mder.names import normalise
from mder.records import Binding, Evidence, QueryTriple, Question, Triple

PLACEHOLDER = re.compile(r"[XYZ]\d*$")
_EMPTY = frozenset(
    "has have had is was are were be been do did does a an the of in on at by".split()
)
_PARENTS = frozenset({"father", "mother", "parent"})
_CHILDREN = frozenset({"son", "daughter", "child"})
_SPOUSES = frozenset({"spouse", "husband", "wife", "marri", "widow"})
_SIBLINGS = frozenset({"brother", "sister", "sibling"})
_KIN = (_PARENTS, _CHILDREN, _SPOUSES, _SIBLINGS)
_CONVERSE = {_PARENTS: _CHILDREN, _CHILDREN: _PARENTS, _SPOUSES: _SPOUSES, _SIBLINGS: _SIBLINGS}
_ENDINGS = re.compile(r"(?:ies|ied|ing|ings|er|or|ers|ors|ed|es|s|ion|ions|ment|al|ship|e|y)$")
LEAST = 0.45  # score below which a value is not proposed


def ground(
    triple: QueryTriple, question: Question, evidence: Sequence[Evidence]
) -> tuple[Binding, ...]:
    """Propose the far ends of triples whose relation is like the one asked for, best first.

    An Evidence's ``entity`` is the known end, and its score says how like the relations are.
    """
    forward = PLACEHOLDER.match(triple.object) is not None
    slot = triple.object if forward else triple.subject
    expects = question.expects if slot == question.asks else ""
    scores: dict[str, float] = {}
    support: dict[str, list[str]] = defaultdict(list)
    for found in evidence:
        if found.triple is None:
            continue
        value = _far_end(found.triple, found.entity)
        if not value or normalise(value) in normalise(f"{triple.subject} {triple.object}"):
            continue
        score = _score(found, triple, forward, expects)
        if score > scores.get(value, LEAST):
            scores[value] = score
            support[value].insert(0, found.id)
    ranked = sorted(scores, key=lambda value: (-scores[value], value))
    return tuple(Binding(v, scores[v], tuple(support[v][:3])) for v in ranked)


def _far_end(triple: Triple, known: str) -> str:
    if triple.subject.name == known:
        return triple.object.name
    return triple.subject.name if triple.object.name == known else ""


def _score(evidence: Evidence, query: QueryTriple, forward: bool, expects: str) -> float:
    triple = evidence.triple
    if triple is None or triple.negated:
        return 0.0
    outward = triple.subject.name == evidence.entity
    far = triple.object if outward else triple.subject
    score = evidence.score + 0.35 * overlap(query.predicate, triple.predicate)
    role = content(query.predicate)
    score += 0.2 if role & {_stem(kind) for kind in far.types} else 0.0
    score += _kinship(role, content(triple.predicate), outward=outward == forward)
    if expects:
        fits = expects in far.types or (expects in {"date", "number"} and far.name.isdigit())
        score += 0.25 if fits else -0.35 if expects in _HARD else 0.0
    if triple.predicate == "IS_A" and expects not in {"", "occupation", "nationality"}:
        score -= 0.3
    return score


_HARD = frozenset({"date", "person", "place", "number"})


def _kinship(asked: frozenset[str], stated: frozenset[str], outward: bool) -> float:
    """Weigh kinship by its direction: a son's father is the one whose son he is."""
    for kin in _KIN:
        if not asked & kin:
            continue
        same, converse = bool(stated & asked), bool(stated & _CONVERSE[kin])
        if same or converse or stated & kin:
            # "A IS_SON_OF B" leads outward from A to a parent, "A HAS_SON B" to a child.
            right = (same or bool(stated & kin)) == (
                outward == ("has" in stated or not stated & kin)
            )
            return 0.3 if right or kin in {_SPOUSES, _SIBLINGS} else -0.5
    return 0.0


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
