"""The order of the stages: from files to a new Generation."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from mder.embedders.base import Embedder, Vectors
from mder.embedders.memory import RememberingEmbedder
from mder.errors import GraphError
from mder.graph.generations import Home
from mder.graph.segments import segments_of
from mder.graph.store import SETS, Graph
from mder.journal import Journal
from mder.models.ledger import Ledger
from mder.pipeline.rehearsal import Rehearsal
from mder.pipeline.report import Report
from mder.pipeline.run import Run
from mder.pipeline.whole import Progress
from mder.reasoners.cast import Cast
from mder.settings import Settings
from mder.sources import discover

__all__ = ["Progress", "Report", "index", "rehearse"]


def index(
    paths: Sequence[Path],
    home: Home,
    journal: Journal,
    settings: Settings,
    cast: Cast,
    embedder: Embedder,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    remove: Collection[str] = (),
    prune: bool = False,
    retry_failed: bool = False,
    reembed: bool = False,
    keep: int = 2,
    jobs: int = 1,
    ledger: Ledger | None = None,
    progress: Progress = lambda *_: None,
    told: Callable[[str], None] = lambda _: None,
) -> Report:
    """Bring the graph to the state of the sources; Documents that are not named stay.

    The caller holds the lock of ``home``.

    :param include: only files that match one of these globs; ``exclude``: none that do.
    :param remove: sources of Documents to take out.
    :param prune: take out the Documents whose files are gone.
    :param retry_failed: ask again for what no reply could be used for; where no path is given, do
        nothing else.
    :param reembed: keep what was read with another Embedder, Chunks included; only vectors and
        what rests on them are made anew.
    :param keep: how many Generations are left, with the new one.
    :param jobs: Documents read at a time, and requests sent.
    :param ledger: the one that the Reasoners count in.
    :param told: hears what will be done again, and why.
    :raises BudgetError: when its budget is spent; what was done until then is in the journal.
    :raises ModelError: when a model is not there; the same holds.
    :raises GraphError: when the graph cannot be written, or breaks a rule of the ontology.
    :raises UsageError: when a path does not exist.
    """
    current = _current(home)
    run = Run(
        home,
        journal,
        current,
        settings,
        cast,
        _remembering(embedder, None if reembed else current),
        jobs=jobs,
        progress=progress,
        ledger=ledger or Ledger(),
        prune=prune,
        removed=frozenset(remove),
        retry_failed=retry_failed,
        reembed=reembed,
        keep=keep,
        told=told,
    )
    return run.index(list(discover(paths, include, exclude)))


def rehearse(
    paths: Sequence[Path],
    home: Home,
    journal: Journal,
    settings: Settings,
    cast: Cast,
    embedder: Embedder,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    retry_failed: bool = False,
    sample: int = 400,
    stands_for: str = "",
    progress: Progress = lambda *_: None,
) -> float:
    """Do what :func:`index` would, but for writing anything, so that the Cast can count it.

    :param sample: the most Documents read; they lie evenly among all.
    :param stands_for: name of the Embedder that :func:`index` would use, where it is another one.
    :returns: of the Documents to be read, the share that was.
    """
    current = _current(home)
    rehearsal = Rehearsal(
        home,
        journal,
        current,
        settings,
        cast,
        _remembering(embedder, current),
        progress=progress,
        stands_for=stands_for,
        retry_failed=retry_failed,
    )
    return rehearsal(list(discover(paths, include, exclude)), sample)


def _remembering(embedder: Embedder, current: Graph | None) -> RememberingEmbedder:
    """Return an Embedder that takes over the vectors of the current Generation."""
    if current is None or current.manifest.embedder != embedder.name:
        return RememberingEmbedder(embedder)

    # An earlier version made fewer.
    there = [which for which in SETS if segments_of(current.path / "vectors", which)]

    def recall(text: bytes) -> Vectors | None:
        found = (current.vectors(which).by_digest(text) for which in there)
        return next((vector for vector in found if vector is not None), None)

    return RememberingEmbedder(embedder, recall)


def _current(home: Home) -> Graph | None:
    """Return the current Generation; None where there is none that is whole."""
    try:
        return Graph.open(home.current())
    except GraphError:
        return None
