import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mder.errors import ModelError, TooLongError
from mder.models import ollama
from mder.models.base import Message
from mder.models.ollama import OllamaModel
from mder.models.patience import Patience
from mder.models.tokens import prompt_tokens
from tests import stubs
from tests.models.doubles import ASKED

ASKED_MUCH = [Message("user", "The city lies on both banks of the river. " * 500)]


def at(
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    model: str = "tiny",
    patience: Patience | None = None,
) -> OllamaModel:
    monkeypatch.setenv("OLLAMA_HOST", url)
    return OllamaModel(ollama.connect(), model, patience=patience or Patience())


def test_request_says_all_that_shapes_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    schema: dict[str, object] = {"type": "object", "properties": {}}
    with stubs.ollama() as url:
        at(url, monkeypatch).complete(ASKED, schema)
    body = url.requests[0].body
    assert body["format"] == schema
    assert body["stream"] is False
    assert body["think"] is False
    assert body["keep_alive"] == "30m"
    assert body["truncate"] is False
    assert body["shift"] is False
    assert body["options"] == {
        "num_ctx": 8192,
        "num_predict": 4096,
        "temperature": 0.0,
        "seed": 0,
    }


def test_model_that_cannot_stop_thinking_is_told_to_think_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with stubs.ollama(models=["gpt-oss:20b"]) as url:
        at(url, monkeypatch, "gpt-oss:20b").complete(ASKED)
    assert url.requests[0].body["think"] == "low"


def test_reply_that_was_cut_says_length(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(done_reason="length") as url:
        assert at(url, monkeypatch).complete(ASKED).finish_reason == "length"


def test_missing_server_is_named_with_what_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    url = stubs.refused()
    with pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert str(caught.value) == f"no Ollama server at {url}; start it with: ollama serve"
    assert not caught.value.retryable
    assert caught.value.__cause__ is not None


def test_missing_model_is_named_with_what_pulls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch, "absent:7b").complete(ASKED)
    expected = f"Ollama at {url} has no model 'absent:7b'; run: ollama pull absent:7b"
    assert str(caught.value) == expected
    assert not caught.value.retryable


@pytest.mark.parametrize(("status", "retryable"), [(500, True), (503, True), (400, False)])
def test_refusal_says_whether_to_try_again(
    status: int, retryable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(faults=[status]) as url, pytest.raises(ModelError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert caught.value.retryable is retryable
    assert str(caught.value) == f"Ollama at {url} refused tiny ({status}): injected {status}"


@contextmanager
def talker(reply: bytes) -> Iterator[str]:
    """Listen once, and say the same whatever is asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(reply)

        thread = threading.Thread(target=speak)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_connection_that_breaks_off_may_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with talker(b"") as url, pytest.raises(ModelError, match="broke off") as caught:
        at(url, monkeypatch).complete(ASKED)
    assert caught.value.retryable


def test_another_kind_of_server_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    with talker(page) as url, pytest.raises(ModelError, match="set OLLAMA_HOST") as caught:
        at(url, monkeypatch).complete(ASKED)
    assert not caught.value.retryable


def test_prompt_longer_than_the_context_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url, pytest.raises(TooLongError) as caught:
        at(url, monkeypatch).complete([Message("user", "word " * 40_000)])
    assert url.requests == []
    assert str(caught.value).startswith("ollama/tiny: about ")
    assert str(caught.value).endswith(
        " tokens do not fit a context of 32768; lower chunk_characters or max_evidence"
    )


def test_context_follows_the_prompt_up_and_never_down(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url:
        model = at(url, monkeypatch)
        for words in (10, 1000, 6000, 1000, 10, 22_000):
            model.complete([Message("user", "word " * words)])
    contexts = [request.body["options"]["num_ctx"] for request in url.requests]
    assert contexts == [8192, 8192, 16384, 16384, 16384, 32768]


def test_options_do_not_tell_the_context() -> None:
    # They are part of the key of a kept reply, which does not depend on it.
    options = OllamaModel(ollama.connect(), "tiny").options
    assert options == {"num_predict": 4096, "temperature": 0.0, "seed": 0}


@pytest.mark.parametrize("context", [2048, 4096])
def test_prompt_that_was_cut_without_a_word_is_found_out(
    context: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(truncate=context) as url, pytest.raises(TooLongError) as caught:
        at(url, monkeypatch).complete(ASKED_MUCH)
    assert str(caught.value) == (
        f"ollama/tiny: the server has cut a prompt of about {prompt_tokens(ASKED_MUCH)} tokens to "
        f"{context // 2 + 2}; lower chunk_characters or max_evidence"
    )
    assert caught.value.completion
    assert caught.value.completion.tokens_in == context // 2 + 2


def test_prompt_that_fits_is_not_suspected(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(truncate=8192) as url:
        assert at(url, monkeypatch).complete(ASKED_MUCH).tokens_in > 4096


def test_reply_without_a_count_is_not_suspected(monkeypatch: pytest.MonkeyPatch) -> None:
    # As of servers that found the prompt in their cache.
    page = b'{"message": {"role": "assistant", "content": "yes"}, "done": true}'
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(page)}\r\nConnection: close\r\n\r\n"
    with talker(head.encode() + page) as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert (completion.text, completion.tokens_in, completion.tokens_out) == ("yes", 0, 0)


def test_server_that_says_too_long_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = stubs.Status(400, "the prompt is longer than the context length of the model")
    with stubs.ollama(faults=[refusal]) as url, pytest.raises(TooLongError) as caught:
        at(url, monkeypatch).complete(ASKED)
    assert not caught.value.retryable


def test_context_that_does_not_fit_the_memory_is_halved(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with stubs.ollama(memory=8192) as url:
        model = at(url, monkeypatch)
        assert model.complete([Message("user", "word " * 6000)]).text
        with pytest.raises(TooLongError, match="do not fit a context of 8192"):
            model.complete([Message("user", "word " * 10_000)])
    assert [request.body["options"]["num_ctx"] for request in url.requests] == [16384, 8192]
    assert "requires more system memory" in caplog.text


def test_model_that_does_not_fit_the_memory_at_all_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with stubs.ollama(memory=1) as url, pytest.raises(ModelError, match="memory") as caught:
        at(url, monkeypatch).complete(ASKED)
    assert not caught.value.retryable
    assert [request.body["options"]["num_ctx"] for request in url.requests] == [8192, 4096]


def test_model_that_knows_no_thinking_is_not_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(unsupported=["think"]) as url:
        model = at(url, monkeypatch)
        assert model.complete(ASKED).text == model.complete(ASKED).text == "Where is Tokyo?"
    assert ["think" in request.body for request in url.requests] == [True, False, False]


def test_thoughts_that_took_all_the_room_are_a_cut_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(faults=[stubs.EMPTY], thoughts="Well, Tokyo is") as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert (completion.text, completion.finish_reason) == ("", "length")


def test_json_among_the_thoughts_is_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(faults=[stubs.NULL], thoughts='{"a": 1}') as url:
        completion = at(url, monkeypatch).complete(ASKED, {"type": "object"})
    assert (completion.text, completion.finish_reason) == ('{"a": 1}', "stop")


@pytest.mark.parametrize("fault", [stubs.EMPTY, stubs.NULL])
def test_empty_content_is_an_empty_text(
    fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(faults=[fault]) as url:
        assert at(url, monkeypatch).complete(ASKED).text == ""


def test_bytes_that_are_no_text_do_not_lose_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(faults=[stubs.BAD_UTF8]) as url:
        assert at(url, monkeypatch).complete(ASKED).text == "Wh\ufffd\ufffdere is Tokyo?"


@pytest.mark.parametrize("fault", [stubs.CLOSE, stubs.CUT_BODY])
def test_broken_connection_may_be_tried_again(
    fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stubs.ollama(faults=[fault]) as url:
        model = at(url, monkeypatch)
        with pytest.raises(ModelError, match="broke off") as caught:
            model.complete(ASKED)
        assert model.complete(ASKED).text
    assert caught.value.retryable


def test_server_that_does_not_answer_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with stubs.ollama(faults=[stubs.HANG]) as url:
        model = at(url, monkeypatch, patience=Patience(least=0.05, most=0.05))
        with pytest.raises(ModelError, match="did not answer in time for tiny") as caught:
            model.complete(ASKED)
    assert caught.value.retryable


def test_slow_answer_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(faults=[stubs.Slow(0.05)]) as url:
        completion = at(url, monkeypatch).complete(ASKED)
    assert completion.text
    assert completion.seconds >= 0.05


def test_busy_server_says_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        stubs.ollama(faults=[stubs.RetryAfter(7, 503)]) as url,
        pytest.raises(ModelError) as caught,
    ):
        at(url, monkeypatch).complete(ASKED)
    assert (caught.value.retryable, caught.value.retry_after) == (True, 7.0)


def test_server_that_has_answered_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url:
        model = at(url, monkeypatch)
        model.complete(ASKED)
    with pytest.raises(ModelError, match="no Ollama server") as caught:
        model.complete(ASKED)
    assert caught.value.retryable


def test_replies_shorten_the_time_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url:
        model = at(url, monkeypatch)
        before = model.patience.limit(1000, 4096)
        model.complete(ASKED)
    assert model.patience.limit(1000, 4096) < before
