"""What a run tells of itself."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from mder.console import PARTLY, aside, say, say_json, warn

if TYPE_CHECKING:
    from mder.estimate import Estimate, Line
    from mder.graph.store import Graph
    from mder.models.ledger import Spent
    from mder.pipeline import Report

# Tells what is going to be done, as a warning of the library: above any progress bar.
explain = logging.getLogger("mder.cli").warning

_NAMED = 10
_LEDGER = ("stage", "asked", "cached", "failed", "calls", "tokens in", "tokens out", "seconds")
_ESTIMATE = ("stage", "model", "calls", "tokens in", "tokens out", "time", "cost")


def tell(done: "Report", graph: "Graph", *, as_json: bool) -> None:
    """Tell what a run did, what it could not do, and what models took for it."""
    for reason in done.skipped:
        warn(f"skipped {reason}")
    for source in done.failed:
        warn(f"{source}: not mapped whole; mder index --retry-failed asks again")
    _tell_gone(done.gone)
    for source, language in done.unread:
        warn(f"{source}: text in {language!r} gives no triples, but can be searched")
    if as_json:
        tell_json(done, graph)
        return
    removed = f", removed {len(done.removed)}" if done.removed else ""
    read = f"read {done.read}, unchanged {done.kept}, skipped {len(done.skipped)}{removed}"
    tell_result(read, done, graph)


def tell_json(done: "Report", graph: "Graph", **more: object) -> None:
    """Tell all of it to a machine."""
    say_json({**asdict(done), "counts": graph.statistics(), **more})


def tell_result(did: str, done: "Report", graph: "Graph") -> None:
    """Tell what models took for a run, what it did, and what the graph holds now."""
    if done.spent:
        say(table(_LEDGER, [_spent(stage, spent) for stage, spent in done.spent.items()]))
    counts = graph.statistics()
    held = ", ".join(f"{counts[k]} {k}" for k in ("documents", "chunks", "triples", "entities"))
    say(f"{did}; the graph holds {held}")


def exit_where_too_much_failed(done: "Report", graph: "Graph") -> None:
    """End with exit code 3 where models gave no usable reply to more than is allowed."""
    if done.failed_share > float(graph.manifest.settings["failed_share"]):
        warn(
            f"mder: no usable reply to {done.failed_share:.0%} of what a model was asked; "
            "see mder doctor, or raise failed_share"
        )
        raise typer.Exit(PARTLY)


def _tell_gone(sources: Sequence[str]) -> None:
    for source in sources[:_NAMED]:
        warn(f"{source}: stays in the graph, though its file is gone")
    if sources:
        more = f"{len(sources) - _NAMED} more stay as well; " if len(sources) > _NAMED else ""
        warn(f"{more}mder index --prune takes out what is gone, mder remove DOC one of them")


def tell_stopped(spent: "Mapping[str, Spent]", *, as_json: bool) -> None:
    """Tell what models took for a run that did not come to its end."""
    if not any(s.calls for s in spent.values()):
        return
    if as_json:
        say_json({"stopped": True, "spent": {stage: asdict(s) for stage, s in spent.items()}})
    else:
        aside(table(_LEDGER, [_spent(stage, s) for stage, s in spent.items()]))


def _spent(stage: str, spent: "Spent") -> list[str]:
    counts = (spent.asked, spent.cached, spent.failed, spent.calls, spent.tokens_in)
    return [stage, *map(str, counts), str(spent.tokens_out), f"{spent.seconds:.1f}"]


def tell_estimate(foreseen: "Estimate", *, as_json: bool) -> None:
    """Tell what a run would ask of models."""
    total = foreseen.total
    if as_json:
        stages = {stage: asdict(line) for stage, line in foreseen.stages.items()}
        say_json({"stages": stages, "total": asdict(total), "share": foreseen.share})
        return
    if not foreseen.stages:
        say("no language model is asked anything")
        return
    if foreseen.share < 1:
        say(f"estimated from {foreseen.share:.0%} of the documents to be read")
    lines = [_line(stage, line) for stage, line in foreseen.stages.items()]
    say(table(_ESTIMATE, [*lines, _line("all", total)]))
    if total.seconds is None:
        say("how long it takes is not known: set speed_in and speed_out, see mder doctor")


def _line(stage: str, line: "Line") -> list[str]:
    seconds = "?" if line.seconds is None else _duration(line.seconds)
    cost = "?" if line.cost is None else f"{line.cost:.2f}"
    counts = (line.calls, line.tokens_in, line.tokens_out)
    return [stage, line.model, *map(str, counts), seconds, cost]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return aligned columns: words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    words = [not any(c.isdigit() for row in rows for c in row[i][:1]) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if word else cell.rjust(width)
            for cell, width, word in zip(row, widths, words, strict=True)
        ).rstrip()
        for row in (head, *rows)
    )
