"""``mder index``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mder.cli import options, report
from mder.console import FAILED, PARTLY, progress_bars, warn
from mder.errors import UsageError

if TYPE_CHECKING:
    from mder.graph.store import Graph
    from mder.pipeline import Report


def index(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH…", help="Files and folders.")
    ] = None,
    kg: options.Kg = None,
    llm: options.Llm = None,
    llm_small: options.LlmSmall = None,
    llm_large: options.LlmLarge = None,
    embedder: options.Embedder = None,
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only files that match.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="No files that match.")
    ] = None,
    jobs: options.Jobs = 1,
    setting: options.Setting = None,
    keep: options.Keep = 2,
    max_tokens: options.MaxTokens = 0,
    max_cost: options.MaxCost = 0.0,
    *,
    prune: Annotated[
        bool, typer.Option("--prune", help="Take out the documents whose files are gone.")
    ] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Tell what models would be asked; ask nothing.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again where no reply could be used.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Bring the graph to the state of these documents.

    What did not change costs nothing; documents not named stay. Exit code 3: some files could not
    be read, a budget is spent, or a model failed too often.

    Example: mder index ./docs notes.md --llm ollama/gpt-oss:20b --max-tokens 2000000
    """
    from mder import library
    from mder.choice import Models

    _check(named=bool(paths) or retry_failed or prune, unforeseen=estimate and prune)
    models = Models(llm, llm_small, llm_large, embedder)
    with progress_bars(shown=not as_json) as progress:
        if estimate:
            foreseen = library.estimate(
                paths or (),
                kg,
                models=models,
                assignments=setting or (),
                include=include or (),
                exclude=exclude or (),
                retry_failed=retry_failed,
                jobs=jobs,
                progress=progress,
            )
        else:
            graph, done = library.index(
                paths or (),
                kg,
                models=models,
                assignments=setting or (),
                include=include or (),
                exclude=exclude or (),
                prune=prune,
                retry_failed=retry_failed,
                keep=keep,
                max_tokens=max_tokens,
                max_cost=max_cost,
                jobs=jobs,
                progress=progress,
                stopped=partial(report.tell_stopped, as_json=as_json),
                told=report.explain,
            )
    if estimate:
        report.tell_estimate(foreseen, as_json=as_json)
        return
    report.tell(done, graph, as_json=as_json)
    _exit(done, graph, named=bool(paths))


def _check(*, named: bool, unforeseen: bool) -> None:
    if not named:
        raise UsageError(
            "name the files and folders to index, or say --retry-failed or --prune; "
            "see mder index -h"
        )
    if unforeseen:
        raise UsageError("--estimate does not foresee what --prune takes; leave one of them out")


def _exit(done: "Report", graph: "Graph", *, named: bool) -> None:
    if named and not (done.read or done.kept or done.removed):
        warn("mder: no document was found that can be read")
        raise typer.Exit(FAILED)
    report.exit_where_too_much_failed(done, graph)
    if done.skipped:
        raise typer.Exit(PARTLY)
