import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mder.errors import ModelError, ReplyError
from mder.models import ollama
from mder.models.base import Message
from mder.models.ollama import OllamaModel
from tests import stubs
from tests.models.doubles import ASKED


def at(url: str, monkeypatch: pytest.MonkeyPatch, model: str = "tiny") -> OllamaModel:
    monkeypatch.setenv("OLLAMA_HOST", url)
    return OllamaModel(ollama.connect(), model)


def test_request_says_all_that_shapes_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    schema: dict[str, object] = {"type": "object", "properties": {}}
    with stubs.ollama() as url:
        at(url, monkeypatch).complete(ASKED, schema)
    body = url.requests[0].body
    assert body["format"] == schema
    assert body["stream"] is False
    assert body["think"] is False
    assert body["keep_alive"] == "30m"
    assert body["options"] == {
        "num_ctx": 16384,
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
    with stubs.ollama() as url, pytest.raises(ReplyError, match="does not fit its context"):
        at(url, monkeypatch).complete([Message("user", "word " * 20_000)])
    assert json.dumps([request.path for request in url.requests]) == "[]"
