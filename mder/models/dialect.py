"""What one OpenAI-compatible server takes beside the messages, learnt from what it refuses."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mder.models.base import Message
from mder.models.context import says_too_long, with_margin

_log = logging.getLogger(__name__)

# Replies that get fewer tokens than this are of no use.
_LEAST_ROOM = 256
_UNKNOWN = "chat_template|thinking|extra|unknown|unrecognized|unexpected|unsupported|additional"
# A field of the request, the words that refuse it, and what to change from then on.
_RULES: tuple[tuple[str, str, str, object], ...] = (
    ("max_tokens", "max_completion_tokens", "limit", "max_completion_tokens"),
    ("max_tokens", "max_tokens", "limit", ""),
    ("max_completion_tokens", "max_completion_tokens", "limit", ""),
    ("temperature", "temperature", "temperature", False),
    ("response_format", "response_format|json.?schema|grammar|guided|structured", "schema", False),
    ("extra_body", _UNKNOWN, "quiet", False),
)
_CONTEXT = re.compile(r"(?:context length (?:is|of)|must be <=) (\d+)")
_AT_MOST = re.compile(r"max_(?:completion_)?tokens.* at most (\d+)")


@dataclass(slots=True)
class Dialect:
    """How to word requests to one server. Several threads may use and teach one at once.

    :param server: its address, for what is logged.
    :param max_tokens: the most tokens of a reply.
    :param quiet: whether to ask models not to think, in the way of vLLM and llama-server.
    :param limit: what the field is called that holds ``max_tokens``; ``""`` leaves it out.
    :param context: tokens of prompt and reply, once the server has told; 0 before.
    """

    server: str
    max_tokens: int
    quiet: bool
    temperature: bool = True
    schema: bool = True
    limit: str = "max_tokens"
    context: int = 0

    def request(
        self, messages: Sequence[Message], schema: Mapping[str, object] | None, tokens: int
    ) -> dict[str, Any]:
        """Return the fields of a request but for the model.

        :param tokens: estimate for the messages and the schema.
        """
        fields: dict[str, Any] = {
            "messages": [{"role": message.role, "content": message.content} for message in messages]
        }
        if self.temperature:
            fields["temperature"] = 0.0
        if self.limit:
            fields[self.limit] = self._room(tokens)
        if self.schema and schema is not None:
            form = {"name": "reply", "strict": True, "schema": dict(schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        if self.quiet:
            fields["extra_body"] = {"chat_template_kwargs": {"enable_thinking": False}}
        return fields

    def learn(self, request: Mapping[str, Any], refusal: str, tokens: int) -> bool:
        """Learn from a refusal; return whether the next request will be another one.

        :param request: what was refused, because other threads may have learnt since.
        :param refusal: the server's words, and the parameter that it names.
        """
        if says_too_long(refusal) or _AT_MOST.search(refusal):
            return self._learn_room(request, refusal, tokens)
        for sent, words, name, value in _RULES:
            if sent in request and re.search(words, refusal, re.IGNORECASE):
                if sent == "response_format" and self.schema:
                    _log.warning(
                        "%s takes no JSON schema; replies come as the model likes: %s",
                        self.server,
                        refusal,
                    )
                setattr(self, name, value)
                return True
        return False

    def _room(self, tokens: int) -> int:
        if not self.context:
            return self.max_tokens
        return min(self.max_tokens, max(1, self.context - with_margin(tokens)))

    def _learn_room(self, request: Mapping[str, Any], refusal: str, tokens: int) -> bool:
        """Leave less room for the reply, where that is what is in the way."""
        if found := _AT_MOST.search(refusal):
            self.max_tokens = min(self.max_tokens, int(found[1]))
        elif found := _CONTEXT.search(refusal):
            self.context = int(found[1])
        asked = int(request.get(self.limit, 0))
        return _LEAST_ROOM <= self._room(tokens) < asked
