"""The figures for readers, as tables of Markdown, and for machines."""

from collections.abc import Iterator, Mapping, Sequence

from dr.evaluate.bootstrap import RESAMPLES, Estimate
from dr.evaluate.figures import METRICS, Figures

_WHOLE = frozenset({"tokens_in", "tokens_out"})
_NONE = "–"


def as_record(figures: Figures) -> dict[str, object]:
    """Return what ``dr eval --json`` prints of one retriever; null where there is no base."""
    means = {m: f.mean for m, f in figures.means.items()}
    errors = {m: f.error for m, f in figures.means.items()}
    record: dict[str, object] = {
        "questions": figures.asked,
        "failed": figures.failed,
        **_nested(means),
        "seconds_median": _rounded(figures.median),
        "standard_errors": _nested(errors),
        "bases": {m: f.base for m, f in figures.means.items()},
    }
    if figures.by_type:
        record["by_type"] = {name: as_record(one) for name, one in figures.by_type.items()}
    if figures.paired:
        record["paired"] = {
            other: {metric: _difference(one) for metric, one in compared.items()}
            for other, compared in figures.paired.items()
        }
    return record


def _nested(numbers: Mapping[str, float | None]) -> dict[str, object]:
    """Return every metric, with the two kinds of tokens under one name."""
    flat: dict[str, object] = {m: _rounded(numbers.get(m)) for m in METRICS if m not in _WHOLE}
    tokens = {"in": _rounded(numbers.get("tokens_in")), "out": _rounded(numbers.get("tokens_out"))}
    return {**flat, "tokens": tokens}


def _difference(estimate: Estimate) -> dict[str, float | None]:
    return {
        "difference": _rounded(estimate.mean),
        "standard_error": _rounded(estimate.error),
        "share_above_0": _rounded(estimate.above),
        "questions": estimate.base,
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


def markdown(figures: Mapping[str, Figures], seed: int) -> str:
    """Return all tables: the figures, the same by type, and what differs from the first."""
    parts = [
        _table(["", *figures], _rows(figures)),
        f"Means over the questions that a figure is about, ± their standard error by bootstrap "
        f"({RESAMPLES:,} resamples, seed {seed}).",
    ]
    by_type = list(_by_type(figures))
    if by_type:
        shown = _shown(figures)
        head = ["type", "retriever", "questions", *shown]
        parts += ["By type of question:", _table(head, by_type)]
    first, *others = figures
    if others:
        pairs = [f"{name} − {first}" for name in others]
        rows = list(_compared(figures, first, others))
        parts += [
            f"Compared with {first}, question by question: the difference ± its standard error, "
            "and the share of the resamples in which it is above 0:",
            _table(["", *pairs], rows),
        ]
    return "\n\n".join(parts) + "\n"


def _shown(figures: Mapping[str, Figures]) -> list[str]:
    """Return the metrics that have a base anywhere."""
    return [m for m in METRICS if any(m in f.means for f in figures.values())]


def _rows(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    yield ["questions", *(str(f.asked) for f in figures.values())]
    if any(f.failed for f in figures.values()):
        yield ["failed", *(str(f.failed) for f in figures.values())]
    for metric in _shown(figures):
        yield [metric, *(_cell(metric, f.means.get(metric)) for f in figures.values())]
    medians = [f.median for f in figures.values()]
    yield ["seconds, median", *(_NONE if m is None else f"{m:.3f}" for m in medians)]


def _by_type(figures: Mapping[str, Figures]) -> Iterator[list[str]]:
    shown = _shown(figures)
    for name in dict.fromkeys(name for f in figures.values() for name in f.by_type):
        for retriever, whole in figures.items():
            one = whole.by_type[name]
            cells = (_mean(metric, one.means.get(metric)) for metric in shown)
            yield [name, retriever, str(one.asked), *cells]


def _compared(
    figures: Mapping[str, Figures], first: str, others: Sequence[str]
) -> Iterator[list[str]]:
    for metric in _shown(figures):
        found = [figures[name].paired.get(first, {}).get(metric) for name in others]
        yield [metric, *(_pair(metric, one) for one in found)]


def _mean(metric: str, estimate: Estimate | None) -> str:
    return _NONE if estimate is None else _number(metric, estimate.mean)


def _cell(metric: str, estimate: Estimate | None) -> str:
    if estimate is None or estimate.error is None:
        return _mean(metric, estimate)
    return f"{_number(metric, estimate.mean)} ± {_number(metric, estimate.error)}"


def _pair(metric: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return _NONE
    sign = "+" if estimate.mean > 0 else ""
    return f"{sign}{_cell(metric, estimate)} ({estimate.above:.0%})"


def _number(metric: str, number: float) -> str:
    return f"{number:.{0 if metric in _WHOLE else 3}f}"


def _table(head: Sequence[str], rows: Iterator[list[str]] | Sequence[list[str]]) -> str:
    """Return aligned columns of Markdown: the first to the left, all others to the right."""
    body = [*rows]
    widths = [max(3, *(len(row[i]) for row in (head, *body))) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        "| " + " | ".join([row[0].ljust(widths[0]), *_right(row[1:], widths[1:])]) + " |"
        for row in (head, rule, *body)
    )


def _right(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    return (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
