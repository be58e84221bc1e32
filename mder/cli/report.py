"""What a run tells of itself."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from mder.console import aside, say, say_json, warn

if TYPE_CHECKING:
    from mder.estimate import Estimate, Line
    from mder.models.ledger import Spent
    from mder.pipeline import Report

_LEDGER = ("stage", "asked", "cached", "failed", "calls", "tokens in", "tokens out", "seconds")
_ESTIMATE = ("stage", "model", "calls", "tokens in", "tokens out", "time", "cost")


def tell(done: "Report", counts: Mapping[str, int | dict[str, int]], *, as_json: bool) -> None:
    """Tell what a run did, what it could not do, and what models took for it."""
    for reason in done.skipped:
        warn(f"skipped {reason}")
    for source in done.failed:
        warn(f"{source}: not mapped whole; mder index --retry-failed asks again")
    if done.gone:
        warn(f"{len(done.gone)} documents stay though their files are gone: {done.gone[0]} …")
    for source, language in done.unread:
        warn(f"{source}: text in {language!r} gives no triples, but can be searched")
    if as_json:
        say_json({**asdict(done), "counts": counts})
        return
    if done.spent:
        say(table(_LEDGER, [_spent(stage, spent) for stage, spent in done.spent.items()]))
    held = ", ".join(f"{counts[k]} {k}" for k in ("documents", "chunks", "triples", "entities"))
    skipped = len(done.skipped)
    say(f"read {done.read}, unchanged {done.kept}, skipped {skipped}; the graph holds {held}")


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
