"""How sure a mean is: the bootstrap over questions (Efron, 1979)."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
K = TypeVar("K", bound=Hashable)

RESAMPLES = 10_000
_BLOCK = 1 << 20  # numbers drawn at a time


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions.

    :param base: how many questions it is the mean of.
    :param error: its standard error; None for one question, which tells nothing of others.
    :param above: share of the resamples whose mean is above 0.
    """

    mean: float
    base: int
    error: float | None
    above: float


def estimates(
    columns: Mapping[K, Array], seed: int = 0, resamples: int = RESAMPLES
) -> dict[K, Estimate]:
    """Estimate the mean of each column; one without any number has none.

    :param columns: numbers by question, shape ``(questions,)``, NaN where a question has none.
    """
    found = {
        key: Estimate(
            float(numbers.mean()),
            len(numbers),
            float(means.std(ddof=1)) if len(numbers) > 1 else None,
            float((means > 0).mean()),
        )
        for key, numbers, means in resampled(columns, seed, resamples)
    }
    return {key: found[key] for key in columns if key in found}


def resampled(
    columns: Mapping[K, Array], seed: int = 0, resamples: int = RESAMPLES
) -> Iterator[tuple[K, Array, Array]]:
    """Yield the numbers of each column that has some, and their means in each resample.

    Columns with numbers for the same questions are drawn together, so that what is compared is
    compared over the same questions. The same seed gives the same resamples.
    """
    alike: defaultdict[bytes, list[K]] = defaultdict(list)
    for key, column in columns.items():
        if not np.isnan(column).all():
            alike[np.isnan(column).tobytes()].append(key)
    for keys in alike.values():
        values = np.column_stack([columns[key] for key in keys])
        values = values[~np.isnan(values[:, 0])]
        means = _means(values, np.random.default_rng(seed), resamples)
        yield from zip(keys, values.T, means.T, strict=True)


def _means(values: Array, random: np.random.Generator, resamples: int) -> Array:
    """Return means, shape ``(resamples, columns)``, of values, shape ``(questions, columns)``."""
    size = len(values)
    at_once = max(_BLOCK // size, 1)
    blocks = []
    for start in range(0, resamples, at_once):
        count = min(at_once, resamples - start)
        drawn = random.integers(0, size, (count, size)) + np.arange(count)[:, None] * size
        times = np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size)
        blocks.append(times @ values / size)
    return np.concatenate(blocks)
