"""Models of OpenAI and of every server that speaks its API."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mder.errors import ModelError, ReplyError, UsageError
from mder.models.base import Completion, Message

if TYPE_CHECKING:
    from openai import APIConnectionError, APIStatusError, OpenAI
    from openai.types.chat import ChatCompletion

_TRANSIENT = frozenset({408, 409, 429})


def connect() -> "OpenAI":
    """Make a client for the server that ``OPENAI_BASE_URL`` names, or for OpenAI itself.

    :raises UsageError: when OpenAI itself is meant and ``OPENAI_API_KEY`` is not set.
    """
    from openai import OpenAI, Timeout

    address, key = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY")
    if not address and not key:
        raise UsageError(
            "OPENAI_API_KEY is not set; set it, or set OPENAI_BASE_URL to a server without keys"
        )
    return OpenAI(
        # Servers without keys still want the header.
        api_key=key or "none",
        base_url=address or None,
        max_retries=0,
        timeout=Timeout(60.0, connect=5.0, read=600.0),
    )


@contextmanager
def translated(client: "OpenAI", model: str) -> Iterator[None]:
    """Turn what the client raises into a ModelError that says what mends it."""
    import openai

    address = str(client.base_url).rstrip("/")
    try:
        yield
    except openai.APITimeoutError as error:
        raise ModelError(
            f"{address} did not answer in time for {model}; use a smaller model", retryable=True
        ) from error
    except openai.APIConnectionError as error:
        raise _unreachable(error, address) from error
    except openai.APIStatusError as error:
        raise _refusal(error, address, model) from error
    except (openai.APIError, ValueError) as error:
        raise ModelError(
            f"{address} does not answer as OpenAI does; set OPENAI_BASE_URL to its API root"
        ) from error


def _unreachable(error: "APIConnectionError", address: str) -> ModelError:
    # By name, because the HTTP library below the client is not the same in all its versions.
    if type(error.__cause__).__name__ == "ConnectError":
        return ModelError(
            f"no OpenAI-compatible server at {address}; start it, or set OPENAI_BASE_URL"
        )
    return ModelError(f"{address} broke off: {error.__cause__}; see its log", retryable=True)


def _refusal(error: "APIStatusError", address: str, model: str) -> ModelError:
    status = error.status_code
    if status in (401, 403):
        return ModelError(f"{address} refused the key ({status}); set OPENAI_API_KEY")
    if status == 404 and "model" in error.message:
        return ModelError(
            f"{address} has no model {model!r}; name one that it serves: curl {address}/models"
        )
    if status == 404:
        return ModelError(f"{address} answers 404; set OPENAI_BASE_URL to its API root, as …/v1")
    if error.code == "insufficient_quota":
        return ModelError(f"{address}: the quota is used up; see the plan of OPENAI_API_KEY")
    if status == 400 and "context" in error.message:
        return ReplyError(f"{address}: {error.message}; lower chunk_characters or max_evidence")
    transient = status in _TRANSIENT or status >= 500
    return ModelError(f"{address} refused {model} ({status}): {error.message}", retryable=transient)


class OpenAIModel:
    """One model of a server that speaks OpenAI's API."""

    def __init__(self, client: "OpenAI", model: str) -> None:
        self.client = client
        self.model = model
        self._sampling: dict[str, Any] = {"temperature": 0.0}

    @property
    def name(self) -> str:
        """``openai/model``."""
        return f"openai/{self.model}"

    @property
    def options(self) -> dict[str, object]:
        """Where the model is and how it samples: two servers may serve one name."""
        return {"server": str(self.client.base_url), "temperature": 0.0}

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the server holds the reply to the schema.

        :raises ReplyError: when the prompt is longer than the context.
        :raises ModelError: when the server, the key or the model is not there.
        """
        with translated(self.client, self.model):
            response = self._send(messages, schema)
            return _completion(response)

    def _send(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None
    ) -> "ChatCompletion":
        from openai import BadRequestError

        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
        }
        if schema is not None:
            form = {"name": "reply", "strict": True, "schema": dict(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        try:
            return self._create(request | self._sampling)
        except BadRequestError as error:
            # Models that reason refuse any temperature but their own.
            if error.param != "temperature" or not self._sampling:
                raise
            self._sampling = {}
            return self._create(request)

    def _create(self, request: Mapping[str, Any]) -> "ChatCompletion":
        response: ChatCompletion = self.client.chat.completions.create(**request)
        return response


def _completion(response: "ChatCompletion") -> Completion:
    """Read a response.

    :raises ValueError: when it holds no choice.
    """
    if not response.choices:
        raise ValueError("a completion without choices")
    choice, usage = response.choices[0], response.usage
    # Some servers put constrained output where a model's thoughts go.
    text = choice.message.content or getattr(choice.message, "reasoning_content", None) or ""
    return Completion(
        text,
        usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0,
        "length" if choice.finish_reason == "length" else "stop",
    )
