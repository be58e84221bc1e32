"""Models of an Ollama server, by its native API: ``/v1`` takes no context length."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from mder.errors import ModelError, ReplyError
from mder.models.base import Completion, Message

if TYPE_CHECKING:
    from ollama import Client, ResponseError

KEEP_ALIVE = "30m"
_TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
_BYTES_PER_TOKEN = 4


def connect() -> "Client":
    """Make a client for the server that ``OLLAMA_HOST`` names, or the local one."""
    import httpx
    from ollama import Client

    # A reply arrives in one piece, after all of it has been generated.
    return Client(timeout=httpx.Timeout(60.0, connect=5.0, read=600.0))


@contextmanager
def translated(client: "Client", model: str) -> Iterator[None]:
    """Turn what the client raises into a ModelError that says what mends it."""
    import httpx
    from ollama import ResponseError

    # The client has no public name for its address.
    address = str(client._client.base_url).rstrip("/")
    try:
        yield
    except (ConnectionError, httpx.ConnectTimeout) as error:
        raise ModelError(f"no Ollama server at {address}; start it with: ollama serve") from error
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
        raise _refusal(error, address, model) from error
    except ValueError as error:
        raise ModelError(
            f"{address} does not answer as Ollama does; set OLLAMA_HOST to an Ollama server"
        ) from error


def _refusal(error: "ResponseError", address: str, model: str) -> ModelError:
    if error.status_code == 404 and error.error.startswith("model"):
        return ModelError(f"Ollama at {address} has no model {model!r}; run: ollama pull {model}")
    return ModelError(
        f"Ollama at {address} refused {model} ({error.status_code}): {error.error}",
        retryable=error.status_code in _TRANSIENT,
    )


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """One model of an Ollama server.

    :param num_ctx: context in tokens. Sent with every request, because a prompt longer than the
        server's own default is cut without a word, and the same each time, because the server
        loads the model anew when it changes.
    :param num_predict: the most tokens of a reply.
    """

    client: "Client"
    model: str
    num_ctx: int = 16384
    num_predict: int = 4096

    @property
    def name(self) -> str:
        """``ollama/model``."""
        return f"ollama/{self.model}"

    @property
    def options(self) -> dict[str, object]:
        """Sampling options, the same for every request."""
        return {
            "num_ctx": self.num_ctx,
            "num_predict": self.num_predict,
            "temperature": 0.0,
            "seed": 0,
        }

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; the server holds the reply to the schema.

        :raises ReplyError: when the prompt is longer than the context.
        :raises ModelError: when the server or the model is not there.
        """
        self._check_length(messages)
        with translated(self.client, self.model):
            response = self.client.chat(
                model=self.model,
                messages=[asdict(message) for message in messages],
                format=None if schema is None else dict(schema),
                options=self.options,
                think=self._think(),
                keep_alive=KEEP_ALIVE,
            )
        return Completion(
            response.message.content or "",
            response.prompt_eval_count or 0,
            response.eval_count or 0,
            "length" if response.done_reason == "length" else "stop",
        )

    def _think(self) -> Literal["low"] | bool:
        # These models cannot stop thinking, only do less of it.
        return "low" if self.model.rpartition("/")[2].startswith("gpt-oss") else False

    def _check_length(self, messages: Sequence[Message]) -> None:
        size = sum(len(message.content.encode()) for message in messages)
        tokens = size // _BYTES_PER_TOKEN
        if tokens > self.num_ctx:
            raise ReplyError(
                f"{self.name}: a prompt of about {tokens} tokens does not fit its context of "
                f"{self.num_ctx}; lower chunk_characters or max_evidence"
            )
