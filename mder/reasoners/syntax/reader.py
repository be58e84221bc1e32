"""Answers read from passages: every candidate is weighed, and the best one is told how sure it is.

The weights are those of a softmax over the candidates of a question, and of a logistic regression
on the best of them.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mder.reasoners.syntax.candidates import Candidate, candidates
from mder.reasoners.syntax.features import of_candidate, of_passage, of_sentence
from mder.reasoners.syntax.passages import Passage, form, words_of
from mder.reasoners.syntax.scene import Scene, scene
from mder.reasoners.syntax.sides import read_bindings
from mder.reasoners.syntax.wanted import PERSON, TEXT, Wanted, wanted
from mder.reasoners.syntax.weights import CANDIDATE, SENTENCE, SURE, SURE_SENTENCE
from mder.records import Binding, Question

_BOUND = 0.65  # score of a Binding from which it is more than a guess


@dataclass(frozen=True, slots=True)
class Finding:
    """The best answer of the passages.

    :param sure: how probable it is that it is right, from 0 to 1.
    :param passages: the one it stands in, then the one that leads there, if there is one.
    :param whole: the value is a sentence as it stands.
    :param fits: it is not of another kind than is asked for.
    :param spoken: the passages speak of a relation that is asked for, or were led to by one.
    :param steps: how many relations the question holds.
    """

    value: str
    sure: float
    passages: tuple[Passage, ...]
    whole: bool = False
    fits: bool = True
    spoken: bool = True
    steps: int = 1


def read(
    question: Question, found: Sequence[Passage], bindings: Mapping[str, Binding]
) -> Finding | None:
    """Return the best answer of some passages, or None where there is nothing to choose from."""
    asked = wanted(question)
    around = scene(asked, found, _leading(question, found, bindings))
    if not found:
        return None
    if asked.kind == TEXT:
        return _sentence(found, around)
    shares = {(p.source, p.place): of_passage(p, around) for p in found}
    options = [c for c in candidates(found) if not _named(c, asked)]
    spread: defaultdict[str, set[str]] = defaultdict(set)
    for one in options:
        spread[one.key].add(one.passage.source)
    bound = bindings.get(question.asks)
    weighed = []
    for one in options:
        given = shares[one.passage.source, one.passage.place]
        told = given | of_candidate(one, around, len(spread[one.key])) | _agreement(one, bound)
        weighed.append((weigh(CANDIDATE, told), one, told))
    return _best(weighed, around) if weighed else _sentence(found, around)


def _named(one: Candidate, asked: Wanted) -> bool:
    """Say whether a question names a candidate, which it then does not ask for."""
    said = f" {one.key} " in asked.said
    return said or (asked.kind == PERSON and words_of(one.value) <= asked.words)


def weigh(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the weighted sum of features; what has no weight does not count."""
    return sum(weight * features.get(name, 0.0) for name, weight in weights.items())


def _agreement(one: Candidate, bound: Binding | None) -> dict[str, float]:
    """Say whether the graph bound the Placeholder asked for to a candidate."""
    same = bound is not None and one.key == form(bound.value)
    return {
        "isbound": float(same),
        "sure": float(same and bound is not None and bound.score >= _BOUND),
    }


def _leading(
    question: Question, found: Sequence[Passage], bindings: Mapping[str, Binding]
) -> tuple[Binding, ...]:
    """Return what the relation asked for leads from, read where the graph does not tell."""
    read = read_bindings(question, found, bindings)
    asks = question.asks
    ends = [
        e for t in question.triples if asks in {t.subject, t.object} for e in (t.subject, t.object)
    ]
    return tuple(read[end] for end in ends if end != asks and end in read)


def _best(weighed: Sequence[tuple[float, Candidate, dict[str, float]]], around: Scene) -> Finding:
    """Return the answer with the most weight, that in several passages taken together."""
    top = max(score for score, _, _ in weighed)
    total: defaultdict[str, float] = defaultdict(float)
    for score, one, _ in weighed:
        total[one.key] += math.exp(score - top)
    best = max(total, key=lambda k: total[k])
    _, one, told = max((w for w in weighed if w[1].key == best), key=lambda w: w[0])
    told["likely"] = math.log(total[best] / sum(total.values()))
    told["alike"] = one.passage.score
    told["constant"] = 1.0
    support = _support(one.passage, around)
    # Where the first step has led to another Document, its words may be quite different ones.
    led = around.wanted.steps > 1 and not around.pages[one.passage.source].named
    spoken = led or told["event"] > 0 or around.wanted.spoken(support)
    return Finding(
        one.value,
        logistic(weigh(SURE, told)),
        support,
        fits=told["clash"] < 1,
        spoken=spoken,
        steps=around.wanted.steps,
    )


def logistic(x: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-x))


def _support(passage: Passage, around: Scene) -> tuple[Passage, ...]:
    """Return a passage, and the one that leads to its Document where that adds something."""
    bridges = around.pages[passage.source].bridges
    gain = {p.id: around.share(passage.words | p.words) for p in bridges if p.id != passage.id}
    best = max((p for p in bridges if p.id in gain), key=lambda p: gain[p.id], default=None)
    if best is None or gain[best.id] <= around.share(passage.words):
        return (passage,)
    return passage, best


def _sentence(found: Sequence[Passage], around: Scene) -> Finding:
    """Return the sentence that answers a question best."""
    weighed = [(weigh(SENTENCE, of_sentence(p, around)), p) for p in found]
    score, best = max(weighed, key=lambda w: w[0])
    told = of_sentence(best, around)
    rest = sum(math.exp(s - score) for s, _ in weighed)
    told |= {"likely": -math.log(rest), "constant": 1.0}
    # What a thing does in general follows from what it is; what happened has to be told.
    spoken = not around.wanted.happened or around.wanted.spoken((best,))
    sure = logistic(weigh(SURE_SENTENCE, told))
    return Finding(best.text, sure, (best,), whole=True, spoken=spoken)
