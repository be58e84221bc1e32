import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.stubs.faults import Faults, Twist
from tests.stubs.model import Answer, Embed, echo, letters, prompt_tokens, tokens
from tests.stubs.recorded import Recorded, StubUrl
from tests.stubs.server import Response, serve

_CREATED = "2026-01-01T00:00:00.000000Z"
_DETAILS = {
    "parent_model": "",
    "format": "gguf",
    "family": "llama",
    "families": ["llama"],
    "parameter_size": "1B",
    "quantization_level": "Q4_K_M",
}


def ollama(
    answer: Answer = echo,
    embed: Embed = letters,
    *,
    models: Sequence[str] = ("tiny", "tiny-embed"),
    faults: Faults = (),
    done_reason: str = "stop",
    thoughts: str = "",
    truncate: int = 0,
    memory: int = 0,
    unsupported: Sequence[str] = (),
) -> AbstractContextManager[StubUrl]:
    """Serve Ollama's native API: chat, embed, tags, show.

    :param answer: given the messages and ``format``, returns the content of the reply.
    :param embed: given one text, returns its vector; the server scales it to unit length.
    :param faults: what goes wrong with the first POST requests, or with each.
    :param thoughts: what the model says it thought.
    :param truncate: the context of the model, in tokens: the end of a longer prompt is kept, half
        a context of it, and the reply says so only by its count. As servers do that do not know
        ``"truncate": false``.
    :param memory: the largest ``num_ctx`` that fits.
    :param unsupported: fields that make the server refuse, of ``think``.
    """
    known = {_tagged(model) for model in models}
    speaker = _Speaker(answer, done_reason, thoughts, truncate, memory, unsupported)

    def respond(request: Recorded, twist: Twist) -> Response:
        body, model = request.body, str(request.body.get("model", ""))
        if request.path == "/api/tags":
            return 200, {"models": [_listed(name) for name in sorted(known)]}
        if request.path not in ("/api/chat", "/api/embed", "/api/show"):
            return 404, {"error": "404 page not found"}
        if not model:
            return 400, {"error": "model is required"}
        if _tagged(model) not in known:
            return 404, {"error": _missing(request.path, model)}
        if request.path == "/api/chat":
            return speaker.reply(model, body, twist)
        if request.path == "/api/embed":
            return 200, _embedded(model, body, embed)
        return 200, _shown(embedding="embed" in model)

    return serve(respond, faults=faults, failure=lambda _status, message: {"error": message})


def _tagged(model: str) -> str:
    return model if ":" in model else f"{model}:latest"


def _missing(path: str, model: str) -> str:
    # The scheduler, which answers for embeddings, words it in its own way.
    if path == "/api/embed":
        return f'model "{model}" not found, try pulling it first'
    return f"model '{model}' not found"


def _listed(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "model": name,
        "modified_at": _CREATED,
        "size": 1,
        "digest": "0" * 64,
        "details": _DETAILS,
    }


def _shown(*, embedding: bool) -> dict[str, Any]:
    return {
        "modelfile": "",
        "parameters": "",
        "template": "{{ .Prompt }}",
        "details": _DETAILS,
        "model_info": {"general.architecture": "llama", "llama.context_length": 8192},
        "capabilities": ["embedding"] if embedding else ["completion"],
        "modified_at": _CREATED,
    }


def _embedded(model: str, body: dict[str, Any], embed: Embed) -> dict[str, Any]:
    given = body.get("input", [])
    texts = [given] if isinstance(given, str) else given
    return {
        "model": model,
        "embeddings": [_unit(embed(text)) for text in texts],
        "total_duration": 1,
        "load_duration": 1,
        "prompt_eval_count": sum(map(tokens, texts)),
    }


def _unit(vector: list[float]) -> list[float]:
    length = max(math.sqrt(sum(x * x for x in vector)), 1e-12)
    return [x / length for x in vector]


@dataclass(frozen=True, slots=True)
class _Speaker:
    answer: Answer
    done_reason: str
    thoughts: str
    truncate: int
    memory: int
    unsupported: Sequence[str]

    def reply(self, model: str, body: dict[str, Any], twist: Twist) -> Response:
        if body.keys() & set(self.unsupported):
            return 400, {"error": f'"{model}" does not support thinking'}
        if self.memory and body["options"]["num_ctx"] > self.memory:
            missing = "model requires more system memory (9.1 GiB) than is available (6.0 GiB)"
            return 500, {"error": missing}
        messages, schema = body.get("messages", []), body.get("format")
        count = prompt_tokens(messages)
        if self.truncate and count > self.truncate:
            count = self.truncate // 2 + 2
            messages = _end(messages, count)
        text = twist(self.answer(messages, schema), schema)
        message = {"role": "assistant", "content": text}
        return 200, {
            "model": model,
            "created_at": _CREATED,
            "message": {**message, "thinking": self.thoughts} if self.thoughts else message,
            "done": True,
            "done_reason": self.done_reason,
            "total_duration": 1,
            "load_duration": 1,
            "prompt_eval_count": count,
            "prompt_eval_duration": 1,
            "eval_count": tokens(text or ""),
            "eval_duration": 1,
        }


def _end(messages: Sequence[Mapping[str, str]], left: int) -> list[Mapping[str, str]]:
    """Return the last messages, as words, of which each counts as a token."""
    kept: list[Mapping[str, str]] = []
    for message in reversed(messages):
        words = message["content"].split()[-left:] if left else []
        kept.insert(0, {**message, "content": " ".join(words)})
        left -= len(words)
    return kept
