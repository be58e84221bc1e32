"""What speaks for a candidate: its type, the words around it, and where it was found."""

import math
import re

from mder.reasoners.syntax.candidates import Candidate
from mder.reasoners.syntax.passages import STOP, Passage, form, key, words_of
from mder.reasoners.syntax.relations import content
from mder.reasoners.syntax.scene import Scene
from mder.reasoners.syntax.wanted import (
    DATE,
    GROUP,
    NUMBER,
    ORGANIZATION,
    PERSON,
    PLACE,
    YEAR,
    Wanted,
)

_KNOWN = frozenset({PERSON, PLACE, ORGANIZATION, GROUP, "work", "event", "product", "law"})
_VALUED = frozenset({DATE, YEAR, NUMBER})
_COUNTED = frozenset({NUMBER, "amount", "quantity"})
_IN = re.compile(r"\b(?:in|at|near|from) (?:the )?$", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|and|with|as) (?:the )?$", re.IGNORECASE)
_DEFINES = re.compile(r"\b(?:is|are|was|were|means|refers to) (?:an?|the)\b")
_PERSONAL = re.compile(r"[A-Z][\w'-]+(?: [A-Z]\.?)?(?: [A-Z][\w'-]+){1,2}")
_WINDOW = 8  # words on either side of a candidate that are near it
_CUE = 10  # words between a relation and the candidate behind it


def of_passage(passage: Passage, scene: Scene) -> dict[str, float]:
    """Return what speaks for everything in a passage, each from -1 to 1."""
    wanted, page = scene.wanted, scene.pages[passage.source]
    said = passage.words | words_of(passage.title)
    bridges = [p.words | words_of(p.title) for p in page.bridges]
    linked = float(bool(page.bridges or passage.path) and not page.named)
    bound = float(page.title in scene.bound)
    return {
        "focus": _part(wanted.focus, passage.words, 0.5),
        "cover": scene.share(said),
        "document": scene.share(page.words),
        "score": passage.score - scene.best,
        "rank": 1 / (1 + passage.rank),
        "rank0": float(passage.rank == 0),
        "linked": linked,
        "linked_late": linked * wanted.indirect,
        "named": float(page.named),
        "named_early": float(page.named and wanted.indirect),
        "bridge": max((scene.share(words - wanted.focus) for words in bridges), default=0.0),
        "chain": max((scene.share(said | words) for words in bridges), default=scene.share(said)),
        "beside": page.beside,
        "first": float(passage.place == 0),
        "bound": bound,
        "bound_late": bound * wanted.indirect,
        "near": float(any(n == page.title or f" {n} " in passage.said for n in wanted.near)),
    }


def of_candidate(one: Candidate, scene: Scene, spread: int) -> dict[str, float]:
    """Return what speaks for one candidate among those of its passage, each from -1 to 1.

    :param spread: in how many Documents it is found.
    """
    wanted, passage = scene.wanted, one.passage
    near, called, valued = _near(one), _called(one, scene), bool(one.types & _VALUED)
    # How many there are of something else is as wrong as what is no number.
    fit = fitness(one, wanted) if called or not wanted.counted else -1.0
    own = scene.titles.get(one.key, "")
    words = one.value.split()
    event = scene.pages[passage.source].event
    before = passage.text[: max(one.start, 0)]
    placed = 0 if valued else (wanted.kind == PLACE) - (wanted.kind == PERSON)
    return {
        "fit": max(fit, 0.0),
        "clash": max(-fit, 0.0),
        "focus_near": _part(wanted.focus, near, 0.0),
        "cover_near": scene.share(near),
        "own": scene.share(scene.pages[own].words) if own else 0.0,
        "title": float(one.titled),
        "titles": float(bool(own) and not one.titled),
        "own_late": (scene.share(scene.pages[own].words) if own else 0.0) * wanted.indirect,
        "title_late": float(one.titled and wanted.indirect),
        "titles_late": float(bool(own) and not one.titled and wanted.indirect),
        "is_bridge": float(one.key in scene.bound),
        "noun": called,
        "stated": _stated(one, wanted),
        "partly": float(any(f" {w} " in wanted.said for w in one.key.split() if w not in STOP)),
        "length": min(len(words), 8) / 8,
        "common": float(one.value[:1].islower()),
        "mixed": float(one.value[:1].isupper() and words[-1][:1].islower()),
        "spread": math.log(spread),
        "in": float(bool(_IN.search(before))) * placed,
        "by": float(bool(_BY.search(before))) * -placed,
        "absent": float(one.start < 0),
        "cue": _cue(one, wanted),
        "event": float(bool(event) and one.value == event),
        "no_event": float(bool(event) and one.value != event),
        "valued": float(valued and wanted.kind not in _VALUED),
    }


def _part(wanted: frozenset[str], words: frozenset[str], otherwise: float) -> float:
    return len(wanted & words) / len(wanted) if wanted else otherwise


def _near(one: Candidate) -> frozenset[str]:
    if one.start < 0:
        return frozenset()
    end = one.start + len(one.value)
    before = [word for start, word in one.passage.tokens if start < one.start]
    after = [word for start, word in one.passage.tokens if start >= end]
    return frozenset((*before[-_WINDOW:], *after[:_WINDOW]))


def _cue(one: Candidate, wanted: Wanted) -> float:
    """Return how soon a candidate follows a word of the relation asked for, from 0 to 1."""
    if one.start < 0 or not wanted.focus:
        return 0.0
    before = [word for start, word in one.passage.tokens if start < one.start]
    gap = next((i for i, w in enumerate(reversed(before)) if w in wanted.focus), _CUE)
    return max(0.0, 1 - gap / _CUE)


def fitness(one: Candidate, wanted: Wanted) -> float:
    """Return 1 where a candidate has the type wanted, -1 where it has another, 0 for unknown."""
    kind, types = wanted.kind, one.types
    if kind in {DATE, YEAR}:
        return (1.0 if kind in types else 0.6) if types & {DATE, YEAR} else -1.0
    if kind == NUMBER:
        return 1.0 if types & _COUNTED else -1.0
    if types & _VALUED or "time" in types:
        return -1.0 if kind else -0.5
    if not kind:
        return float(bool(wanted.noun) and wanted.noun in map(key, types))
    if kind in types:
        return 1.0
    if kind == PERSON and not types and _PERSONAL.fullmatch(one.value):
        return 0.5
    other = bool(types & _KNOWN) or kind == GROUP or one.value[:1].islower()
    return -0.5 if other else 0.0


def _called(one: Candidate, scene: Scene) -> float:
    """Say whether a candidate is one of what is asked for: by name, by type, by what is beside."""
    noun = scene.wanted.noun
    if not noun:
        return 0.0
    own = scene.titles.get(one.key)
    if noun in {*map(key, one.types), *map(key, one.key.split())} or (
        own and noun in scene.pages[own].opening.words
    ):
        return 1.0
    if one.start < 0:
        return 0.0
    end = one.start + len(one.value)
    before = [word for start, word in one.passage.tokens if start < one.start]
    after = [word for start, word in one.passage.tokens if start >= end]
    return 0.7 if noun in {*before[-3:], *after[:4]} else 0.0


def _stated(one: Candidate, wanted: Wanted) -> float:
    """Return how much of the relation asked for a triple states of a candidate."""
    best = 0.0
    for triple in one.passage.triples if wanted.focus else ():
        if not triple.negated and one.key in {form(triple.subject.name), form(triple.object.name)}:
            given = content(triple.predicate)
            best = max(best, len(wanted.focus & given) / len(wanted.focus | given))
    return best


def of_sentence(passage: Passage, scene: Scene) -> dict[str, float]:
    """Return what speaks for a whole sentence as the answer, each from -1 to 1."""
    page, title = scene.pages[passage.source], words_of(passage.title)
    return {
        "cover": scene.share(passage.words | title),
        "own": scene.share(passage.words),
        "focus": _part(scene.wanted.focus, passage.words, 0.5),
        "document": scene.share(page.words),
        "named": float(page.named),
        "called": scene.share(title),
        "alike": passage.score,
        "rank": 1 / (1 + passage.rank),
        "first": float(passage.place == 0),
        "second": float(passage.place == 1),
        "defines": float(_DEFINES.search(passage.text[:120]) is not None),
        "short": float(len(passage.text) < 40),
    }
