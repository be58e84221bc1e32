import gc
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mder.errors import MissingPackageError, ModelError, ReplyError, TooLongError, UsageError
from mder.models import open_model, openai
from mder.models.base import Message
from mder.models.gguf import MOST_SLOTS, GgufModel, find_weights
from mder.models.openai import OpenAIModel
from mder.models.retry import RetryingModel
from tests.models.doubles import ASKED
from tests.models.weights import SMALL_CONTEXT, llama_server, small_model, small_weights

TRIPLES: dict[str, object] = {
    "$defs": {
        "triple": {
            "type": "object",
            "properties": {
                "subject": {"type": "string", "maxLength": 20},
                "kind": {"enum": ["person", "place"]},
            },
            "required": ["subject", "kind"],
            "additionalProperties": False,
        }
    },
    "type": "object",
    "properties": {
        "triples": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/triple"}}
    },
    "required": ["triples"],
    "additionalProperties": False,
}
OK = {
    "choices": [{"finish_reason": "stop", "message": {"content": "In Japan."}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3},
}
ASK = """
from tests.models.doubles import ASKED
from tests.models.weights import small_model
model = small_model(max_tokens=4)
model.complete(ASKED)
"""
LEAK = "import ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object(model))"


class FakeServer:
    """llama.cpp, without weights: answers as told, or raises."""

    answer: Any = OK
    started: list[Any]
    asked: list[dict[str, Any]]

    def __init__(self, params: object) -> None:
        time.sleep(0.01)
        self.started.append(params)

    def handle_chat_completions(self, request: dict[str, Any]) -> Mapping[str, Any]:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Mapping[str, Any] = self.answer
        return answer


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeServer]:
    xllamacpp = pytest.importorskip("xllamacpp")
    server = type("Fake", (FakeServer,), {"started": [], "asked": []})
    monkeypatch.setattr(xllamacpp, "Server", server)
    return server


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A file that looks like weights from outside."""
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    return path


@pytest.fixture(scope="module")
def model() -> GgufModel:
    return small_model(slots=2)


def failure(model: GgufModel, kind: type[ModelError], asked: list[Message] = ASKED) -> str:
    with pytest.raises(ModelError) as caught:
        model.complete(asked)
    assert type(caught.value) is kind
    assert not caught.value.retryable
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    for missing in (tmp_path / "absent.gguf", tmp_path):
        with pytest.raises(UsageError) as caught:
            open_model(f"gguf/{missing}")
        expected = f"no file {missing}; name the weights as gguf/path/to/weights.gguf"
        assert str(caught.value) == expected


def test_file_that_is_no_gguf_is_named(tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("<html>Not found</html>")
    with pytest.raises(ModelError) as caught:
        open_model(f"gguf/{page}")
    expected = f"{page} is not a GGUF file; download one, or convert it to GGUF"
    assert str(caught.value) == expected


def test_unreadable_file_is_named(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ModelError, match=r"tiny\.gguf cannot be read: Permission denied"):
        find_weights(str(tiny))


def test_missing_package_is_named_with_what_installs_it(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'mder-dr\[gguf\]'"):
        open_model(f"gguf/{tiny}")


def test_file_may_be_named_from_here_from_home_or_from_the_root(
    fake: type[FakeServer], tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny.parent)
    monkeypatch.setenv("HOME", str(tiny.parent))
    for file in ("tiny.gguf", "./tiny.gguf", "~/tiny.gguf", str(tiny)):
        model = open_model(f"gguf/{file}")
        assert model.name == "gguf/tiny.gguf"
        assert model.complete(ASKED).text == "In Japan."
    assert {Path(params.model.path).resolve() for params in fake.started} == {tiny.resolve()}


def test_same_weights_are_known_again_elsewhere_and_others_are_not(
    fake: type[FakeServer], tiny: Path
) -> None:
    def digest(content: bytes) -> str:
        path = tiny.parent / f"{len(list(tiny.parent.iterdir()))}.gguf"
        path.write_bytes(content)
        return find_weights(str(path)).digest

    content = tiny.read_bytes()
    long = content + bytes(3 << 20)
    assert digest(content) == find_weights(str(tiny)).digest
    others = [content + b"0", b"GGUF" + b"1" * 100, long, long[:-1] + b"1"]
    assert len({digest(other) for other in [content, *others]}) == 5
    assert not fake.started


def test_weights_are_loaded_once_and_not_before_they_are_asked(
    fake: type[FakeServer], tiny: Path
) -> None:
    model = open_model(f"gguf/{tiny}", in_flight=8)
    assert model.options
    assert not fake.started
    threads = [threading.Thread(target=model.complete, args=(ASKED,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fake.started) == 1
    assert len(fake.asked) == 8


@pytest.mark.parametrize(("in_flight", "slots"), [(1, 1), (3, 3), (100, MOST_SLOTS)])
def test_each_request_at_once_has_the_whole_context(
    fake: type[FakeServer], tiny: Path, in_flight: int, slots: int
) -> None:
    open_model(f"gguf/{tiny}", in_flight=in_flight).complete(ASKED)
    params = fake.started[0]
    assert params.n_parallel == slots
    assert params.n_ctx == slots * 8192
    assert not params.kv_unified
    assert params.cpuparams.n_threads > 0


def test_request_says_all_that_shapes_the_reply(fake: type[FakeServer], tiny: Path) -> None:
    model = GgufModel(find_weights(str(tiny)), max_tokens=99)
    completion = model.complete(ASKED, TRIPLES)
    assert (completion.text, completion.tokens_in, completion.tokens_out) == ("In Japan.", 7, 3)
    request = fake.asked[0]
    assert request["messages"] == [{"role": "user", "content": "Where is Tokyo?"}]
    assert request["response_format"]["json_schema"]["schema"] == TRIPLES
    assert request["chat_template_kwargs"]["enable_thinking"] is False
    for name in ("max_tokens", "temperature", "seed"):
        assert request[name] == model.options[name]
    assert model.options["max_tokens"] == 99


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (
            {"error": {"code": 400, "message": "no such role", "type": "invalid_request_error"}},
            ModelError,
            "gguf/tiny.gguf: no such role; use other weights",
        ),
        (
            {"error": {"code": 500, "message": "compute\nfailed", "type": "server_error"}},
            ReplyError,
            "gguf/tiny.gguf: compute failed",
        ),
        ({"code": 500, "message": "not JSON"}, ReplyError, "gguf/tiny.gguf: not JSON"),
        (ValueError("no $defs"), ModelError, "gguf/tiny.gguf: no $defs; use other weights"),
        (RuntimeError("parse error"), ReplyError, "gguf/tiny.gguf: parse error"),
    ],
)
def test_failure_says_whether_other_requests_may_do_better(
    fake: type[FakeServer],
    tiny: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: object,
    kind: type[ModelError],
    said: str,
) -> None:
    monkeypatch.setattr(fake, "answer", answer)
    assert failure(GgufModel(find_weights(str(tiny))), kind) == said


def test_thoughts_that_took_all_the_room_are_no_reply(
    fake: type[FakeServer], tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = {"content": "", "reasoning_content": "Let me see. Tokyo"}
    choices = [{"finish_reason": "length", "message": message}]
    monkeypatch.setattr(fake, "answer", {**OK, "choices": choices})
    completion = GgufModel(find_weights(str(tiny))).complete(ASKED)
    assert (completion.text, completion.finish_reason) == ("", "length")


def test_damaged_file_is_named_when_it_is_loaded(tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    with small_weights().open("rb") as whole:
        cut.write_bytes(whole.read(1 << 20))
    model = open_model(f"gguf/{cut}")
    assert isinstance(model, RetryingModel)
    with pytest.raises(ModelError, match=r"cut\.gguf cannot be loaded: it is damaged") as caught:
        model.complete(ASKED)
    assert not caught.value.retryable
    assert caught.value.__cause__ is not None


def test_reply_is_held_to_a_schema_with_parts(model: GgufModel) -> None:
    completion = model.complete([Message("user", "Who lives where? Answer in JSON.")], TRIPLES)
    triples = json.loads(completion.text)["triples"]
    assert all(set(triple) == {"subject", "kind"} for triple in triples)
    assert {triple["kind"] for triple in triples} <= {"person", "place"}
    assert completion.finish_reason == "stop"
    assert completion.seconds > 0


def test_same_request_gets_the_same_reply(model: GgufModel) -> None:
    assert model.complete(ASKED).text == model.complete(ASKED).text


def test_reply_ends_at_the_most_tokens() -> None:
    completion = small_model(max_tokens=5).complete(ASKED)
    assert (completion.tokens_out, completion.finish_reason) == (5, "length")


def test_reply_ends_where_the_context_does() -> None:
    model = GgufModel(small_model().weights, n_ctx=256, threads=1)
    completion = model.complete(
        [Message("user", "word " * 200)], {"type": "string", "minLength": 1000}
    )
    assert completion.finish_reason == "length"
    assert completion.tokens_in + completion.tokens_out == 256


def test_prompt_longer_than_the_context_is_refused_with_both_lengths(model: GgufModel) -> None:
    said = failure(model, TooLongError, [Message("user", "word " * SMALL_CONTEXT)])
    assert "tokens does not fit its context of 1024; lower chunk_characters" in said
    assert model.complete(ASKED).text


def test_half_a_character_is_no_obstacle(model: GgufModel) -> None:
    assert model.complete([Message("user", "Tokyo \ud83d?")]).text


def test_port_that_it_opens_is_closed_to_others(model: GgufModel) -> None:
    address = model._loaded().listening_address
    assert address.startswith("http://127.0.0.1:")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{address}/v1/models")
    caught.value.close()
    assert caught.value.code == 401


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    model = small_model(max_tokens=4)
    assert model.complete(ASKED).text
    failure(model, TooLongError, [Message("user", "word " * SMALL_CONTEXT)])
    del model
    gc.collect()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("end", ["del model", "", "raise SystemExit(0)", LEAK])
def test_process_ends_quietly_whoever_holds_the_model(end: str) -> None:
    small_weights()
    done = subprocess.run(
        [sys.executable, "-c", f"{ASK}\n{end}"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_model_that_is_gone_takes_no_other_along() -> None:
    one, other = small_model(max_tokens=4), small_model(max_tokens=4)
    assert one.complete(ASKED).text == other.complete(ASKED).text
    del one
    gc.collect()
    assert other.complete(ASKED).text


def test_llama_server_serves_openai_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    with llama_server() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        model = OpenAIModel(openai.connect(), "any", max_tokens=100)
        completion = model.complete(ASKED, TRIPLES)
        with pytest.raises(TooLongError):
            model.complete([Message("user", "word " * 3000)])
    assert set(json.loads(completion.text)) == {"triples"}
    assert completion.finish_reason == "stop"
    assert 30 < completion.tokens_in < 60
    assert 0 < completion.tokens_out <= 100
