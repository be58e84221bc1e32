import subprocess
import sys
from dataclasses import replace

import pytest

from mder.errors import UsageError
from mder.models import open_model
from mder.models.retry import RetryingModel
from tests import stubs
from tests.models.doubles import ASKED


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
    ],
)
@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_fault_that_passes_is_outlived(
    provider: str, fault: stubs.Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = stubs.ollama if provider == "ollama" else stubs.openai
    with serve(faults=[fault] * 4) as url:
        monkeypatch.setenv("OLLAMA_HOST" if provider == "ollama" else "OPENAI_BASE_URL", url)
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


def test_import_loads_no_client() -> None:
    code = "import sys, mder.models, mder.reasoners.llm; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"ollama", "openai", "httpx", "pydantic", "numpy"} & set(loaded)
