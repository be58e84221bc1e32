import base64
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests.stubs.server import Answer, Embed, Recorded, Response, StubUrl, echo, letters, serve


def openai(
    answer: Answer = echo,
    embed: Embed = letters,
    *,
    models: Sequence[str] = ("tiny", "tiny-embed"),
    faults: Iterable[int] = (),
    finish_reason: str = "stop",
    key: str = "",
    unsupported: Sequence[str] = (),
) -> AbstractContextManager[StubUrl]:
    """Serve the OpenAI API: chat completions, embeddings, models; the address ends in ``/v1``.

    :param answer: given the messages and the JSON schema, returns the content of the reply.
    :param embed: given one text, returns its vector.
    :param faults: statuses that the first POST requests get.
    :param key: when set, the only API key that is let in.
    :param unsupported: parameters that a request must leave out.
    """
    posts: dict[str, Callable[[dict[str, Any]], Response]] = {
        "/v1/chat/completions": lambda body: _chat(body, answer, finish_reason),
        "/v1/embeddings": lambda body: (200, _embedded(body, embed)),
    }

    def respond(request: Recorded) -> Response:
        refusal = _unauthorized(request.headers.get("authorization", ""), key)
        if refusal:
            return 401, refusal
        if request.path == "/v1/models":
            return 200, {"object": "list", "data": [_listed(name) for name in models]}
        if request.path not in posts:
            return 404, _error(f"Invalid URL ({request.method} {request.path})", "")
        model = request.body.get("model", "")
        if model not in models:
            missing = f"The model `{model}` does not exist or you do not have access to it."
            return 404, _error(missing, "model_not_found")
        for name in request.body.keys() & set(unsupported):
            return 400, _error(f"Unsupported value: '{name}'", "unsupported_value", name)
        return posts[request.path](request.body)

    return serve(respond, root="/v1", faults=faults, failure=lambda code: _error("injected", code))


def _error(message: str, code: str | int, param: str | None = None) -> dict[str, Any]:
    kind = "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": param, "code": code or None}}


def _unauthorized(header: str, key: str) -> dict[str, Any] | None:
    given = header.removeprefix("Bearer ")
    if not given:
        return _error("You didn't provide an API key.", "")
    if key and given != key:
        return _error(f"Incorrect API key provided: {given}.", "invalid_api_key")
    return None


def _listed(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "stub"}


def _embedded(body: dict[str, Any], embed: Embed) -> dict[str, Any]:
    given = body.get("input", [])
    texts = [given] if isinstance(given, str) else given
    # The official client asks for base64 unless told otherwise.
    form = _base64 if body.get("encoding_format") == "base64" else list
    tokens = sum(len(text.split()) for text in texts)
    return {
        "object": "list",
        "model": body["model"],
        "data": [
            {"object": "embedding", "index": index, "embedding": form(embed(text))}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _base64(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _chat(body: dict[str, Any], answer: Answer, finish_reason: str) -> Response:
    form = body.get("response_format", {}).get("json_schema", {})
    schema = form.get("schema")
    if form.get("strict") and (problem := _not_strict(schema)):
        refused = f"Invalid schema for response_format '{form.get('name')}': {problem}"
        return 400, _error(refused, "", "response_format")
    messages = body.get("messages", [])
    text = answer(messages, schema)
    sent = sum(len(m["content"].split()) for m in messages)
    got = len(text.split())
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    return 200, {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [
            {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
        ],
        "usage": {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got},
    }


def _not_strict(schema: Mapping[str, Any]) -> str:
    """Say which rule of strict mode a schema breaks; ``""`` when it keeps them all."""
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false."
        if set(schema.get("required", ())) != set(schema["properties"]):
            return "'required' is required to be supplied and to name every key in properties."
    parts = [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]
    return next(filter(None, map(_not_strict, parts)), "")
