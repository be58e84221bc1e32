"""The whole job in two calls, for scripts and notebooks; :mod:`mder.life` is what comes later."""

import logging
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mder.choice import Models
from mder.embedders import is_served
from mder.errors import GraphError, UsageError
from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.settings import Settings, load

if TYPE_CHECKING:
    from mder.estimate import Estimate
    from mder.journal import Journal
    from mder.models.ledger import Ledger, Spent
    from mder.models.replies import Failure
    from mder.pipeline import Progress, Report
    from mder.pipeline.pool import Each
    from mder.reasoners import Terms

Paths = str | Path | Sequence[str | Path]
logger = logging.getLogger(__name__)


def build(
    paths: Paths,
    kg: str | Path | None = None,
    *,
    llm: str | None = None,
    embedder: str | None = None,
    jobs: int = 1,
    prune: bool = False,
    keep: int = 2,
) -> Graph:
    """Index documents and return the graph, open for reading.

    :param paths: files and folders.
    :param kg: where the graph is kept; by default ``MDER_KG``, else ``.mder`` here.
    :param llm: ``provider/model``, or ``"syntax"`` for none, the default. A graph that was built
        with a server needs it named each time.
    :param embedder: name of the embedding model; by default as before.
    :param prune: take out the Documents whose files are gone; otherwise they stay.
    :param keep: how many Generations are left, with the new one.
    :raises MderError: see :mod:`mder.errors`.
    """
    named = [paths] if isinstance(paths, str | Path) else paths
    models = Models(llm=llm, embedder=embedder)
    some = [Path(p) for p in named]
    graph, _ = index(some, kg, models=models, jobs=jobs, prune=prune, keep=keep)
    return graph


def open_graph(kg: str | Path | None = None) -> Graph:
    """Open the current state of a graph for reading.

    Where it is damaged, the newest older one that is whole is opened, and a warning logged.

    :param kg: where it is kept; by default ``MDER_KG``, else ``.mder`` here or in a folder above.
    :raises GraphError: when there is none.
    """
    graph, note = Graph.of(Home.find(_place(kg)))
    if note:
        logger.warning(note)
    return graph


def index(
    paths: Sequence[Path],
    kg: str | Path | None = None,
    *,
    models: Models = Models(),  # noqa: B008
    assignments: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    remove: Collection[str] = (),
    prune: bool = False,
    retry_failed: bool = False,
    reembed: bool = False,
    keep: int = 2,
    max_tokens: int = 0,
    max_cost: float = 0.0,
    jobs: int = 1,
    progress: "Progress" = lambda *_: None,
    stopped: "Callable[[Mapping[str, Spent]], None]" = lambda _: None,
    told: Callable[[str], None] = lambda _: None,
) -> "tuple[Graph, Report]":
    """Open the models that are meant, run the pipeline with them, and open what it made.

    :param assignments: settings to change, such as ``merge_threshold=0.9``.
    :param remove: sources of Documents to take out; see :func:`mder.life.remove`.
    :param prune: take out the Documents whose files are gone, in whatever folder they were.
    :param retry_failed: ask again for what no reply of a model could be used for.
    :param reembed: make vectors anew, read nothing again; see :func:`mder.life.reembed`.
    :param max_tokens: what models may take in this run; 0 is no limit, as for ``max_cost``.
    :param stopped: told what each stage spent where the run does not come to its end.
    :param told: told what will be done again and why, before it is.
    :raises MderError: see :mod:`mder.errors`.
    """
    from mder import pipeline
    from mder.embedders import open_embedder
    from mder.journal import Journal
    from mder.pipeline import pool
    from mder.reasoners import check_models, open_cast

    _require(paths)
    settings = models.chosen(load(Home.at(_place(kg)).settings), assignments)
    ledger = _ledger(settings, max_tokens, max_cost)
    check_models(settings.models)
    # Without documents, something is done to a graph that is there.
    home = Home.create(_place(kg)) if paths else Home.find(_place(kg))
    with _ending(home, ledger, stopped), home.lock(), Journal(home.journal) as journal:
        with pool.requests(jobs) as each:
            terms = _terms(settings, ledger, journal, each, jobs)
            report = pipeline.index(
                paths,
                home,
                journal,
                settings,
                open_cast(settings.models, settings.language, terms),
                open_embedder(settings.embedder),
                include=include,
                exclude=exclude,
                remove=remove,
                prune=prune,
                retry_failed=retry_failed,
                reembed=reembed,
                keep=keep,
                jobs=jobs,
                ledger=ledger,
                progress=progress,
                told=told,
            )
        if report.changed:
            # The Generation that the run was made from can go now that nobody has it open.
            home.prune(keep)
    return Graph.open(home.current()), report


def estimate(
    paths: Sequence[Path],
    kg: str | Path | None = None,
    *,
    models: Models = Models(),  # noqa: B008
    assignments: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    retry_failed: bool = False,
    jobs: int = 1,
    progress: "Progress" = lambda *_: None,
) -> "Estimate":
    """Tell what :func:`index` would ask of language models; nothing is asked or written.

    :raises MderError: see :mod:`mder.errors`.
    """
    from mder import pipeline
    from mder.embedders import open_embedder
    from mder.estimate import Estimate, priced
    from mder.journal import Journal
    from mder.models.ledger import Ledger
    from mder.reasoners import rehearsed_cast

    _require(paths)
    with _home_to_read(kg) as home, Journal(home.journal, writes=False) as journal:
        settings = models.chosen(load(home.settings), assignments)
        ledger = Ledger()
        terms = _terms(settings, ledger, journal, map, 1)
        cast = rehearsed_cast(settings.models, settings.language, terms)
        # An embedding server is not asked either: the packaged model stands in for it.
        served = settings.embedder if is_served(settings.embedder) else ""
        embedder = open_embedder("" if served else settings.embedder)
        share = pipeline.rehearse(
            paths,
            home,
            journal,
            settings,
            cast,
            embedder,
            include=include,
            exclude=exclude,
            retry_failed=retry_failed,
            stands_for=served,
            progress=progress,
        )
        lines = priced(ledger.stages, settings, cast.names, journal.spending(), share, jobs)
    return Estimate(lines, share)


def failures(kg: str | Path | None = None) -> "tuple[Failure, ...]":
    """Return what is missing in a graph because no reply of a model could be used.

    :raises GraphError: when there is no graph.
    """
    from mder.journal import Journal

    home = Home.find(_place(kg))
    with Journal(home.journal, writes=False) as journal:
        return journal.failures()


def _place(kg: str | Path | None) -> Path | None:
    return None if kg is None else Path(kg)


@contextmanager
def _ending(
    home: Home, ledger: "Ledger", stopped: "Callable[[Mapping[str, Spent]], None]"
) -> Iterator[None]:
    """Do what is told of a run that does not come to its end."""
    try:
        yield
    except OSError as error:
        raise GraphError(f"{home.path}: {error}; free some space, or mend its rights") from error
    except BaseException:
        stopped(ledger.stages)
        raise


@contextmanager
def _home_to_read(kg: str | Path | None) -> Iterator[Home]:
    """Give the place of a graph, or a passing one where there is none yet."""
    home = Home.at(_place(kg))
    if home.path.is_dir():
        yield home
        return
    with TemporaryDirectory() as passing:
        yield Home.create(Path(passing) / ".mder")


def _require(paths: Sequence[Path]) -> None:
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")


def _ledger(settings: Settings, max_tokens: int, max_cost: float) -> "Ledger":
    from mder.models.ledger import Budget, Ledger, Prices

    if max_cost and not (settings.price_in or settings.price_out):
        raise UsageError("a limit on cost needs prices; say --set price_in=… --set price_out=…")
    return Ledger(Budget(max_tokens, max_cost, Prices(settings.price_in, settings.price_out)))


def _terms(
    settings: Settings, ledger: "Ledger", journal: "Journal", each: "Each", jobs: int
) -> "Terms":
    from mder.reasoners import Terms

    return Terms(
        ledger,
        journal,
        each,
        jobs,
        settings.llm_batch,
        settings.own_summary_characters,
        settings.requests_per_minute,
        settings.tokens_per_minute,
        settings.reply_tokens,
        journal,
    )
