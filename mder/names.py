"""Names as keys: what is stored, what makes two names distinct, and what makes them look alike."""

import re
import unicodedata

# Scripts that put no spaces between words: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_UNSTORABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INITIALS = re.compile(r"\b([^\W\d_])\.\s?(?=[^\W\d_]\b)")
# A point or comma between digits and a sign before a number carry meaning; others are spelling.
_LOOSE = re.compile(r"(?<!\d)[.,]|[.,](?!\d)|(?<=\S)-|-(?!\d)")
_QUALIFIED = re.compile(r"(?P<bare>\S.*?)\s*\((?P<qualifier>[^()]+)\)", re.DOTALL)
_KEPT = frozenset("#%&*@-.,")
_DROPPED = frozenset("'`\u2018\u2019\u02bc\u2032")


class _Folding(dict[int, str | None]):
    """A table for :meth:`str.translate` that works out each character when it first meets it."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = self._fold(chr(code))
        return folded

    @staticmethod
    def _fold(character: str) -> str | None:
        category = unicodedata.category(character)
        if category == "Cf" or character in _DROPPED:
            return None
        if category == "Pd" or character == "\N{MINUS SIGN}":
            return "-"
        if character not in _KEPT and category[0] in "PZC":
            return " "
        return character


_FOLDING = _Folding()


def storable(text: str) -> str:
    """Replace, one for one, the characters that no XML or RDF string can hold by U+FFFD.

    Lengths do not change, so positions in the text stay true.
    """
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(source: str) -> str:
    r"""Write what cannot be stored as ``\uXXXX``, so that two odd file names stay two.

    >>> escaped("a\x01.txt")
    'a\\u0001.txt'
    """
    return _UNSTORABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", source)


def unescaped(source: str) -> str:
    r"""Return what :func:`escaped` made a source of, unless it read like that before.

    >>> unescaped(escaped("a\x01.txt")) == "a\x01.txt"
    True
    """
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), source)


def canonical(name: str) -> str:
    """Return a name as the graph keys and stores it: storable, NFC, single spaces.

    Case is kept: whether "Polish" and "polish" are one thing is for Disambiguate to decide.
    """
    return " ".join(unicodedata.normalize("NFC", storable(name)).split())


def normalise(name: str) -> str:
    """Return the form in which spellings of one name agree, for look-ups.

    Compatibility characters, case, punctuation, spacing and the points of initials fold away;
    letters with their diacritics, digits and symbols stay. A name of punctuation alone is kept,
    so that the result is empty only for a name in which nothing can be seen.

    >>> normalise("J. R. R. Tolkien") == normalise("J.R.R. TOLKIEN")
    True
    >>> normalise("Jean-Paul  Sartre's"), normalise("C++"), normalise("3.14")
    ('jean paul sartres', 'c++', '3.14')
    """
    if name.isascii() and name.replace(" ", "").isalnum():
        # Most names are; nothing but case and spacing is left to fold in them.
        return " ".join(name.lower().split())
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    spaced = _LOOSE.sub(" ", _INITIALS.sub(r"\1", plain).translate(_FOLDING))
    folded = unicodedata.normalize("NFKC", " ".join(spaced.split()))
    return folded or " ".join(plain.split())


def bare_title(title: str) -> str:
    """Return a title without the qualifier in brackets that ends it.

    >>> bare_title("Mercury (planet)"), bare_title("Paris, Texas")
    ('Mercury', 'Paris, Texas')
    """
    match = _QUALIFIED.fullmatch(title.strip())
    return match["bare"] if match else title.strip()


def qualifier(title: str) -> str:
    """Return what a title says in brackets at its end, or ``""``.

    >>> qualifier("The Return (1994 film)"), qualifier("The Return")
    ('1994 film', '')
    """
    match = _QUALIFIED.fullmatch(title.strip())
    return match["qualifier"] if match else ""


def unaccented(name: str) -> str:
    """Return the normalised form of a name without its diacritics.

    >>> unaccented("Émile Zola")
    'emile zola'
    """
    decomposed = unicodedata.normalize("NFD", normalise(name))
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")


def spoken(predicate: str) -> str:
    """Return a predicate as words.

    >>> spoken("WAS_BORN_IN")
    'was born in'
    """
    return predicate.replace("_", " ").lower()


def said(subject: str, predicate: str, obj: str) -> str:
    """Return a triple as plain words, for want of better ones.

    >>> said("Curie", "WAS_BORN_IN", "Warsaw")
    'Curie was born in Warsaw.'
    """
    return f"{subject} {spoken(predicate)} {obj}."
