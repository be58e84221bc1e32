"""``mder index``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from mder.cli import report
from mder.cli.options import AsJson, Kg
from mder.console import FAILED, PARTLY, progress_bars, warn
from mder.errors import UsageError

if TYPE_CHECKING:
    from mder.pipeline import Report

Model: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="PROVIDER/MODEL",
        help="ollama/…, openai/…, gguf/FILE or syntax, the default: no LLM.",
    ),
]


def index(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH…", help="Files and folders.")
    ] = None,
    kg: Kg = None,
    llm: Model = None,
    llm_small: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER/MODEL", help="The one to summarize, translate, disambiguate, enrich."
        ),
    ] = None,
    llm_large: Annotated[
        str | None, typer.Option(metavar="PROVIDER/MODEL", help="The one to map and reduce.")
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A sentence-transformers name, ollama/… or openai/…"),
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only files that match.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="No files that match.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Documents and requests at a time.")] = 1,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as merge_threshold=0.9."),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option(min=0, help="The most that models may take; 0 is no limit.")
    ] = 0,
    max_cost: Annotated[
        float, typer.Option(min=0, help="The same in money, by the settings price_in, price_out.")
    ] = 0.0,
    *,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Tell what models would be asked; ask nothing.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Ask again where no reply could be used.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the graph to the state of these documents.

    What did not change costs nothing; documents not named stay. Exit code 3: some files could not
    be read, a budget is spent, or a model failed too often.

    Example: mder index ./docs notes.md --llm ollama/gpt-oss:20b --max-tokens 2000000
    """
    from mder import library
    from mder.choice import Models

    if not paths and not retry_failed:
        raise UsageError(
            "name the files and folders to index, or say --retry-failed; see mder index -h"
        )
    models = Models(llm, llm_small, llm_large, embedder)
    assignments, globs = setting or (), (include or (), exclude or ())
    if estimate:
        with progress_bars(shown=not as_json) as progress:
            foreseen = library.estimate(
                paths or (),
                kg,
                models=models,
                assignments=assignments,
                include=globs[0],
                exclude=globs[1],
                retry_failed=retry_failed,
                jobs=jobs,
                progress=progress,
            )
        report.tell_estimate(foreseen, as_json=as_json)
        return
    with progress_bars(shown=not as_json) as progress:
        graph, done = library.index(
            paths or (),
            kg,
            models=models,
            assignments=assignments,
            include=globs[0],
            exclude=globs[1],
            retry_failed=retry_failed,
            max_tokens=max_tokens,
            max_cost=max_cost,
            jobs=jobs,
            progress=progress,
            stopped=partial(report.tell_stopped, as_json=as_json),
        )
    report.tell(done, graph.statistics(), as_json=as_json)
    allowed = float(graph.manifest.settings["failed_share"])
    _exit(done, allowed, named=bool(paths))


def _exit(done: "Report", allowed: float, *, named: bool) -> None:
    if named and not done.read + done.kept:
        warn("mder: no document was found that can be read")
        raise typer.Exit(FAILED)
    if done.failed_share > allowed:
        warn(
            f"mder: no usable reply to {done.failed_share:.0%} of what a model was asked; "
            "see mder doctor, or raise failed_share"
        )
        raise typer.Exit(PARTLY)
    if done.skipped:
        raise typer.Exit(PARTLY)
