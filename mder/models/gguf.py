"""Models in GGUF files, run in this process by llama.cpp.

One extension module, xllamacpp, is all of it: no server to start, no address, no key.
"""

import hashlib
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from mder.errors import MissingPackageError, ModelError, ReplyError, UsageError
from mder.models.base import Completion, Message
from mder.models.context import too_long
from mder.models.wire import one_line, spoken

# Further requests at once would each cost a context in memory and wait for the same cores.
MOST_SLOTS = 4

_MAGIC = b"GGUF"
# Bytes read at each end of a file to know it again. The head holds what the weights are called and
# their vocabulary, the tail the last layers, in which weights of one family differ.
_SAMPLE = 1 << 20
# Prompts that are kept evaluated beside the running ones, in MiB: acts take turns, and each has a
# long beginning of its own. llama.cpp itself would take 8192.
_KEPT_PROMPTS = 1024


@dataclass(frozen=True, slots=True)
class Weights:
    """A file of weights.

    :param digest: SHA-256 (hex) of its size and both its ends, the same wherever it lies.
    """

    path: Path
    digest: str


def find_weights(file: str) -> Weights:
    """Look at a file of weights, without loading it.

    :raises UsageError: when there is no such file.
    :raises ModelError: when it cannot be read, or is no GGUF file.
    :raises MissingPackageError: when xllamacpp is not installed.
    """
    path = Path(file).expanduser()
    if not path.is_file():
        raise UsageError(f"no file {path}; name the weights as gguf/path/to/weights.gguf")
    try:
        digest = _digest(path)
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; see who may") from error
    try:
        import xllamacpp  # noqa: F401
    except ImportError as error:
        raise MissingPackageError("xllamacpp", "mder-dr[gguf]") from error
    return Weights(path, digest)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
        if not head.startswith(_MAGIC):
            raise ModelError(f"{path} is not a GGUF file; download one, or convert it to GGUF")
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _SAMPLE))
        return hashlib.sha256(b"%d %b %b" % (size, head, file.read())).hexdigest()


@contextmanager
def _translated(name: str) -> Iterator[None]:
    """Turn what llama.cpp raises over a request into a ModelError."""
    try:
        yield
    except ValueError as error:
        # A schema or a chat template that it cannot read will not do for the next request either.
        raise ModelError(f"{name}: {one_line(str(error))}; use other weights") from error
    except RuntimeError as error:
        raise ReplyError(f"{name}: {one_line(str(error))}") from error


class GgufModel:
    """One file of weights, loaded at the first completion.

    :param n_ctx: context in tokens, for prompt and reply together; less where the weights were
        trained on less. 8192 hold what a request here says and gets in most languages, and cost
        about 1 GiB of memory a slot with weights of 4 to 8 billion parameters.
    :param slots: requests that run at once; further ones wait for their turn.
    :param threads: for computing; half of the cores that the system tells of by default.
    :param max_tokens: the most tokens of a reply.
    """

    def __init__(
        self,
        weights: Weights,
        *,
        n_ctx: int = 8192,
        slots: int = 1,
        threads: int = 0,
        max_tokens: int = 4096,
    ) -> None:
        self.weights = weights
        self.n_ctx = n_ctx
        self.slots = slots
        # Threads of llama.cpp wait for each other by spinning. With one thread too many for the
        # cores that are free it is twenty times slower, and half of the "cores" are often not real.
        self.threads = threads or max(1, (os.cpu_count() or 1) // 2)
        self.max_tokens = max_tokens
        self._lock = Lock()
        self._server: Any = None

    @property
    def name(self) -> str:
        """``gguf/file``, without the folder: the same weights may lie elsewhere tomorrow."""
        return f"gguf/{self.weights.path.name}"

    @property
    def options(self) -> dict[str, object]:
        """Which weights they are, and how they are sampled."""
        return {
            "weights": self.weights.digest,
            "max_tokens": self.max_tokens,
            "temperature": 0.0,
            "seed": 0,
        }

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None = None
    ) -> Completion:
        """Answer; a grammar holds the reply to the schema.

        :raises TooLongError: when the prompt is longer than the context.
        :raises ReplyError: when llama.cpp fails over this request.
        :raises ModelError: when the weights cannot be loaded or take no such request.
        """
        server = self._loaded()
        started = time.monotonic()
        with _translated(self.name):
            reply = server.handle_chat_completions(self._request(messages, schema))
        seconds = time.monotonic() - started
        if "choices" not in reply:
            raise _refused(self.name, reply.get("error", reply))
        return _completion(reply, seconds, json_wanted=schema is not None)

    def _loaded(self) -> Any:  # noqa: ANN401
        with self._lock:
            if self._server is None:
                self._server = self._load()
            return self._server

    def _load(self) -> Any:  # noqa: ANN401
        import xllamacpp

        try:
            return xllamacpp.Server(self._params())
        # A path may be no UTF-8, which is a ValueError.
        except (RuntimeError, ValueError) as error:
            raise ModelError(
                f"{self.weights.path} cannot be loaded: it is damaged, unknown to this xllamacpp, "
                "or too large for the memory; download it again, upgrade xllamacpp, or use a "
                "smaller one"
            ) from error

    def _params(self) -> Any:  # noqa: ANN401
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self.weights.path)
        # llama.cpp divides the context evenly. Slots that share it (kv_unified) fail together, in
        # the middle of their replies, once they need more than there is.
        params.n_ctx = self.n_ctx * self.slots
        params.n_parallel = self.slots
        params.cpuparams.n_threads = self.threads
        params.cache_ram_mib = _KEPT_PROMPTS
        params.warmup = False
        # Errors too: what matters of them is raised.
        params.verbosity = 0
        # It opens an HTTP port, wanted or not: for this machine alone, and with a key that nobody
        # gets to know.
        params.hostnames = ["127.0.0.1"]
        params.api_keys = [secrets.token_hex()]
        return params

    def _request(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            # A lone half of a surrogate pair is no JSON.
            "messages": [
                {"role": m.role, "content": m.content.encode("utf-8", "replace").decode()}
                for m in messages
            ],
            "max_tokens": self.max_tokens,
            "temperature": 0.0,
            "seed": 0,
            "cache_prompt": True,
            # Each kind of template takes the one that it knows: no thinking, or little of it.
            "chat_template_kwargs": {"enable_thinking": False, "reasoning_effort": "low"},
        }
        if schema is not None:
            form = {"name": "reply", "strict": True, "schema": dict(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        return request


def _refused(name: str, error: Mapping[str, Any]) -> ModelError:
    if error.get("type") == "exceed_context_size_error":
        tokens, context = error.get("n_prompt_tokens"), error.get("n_ctx")
        return too_long(name, f"a prompt of {tokens} tokens does not fit its context of {context}")
    reason = f"{name}: {one_line(str(error.get('message', error)))}"
    if error.get("code", 500) >= 500:
        return ReplyError(reason)
    # What is wrong with the form of one request is wrong with all.
    return ModelError(f"{reason}; use other weights")


def _completion(reply: Mapping[str, Any], seconds: float, *, json_wanted: bool) -> Completion:
    choice, usage = reply["choices"][0], reply["usage"]
    message = choice["message"]
    text, starved = spoken(
        message.get("content") or "",
        message.get("reasoning_content") or "",
        json_wanted=json_wanted,
    )
    return Completion(
        text,
        usage["prompt_tokens"],
        usage["completion_tokens"],
        "length" if starved or choice["finish_reason"] == "length" else "stop",
        seconds,
    )
