"""Models of OpenAI and of every server that speaks its API."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mder.errors import ModelError, ReplyError, UsageError
from mder.models.address import address
from mder.models.base import Completion, Message
from mder.models.context import says_too_long, too_long, was_cut
from mder.models.dialect import Dialect
from mder.models.patience import Patience, retry_after
from mder.models.tokens import prompt_tokens
from mder.models.wire import ABOUT_ONE, complaint, decoded, one_line, spoken

if TYPE_CHECKING:
    from openai import APIConnectionError, APIStatusError, OpenAI

_log = logging.getLogger(__name__)

_TRANSIENT = frozenset({408, 409, 429})
# Statuses of requests that may be worded otherwise.
_WORDING = frozenset({400, 422, 501})
_OLLAMA_PORT = 11434


def connect() -> "OpenAI":
    """Make a client for the server that ``OPENAI_BASE_URL`` names, or for OpenAI itself.

    :raises UsageError: when OpenAI itself is meant and ``OPENAI_API_KEY`` is not set, or when one
        of the two cannot be.
    """
    from openai import OpenAI, Timeout

    root = address("OPENAI_BASE_URL", "http://host:port/v1")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not root and not key:
        raise UsageError(
            "OPENAI_API_KEY is not set; set it, or set OPENAI_BASE_URL to a server without keys"
        )
    if not (key.isascii() and key.isprintable()):
        raise UsageError("OPENAI_API_KEY has characters that no key has; set it again")
    return OpenAI(
        # Servers without keys still want the header.
        api_key=key or "none",
        base_url=root or None,
        max_retries=0,
        timeout=Timeout(60.0, connect=5.0, read=600.0),
    )


@contextmanager
def translated(
    client: "OpenAI", model: str, *, known: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Turn what the client raises into a ModelError that says what mends it.

    :param known: says whether the server has answered well by now, so that it may do so again.
    """
    import openai

    address = str(client.base_url).rstrip("/")
    try:
        yield
    except openai.APITimeoutError as error:
        raise ModelError(
            f"{address} did not answer in time for {model}; use a smaller model", retryable=True
        ) from error
    except openai.APIConnectionError as error:
        raise _unreachable(error, address, known=known()) from error
    except openai.APIStatusError as error:
        raise _refused(error, address, model, known=known()) from error
    except (openai.APIError, ValueError) as error:
        raise ModelError(
            f"{address} does not answer as OpenAI does; set OPENAI_BASE_URL to its API root",
            retryable=known(),
        ) from error


def _unreachable(error: "APIConnectionError", address: str, *, known: bool) -> ModelError:
    # By name, because the HTTP library below the client is not the same in all its versions.
    if type(error.__cause__).__name__ == "ConnectError":
        return ModelError(
            f"no OpenAI-compatible server at {address}; start it, or set OPENAI_BASE_URL",
            retryable=known,
        )
    return ModelError(f"{address} broke off: {error.__cause__}; see its log", retryable=True)


def _refused(error: "APIStatusError", address: str, model: str, *, known: bool) -> ModelError:
    status, message = error.status_code, complaint(error.response.content)
    if status == 401 or (status == 403 and not known):
        return ModelError(f"{address} refused the key ({status}); set OPENAI_API_KEY")
    if status == 404 and "model" in message:
        return ModelError(
            f"{address} has no model {model!r}; name one that it serves: curl {address}/models"
        )
    if status == 404:
        return ModelError(f"{address} answers 404; set OPENAI_BASE_URL to its API root, as …/v1")
    if error.code == "insufficient_quota":
        return ModelError(f"{address}: the quota is used up; see the plan of OPENAI_API_KEY")
    if says_too_long(f"{error.code} {error.type}"):
        return too_long(f"openai/{model}", message)
    wait = retry_after(error.response.headers)
    return _refusal(status, message, address, model, wait, known=known)


def _refusal(
    status: int,
    message: str,
    address: str,
    model: str,
    wait: float | None = None,
    *,
    known: bool,
) -> ModelError:
    if status == 413 or says_too_long(message):
        return too_long(f"openai/{model}", message)
    refusal = f"{address} refused {model} ({status}): {message}"
    if known and status in ABOUT_ONE:
        return ReplyError(refusal)
    return ModelError(
        refusal,
        retryable=status in _TRANSIENT or status >= 500,
        retry_after=wait,
    )


class OpenAIModel:
    """One model of a server that speaks OpenAI's API.

    :param max_tokens: the most tokens of a reply.
    """

    def __init__(
        self,
        client: "OpenAI",
        model: str,
        *,
        max_tokens: int = 4096,
        patience: Patience | None = None,
    ) -> None:
        self.client = client
        self.model = model
        self.max_tokens = max_tokens
        self.patience = patience or Patience()
        self._address = str(client.base_url).rstrip("/")
        # OpenAI refuses fields that it does not know.
        quiet = client.base_url.host != "api.openai.com"
        self._dialect = Dialect(self._address, max_tokens, quiet)
        self._known = False
        self._is_ollama = False
        if client.base_url.port == _OLLAMA_PORT:
            self._found_ollama()

    @property
    def name(self) -> str:
        """``openai/model``."""
        return f"openai/{self.model}"

    @property
    def options(self) -> dict[str, object]:
        """Where the model is and how it samples: two servers may serve one name."""
        return {
            "server": str(self.client.base_url),
            "temperature": 0.0,
            "max_tokens": self.max_tokens,
        }

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the server holds the reply to the schema, if it can.

        :raises TooLongError: when the prompt is longer than the context.
        :raises ModelError: when the server, the key or the model is not there.
        """
        with translated(self.client, self.model, known=lambda: self._known):
            started = time.monotonic()
            reply = decoded(self._send(messages, schema))
            seconds = time.monotonic() - started
            self._raise_error_in(reply)
            completion = _completion(reply, seconds, json_wanted=schema is not None)
        self._known = True
        self.patience.saw(completion.tokens_in, completion.tokens_out, seconds)
        if reply.get("system_fingerprint") == "fp_ollama":
            self._found_ollama()
        if self._is_ollama and was_cut(messages, completion.tokens_in):
            reason = f"the server has cut the prompt to {completion.tokens_in}"
            raise too_long(self.name, reason, completion)
        return completion

    def _send(self, messages: Sequence[Message], schema: Mapping[str, object] | None) -> bytes:
        from openai import APIStatusError, Timeout

        tokens = prompt_tokens(messages, schema)
        limit = self.patience.limit(tokens, self.max_tokens)
        while True:
            fields = self._dialect.request(messages, schema, tokens)
            try:
                response = self.client.chat.completions.with_raw_response.create(
                    model=self.model, timeout=Timeout(60.0, connect=5.0, read=limit), **fields
                )
            except APIStatusError as error:
                refusal = f"{complaint(error.response.content)} {error.param or ''}"
                if error.status_code not in _WORDING or not self._dialect.learn(
                    fields, refusal, tokens
                ):
                    raise
            else:
                return response.http_response.content

    def _raise_error_in(self, reply: Mapping[str, Any]) -> None:
        # Proxies tell of errors behind them in replies that are none.
        if error := reply.get("error"):
            code = error.get("code") if isinstance(error, dict) else None
            status = code if isinstance(code, int) else 502
            message = one_line(str(error))
            raise _refusal(status, message, self._address, self.model, known=self._known)

    def _found_ollama(self) -> None:
        if not self._is_ollama:
            _log.warning(
                "%s is an Ollama server, which takes no context length here and cuts long prompts "
                "without a word; name the model ollama/%s and set OLLAMA_HOST instead",
                self._address,
                self.model,
            )
        self._is_ollama = True


def _completion(reply: Mapping[str, Any], seconds: float, *, json_wanted: bool) -> Completion:
    """Read a reply.

    :raises ValueError: when it holds no choice.
    """
    try:
        choice, usage = reply["choices"][0], reply.get("usage") or {}
        message = choice["message"]
        thoughts = _text(message.get("reasoning_content") or message.get("reasoning"))
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError("a completion without choices") from error
    text, starved = spoken(_text(message.get("content")), thoughts, json_wanted=json_wanted)
    return Completion(
        text,
        usage.get("prompt_tokens") or 0,
        usage.get("completion_tokens") or 0,
        "length" if starved or choice.get("finish_reason") == "length" else "stop",
        seconds,
    )


def _text(content: object) -> str:
    """Return the text of a content, which some servers send in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
