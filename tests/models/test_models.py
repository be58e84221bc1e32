import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from mder.errors import BudgetError, ModelError, ReplyError, UsageError
from mder.models import open_model
from mder.models.patience import Patience
from mder.models.retry import RetryingModel
from tests import stubs
from tests.models.doubles import ASKED

ADDRESS = {"ollama": "OLLAMA_HOST", "openai": "OPENAI_BASE_URL"}


@pytest.mark.parametrize("name", ["tiny", "ollama", "ollama/", "/tiny", "", "claude/tiny"])
def test_unknown_name_is_refused_with_the_forms_that_are_known(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(name)
    forms = "ollama/<model>, openai/<model>, gguf/<file>"
    expected = f"no language model {name!r}; name it as one of: {forms}"
    assert str(caught.value) == expected


def test_model_may_have_slashes_and_colons(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(models=["hf.co/org/tiny:Q4"]) as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        model = open_model("ollama/hf.co/org/tiny:Q4")
        assert model.complete(ASKED).text
    assert model.name == "ollama/hf.co/org/tiny:Q4"


def test_opening_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama() as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        open_model("ollama/tiny")
    assert url.requests == []


@pytest.mark.parametrize(
    "fault",
    [
        503,
        "500",
        stubs.RetryAfter(0),
        stubs.RetryAfter("Wed, 21 Oct 2015 07:28:00 GMT"),
        stubs.CLOSE,
        stubs.CUT_BODY,
        stubs.HANG,
    ],
)
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_fault_that_passes_is_outlived(
    provider: str, fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault is stubs.HANG:
        monkeypatch.setattr(Patience, "limit", lambda *_: 0.05)
    serve = stubs.ollama if provider == "ollama" else stubs.openai
    with serve(faults=[fault] * 4) as url:
        monkeypatch.setenv(ADDRESS[provider], url)
        model = open_model(f"{provider}/tiny")
        assert isinstance(model, RetryingModel)
        completion = replace(model, sleep=lambda _seconds: None).complete(ASKED)
    assert completion.text == "Where is Tokyo?"
    assert 0 < completion.seconds < 5
    assert len(url.requests) == 5


def test_limits_hold_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", stubs.refused())
    model = open_model("ollama/tiny", in_flight=3, requests_per_minute=60, tokens_per_minute=9000)
    assert isinstance(model, RetryingModel)
    pace = model.pace
    assert (pace.in_flight, pace.requests_per_minute, pace.tokens_per_minute) == (3, 60, 9000)
    assert RetryingModel(model).pace.in_flight == 1


def test_busy_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with stubs.ollama(faults=[503]) as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        model = open_model("ollama/tiny")
        assert isinstance(model, RetryingModel)
        assert replace(model, sleep=lambda _seconds: None).complete(ASKED).text
    assert url.count("/api/chat") == 2


@pytest.mark.parametrize("status", [400, 403, 422])
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_refusal_after_good_replies_is_about_one_request(
    provider: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = stubs.ollama if provider == "ollama" else stubs.openai
    filtered = stubs.Status(status, "stopped by the content filter")
    with serve(faults=[None, filtered, None, *[filtered] * 5]) as url:
        monkeypatch.setenv(ADDRESS[provider], url)
        model = open_model(f"{provider}/tiny")
        model.complete(ASKED)
        with pytest.raises(ReplyError, match=rf"\({status}\): stopped by the content filter"):
            model.complete(ASKED)
        model.complete(ASKED)
        for _ in range(4):
            with pytest.raises(ReplyError):
                model.complete(ASKED)
        with pytest.raises(ModelError, match="5 requests in a row") as caught:
            model.complete(ASKED)
    assert not isinstance(caught.value, ReplyError)
    assert len(url.requests) == 8


@pytest.mark.parametrize("status", [400, 403, 422])
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_refusal_before_any_reply_is_about_all_requests(
    provider: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = stubs.ollama if provider == "ollama" else stubs.openai
    with serve(faults=[status]) as url:
        monkeypatch.setenv(ADDRESS[provider], url)
        with pytest.raises(ModelError) as caught:
            open_model(f"{provider}/tiny").complete(ASKED)
    assert (caught.value.retryable, isinstance(caught.value, ReplyError)) == (False, False)


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": [None]}, {"choices": "busy", "message": "busy"}]
)
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_malformed_body_after_good_replies_passes(
    provider: str, body: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = stubs.ollama if provider == "ollama" else stubs.openai
    with serve(faults=[None, stubs.Reply(body)]) as url:
        monkeypatch.setenv(ADDRESS[provider], url)
        model = open_model(f"{provider}/tiny")
        assert isinstance(model, RetryingModel)
        model = replace(model, sleep=lambda _seconds: None)
        assert model.complete(ASKED).text == model.complete(ASKED).text
    assert len(url.requests) == 3


def test_stopped_run_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    with stubs.ollama() as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        model = open_model("ollama/tiny", stopped=stopped)
        stopped.set()
        with pytest.raises(BudgetError, match="the run was stopped"):
            model.complete(ASKED)
    assert url.requests == []


@pytest.mark.parametrize(("provider", "value"), [("ollama", "foo:bar"), ("openai", "foo:80/v1")])
def test_address_that_is_none_is_shown(
    provider: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ADDRESS[provider], value)
    with pytest.raises(UsageError, match=f"{ADDRESS[provider]} is '{value}', which is no address"):
        open_model(f"{provider}/tiny")


@pytest.mark.parametrize("key", ["sk-schl\u00fcssel", "sk-two\nlines"])
def test_key_that_is_none_is_not_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match="OPENAI_API_KEY has characters that no key has"):
        open_model("openai/tiny")


def test_import_loads_no_client() -> None:
    code = "import sys, mder.models, mder.reasoners.llm; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"ollama", "openai", "httpx", "pydantic", "numpy"} & set(loaded)
