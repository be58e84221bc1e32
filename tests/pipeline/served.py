"""A model behind a stub server that reads by rules, and what was asked of it."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pytest
from pyoxigraph import Quad

from mder.graph.store import Graph
from mder.graph.vocabulary import PROVENANCE
from mder.models.base import Message
from mder.reasoners.llm import acts
from mder.reasoners.llm.prompt import act_of
from mder.reasoners.llm.rehearsal import rehearsed
from mder.reasoners.syntax import SyntaxReasoner
from tests import stubs
from tests.doubles import Done
from tests.stubs import Fault, Recorded, StubUrl

Command = Callable[..., Done]
Serve = Callable[..., AbstractContextManager[StubUrl]]

CHAT = {"ollama": "/api/chat", "openai": "/v1/chat/completions"}
SERVERS: dict[str, Serve] = {"ollama": stubs.ollama, "openai": stubs.openai}
STAGES = {act.prompt: act.stage for act in vars(acts).values() if isinstance(act, acts.Act)}
"""Acts, and what the ledger counts them under."""

# Every stage is asked something of the pages below.
ASKING = ("--set", "own_summary_characters=90", "--set", "merge_threshold=0.3")
PAGES = {
    "anna.md": (
        "# Anna Holt\n\n"
        "Anna Holt was born in Odder on 7 May 1931. Anna Holt directed the film Glass Meadow. "
        "She married Karl Ott in Paris. Anna Holt studied at the University of Paris.\n\n"
        "Anna Holt died in Halden. Anna Holt wrote the novel Grey Harbour. "
        "Anna Holt lived in Halden. Anna Holt visited Skagen in 1977.\n"
    ),
    "halden.md": (
        "# Halden\n\n"
        "Halden is a town in Norway. Halden was founded in 1105. A. Holt lived in Halden. "
        "Ida Holm governs Halden. Halden lies on the river Tista.\n\n"
        "Glass Meadow was filmed in Halden. Karl Ott visited Halden in 1960.\n"
    ),
    "ott.txt": (
        "Karl Ott\n\n"
        "Karl Ott was born in Odder. Karl Ott composed the music of Glass Meadow. "
        "Karl Ott married Anna Holt. Karl Ott lived in Halden. Karl Ott founded a choir.\n"
    ),
    "skagen.md": (
        "# Skagen\n\n"
        "Skagen ist eine Stadt im Norden von Dänemark, und viele Maler lebten in dieser Stadt. "
        "Die Stadt liegt am Meer, und im Sommer kommen sehr viele Menschen an den Strand.\n"
    ),
}

_SYNTAX = SyntaxReasoner()

Asked = Sequence[Mapping[str, str]]


def answer(messages: Asked, _schema: Mapping[str, Any] | None) -> str:
    """Answer any act of indexing as a sensible model would."""
    return rehearsed(_SYNTAX, [Message(m["role"], m["content"]) for m in messages])


def connect(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Name a server in the environment, for either API, and do not wait where it is busy."""
    monkeypatch.setenv("OLLAMA_HOST", url)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr("mder.models.retry.RetryingModel._wait", lambda *_: 0.0)


def act(request: Recorded) -> str:
    """Return which act a request is about."""
    said = [Message(m["role"], m["content"]) for m in request.body["messages"]]
    return act_of(said, STAGES)


def shown(request: Recorded) -> str:
    """Return what a request shows beside its instructions."""
    return "".join(m["content"] for m in request.body["messages"][1:2])


def asked(requests: Sequence[Recorded]) -> Counter[str]:
    """Count chat requests by the stage that they belong to."""
    return Counter(STAGES[act(r)] for r in requests if r.path in CHAT.values())


def failing(
    fault: Fault | int, stage: str, words: str = "", *, times: int = 1_000_000
) -> Callable[[Recorded], Fault | int | None]:
    """Say what goes wrong: the first requests of a stage that show some words."""
    left = iter(range(times))

    def decide(request: Recorded) -> Fault | int | None:
        if request.path not in CHAT.values() or STAGES[act(request)] != stage:
            return None
        if words not in shown(request) or next(left, None) is None:
            return None
        return fault

    return decide


def stats(mder: Command) -> dict[str, Any]:
    """Return what ``mder stats`` tells of the graph here."""
    found: dict[str, Any] = json.loads(mder("stats", "--json").out)
    return found


def report(done: Done) -> dict[str, Any]:
    """Return what a run told in JSON."""
    told: dict[str, Any] = json.loads(done.out)
    return told


def knowledge(graph: Graph) -> set[Quad]:
    """Return a graph without the account of what it cost, which differs from run to run."""
    return {quad for quad in graph.store if quad.graph_name != PROVENANCE}
