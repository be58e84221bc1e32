"""The context of a model: how much to ask for, and whether a prompt went into it whole."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from mder.errors import TooLongError
from mder.models.base import Completion, Message
from mder.models.tokens import fewest, prompt_tokens

SMALLEST = 4096
# Prompts below this fit into any model.
_SHORT = 1000
# How far past half a context the part of a prompt goes that is kept.
_SPARE = 3
_TOO_LONG = re.compile(
    r"context[ _](length|size|window)|exceed_context|when context the overflows"
    r"|(prompt|input|request) (is |was )?too (long|large)|too many (input )?tokens"
    r"|reduce the length|maximum number of tokens|max_tokens must be at least 1"
    r"|tokens \+ `max_new_tokens",
    re.IGNORECASE,
)


def says_too_long(message: str) -> bool:
    """Say whether a server's words mean that a request does not fit.

    They are those of Ollama, llama-server, vLLM, LM Studio, Text Generation Inference, Groq,
    Gemini and OpenAI.
    """
    return _TOO_LONG.search(message) is not None


def too_long(model: str, reason: str, completion: Completion | None = None) -> TooLongError:
    """Make the error that says so, with what mends it.

    :param completion: the reply to a part of the prompt.
    """
    error = TooLongError(f"{model}: {reason}; lower chunk_characters or max_evidence")
    error.completion = completion
    return error


def with_margin(tokens: int) -> int:
    """Return what an estimate of tokens may turn out to be."""
    return tokens * 13 // 10


@dataclass(slots=True)
class Ladder:
    """Contexts asked of one server, in powers of two that only grow.

    A server loads its model anew whenever the context changes, so it should change seldom. Several
    threads may climb at once.

    :param most: tokens that are never gone beyond.
    """

    most: int
    _rung: int = field(default=0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def reach(self, tokens: int) -> int:
        """Return the context for a request that needs so many tokens, as far as there are any."""
        with self._lock:
            rung = max(SMALLEST, self._rung, 1 << (tokens - 1).bit_length())
            self._rung = min(rung, self.most)
            return self._rung

    def stay_below(self, context: int) -> bool:
        """Never again ask for this much, because the server has no room for it.

        :returns: whether there is anything below it to ask for.
        """
        with self._lock:
            self.most = min(self.most, max(SMALLEST, context // 2))
            self._rung = min(self._rung, self.most)
            return context > SMALLEST


def was_cut(messages: Sequence[Message], tokens: int, context: int = 0) -> bool:
    """Say whether a server has left out a part of a prompt without telling.

    Where it does so, it keeps what its context holds, or half of that and two or three tokens.
    Contexts are powers of two, and may be smaller than what was asked for.

    :param tokens: of the prompt, as the server counted; 0 where it did not, which proves nothing.
    :param context: that was asked for; 0 where none was.
    """
    estimated = prompt_tokens(messages)
    if not tokens or estimated < _SHORT:
        return False
    if context and tokens >= context - 1:
        return True
    past_power_of_two = tokens - (1 << (tokens.bit_length() - 1))
    if past_power_of_two <= _SPARE and estimated > with_margin(tokens):
        return True
    return tokens < 0.8 * fewest(message.content for message in messages)
