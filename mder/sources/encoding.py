"""From bytes to text.

The order of belief: a byte order mark; UTF-16 and UTF-32 betrayed by their NUL bytes; UTF-8; what
the file says of itself (HTML); UTF-8 with some damaged bytes, each shown as U+FFFD; Windows-1252
for anything that reads as Western text; at last a guess by charset-normalizer.
"""

import codecs
import re

from mder.errors import SourceError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"%PDF-", "a PDF, which is not read by this version"),
    (b"PK\x03\x04", "a ZIP archive or an office document, which is not read by this version"),
    (b"\xd0\xcf\x11\xe0", "an old Office document, which is not read by this version"),
    (b"\x1f\x8b\x08", "compressed with gzip; unpack it first"),
)
# Browsers read these labels as the wider sets on the right, and so do their authors.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
}
_DECLARABLE = re.compile(
    r"utf-8|cp\d+|iso8859-\d+|koi8-[rtu]|gb18030|big5\w*|euc_jp|iso2022_\w+|mac-\w+|tis-620|hz"
)
_GUESSABLE = [
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("iso8859_2", "koi8_r", "mac_roman", "cp850"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
# Without õ, ý, ð and þ: these are what Hungarian, Czech and Turkish look like in Windows-1252.
_WESTERN = frozenset(
    "àáâãäåæçèéêëìíîïñòóôöøœùúûüÿßÀÁÂÄÅÆÇÈÉÊÌÍÎÏÑÒÓÔÖØŒÙÚÛÜ«»“”„\u2018\u2019\u201a\u2013—…•€£§©®°·¿¡ªº\xa0"
)
_DOS = re.compile(r"[a-z][\u201a„…][a-z]")
_SAMPLE = 1 << 16
_HIGH = re.compile(rb"[\x80-\xff]")
_NOT_TEXT = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\ufffd]")


def decode(data: bytes, declared: str = "") -> str:
    """Return the text of a file without its byte order mark.

    :param declared: the encoding that the file itself names, if it does.
    :raises SourceError: when the bytes are not text; the message is a reason without a path.
    """
    for magic, reason in _MAGIC:
        if data.startswith(magic):
            raise SourceError(reason)
    text = data.decode(find(data, declared), errors="replace").removeprefix("\ufeff")
    head = text[:_SAMPLE]
    if len(_NOT_TEXT.findall(head)) > len(head) * 0.02 + 8 or head.count("\0") > len(head) * 0.05:
        raise SourceError("binary, not text")
    return text


def find(data: bytes, declared: str = "") -> str:
    """Return the name of the codec that the bytes are written in."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    wide = _by_nuls(data[:_SAMPLE])
    if wide:
        return wide
    named = _known(declared)
    # Encodings with escapes (ISO-2022-JP) are all ASCII bytes, so there the label comes first.
    for name in (named, "utf-8") if data.isascii() else ("utf-8", named):
        if name and _decodes(data, name):
            return name
    return _guess(data)


def _by_nuls(head: bytes) -> str:
    """Tell UTF-16 and UTF-32 without a mark by where the NULs of Western text stand."""
    if head.count(0) < len(head) * 0.2:
        return ""
    share = [head[i::4].count(0) / max(1, len(head[i::4])) for i in range(4)]
    full, none = 0.4, 0.05
    patterns = {
        "utf-32-le": (1, 2, 3),
        "utf-32-be": (0, 1, 2),
        "utf-16-le": (1, 3),
        "utf-16-be": (0, 2),
    }
    for name, places in patterns.items():
        others = [share[i] for i in range(4) if i not in places]
        if all(share[i] > full for i in places) and all(s < none for s in others):
            return name
    return ""


def _known(declared: str) -> str:
    try:
        name = codecs.lookup(declared.strip()).name
    except (LookupError, ValueError):
        return ""
    name = _WIDER.get(name, name)
    return name if _DECLARABLE.fullmatch(name) else ""


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeError:
        return False
    return True


def _guess(data: bytes) -> str:
    found = _HIGH.search(data)
    first = found.start() if found else 0
    sample = data[max(0, first - 256) : first + _SAMPLE]
    if _damaged_utf8(sample):
        return "utf-8"
    if _reads_as_western(sample.decode("cp1252", errors="replace")):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_GUESSABLE).best()
    return best.encoding if best else "cp1252"


def _damaged_utf8(sample: bytes) -> bool:
    """Say whether nearly all characters beyond ASCII are well-formed UTF-8."""
    text = sample.decode("utf-8", errors="replace")
    good = sum(c > "\x7f" for c in text) - (bad := text.count("\ufffd"))
    return good > 4 * bad


def _reads_as_western(text: str) -> bool:
    high = [c for c in text if c > "\x7f"]
    if _DOS.search(text):
        return False
    return len(high) < len(text) * 0.2 and sum(c in _WESTERN for c in high) >= len(high) * 0.97
