"""Box plots of the resamples, one panel a metric."""

from importlib.util import find_spec
from pathlib import Path

from dr.evaluate.bootstrap import resampled
from dr.evaluate.figures import METRICS, Outcomes, columns_of
from mder.errors import MissingPackageError

_ACROSS = 4
_INCHES = 3.0
# The same figures give the same bytes: no dates, no chance in the ids of an SVG.
_SALT = "mder-dr"
_METADATA: dict[str, dict[str, str | None]] = {"png": {"Software": None}, "svg": {"Date": None}}


def require() -> None:
    """Make sure that plots can be drawn, before hours are spent on what they show.

    :raises MissingPackageError: when matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise MissingPackageError("matplotlib", "mder-dr[eval]")


def draw(outcomes: Outcomes, seed: int, folder: Path) -> None:
    """Write ``results.png`` and ``results.svg``: the means of the resamples of each retriever.

    A box holds the middle half of them, its whiskers 95 %; metrics that nothing was measured of
    have no panel, and where nothing was measured at all, there is no plot.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    columns = {(m, name): c for name, o in outcomes.items() for m, c in columns_of(o).items()}
    means = {key: drawn for key, _, drawn in resampled(columns, seed)}
    shown = [m for m in METRICS if any(metric == m for metric, _ in means)]
    if not shown:
        return
    down = -(-len(shown) // _ACROSS)
    with rc_context({"svg.hashsalt": _SALT}):
        figure = Figure(figsize=(_ACROSS * _INCHES, down * _INCHES), layout="constrained")
        for place, metric in enumerate(shown, start=1):
            names = [name for name in outcomes if (metric, name) in means]
            axes = figure.add_subplot(down, _ACROSS, place)
            boxes = [means[metric, name] for name in names]
            axes.boxplot(boxes, tick_labels=names, whis=(2.5, 97.5), showfliers=False)
            axes.set_title(metric)
            axes.tick_params(axis="x", labelrotation=45 if len(names) > 2 else 0)
        for form, metadata in _METADATA.items():
            figure.savefig(folder / f"results.{form}", format=form, metadata=metadata)
