"""``mder doctor``: what a language model is good for."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from mder.cli.options import AsJson
from mder.console import say, say_json, warn
from mder.errors import ModelError

if TYPE_CHECKING:
    from mder.models.doctor import Examination
    from mder.models.doctor.context import Context
    from mder.models.doctor.obedience import Obedience

_MOST_AT_ONCE = 4
_OPTIONS = {"jobs": "--jobs", "llm_batch": "llm_batch", "context": "set context"}


def doctor(
    llm: Annotated[
        str, typer.Option(metavar="PROVIDER/MODEL", help="The model, as mder index takes it.")
    ],
    context: Annotated[
        int, typer.Option(min=2048, metavar="N", help="Tokens of the longest prompt to try.")
    ] = 8192,
    *,
    as_json: AsJson = False,
) -> None:
    """Examine a language model: is it there, does it keep to a form, how much does it read.

    Sends about 10 requests, and tells what to set. Exit code 1: no graph can be built with it.

    Example: mder doctor --llm ollama/qwen3:4b
    """
    from mder.models import open_model
    from mder.models.doctor import examine
    from mder.pipeline import pool

    shown = sys.stderr.isatty() and not as_json
    model = open_model(llm, in_flight=_MOST_AT_ONCE)
    with pool.requests(_MOST_AT_ONCE) as together:
        progress = warn if shown else lambda _: None
        found = examine(model, context, together=together, progress=progress)
    if as_json:
        say_json({**asdict(found), "usable": not found.unusable, "reason": found.unusable})
    elif not found.absent:
        lines = [(f"{what}:", finding) for what, finding in _findings(found)]
        width = max(len(what) for what, _ in lines)
        say("\n".join(f"{what:{width}} {finding}" for what, finding in lines))
    if found.unusable:
        raise ModelError(found.unusable)


def _findings(found: "Examination") -> Iterator[tuple[str, str]]:
    yield "model", found.model
    if found.obedience:
        yield "schema", _obedience(found.obedience)
    if found.context:
        yield "context", _context(found.context)
    yield "thoughts", f"shown in {found.thoughtful} of {found.replies} replies"
    if found.speed:
        yield "reading", _rate(found.speed.reading)
        yield "writing", _rate(found.speed.writing)
    if found.crowd:
        rates = ", ".join(f"{rate:.1f} with {number}" for number, rate in found.crowd.rates)
        ended = f" ({found.crowd.ended})" if found.crowd.ended else ""
        yield "at once", f"replies a minute: {rates}{ended}"
    for advice in found.advice:
        yield _OPTIONS[advice.what], f"{advice.value} ({advice.reason})"


def _obedience(seen: "Obedience") -> str:
    told = [f"obeyed in {seen.obeyed} of {seen.asked} replies, right in {seen.right}"]
    if seen.wrapped:
        told.append(f"something around the JSON in {seen.wrapped}")
    return "; ".join([*told, *seen.faults])


def _context(seen: "Context") -> str:
    told = [f"{seen.accepted} tokens accepted"]
    if not seen.counted:
        told.append("though the server counts none")
    if seen.recalled:
        told.append(f"the beginning recalled up to {seen.recalled}")
    elif seen.short:
        told.append("the beginning recalled of shorter prompts only")
    else:
        told.append("the beginning not recalled even of short prompts, which proves nothing")
    return "; ".join([", ".join(told), *filter(None, [seen.ended])])


def _rate(tokens: float | None) -> str:
    return "not to be told" if tokens is None else f"{tokens:.0f} tokens a second"
