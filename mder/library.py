"""The whole job in two calls, for scripts and notebooks."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mder.embedders import is_served
from mder.errors import GraphError, UsageError
from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.settings import Settings, assigned, load

if TYPE_CHECKING:
    from mder.pipeline import Progress, Report

Paths = str | Path | Sequence[str | Path]


def build(
    paths: Paths,
    kg: str | Path | None = None,
    *,
    llm: str | None = None,
    embedder: str | None = None,
    jobs: int = 1,
) -> Graph:
    """Index documents and return the graph, open for reading.

    :param paths: files and folders.
    :param kg: where the graph is kept; by default ``MDER_KG``, else ``.mder`` here.
    :param llm: ``provider/model``, or ``"syntax"`` for none, the default. A graph that was built
        with a server needs it named each time.
    :param embedder: name of the embedding model; by default as before.
    :raises MderError: see :mod:`mder.errors`.
    """
    named = [paths] if isinstance(paths, str | Path) else paths
    graph, _ = index([Path(p) for p in named], kg, llm=llm, embedder=embedder, jobs=jobs)
    return graph


def open_graph(kg: str | Path | None = None) -> Graph:
    """Open the current state of a graph for reading.

    :param kg: where it is kept; by default ``MDER_KG``, else ``.mder`` here or in a folder above.
    :raises GraphError: when there is none.
    """
    return Graph.open(Home.find(None if kg is None else Path(kg)).current())


def index(
    paths: Sequence[Path],
    kg: str | Path | None = None,
    *,
    llm: str | None = None,
    embedder: str | None = None,
    assignments: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    jobs: int = 1,
    progress: "Progress" = lambda *_: None,
) -> "tuple[Graph, Report]":
    """Open the models that are meant, run the pipeline with them, and open what it made.

    :param assignments: settings to change, such as ``merge_threshold=0.9``.
    :raises MderError: see :mod:`mder.errors`.
    """
    from mder import pipeline
    from mder.embedders import open_embedder
    from mder.journal import Journal
    from mder.reasoners import open_reasoner

    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
    home = Home.create(None if kg is None else Path(kg))
    settings = _chosen(load(home.settings), llm, embedder)
    for assignment in assignments:
        settings = assigned(settings, assignment)
    try:
        with home.lock(), Journal(home.journal) as journal:
            report = pipeline.index(
                paths,
                home,
                journal,
                settings,
                open_reasoner(settings.llm, settings.language, journal),
                open_embedder(settings.embedder),
                include=include,
                exclude=exclude,
                jobs=jobs,
                progress=progress,
            )
    except OSError as error:
        raise GraphError(f"{home.path}: {error}; free some space, or mend its rights") from error
    return Graph.open(home.current()), report


def _chosen(settings: Settings, llm: str | None, embedder: str | None) -> Settings:
    """Return settings with the models named now; None leaves what was chosen before.

    A server is named each time: a settings file that came with somebody's folder sends nothing.

    :raises UsageError: when a server was chosen before and is not named now.
    """
    if llm is None and settings.llm:
        raise UsageError(
            f"this graph was built with {settings.llm}; say --llm {settings.llm} again to send "
            "documents there, or --llm syntax to do without"
        )
    if embedder is None and is_served(settings.embedder):
        raise UsageError(
            f"this graph was built with {settings.embedder}; say --embedder {settings.embedder} "
            "again to send documents there"
        )
    if llm is not None:
        settings = replace(settings, llm="" if llm == "syntax" else llm)
    return settings if embedder is None else replace(settings, embedder=embedder)
