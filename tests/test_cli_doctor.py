"""``mder doctor`` against stub servers of both APIs."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack

import pytest

from mder.models.base import Message
from tests import stubs
from tests.doubles import Done
from tests.models.patients import Schema, right

Command = Callable[..., Done]
Answer = Callable[[Sequence[Mapping[str, str]], Schema], str]


def answered(messages: Sequence[Mapping[str, str]], schema: Schema) -> str:
    return right([Message(**message) for message in messages], schema)


@pytest.fixture(params=["ollama", "openai"])
def serve(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterable[Callable[[Answer], str]]:
    """Serve answers by one of the APIs; gives the name of the model to examine."""
    variable = {"ollama": "OLLAMA_HOST", "openai": "OPENAI_BASE_URL"}[request.param]
    with ExitStack() as stack:

        def start(answer: Answer) -> str:
            server = getattr(stubs, request.param)(answer=answer)
            monkeypatch.setenv(variable, stack.enter_context(server))
            return f"{request.param}/tiny"

        yield start


def test_the_command_tells_in_aligned_lines(mder: Command, serve: Callable[[Answer], str]) -> None:
    name = serve(answered)
    done = mder("doctor", "--llm", name, "--context", "2048")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"model:       {name}"
    assert {line[12] for line in lines} == {" "}
    assert "schema:      obeyed in 3 of 3 replies, right in 3" in lines
    assert "context:     2048 tokens accepted, the beginning recalled up to 2048" in lines
    assert "thoughts:    shown in 0 of 14 replies" in lines
    assert any(line.startswith("llm_batch:   2 (") for line in lines)


def test_the_command_tells_in_json(mder: Command, serve: Callable[[Answer], str]) -> None:
    done = mder("doctor", "--llm", serve(answered), "--context", "2048", "--json")
    found = json.loads(done.out)
    assert (done.code, found["usable"], found["reason"]) == (0, True, "")
    assert [probe["size"] for probe in found["context"]["probes"]] == [1024, 2048]
    assert [advice["what"] for advice in found["advice"]] == ["jobs", "llm_batch", "context"]


def test_the_command_fails_for_a_model_that_obeys_no_schema(
    mder: Command, serve: Callable[[Answer], str]
) -> None:
    name = serve(lambda _messages, _schema: "No.")
    done = mder("doctor", "--llm", name)
    assert (done.code, done.err) == (
        1,
        f"mder: {name} never keeps to a JSON schema: no JSON: 'No.'\n",
    )
    assert "schema:   obeyed in 0 of 3 replies" in done.out
    assert json.loads(mder("doctor", "--llm", name, "--json").out)["usable"] is False


def test_the_command_fails_without_a_server_or_a_model(
    mder: Command, serve: Callable[[Answer], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = serve(answered).partition("/")[0]
    done = mder("doctor", "--llm", f"{provider}/other")
    assert (done.code, done.out) == (1, "")
    assert re.fullmatch(r"mder: \S.* has no model 'other'.*\n", done.err)
    found = json.loads(mder("doctor", "--llm", f"{provider}/other", "--json").out)
    assert "has no model 'other'" in found["absent"]
    monkeypatch.setenv("OLLAMA_HOST", stubs.refused())
    monkeypatch.setenv("OPENAI_BASE_URL", stubs.refused())
    done = mder("doctor", "--llm", f"{provider}/tiny")
    assert (done.code, done.out) == (1, "")
    assert re.fullmatch(r"mder: no (Ollama|OpenAI-compatible) server at .*\n", done.err)


def test_the_command_names_the_providers_and_its_options(mder: Command) -> None:
    assert mder("doctor", "--llm", "tiny").code == 2
    assert mder("doctor").code == 2
    assert mder("doctor", "--llm", "ollama/tiny", "--context", "100").code == 2
    assert "Example: mder doctor" in mder("doctor", "-h").out


@pytest.mark.parametrize(("tokens", "code", "accepted"), [(3000, 0, 2048), (1500, 1, 1024)])
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_the_command_finds_where_the_context_ends(
    mder: Command,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    tokens: int,
    code: int,
    accepted: int,
) -> None:
    servers = {
        "ollama": ("OLLAMA_HOST", stubs.ollama(answer=answered, truncate=tokens)),
        "openai": ("OPENAI_BASE_URL", stubs.openai(answer=answered, context=tokens)),
    }
    variable, server = servers[provider]
    with server as url:
        monkeypatch.setenv(variable, url)
        done = mder("doctor", "--llm", f"{provider}/tiny", "--json")
    found = json.loads(done.out)["context"]
    assert (done.code, found["accepted"], found["limited"]) == (code, accepted, True)
