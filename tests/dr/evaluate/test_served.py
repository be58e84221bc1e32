"""``dr eval`` with a model that answers and one that judges, behind a stub server."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dr import cli
from mder.models.base import Message
from mder.reasoners.llm.prompt import act_of
from tests import stubs
from tests.doubles import HashingEmbedder
from tests.dr.console import Console
from tests.pipeline.served import Asked, connect

REPLIES = {
    "decompose": {
        "triples": [{"subject": "Halden", "predicate": "IS_TOWN_IN", "object": "X"}],
        "asks": "X",
    },
    "ground": {"values": [{"value": "Norway", "evidence": [1]}]},
    "answer": {"answered": True, "text": "Norway.", "citations": [1]},
    "judge": {"correct": True},
}
QUESTION = {"question": "Where is Halden?", "answers": ["Kingdom of Norway"]}


def said(messages: Asked, _schema: Mapping[str, Any] | None) -> str:
    asked = [Message(m["role"], m["content"]) for m in messages]
    return json.dumps(REPLIES[act_of(asked, REPLIES)])


def test_tokens_are_those_of_answering_and_a_judge_marks_what_means_the_same(
    console: Console, kg: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mder.embedders.open_embedder", lambda _name="": HashingEmbedder())

    def evaluated(*options: str) -> dict[str, Any]:
        asked = ("eval", "-", "--kg", kg, "--llm", "ollama/tiny", "--json", *options)
        run = console(cli.main, *asked, stdin=json.dumps(QUESTION))
        assert (run.code, run.err) == (0, "")
        found: dict[str, Any] = json.loads(run.out)["dr"]
        return found

    with stubs.ollama(said) as url:
        connect(monkeypatch, url)
        judged, alone = evaluated("--judge", "ollama/tiny"), evaluated()
    assert (judged["em"], judged["judge"], alone["judge"]) == (0, 1, None)
    assert judged["tokens"] == alone["tokens"]
    assert alone["tokens"]["in"] > alone["tokens"]["out"] > 0
