from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from mder.models import open_model
from mder.models.base import CallableModel, LanguageModel, Message
from mder.models.cache import CachedModel
from mder.models.retry import RetryingModel
from tests import stubs
from tests.models.doubles import Shelf

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
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


MODELS: dict[str, Make] = {
    "callable": lambda _stack, _patch: CallableModel(_says),
    "ollama": _ollama,
    "openai": _openai,
    "cached": lambda _stack, _patch: CachedModel(CallableModel(_says), Shelf()),
    "retrying": lambda _stack, _patch: RetryingModel(CallableModel(_says)),
}


@pytest.fixture(params=MODELS)
def model(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LanguageModel]:
    with ExitStack() as stack:
        yield MODELS[request.param](stack, monkeypatch)


def test_name_is_provider_and_model(model: LanguageModel) -> None:
    provider, _, name = model.name.partition("/")
    assert provider
    assert name


def test_text_comes_back_in_any_script(model: LanguageModel) -> None:
    assert model.complete(ASKED).text == "日本 it is"


def test_schema_reaches_the_model(model: LanguageModel) -> None:
    assert model.complete(ASKED, SCHEMA).text == '{"text": "日本"}'


def test_tokens_are_counted(model: LanguageModel) -> None:
    completion = model.complete(ASKED)
    assert (completion.tokens_in, completion.tokens_out) == (5, 3)


def test_finished_reply_says_stop(model: LanguageModel) -> None:
    assert model.complete(ASKED).finish_reason == "stop"


def test_any_reply_can_be_confirmed(model: LanguageModel) -> None:
    model.complete(ASKED).keep("日本")


def test_options_are_the_same_each_time(model: LanguageModel) -> None:
    before = dict(model.options)
    model.complete(ASKED)
    assert dict(model.options) == before
