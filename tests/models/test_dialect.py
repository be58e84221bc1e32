import logging

import pytest

from mder.models.dialect import Dialect
from tests.models.doubles import ASKED

SCHEMA: dict[str, object] = {"type": "object", "properties": {}}


@pytest.fixture
def dialect() -> Dialect:
    return Dialect("http://stub/v1", 4096, quiet=True)


def fields(dialect: Dialect, tokens: int = 10) -> dict[str, object]:
    return dialect.request(ASKED, SCHEMA, tokens)


def test_request_says_all_at_first(dialect: Dialect) -> None:
    assert fields(dialect) == {
        "messages": [{"role": "user", "content": "Where is Tokyo?"}],
        "temperature": 0.0,
        "max_tokens": 4096,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
        "extra_body": {"chat_template_kwargs": {"enable_thinking": False}},
    }


def test_openai_itself_is_not_asked_for_what_it_does_not_know() -> None:
    assert "extra_body" not in fields(Dialect("https://api.openai.com/v1", 4096, quiet=False))


@pytest.mark.parametrize(
    ("refusal", "gone"),
    [
        ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
        ("Extra inputs are not permitted: chat_template_kwargs", "extra_body"),
        ("Unrecognized request argument supplied: chat_template_kwargs", "extra_body"),
        ("This response_format type is unavailable now", "response_format"),
        ("failed to parse grammar", "response_format"),
        ("JSON schema error at #/properties/a: cannot resolve $ref", "response_format"),
        ("unknown field max_tokens", "max_tokens"),
    ],
)
def test_what_is_refused_is_left_out(dialect: Dialect, refusal: str, gone: str) -> None:
    before = fields(dialect)
    assert dialect.learn(before, refusal, 10)
    assert before.keys() - fields(dialect).keys() == {gone}


def test_limit_takes_the_name_that_newer_models_want(dialect: Dialect) -> None:
    refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead. max_tokens"
    assert dialect.learn(fields(dialect), refusal, 10)
    assert fields(dialect)["max_completion_tokens"] == 4096
    assert "max_tokens" not in fields(dialect)
    assert dialect.learn(fields(dialect), "unknown field max_completion_tokens", 10)
    assert "max_completion_tokens" not in fields(dialect)


def test_two_threads_may_learn_the_same(dialect: Dialect) -> None:
    sent = fields(dialect)
    assert dialect.learn(sent, "temperature", 10)
    assert dialect.learn(sent, "temperature", 10)
    assert not dialect.learn(fields(dialect), "temperature", 10)


def test_refusal_of_anything_else_teaches_nothing(dialect: Dialect) -> None:
    before = fields(dialect)
    assert not dialect.learn(before, "messages must not be empty", 10)
    assert fields(dialect) == before


def test_reply_gets_the_room_that_the_prompt_leaves(dialect: Dialect) -> None:
    refusal = (
        "This model's maximum context length is 4096 tokens. However, you requested 5096 tokens "
        "(1000 in the messages, 4096 in the completion)."
    )
    assert dialect.learn(fields(dialect, 1000), refusal, 1000)
    assert fields(dialect, 1000)["max_tokens"] == 2796
    assert fields(dialect, 100)["max_tokens"] == 3966
    assert not dialect.learn(fields(dialect, 3500), refusal, 3500)


def test_reply_is_bounded_as_the_server_wants(dialect: Dialect) -> None:
    refusal = "max_tokens is too large: 4096. This model supports at most 2048 completion tokens"
    assert dialect.learn(fields(dialect), refusal, 10)
    assert fields(dialect)["max_tokens"] == 2048
    assert not dialect.learn(fields(dialect), refusal, 10)


def test_schema_that_is_not_taken_is_told_once(
    dialect: Dialect, caplog: pytest.LogCaptureFixture
) -> None:
    sent = fields(dialect)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            dialect.learn(sent, "response_format is not supported", 10)
    assert [record.message for record in caplog.records] == [
        "http://stub/v1 takes no JSON schema; replies come as the model likes: "
        "response_format is not supported"
    ]
