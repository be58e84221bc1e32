"""Prompts made from the files in ``prompts/``: constant instructions, then data between markers."""

import re
from functools import cache
from string import Template

from mder.models.base import Message
from mder.resources import read_text

_DIVIDER = "\n---\n"
# Tags that could end the data, and the control tokens of chat templates.
_MARKER = re.compile(r"<(?=[\s\u200b-\u200f\u2060\ufeff]*[/|a-z_])|\[(?=/?INST\b)", re.IGNORECASE)
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

    The values are data: markers inside them are made harmless.

    :raises KeyError: when the prompt has a name that is not given.
    """
    instructions, data = _prompt(act)
    safe = {name: neutralise(value) for name, value in values.items()}
    return [Message("system", instructions), Message("user", Template(data).substitute(safe))]


@cache
def _prompt(act: str) -> tuple[str, str]:
    instructions, _, data = read_text("prompts", f"{act}.txt").partition(_DIVIDER)
    return instructions.strip(), data.strip()


def neutralise(text: str) -> str:
    """Return the text with nothing in it that could end the data or speak as another role."""
    return _MARKER.sub("\u2039", text)


def numbered(lines: list[str]) -> str:
    """Return lines under the numbers, from 1, that a model may cite."""
    return "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, start=1))


def language_name(code: str) -> str:
    """Return the English name of a language, or the code where it is not a common one."""
    return _LANGUAGES.get(code, f"the language with the ISO 639-1 code {code!r}")
