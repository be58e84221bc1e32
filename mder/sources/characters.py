r"""One form for the characters of every text, whatever it was read from.

What is changed, and why. A quotation from a text is a quotation from this form.

- Line ends (CRLF, CR, NEL, LINE SEPARATOR, form feed, vertical tab) become ``\n``, the PARAGRAPH
  SEPARATOR an empty line.
- Every other kind of blank (tab, no-break, thin, ideographic) becomes one space, since a name is
  the same name however its words are held together.
- Characters that nobody sees are dropped: controls with NUL, byte order marks, zero-width spaces,
  word joiners, soft hyphens and the marks that steer the direction of writing. The zero-width
  joiner and non-joiner stay, except beside Latin letters: emoji and Persian need them.
- Lone surrogates, which no file can hold, become U+FFFD.
- The rest is composed to NFC. Ligatures and full-width letters stay as they were written.
"""

import re
import unicodedata

_BLANKS = (0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_LINE_ENDS = (0x0B, 0x0C, 0x0D, 0x85, 0x2028)
_INVISIBLE = (0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0xFEFF)
_INVISIBLE += tuple(range(0x2060, 0x2070))
_CONTROLS = [c for c in (*range(0x20), *range(0x7F, 0xA0)) if c != 0x0A]

_TABLE: dict[int, str | None] = {
    **dict.fromkeys(_CONTROLS),
    **dict.fromkeys(_INVISIBLE),
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(_LINE_ENDS, "\n"),
    0x2029: "\n\n",
}
_LATIN = "A-Za-z\u00c0-\u036f\u1e00-\u1eff"
_JOINERS = re.compile(f"(?<=[{_LATIN}])[\u200c\u200d]+|[\u200c\u200d]+(?=[{_LATIN}])")
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""Return the text in the one form; cleaning it again changes nothing.

    >>> clean("Ada\u200b Love\u00adlace\r\n")
    'Ada Lovelace\n'
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").translate(_TABLE)
    text = _JOINERS.sub("", _SURROGATES.sub("\ufffd", text))
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    """Return the text cleaned, with every run of blanks as one space."""
    return " ".join(clean(text).split())
