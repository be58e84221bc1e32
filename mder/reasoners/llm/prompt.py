"""Prompts made from the files in ``prompts/``: constant instructions, then data between markers."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from string import Template

from mder.models.base import Message
from mder.resources import read_text

_DIVIDER = "\n---\n"
_NAME = re.compile(r"\$(\w+)")
_BLOCK = re.compile(r'<data name="[^"]*">\n\$(?P<name>\w+)\n</data>')
# Tags that could end the data, and the control tokens of chat templates; what is neither a word nor
# in ASCII may be invisible.
_MARKER = re.compile(
    r"<(?=[^\w!-~\u2039]*[/|\uff5ca-z_])"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT)|CALL_ID|THINK)\])",
    re.IGNORECASE,
)
_HARMLESS = "\u2039"
_NEUTRALISED = re.compile(rf"{_HARMLESS}[^\w{_HARMLESS}]*\w*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def render(act: str, **values: str) -> list[Message]:
    """Fill ``prompts/<act>.txt``: a system message that is always the same, and a user message.

    The values are data: markers inside them are made harmless, and empty ones take no room.

    :raises KeyError: when the prompt has a name that is not given.
    """
    instructions, lines, blocks = _prompt(act)
    safe = {name: neutralise(value) for name, value in values.items()}
    parts = [line for name, line in lines if safe[name].strip()]
    parts += [block for name, block in blocks if safe[name].strip()]
    shown = Template("\n".join(parts)).substitute(safe)
    return [Message("system", instructions), Message("user", shown)]


def values_of(act: str, messages: Sequence[Message]) -> dict[str, str]:
    """Read back the data that :func:`render` showed; what was empty is left out."""
    _, lines, blocks = _prompt(act)
    shown = next(m.content for m in messages if m.role == "user")
    found: dict[str, str] = {}
    for name, part in (*lines, *blocks):
        before, _, after = map(re.escape, part.partition(f"${name}"))
        told = re.search(f"^{before}(.*?){after}$", shown, re.DOTALL | re.MULTILINE)
        found |= {name: told[1]} if told else {}
    return found


def act_of(messages: Sequence[Message], acts: Iterable[str]) -> str:
    """Return which of these acts a rendered prompt is for.

    :raises ValueError: when it is for none of them.
    """
    for act in acts:
        if messages[0].content == _prompt(act)[0]:
            return act
    raise ValueError(f"a prompt for no act: {messages[0].content[:60]!r}")


_Named = tuple[tuple[str, str], ...]


@cache
def _prompt(act: str) -> tuple[str, _Named, _Named]:
    """Return the instructions of a prompt, its lines with data and its blocks with data, by name.

    :raises ValueError: when the prompt is not made of such.
    """
    instructions, _, data = read_text("prompts", f"{act}.txt").partition(_DIVIDER)
    blocks = tuple((found["name"], found[0]) for found in _BLOCK.finditer(data))
    rest = _BLOCK.sub("", data).split("\n")
    lines = tuple((_NAME.findall(line)[0], line) for line in rest if line.strip())
    return instructions.strip(), lines, blocks


def neutralise(text: str) -> str:
    """Return the text with nothing in it that could end the data or speak as another role.

    Each character keeps its place.
    """
    return _MARKER.sub(_HARMLESS, legible(text))


def restored(said: str, source: str) -> str:
    """Return words of a model with the markers that :func:`neutralise` took from their source.

    >>> restored("Box\u2039Item>", "A Box<Item> holds an Item.")
    'Box<Item>'
    """
    if _HARMLESS not in said:
        return said
    shown = neutralise(source)

    def original(copied: re.Match[str]) -> str:
        at = shown.find(copied[0])
        return copied[0] if at < 0 else source[at] + copied[0][1:]

    return _NEUTRALISED.sub(original, said)


def legible(text: str) -> str:
    """Return the text with a mark for each half of a character, which could not be encoded."""
    return _SURROGATE.sub("\ufffd", text)


def numbered(lines: list[str]) -> str:
    """Return lines under the numbers, from 1, that a model may cite."""
    return "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, start=1))


def language_name(code: str) -> str:
    """Return the English name of a language, or the code where it is not a common one."""
    return _LANGUAGES.get(code, f"the language with the ISO 639-1 code {code!r}")
