import logging

import pytest

from mder.errors import ModelError, UsageError
from mder.models import openai
from mder.models.openai import OpenAIModel
from mder.models.patience import Patience
from tests import stubs
from tests.models.doubles import ASKED

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {},
    "required": [],
    "additionalProperties": False,
}


def at(
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    model: str = "tiny",
    key: str = "",
    patience: Patience | None = None,
) -> OpenAIModel:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    return OpenAIModel(openai.connect(), model, patience=patience)


def test_schema_is_sent_in_strict_form(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai() as url:
        at(url, monkeypatch).complete(ASKED, SCHEMA)
    body = url.requests[0].body
    assert body["temperature"] == 0.0
    assert body["max_tokens"] == 4096
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
    }


def test_server_without_keys_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai() as url:
        assert at(url, monkeypatch).complete(ASKED).text == "Where is Tokyo?"


@pytest.mark.parametrize("key", ["sk-good", " sk-good\n"])
def test_key_is_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(key="sk-good") as url:
        assert at(url, monkeypatch, key=key).complete(ASKED).text


def test_refused_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(key="sk-good") as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch, key="sk-bad").complete(ASKED)
    assert str(caught.value) == f"{url} refused the key (401); set OPENAI_API_KEY"


def test_missing_key_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set"):
        at("", monkeypatch)


def test_missing_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{stubs.refused()}/v1"
    with pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    expected = f"no OpenAI-compatible server at {url}; start it, or set OPENAI_BASE_URL"
    assert str(caught.value) == expected
    assert not caught.value.retryable


def test_missing_model_is_named_with_what_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai() as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch, "absent").complete(ASKED)
    expected = f"{url} has no model 'absent'; name one that it serves: curl {url}/models"
    assert str(caught.value) == expected


def test_address_without_version_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        stubs.openai() as url,
        pytest.raises(ModelError, match="set OPENAI_BASE_URL to its API root"),
    ):
        at(url.removesuffix("/v1"), monkeypatch).complete(ASKED)


@pytest.mark.parametrize(("status", "retryable"), [(429, True), (500, True), (400, False)])
def test_refusal_says_whether_to_try_again(
    status: int, retryable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.openai(faults=[status]) as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert caught.value.retryable is retryable
    assert len(url.requests) == 1


def test_reply_that_was_cut_says_length(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(finish_reason="length") as url:
        assert at(url, monkeypatch).complete(ASKED).finish_reason == "length"


def test_model_with_its_own_temperature_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(unsupported=["temperature"]) as url:
        model = at(url, monkeypatch)
        assert model.complete(ASKED).text == model.complete(ASKED).text
    assert ["temperature" in request.body for request in url.requests] == [True, False, False]


@pytest.mark.parametrize("field", ["chat_template_kwargs", "response_format", "max_tokens"])
def test_what_a_server_does_not_take_is_left_out_from_then_on(
    field: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with stubs.openai(unsupported=[field]) as url, caplog.at_level(logging.WARNING):
        model = at(url, monkeypatch)
        assert model.complete(ASKED, SCHEMA).text == model.complete(ASKED, SCHEMA).text
    assert [field in request.body for request in url.requests] == [True, False, False]
    assert len(caplog.records) == (1 if field == "response_format" else 0)


def test_newer_models_get_their_limit_by_its_newer_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(unsupported=["max_tokens", "temperature"]) as url:
        assert at(url, monkeypatch).complete(ASKED).text
    assert url.requests[-1].body["max_completion_tokens"] == 4096


def test_server_that_refuses_everything_is_left_with_the_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields = ["max_tokens", "max_completion_tokens", "temperature", "response_format"]
    with stubs.openai(unsupported=[*fields, "chat_template_kwargs"]) as url:
        assert at(url, monkeypatch).complete(ASKED, SCHEMA).text
    assert url.requests[-1].body.keys() == {"model", "messages"}


def test_openai_itself_gets_no_field_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    model = at("https://api.openai.com/v1", monkeypatch, key="sk-test")
    assert "extra_body" not in model._dialect.request(ASKED, SCHEMA, 10)


def test_options_say_where_and_how(monkeypatch: pytest.MonkeyPatch) -> None:
    model = at("http://127.0.0.1:1/v1", monkeypatch)
    assert model.options == {
        "server": "http://127.0.0.1:1/v1/",
        "temperature": 0.0,
        "max_tokens": 4096,
    }
