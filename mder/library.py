"""The whole job in two calls, for scripts and notebooks."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.settings import Settings, load

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
    :param llm: ``provider/model``, or ``"syntax"`` for none; by default as before.
    :param embedder: name of the embedding model; by default as before.
    :raises MderError: see :mod:`mder.errors`.
    """
    home = Home.create(None if kg is None else Path(kg))
    named = [paths] if isinstance(paths, str | Path) else paths
    settings = chosen(load(home.settings), llm, embedder)
    index(home, [Path(path) for path in named], settings, jobs=jobs)
    return Graph.open(home.current())


def open_graph(kg: str | Path | None = None) -> Graph:
    """Open the current state of a graph for reading.

    :param kg: where it is kept; by default ``MDER_KG``, else ``.mder`` here or in a folder above.
    :raises GraphError: when there is none.
    """
    return Graph.open(Home.find(None if kg is None else Path(kg)).current())


def chosen(settings: Settings, llm: str | None, embedder: str | None) -> Settings:
    """Return settings with another model; None leaves what was chosen before."""
    if llm is not None:
        settings = replace(settings, llm="" if llm == "syntax" else llm)
    return settings if embedder is None else replace(settings, embedder=embedder)


def index(
    home: Home,
    paths: Sequence[Path],
    settings: Settings,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    jobs: int = 1,
    progress: "Progress" = lambda *_: None,
) -> "Report":
    """Open the models that the settings name and run the pipeline with them."""
    from mder import pipeline
    from mder.embedders import open_embedder
    from mder.journal import Journal
    from mder.reasoners import open_reasoner

    with home.lock(), Journal(home.journal) as journal:
        reasoner = open_reasoner(settings.llm, settings.language, journal)
        return pipeline.index(
            paths,
            home,
            journal,
            settings,
            reasoner,
            open_embedder(settings.embedder),
            include=include,
            exclude=exclude,
            jobs=jobs,
            progress=progress,
        )
