"""What OpenAI-compatible servers do instead of answering, and what becomes of it."""

import logging

import pytest

from mder.errors import ModelError, ReplyError, TooLongError
from mder.models.base import Message
from mder.models.patience import Patience
from tests import stubs
from tests.models.doubles import ASKED
from tests.models.test_openai import SCHEMA, at

ASKED_MUCH = [Message("user", "The city lies on both banks of the river. " * 500)]


def test_prompt_longer_than_the_context_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(context=2048) as url, pytest.raises(TooLongError) as caught:
        at(url, monkeypatch).complete(ASKED_MUCH)
    assert str(caught.value).startswith("openai/tiny: request (")
    assert "exceeds the available context size (2048 tokens)" in str(caught.value)
    assert len(url.requests) == 1


def test_prompt_longer_than_the_context_is_too_long_for_strict_servers_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        stubs.openai(context=2048, strict_room=True) as url,
        pytest.raises(TooLongError, match="maximum context length is 2048"),
    ):
        at(url, monkeypatch).complete(ASKED_MUCH)


def test_small_context_leaves_less_room_for_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(context=4096, strict_room=True) as url:
        model = at(url, monkeypatch)
        assert model.complete(ASKED).text == model.complete(ASKED).text
    assert [request.body["max_tokens"] for request in url.requests] == [4096, 4081, 4081]


@pytest.mark.parametrize(
    "refusal",
    [
        stubs.Status(400, "Trying to keep the first 9000 tokens when context the overflows."),
        stubs.Status(413, "Payload Too Large"),
        stubs.Status(422, "`inputs` tokens + `max_new_tokens` must be <= 64. Given: 900 `inputs`"),
        stubs.Status(500, "the request exceeds the available context size"),
    ],
)
def test_too_long_is_understood_in_the_words_of_many_servers(
    refusal: stubs.Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.openai(faults=[refusal]) as url, pytest.raises(TooLongError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert not caught.value.retryable


@pytest.mark.parametrize("code", [429, 503])
def test_busy_server_says_when_to_come_back(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = stubs.RetryAfter(7, code)
    with stubs.openai(faults=[fault]) as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert (caught.value.retryable, caught.value.retry_after) == (True, 7.0)
    assert str(caught.value) == f"{url} refused tiny ({code}): injected {code}"


@pytest.mark.parametrize("fault", [stubs.CLOSE, stubs.CUT_BODY])
def test_broken_connection_may_be_tried_again(
    fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.openai(faults=[fault]) as url:
        model = at(url, monkeypatch)
        with pytest.raises(ModelError, match="broke off") as caught:
            model.complete(ASKED)
        assert model.complete(ASKED).text
    assert caught.value.retryable


def test_server_that_does_not_answer_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with stubs.openai(faults=[stubs.HANG]) as url:
        model = at(url, monkeypatch, patience=Patience(least=0.05, most=0.05))
        with pytest.raises(ModelError, match="did not answer in time for tiny") as caught:
            model.complete(ASKED)
    assert caught.value.retryable


def test_slow_answer_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(faults=[stubs.Slow(0.05)]) as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert completion.text
    assert completion.seconds >= 0.05


def test_server_that_has_answered_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai() as url:
        model = at(url, monkeypatch)
        model.complete(ASKED)
    with pytest.raises(ModelError, match="no OpenAI-compatible server") as caught:
        model.complete(ASKED)
    assert caught.value.retryable


def test_bytes_that_are_no_text_do_not_lose_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(faults=[stubs.BAD_UTF8]) as url:
        assert at(url, monkeypatch).complete(ASKED).text == "Wh\ufffd\ufffdere is Tokyo?"


@pytest.mark.parametrize("fault", [stubs.EMPTY, stubs.NULL])
def test_empty_content_is_an_empty_text(
    fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.openai(faults=[fault]) as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert (completion.text, completion.finish_reason) == ("", "stop")


def test_thoughts_that_took_all_the_room_are_a_cut_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(faults=[stubs.NULL], thoughts="Well, Tokyo is") as url:
        completion = at(url, monkeypatch).complete(ASKED, SCHEMA)
    assert (completion.text, completion.finish_reason) == ("", "length")


def test_json_among_the_thoughts_is_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.openai(faults=[stubs.NULL], thoughts='{"a": 1}') as url:
        completion = at(url, monkeypatch).complete(ASKED, SCHEMA)
    assert (completion.text, completion.finish_reason) == ('{"a": 1}', "stop")


@pytest.mark.parametrize(
    ("reply", "status", "retryable"),
    [
        ({"error": {"message": "upstream is gone", "code": 503}}, 503, True),
        ({"error": "upstream is gone"}, 502, True),
        ({"error": {"message": "upstream is gone", "code": 400}}, 400, False),
    ],
)
def test_error_in_a_reply_that_says_ok_is_an_error(
    reply: dict[str, object], status: int, retryable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.openai(faults=[stubs.Reply(reply)]) as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert caught.value.retryable is retryable
    assert f"refused tiny ({status})" in str(caught.value)
    assert "upstream is gone" in str(caught.value)


def test_content_in_parts_is_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "In Japan."}]
    reply = {"choices": [{"message": {"role": "assistant", "content": parts}}]}
    with stubs.openai(faults=[stubs.Reply(reply)]) as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert (completion.text, completion.tokens_in, completion.tokens_out) == ("In Japan.", 0, 0)


@pytest.mark.parametrize("reply", [{}, {"choices": []}, {"choices": [{"text": "hello"}]}])
def test_another_kind_of_server_is_told_apart(
    reply: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        stubs.openai(faults=[stubs.Reply(reply)]) as url,
        pytest.raises(ModelError, match="set OPENAI_BASE_URL") as caught,
    ):
        at(url, monkeypatch).complete(ASKED)
    assert not isinstance(caught.value, ReplyError)


def test_ollama_behind_this_api_is_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with stubs.openai(fingerprint="fp_ollama") as url, caplog.at_level(logging.WARNING):
        model = at(url, monkeypatch)
        model.complete(ASKED)
        model.complete(ASKED)
    assert [record.message for record in caplog.records] == [
        f"{url} is an Ollama server, which takes no context length here and cuts long prompts "
        "without a word; name the model ollama/tiny and set OLLAMA_HOST instead"
    ]


def test_ollama_is_known_by_its_port_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        at("http://127.0.0.1:11434/v1", monkeypatch)
    assert "name the model ollama/tiny" in caplog.text


def test_ollama_that_cuts_a_prompt_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = {
        "system_fingerprint": "fp_ollama",
        "choices": [{"message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 2050, "completion_tokens": 1},
    }
    with (
        stubs.openai(faults=[stubs.Reply(cut)]) as url,
        pytest.raises(TooLongError, match="the server has cut the prompt to 2050") as caught,
    ):
        at(url, monkeypatch).complete(ASKED_MUCH)
    assert caught.value.completion
    assert (caught.value.completion.tokens_in, caught.value.completion.tokens_out) == (2050, 1)
