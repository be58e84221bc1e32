"""Models of an Ollama server, by its native API: ``/v1`` takes no context length."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from mder.errors import ModelError, ReplyError
from mder.models.address import address
from mder.models.base import Completion, Message
from mder.models.context import Ladder, says_too_long, too_long, was_cut, with_margin
from mder.models.patience import Patience, retry_after
from mder.models.tokens import prompt_tokens
from mder.models.wire import ABOUT_ONE, complaint, decoded, spoken

if TYPE_CHECKING:
    from httpx import Response
    from ollama import Client

_log = logging.getLogger(__name__)

KEEP_ALIVE = "30m"
_TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
_NO_MEMORY = "requires more system memory"


def connect() -> "Client":
    """Make a client for the server that ``OLLAMA_HOST`` names, or the local one.

    :raises UsageError: when that is no address.
    """
    import httpx
    from ollama import Client

    # A reply arrives in one piece, after all of it has been generated.
    timeout = httpx.Timeout(60.0, connect=5.0, read=600.0)
    return Client(address("OLLAMA_HOST", "host:11434"), timeout=timeout)


@contextmanager
def translated(
    client: "Client", model: str, *, known: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Turn what the client raises into a ModelError that says what mends it.

    :param known: says whether the server has answered well by now, so that it may do so again.
    """
    import httpx
    from ollama import ResponseError

    address = _address(client)
    try:
        yield
    except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise ModelError(
            f"no Ollama server at {address}; start it with: ollama serve", retryable=known()
        ) from error
    except httpx.TimeoutException as error:
        raise ModelError(
            f"Ollama at {address} did not answer in time for {model}; use a smaller model",
            retryable=True,
        ) from error
    except httpx.HTTPError as error:
        raise ModelError(
            f"Ollama at {address} broke off: {error}; see its log", retryable=True
        ) from error
    except ResponseError as error:
        raise _refusal(error.status_code, error.error, address, model, known=known()) from error
    except ValueError as error:
        raise ModelError(
            f"{address} does not answer as Ollama does; set OLLAMA_HOST to an Ollama server",
            retryable=known(),
        ) from error


def _address(client: "Client") -> str:
    # The client has no public name for its address.
    return str(client._client.base_url).rstrip("/")


def _refusal(
    status: int,
    message: str,
    address: str,
    model: str,
    wait: float | None = None,
    *,
    known: bool,
) -> ModelError:
    if status == 404 and message.startswith("model"):
        return ModelError(f"Ollama at {address} has no model {model!r}; run: ollama pull {model}")
    if status == 413 or says_too_long(message):
        return too_long(f"ollama/{model}", message)
    refusal = f"Ollama at {address} refused {model} ({status}): {message}"
    if known and status in ABOUT_ONE:
        return ReplyError(refusal)
    return ModelError(
        refusal,
        retryable=status in _TRANSIENT and _NO_MEMORY not in message,
        retry_after=wait,
    )


@dataclass(slots=True)
class OllamaModel:
    """One model of an Ollama server.

    The context is sent with every request, because a prompt longer than the server's own default
    is cut without a word; see :class:`mder.models.context.Ladder` for how large it is.

    :param max_context: the most tokens of a prompt and its reply.
    :param num_predict: the most tokens of a reply.
    """

    client: "Client"
    model: str
    max_context: int = 32768
    num_predict: int = 4096
    patience: Patience = field(default_factory=Patience)
    _ladder: Ladder = field(init=False, repr=False)
    _think: str | bool | None = field(init=False, repr=False)
    _known: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self._ladder = Ladder(self.max_context)
        # These models cannot stop thinking, only do less of it.
        self._think = "low" if self.model.rpartition("/")[2].startswith("gpt-oss") else False

    @property
    def name(self) -> str:
        """``ollama/model``."""
        return f"ollama/{self.model}"

    @property
    def options(self) -> dict[str, object]:
        """Sampling options, the same for every request."""
        return {"num_predict": self.num_predict, "temperature": 0.0, "seed": 0}

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the server holds the reply to the schema.

        :raises TooLongError: when the prompt is longer than the context, or was cut to fit it.
        :raises ModelError: when the server or the model is not there.
        """
        tokens = prompt_tokens(messages)
        context = self._context(tokens)
        try:
            completion = self._answered(self._request(messages, schema, context), tokens)
        except ModelError as error:
            if _NO_MEMORY not in str(error) or not self._ladder.stay_below(context):
                raise
            _log.warning("%s; asking for a smaller context", error)
            return self.complete(messages, schema)
        if was_cut(messages, completion.tokens_in, context):
            whole, left = f"a prompt of about {tokens} tokens", completion.tokens_in
            raise too_long(self.name, f"the server has cut {whole} to {left}", completion)
        return completion

    def _context(self, tokens: int) -> int:
        most = self._ladder.most
        if tokens > most:
            raise too_long(self.name, f"about {tokens} tokens do not fit a context of {most}")
        return self._ladder.reach(with_margin(tokens) + self.num_predict)

    def _request(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None, context: int
    ) -> dict[str, Any]:
        request = {
            "model": self.model,
            "messages": [asdict(message) for message in messages],
            "stream": False,
            "options": {"num_ctx": context, **self.options},
            "keep_alive": KEEP_ALIVE,
            # Servers that know these refuse what is too long, instead of cutting it.
            "truncate": False,
            "shift": False,
        }
        return request if schema is None else {**request, "format": dict(schema)}

    def _answered(self, request: dict[str, Any], tokens: int) -> Completion:
        """Send a request and read the reply."""
        with translated(self.client, self.model, known=lambda: self._known):
            started = time.monotonic()
            response = self._send(request, self.patience.limit(tokens, self.num_predict))
            seconds = time.monotonic() - started
            if response.is_error:
                raise self._refused(response)
            reply = decoded(response.content)
            completion = _completion(reply, seconds, json_wanted="format" in request)
        self._known = True
        loading = reply.get("load_duration", 0) / 1e9
        self.patience.saw(completion.tokens_in, completion.tokens_out, max(0.0, seconds - loading))
        return completion

    def _refused(self, response: "Response") -> ModelError:
        return _refusal(
            response.status_code,
            complaint(response.content),
            _address(self.client),
            self.model,
            retry_after(response.headers),
            known=self._known,
        )

    def _send(self, request: dict[str, Any], limit: float) -> "Response":
        think = self._think
        response = self._post(request if think is None else {**request, "think": think}, limit)
        if response.status_code == 400 and think is not None and b"thinking" in response.content:
            self._think = None
            return self._post(request, limit)
        return response

    def _post(self, request: dict[str, Any], limit: float) -> "Response":
        import httpx

        timeout = httpx.Timeout(60.0, connect=5.0, read=limit)
        # The client's own method takes no time-out, and hides the headers of a refusal.
        response: httpx.Response = self.client._client.post(
            "/api/chat", json=request, timeout=timeout
        )
        return response


def _completion(reply: Mapping[str, Any], seconds: float, *, json_wanted: bool) -> Completion:
    message = reply.get("message")
    if not isinstance(message, dict):
        raise ValueError("a reply without a message")
    content, thoughts = message.get("content") or "", message.get("thinking") or ""
    text, starved = spoken(content, thoughts, json_wanted=json_wanted)
    return Completion(
        text,
        reply.get("prompt_eval_count") or 0,
        reply.get("eval_count") or 0,
        "length" if starved or reply.get("done_reason") == "length" else "stop",
        seconds,
    )
