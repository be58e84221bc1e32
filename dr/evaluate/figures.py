"""What all the scores come to: means with their errors, by type of question, and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import median

import numpy as np

from dr.evaluate.asking import Outcome
from dr.evaluate.bootstrap import Array, Estimate, estimates

METRICS = (
    "recall@2",
    "recall@5",
    "recall@10",
    "all@5",
    "em",
    "f1",
    "soft_em",
    "judge",
    "declined",
    "declined_answerable",
    "lost",
    "tokens_in",
    "tokens_out",
    "seconds",
)
UNTYPED = "(none)"

Outcomes = Mapping[str, Sequence[Outcome]]
"""One Outcome a question, by the name of what was asked."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one retriever.

    :param asked: questions that got an answer, be it to decline; ``failed`` those that got none.
    :param means: by metric; a metric that no question is a case of is not there.
    :param median: of the seconds a question; None where no question got an answer.
    :param by_type: the same by type of question; empty where there are no types.
    :param paired: by the name of a retriever and metric, how much more this one has, over the
        questions that both have.
    """

    asked: int
    failed: int
    means: Mapping[str, Estimate]
    median: float | None
    by_type: Mapping[str, "Figures"] = field(default_factory=dict)
    paired: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)


def figures_of(outcomes: Outcomes, types: Sequence[str], seed: int = 0) -> dict[str, Figures]:
    """Return the Figures of each retriever.

    :param types: of the questions, in their order; ``""`` where one has none.
    :param seed: of the resamples; the same seed gives the same figures.
    """
    names = {kind: kind or UNTYPED for kind in sorted(set(types))} if any(types) else {}
    paired = _paired(outcomes, seed)
    return {
        retriever: replace(
            _figures(found, seed),
            by_type={
                name: _figures([o for o, t in zip(found, types, strict=True) if t == kind], seed)
                for kind, name in names.items()
            },
            paired=paired.get(retriever, {}),
        )
        for retriever, found in outcomes.items()
    }


def columns_of(outcomes: Sequence[Outcome]) -> dict[str, Array]:
    """Return the scores by metric, shape ``(questions,)``, NaN for a question that has none."""
    return {m: np.array([o.scores.get(m, np.nan) for o in outcomes]) for m in METRICS}


def _figures(outcomes: Sequence[Outcome], seed: int) -> Figures:
    failed = sum(bool(outcome.error) for outcome in outcomes)
    seconds = [o.scores["seconds"] for o in outcomes if "seconds" in o.scores]
    return Figures(
        len(outcomes) - failed,
        failed,
        estimates(columns_of(outcomes), seed),
        median(seconds) if seconds else None,
    )


def _paired(outcomes: Outcomes, seed: int) -> dict[str, dict[str, dict[str, Estimate]]]:
    """Compare each retriever with those before it."""
    tables = {name: columns_of(found) for name, found in outcomes.items()}
    differences = {
        (later, before, metric): tables[later][metric] - tables[before][metric]
        for before, later in combinations(tables, 2)
        for metric in METRICS
    }
    found: dict[str, dict[str, dict[str, Estimate]]] = {}
    for (later, before, metric), estimate in estimates(differences, seed).items():
        found.setdefault(later, {}).setdefault(before, {})[metric] = estimate
    return found
