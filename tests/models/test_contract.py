import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest

from mder.models import open_model
from mder.models.base import CallableModel, Completion, LanguageModel, Message
from mder.models.retry import RetryingModel
from tests import stubs
from tests.models.weights import small_model

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 12}},
    "required": ["text"],
    "additionalProperties": False,
}
ASKED = [Message("system", "Be brief."), Message("user", "東京 is where?")]

Make = Callable[[ExitStack, pytest.MonkeyPatch], LanguageModel]


def _says(_messages: object, schema: object) -> str:
    return '{"text": "日本"}' if schema else "日本 it is"


def _ollama(stack: ExitStack, patch: pytest.MonkeyPatch) -> LanguageModel:
    patch.setenv("OLLAMA_HOST", stack.enter_context(stubs.ollama(answer=_says)))
    return open_model("ollama/tiny")


def _openai(stack: ExitStack, patch: pytest.MonkeyPatch) -> LanguageModel:
    patch.setenv("OPENAI_BASE_URL", stack.enter_context(stubs.openai(answer=_says)))
    patch.delenv("OPENAI_API_KEY", raising=False)
    return open_model("openai/tiny")


@cache
def _gguf() -> LanguageModel:
    return small_model()


SCRIPTED: dict[str, Make] = {
    "callable": lambda _stack, _patch: CallableModel(_says),
    "ollama": _ollama,
    "openai": _openai,
    "retrying": lambda _stack, _patch: RetryingModel(CallableModel(_says)),
}
MODELS: dict[str, Make] = {**SCRIPTED, "gguf": lambda _stack, _patch: _gguf()}


@pytest.fixture(params=MODELS)
def model(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LanguageModel]:
    with ExitStack() as stack:
        yield MODELS[request.param](stack, monkeypatch)


@pytest.fixture(params=SCRIPTED)
def scripted(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LanguageModel]:
    """A model of which it is known what it says."""
    with ExitStack() as stack:
        yield SCRIPTED[request.param](stack, monkeypatch)


def test_text_comes_back_in_any_script(scripted: LanguageModel) -> None:
    assert scripted.complete(ASKED).text == "日本 it is"


def test_schema_reaches_the_model(scripted: LanguageModel) -> None:
    assert scripted.complete(ASKED, SCHEMA).text == '{"text": "日本"}'


def test_tokens_are_those_of_prompt_and_reply(scripted: LanguageModel) -> None:
    completion = scripted.complete(ASKED)
    assert (completion.tokens_in, completion.tokens_out) == (5, 3)


def test_finished_reply_says_stop(scripted: LanguageModel) -> None:
    assert scripted.complete(ASKED).finish_reason == "stop"


def test_name_is_provider_and_model(model: LanguageModel) -> None:
    provider, _, name = model.name.partition("/")
    assert provider
    assert name


def test_reply_is_of_the_schema(model: LanguageModel) -> None:
    reply = json.loads(model.complete(ASKED, SCHEMA).text)
    assert list(reply) == ["text"]
    assert isinstance(reply["text"], str)


def test_cost_is_counted(model: LanguageModel) -> None:
    completion = model.complete(ASKED)
    assert completion.tokens_in > 0
    assert completion.tokens_out > 0
    assert completion.seconds >= 0
    assert completion.finish_reason in {"stop", "length"}


def test_options_are_the_same_each_time_and_can_be_written_down(model: LanguageModel) -> None:
    before = dict(model.options)
    model.complete(ASKED)
    assert dict(model.options) == before
    assert json.loads(json.dumps(before)) == before


def test_threads_may_ask_at_once(model: LanguageModel) -> None:
    replies: list[Completion] = []
    threads = [
        threading.Thread(target=lambda: replies.append(model.complete(ASKED, SCHEMA)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 4
    assert [list(json.loads(reply.text)) for reply in replies] == [["text"]] * 4
