import math
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests.stubs.server import Answer, Embed, Recorded, Response, StubUrl, echo, letters, serve

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
    faults: Iterable[int] = (),
    done_reason: str = "stop",
) -> AbstractContextManager[StubUrl]:
    """Serve Ollama's native API: chat, embed, tags, show.

    :param answer: given the messages and ``format``, returns the content of the reply.
    :param embed: given one text, returns its vector; the server scales it to unit length.
    :param faults: statuses that the first POST requests get.
    """
    known = {_tagged(model) for model in models}

    def respond(request: Recorded) -> Response:
        body, model = request.body, str(request.body.get("model", ""))
        if request.path == "/api/tags":
            return 200, {"models": [_listed(name) for name in sorted(known)]}
        if request.path not in ("/api/chat", "/api/embed", "/api/show"):
            return 404, {"error": "404 page not found"}
        if not model:
            return 400, {"error": "model is required"}
        if _tagged(model) not in known:
            return 404, {"error": _missing(request.path, model)}
        if request.path == "/api/show":
            return 200, _shown(embedding="embed" in model)
        if request.path == "/api/embed":
            return 200, _embedded(model, body, embed)
        return 200, _chat(model, body, answer, done_reason)

    return serve(respond, faults=faults, failure=lambda status: {"error": f"injected {status}"})


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
        "prompt_eval_count": sum(len(text.split()) for text in texts),
    }


def _unit(vector: list[float]) -> list[float]:
    length = max(math.sqrt(sum(x * x for x in vector)), 1e-12)
    return [x / length for x in vector]


def _chat(model: str, body: dict[str, Any], answer: Answer, done_reason: str) -> dict[str, Any]:
    messages = body.get("messages", [])
    text = answer(messages, body.get("format"))
    return {
        "model": model,
        "created_at": _CREATED,
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": done_reason,
        "total_duration": 1,
        "load_duration": 1,
        "prompt_eval_count": sum(len(message["content"].split()) for message in messages),
        "prompt_eval_duration": 1,
        "eval_count": len(text.split()),
        "eval_duration": 1,
    }
