import base64
import struct
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.stubs.faults import Faults, Twist
from tests.stubs.model import Answer, Embed, echo, letters, prompt_tokens, tokens
from tests.stubs.recorded import Recorded, StubUrl
from tests.stubs.server import Response, serve


def openai(
    answer: Answer = echo,
    embed: Embed = letters,
    *,
    models: Sequence[str] = ("tiny", "tiny-embed"),
    faults: Faults = (),
    finish_reason: str = "stop",
    thoughts: str = "",
    context: int = 0,
    strict_room: bool = False,
    fingerprint: str = "fp_stub",
    key: str = "",
    unsupported: Sequence[str] = (),
) -> AbstractContextManager[StubUrl]:
    """Serve the OpenAI API: chat completions, embeddings, models; the address ends in ``/v1``.

    :param answer: given the messages and the JSON schema, returns the content of the reply.
    :param embed: given one text, returns its vector.
    :param faults: what goes wrong with the first POST requests, or with each.
    :param thoughts: what the model says it thought.
    :param context: tokens of the longest prompt; a longer one is refused as llama-server does it.
    :param strict_room: whether ``max_tokens`` must fit into the context too, as vLLM wants it.
    :param key: when set, the only API key that is let in.
    :param unsupported: parameters that a request must leave out.
    """
    speaker = _Speaker(answer, finish_reason, thoughts, fingerprint)

    def respond(request: Recorded, twist: Twist) -> Response:
        refusal = _unauthorized(request.headers.get("authorization", ""), key)
        if refusal:
            return 401, refusal
        if request.path == "/v1/models":
            return 200, {"object": "list", "data": [_listed(name) for name in models]}
        if request.path not in ("/v1/chat/completions", "/v1/embeddings"):
            return 404, _error(f"Invalid URL ({request.method} {request.path})", "")
        model = request.body.get("model", "")
        if model not in models:
            missing = f"The model `{model}` does not exist or you do not have access to it."
            return 404, _error(missing, "model_not_found")
        if request.path == "/v1/embeddings":
            return 200, _embedded(request.body, embed)
        for name in request.body.keys() & set(unsupported):
            return 400, _error(_unsupported(name), "unsupported_parameter", name)
        refusal = _overflow(request.body, context, strict_room=strict_room) if context else None
        return (400, refusal) if refusal else speaker.reply(request.body, twist)

    return serve(
        respond, root="/v1", faults=faults, failure=lambda code, message: _error(message, code)
    )


def _unsupported(name: str) -> str:
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    return f"{said} Use 'max_completion_tokens' instead." if name == "max_tokens" else said


def _overflow(body: Mapping[str, Any], context: int, *, strict_room: bool) -> dict[str, Any] | None:
    sent, room = prompt_tokens(body["messages"]), int(body.get("max_tokens", 0))
    if strict_room and sent + room > context:
        return _error(
            f"This model's maximum context length is {context} tokens. However, you requested "
            f"{sent + room} tokens ({sent} in the messages, {room} in the completion).",
            400,
        )
    if sent <= context:
        return None
    message = f"request ({sent} tokens) exceeds the available context size ({context} tokens)"
    kind = {"type": "exceed_context_size_error", "n_prompt_tokens": sent, "n_ctx": context}
    return {"error": {"code": 400, "message": message, **kind}}


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
    count = sum(map(tokens, texts))
    return {
        "object": "list",
        "model": body["model"],
        "data": [
            {"object": "embedding", "index": index, "embedding": form(embed(text))}
            for index, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": count, "total_tokens": count},
    }


def _base64(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


@dataclass(frozen=True, slots=True)
class _Speaker:
    answer: Answer
    finish_reason: str
    thoughts: str
    fingerprint: str

    def reply(self, body: dict[str, Any], twist: Twist) -> Response:
        form = body.get("response_format", {}).get("json_schema", {})
        schema = form.get("schema")
        if form.get("strict") and (problem := _not_strict(schema)):
            refused = f"Invalid schema for response_format '{form.get('name')}': {problem}"
            return 400, _error(refused, "", "response_format")
        messages = body.get("messages", [])
        text = twist(self.answer(messages, schema), schema)
        sent, got = prompt_tokens(messages), tokens(text or "")
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if self.thoughts:
            message["reasoning_content"] = self.thoughts
        choice = {"index": 0, "message": message, "logprobs": None}
        return 200, {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": body["model"],
            "system_fingerprint": self.fingerprint,
            "choices": [{**choice, "finish_reason": self.finish_reason}],
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
