"""How like the relation asked for is to one that is stated: by stems, kinship, life and death."""

import re
from functools import lru_cache

_EMPTY = frozenset(
    "has have had is was are were be been do did does a an the of in on at by to".split()
)
_ENDINGS = re.compile(
    r"(?:ies|ied|ing|ings|er|or|ers|ors|ed|es|s|ion|ions|ment|al|ship|ence|ance|e|y)$"
)
_EXTRA = 0.1  # taken for each content word that the stated relation has and the asked has not


def stem(word: str) -> str:
    """Return a word without its ending; what is left need not be a word.

    >>> stem("director"), stem("directed"), stem("wife")
    ('direct', 'direct', 'wif')
    """
    short = _ENDINGS.sub("", word)
    return short if len(short) > 2 else word


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


# Words that state one relation; the first stem of a line stands for all of them.
_SAME = {
    stem(word): stem(line.split()[0])
    for line in (
        "write writes wrote written author penned writer",
        "perform performs singer sings sang sung performer",
        "star stars starring acts acted actor actress cast",
        "locate located situated lies lie stands stand",
        "found founded founder established founding establish",
        "release released published release premiered",
        "study studied attended educated graduated education alma",
        "win wins won received awarded award",
        "lead leads led head heads headed leader",
        "make makes made created creates creator",
    )
    for word in line.split()
}
_KIN = {
    "parent": _stems("father mother parent"),
    "child": _stems("son daughter child children"),
    "spouse": _stems("spouse husband wife married marry marries widow wed"),
    "sibling": _stems("brother sister sibling"),
}
_MALE = _stems("father son husband brother")
_FEMALE = _stems("mother daughter wife sister")
_MUTUAL = frozenset({"spouse", "sibling"})
_CONVERSE = {"parent": "child", "child": "parent"}
_BIRTH, _DEATH = _stems("born birth"), _stems("died die death")


@lru_cache(maxsize=4096)
def content(predicate: str) -> frozenset[str]:
    """Return the stems of a predicate's words that carry meaning.

    >>> sorted(content("WAS_DIRECTED_BY")), sorted(content("HAS_DIRECTOR"))
    (['direct'], ['direct'])
    """
    words = (word for word in predicate.lower().split("_") if word and word not in _EMPTY)
    return frozenset(_SAME.get(stem(word), stem(word)) for word in words)


def overlap(asked: str, stated: str) -> float:
    """Return from 0 to 1 how much of a relation is stated, less for what is stated besides."""
    wanted, given = content(asked), content(stated)
    if not wanted & given:
        return 0.0
    return max(len(wanted & given) / len(wanted) - _EXTRA * len(given - wanted), 0.1)


def contradicts(asked: str, stated: str) -> bool:
    """Say whether one speaks of birth and the other of death, which embeddings take for alike."""
    a, b = content(asked), content(stated)
    return bool((a & _BIRTH and b & _DEATH) or (a & _DEATH and b & _BIRTH))


def is_kinship(predicate: str) -> bool:
    """Say whether a relation is one of family."""
    return _kin(predicate) is not None


def kinship(asked: str, stated: str, *, along: bool) -> float:
    """Return from -0.5 to 0.3 how far one family relation states another, by its direction.

    A son's father is the one whose son he is. 0 where no family relation is asked for.

    :param along: the triple leads from the known end as the query triple does.
    """
    query, fact = _kin(asked), _kin(stated)
    if query is None:
        return 0.0
    if query == fact and _of_other_sex(content(asked), content(stated)):
        return -0.5
    if query == fact:
        # "A HAS_SON B" leads from parent to child, "B IS_SON_OF A" back.
        same = along == (_has(asked) == _has(stated))
        return 0.3 if same or query in _MUTUAL else -0.5
    if fact is not None and fact == _CONVERSE.get(query):
        return 0.3 if along == (_has(asked) != _has(stated)) else -0.5
    return -0.3


def _of_other_sex(asked: frozenset[str], stated: frozenset[str]) -> bool:
    return bool((asked & _MALE and stated & _FEMALE) or (asked & _FEMALE and stated & _MALE))


def reversed_roles(asked: str, stated: str, *, along: bool) -> bool:
    """Say whether two relations share their verb, but who acts in one is acted upon in the other.

    :param along: the triple leads from the known end as the query triple does.
    """
    if _noun_like(asked) or _noun_like(stated) or not content(asked) & content(stated):
        return False
    return along != (asked.endswith("_BY") == stated.endswith("_BY"))


def _noun_like(predicate: str) -> bool:
    return predicate.startswith(("HAS_", "HAD_", "IS_", "WAS_A")) and not predicate.endswith("_BY")


def _kin(predicate: str) -> str | None:
    words = content(predicate)
    return next((kin for kin, names in _KIN.items() if words & names), None)


def _has(predicate: str) -> bool:
    return predicate.startswith(("HAS_", "HAD_", "HAVE_"))
