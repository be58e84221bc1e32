"""The commands for what becomes of a graph: remove, reembed, generations, rollback."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mder.cli import options, report
from mder.console import progress_bars, say, say_json, warn

if TYPE_CHECKING:
    from mder.life import Generation

_HEAD = ("generation", "made", "documents", "entities", "triples", "size", "state")
_STEP = 1024


def remove(
    documents: Annotated[
        list[str], typer.Argument(metavar="DOC", help="Files, folders, sources or IRIs.")
    ],
    kg: options.Kg = None,
    llm: options.Llm = None,
    llm_small: options.LlmSmall = None,
    llm_large: options.LlmLarge = None,
    embedder: options.Embedder = None,
    jobs: options.Jobs = 1,
    setting: options.Setting = None,
    keep: options.Keep = 2,
    max_tokens: options.MaxTokens = 0,
    max_cost: options.MaxCost = 0.0,
    *,
    as_json: options.AsJson = False,
) -> None:
    """Take documents out of the graph; their files are left alone.

    A document is named by its path, a folder by its own, a row or a page as it is shown in
    citations, and any of them by its IRI. A graph that was built with a server needs it named.

    Example: mder remove docs/old.md docs/drafts 'rows.jsonl#3ef93dc314a29a6c'
    """
    from mder import life
    from mder.choice import Models

    with progress_bars(shown=not as_json) as progress:
        graph, done = life.remove(
            documents,
            kg,
            models=Models(llm, llm_small, llm_large, embedder),
            assignments=setting or (),
            keep=keep,
            max_tokens=max_tokens,
            max_cost=max_cost,
            jobs=jobs,
            progress=progress,
            stopped=partial(report.tell_stopped, as_json=as_json),
            told=report.explain,
        )
    there = life.present(done.removed, kg)
    if there:
        others = f" and {len(there) - 1} more" if there[1:] else ""
        warn(f"the next mder index adds again what is still there: {there[0]}{others}")
    if as_json:
        report.tell_json(done, graph, present=there)
    else:
        report.tell_result(f"removed {len(done.removed)}", done, graph)
    report.exit_where_too_much_failed(done, graph)


def reembed(
    kg: options.Kg = None,
    llm: options.Llm = None,
    llm_small: options.LlmSmall = None,
    llm_large: options.LlmLarge = None,
    embedder: options.Embedder = None,
    jobs: options.Jobs = 1,
    setting: options.Setting = None,
    keep: options.Keep = 2,
    max_tokens: options.MaxTokens = 0,
    max_cost: options.MaxCost = 0.0,
    *,
    as_json: options.AsJson = False,
) -> None:
    """Make all vectors anew with another embedder, and the merges that rest on them.

    Nothing is read again: chunks and triples stay. Without --embedder it is the one in
    settings.toml. A graph that was built with a language model on a server needs that named.

    Example: mder reembed --embedder ollama/nomic-embed-text
    """
    from mder import life
    from mder.choice import Models

    with progress_bars(shown=not as_json) as progress:
        graph, done = life.reembed(
            kg=kg,
            models=Models(llm, llm_small, llm_large, embedder),
            assignments=setting or (),
            keep=keep,
            max_tokens=max_tokens,
            max_cost=max_cost,
            jobs=jobs,
            progress=progress,
            stopped=partial(report.tell_stopped, as_json=as_json),
            told=report.explain,
        )
    made = graph.manifest
    if as_json:
        report.tell_json(done, graph, embedder=made.embedder, dimension=made.dimension)
    else:
        report.tell_result(f"embedded anew with {made.embedder}", done, graph)
    report.exit_where_too_much_failed(done, graph)


def generations(kg: options.Kg = None, *, as_json: options.AsJson = False) -> None:
    """List the states of the graph that are kept, and examine each file of them.

    The size is what a generation takes beside the ones before it, for they share files.

    Example: mder generations && mder rollback
    """
    from mder.life import generations as kept

    found = kept(kg)
    if as_json:
        say_json([asdict(generation) for generation in found])
    else:
        say(report.table(_HEAD, [_row(generation) for generation in found]))


def rollback(kg: options.Kg = None, *, as_json: options.AsJson = False) -> None:
    """Go back to the generation before, and to its settings.

    It is the newest one that is whole. The next mder index brings the graph to the state of the
    sources again.

    Example: mder rollback && mder index ./docs
    """
    from mder.life import rollback as back

    now = back(kg)
    if as_json:
        say_json(asdict(now))
    else:
        held = f"{now.documents} documents, {now.triples} triples, {now.entities} entities"
        say(f"back at generation {now.number}, made {now.created}: {held}")


def _row(generation: "Generation") -> Sequence[str]:
    counts = (generation.documents, generation.entities, generation.triples)
    state = f"damaged: {generation.damage}" if generation.damage else "whole"
    return (
        str(generation.number),
        generation.created or "?",
        *("?" if count is None else str(count) for count in counts),
        _size(generation.size),
        f"{state}, current" if generation.current else state,
    )


def _size(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < _STEP:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= _STEP
    return f"{size:.1f} GB"
