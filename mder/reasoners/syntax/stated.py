"""Whether passages say of things what a question says of them: for yes or no, and for choices."""

import re
from collections.abc import Sequence

from mder.names import normalise
from mder.reasoners.syntax.comparing import Comparison
from mder.reasoners.syntax.passages import WORD, Passage, key, words_of
from mder.reasoners.syntax.relations import content
from mder.reasoners.syntax.sides import passages_about
from mder.records import Binding, Kind, QueryTriple, Question, is_placeholder

_HOLDS = 0.6  # share of what is said of a thing that its passages have to say
_OPENING = 5
_NAMES = 0.7  # share of a question's names that have to be told of
_UNTOLD = 0.5  # share of the words of a long question that need not be told
_LONG = 15  # words of a question that is long
_SHOWN = 2
_LITTLE = frozenset({"is", "a", "both", "typ", "kind"})


def stated(question: Question, found: Sequence[Passage]) -> Comparison | None:
    """Answer yes or no, or choose the option of which the passages say most of what is asked."""
    if question.kind is Kind.COMPARISON:
        return _chosen(question, found)
    names = _named(question)
    return _all(question, names, found) if len(names) > 1 else _told(question, found)


def _told(question: Question, found: Sequence[Passage]) -> Comparison | None:
    """Say yes where the Documents tell what is asked; what they do not tell may still be so."""
    said = words_of(question.text)
    names = frozenset(key(m[0]) for m in WORD.finditer(question.text) if _is_name(m)) & said
    parts = [p.words | words_of(p.title) for p in found]
    if len(said) < _LONG and "both" not in question.text.split():
        # What is asked in few words has to stand in one sentence.
        parts = sorted(parts, key=lambda words: -len(said & words))[:1]
    told = frozenset[str]().union(*parts)
    enough = 1 - min(_UNTOLD, len(said) * _UNTOLD / _LONG)
    if not said or len(names & told) < _NAMES * len(names) or len(said & told) < enough * len(said):
        return None
    best = sorted(found, key=lambda p: -len(said & p.words))[:_SHOWN]
    share = len(said & told) / len(said)
    return Comparison("Yes", tuple(Binding("yes", share, (p.id,)) for p in best), "")


def _is_name(match: re.Match[str]) -> bool:
    return match.start() > 0 and match[0][:1].isupper()


def _named(question: Question) -> tuple[str, ...]:
    """Return the things that a question says the same of."""
    names = dict.fromkeys(t.subject for t in question.triples if not is_placeholder(t.subject))
    return tuple(names) if len(names) == len(question.triples) else ()


def _wanted(triples: Sequence[QueryTriple], name: str) -> frozenset[str]:
    """Return the words of what is said of a thing."""
    words: frozenset[str] = frozenset()
    for triple in triples:
        words |= content(triple.predicate)
        for end in (triple.subject, triple.object):
            if end != name and not is_placeholder(end):
                words |= words_of(end)
    return words - _LITTLE


def _share(words: frozenset[str], near: Sequence[Passage]) -> tuple[float, Passage | None]:
    """Return how much of some words the passages hold together, and the one that holds most."""
    if not near or not words:
        return 0.0, None
    words = _open(words)
    texts = [_open(p.words) for p in near]
    counts = [len(words & text) for text in texts]
    most = max(counts)
    held = len(words & frozenset[str]().union(*texts))
    return (held + 0.5 * most) / (1.5 * len(words)), near[counts.index(most)]


def _open(words: frozenset[str]) -> frozenset[str]:
    """Cut words so that Japan and Japanese agree."""
    return frozenset(word[:_OPENING] for word in words)


def _all(question: Question, names: Sequence[str], found: Sequence[Passage]) -> Comparison | None:
    shown, used, holds = [], [], True
    for name in names:
        near = passages_about(name, found)
        words = _wanted([t for t in question.triples if name in {t.subject, t.object}], name)
        share, best = _share(words, near)
        if best is None:
            return None
        holds = holds and share >= _HOLDS
        used.append(Binding("yes" if share >= _HOLDS else "no", share, (best.id,)))
        shown.append(f"{name}: {used[-1].value}")
    return Comparison("Yes" if holds else "No", tuple(used), "; ".join(shown))


def _chosen(question: Question, found: Sequence[Passage]) -> Comparison | None:
    names = {normalise(name) for name in question.options}
    said = words_of(question.text)
    for option in question.options:
        said -= words_of(option)
    made = {}
    for option in question.options:
        near = passages_about(option, found)
        own = _wanted([t for t in question.triples if option in {t.subject, t.object}], option)
        share, best = _share((own or said) if question.order == "" else said, near)
        wide, _ = _share(said, near)
        if best is None:
            return None
        made[option] = (share + 0.5 * wide, best)
    ranked = sorted(made, key=lambda o: -made[o][0])
    if not names or made[ranked[0]][0] == made[ranked[1]][0]:
        return None
    used = tuple(Binding(o, made[o][0], (made[o][1].id,)) for o in ranked[:1])
    return Comparison(ranked[0], used, "")
