import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from tests import stubs

Serve = Callable[..., AbstractContextManager[stubs.StubUrl]]

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def says(_messages: object, _schema: object) -> str:
    return '{"name": "Tokyo"}'


def ask(url: str, timeout: float = 5.0) -> str | None:
    """Ask for JSON by hand, in the way of whichever API this is; return the content."""
    openai = url.endswith("/v1")
    body: dict[str, Any] = {"model": "tiny", "messages": [{"role": "user", "content": "Where?"}]}
    if openai:
        body["response_format"] = {"json_schema": {"schema": SCHEMA}}
    else:
        body["format"] = SCHEMA
    request = urllib.request.Request(
        url + ("/chat/completions" if openai else "/api/chat"),
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer any"},
    )
    with urllib.request.urlopen(request, timeout=timeout) as response:
        reply = json.loads(response.read().decode("utf-8", "replace"))
    content: str | None = (reply["choices"][0] if openai else reply)["message"]["content"]
    return content


@pytest.fixture(params=["ollama", "openai"])
def serve(request: pytest.FixtureRequest) -> Serve:
    found: Serve = getattr(stubs, request.param)
    return found


@pytest.mark.parametrize(
    ("fault", "content"),
    [
        (None, says((), None)),
        (stubs.CUT, '{"name": "T'),
        (stubs.PROSE, "Sure! Here is the JSON that you asked for:"),
        (stubs.THINK, "<think>"),
        (stubs.SCHEMA, json.dumps(SCHEMA)),
        (stubs.EMPTY, ""),
        (stubs.NULL, None),
        (stubs.BAD_UTF8, '{"\ufffd\ufffdname": "Tokyo"}'),
        (stubs.Said(lambda text, _: text.upper()), '{"NAME": "TOKYO"}'),
        (stubs.Slow(0.01), says((), None)),
    ],
)
def test_content_is_what_the_fault_makes_of_it(
    fault: stubs.Fault | None, content: str | None, serve: Serve
) -> None:
    with serve(says, faults=[fault]) as url:
        said = ask(url)
        assert said == content or (said and content and said.startswith(content))
        assert ask(url) == says((), None)


@pytest.mark.parametrize(
    ("fault", "status", "wait"),
    [
        (503, 503, None),
        ("500", 500, None),
        (stubs.Status(400, "no"), 400, None),
        (stubs.RetryAfter(2), 429, "2"),
        (
            stubs.RetryAfter("Wed, 21 Oct 2015 07:28:00 GMT", 503),
            503,
            "Wed, 21 Oct 2015 07:28:00 GMT",
        ),
    ],
)
def test_status_is_what_the_fault_says(
    fault: stubs.Fault | int | str, status: int, wait: str | None, serve: Serve
) -> None:
    with serve(says, faults=[fault]) as url:
        with pytest.raises(urllib.error.HTTPError) as caught:
            ask(url)
        assert ask(url) == says((), None)
    with caught.value as error:
        assert (error.code, error.headers["Retry-After"]) == (status, wait)
        assert "error" in json.load(error)


@pytest.mark.parametrize("fault", [stubs.CLOSE, stubs.CUT_BODY])
def test_broken_connection_gives_no_reply(fault: stubs.Fault, serve: Serve) -> None:
    with serve(says, faults=[fault]) as url:
        with pytest.raises(Exception, match=r"closed|IncompleteRead|reset"):
            ask(url)
        assert ask(url) == says((), None)


def test_hanging_server_stops_at_once(serve: Serve) -> None:
    with serve(says, faults=[stubs.HANG]) as url:
        with pytest.raises(TimeoutError):
            ask(url, timeout=0.05)
        left = time.monotonic()
    assert time.monotonic() - left < 2


def test_fault_may_depend_on_the_request(serve: Serve) -> None:
    def busy_for(request: stubs.Recorded) -> int | None:
        return 503 if "Where?" in str(request.body) else None

    with serve(says, faults=busy_for) as url:
        for _ in range(2):
            with pytest.raises(urllib.error.HTTPError) as caught:
                ask(url)
            caught.value.close()
