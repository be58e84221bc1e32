"""How right one answer is: by its words, and by the Documents that it was found in."""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_ASCII = str.maketrans("", "", string.punctuation)
# Scripts that are written without spaces, so that an answer has no bounds in a sentence.
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def squad(text: str) -> str:
    """Normalise as SQuAD does: lower case, no punctuation, no articles, single spaces.

    Rajpurkar et al., 2016, in the form of their evaluation script.

    >>> squad("The  Vistula, at Warsaw.")
    'vistula at warsaw'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII)).split())


def folded(text: str) -> str:
    """Normalise as the MDER-DR paper does for Soft EM: the same over all of Unicode, in NFKC.

    >>> folded("« The Ｖｉｓｔｕｌａ »…")
    'vistula'
    """
    lowered = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    kept = "".join(c for c in lowered.translate(_ASCII) if unicodedata.category(c)[0] != "P")
    return " ".join(_ARTICLES.sub(" ", unicodedata.normalize("NFKC", kept)).split())


def exact_match(value: str, expected: str) -> float:
    """Return 1.0 where both are the same in the form of :func:`squad`.

    >>> exact_match("the Vistula", "Vistula."), exact_match("Warsaw", "Vistula")
    (1.0, 0.0)
    """
    return float(squad(value) == squad(expected))


def f1(value: str, expected: str) -> float:
    """Return the harmonic mean of precision and recall over words, as SQuAD does.

    >>> f1("Marie Curie", "Marie Skłodowska Curie")
    0.8
    """
    said, wanted = squad(value).split(), squad(expected).split()
    if not (said and wanted):
        return float(said == wanted)
    common = (Counter(said) & Counter(wanted)).total()
    return 2 * common / (len(said) + len(wanted))


def soft_match(text: str, expected: str) -> float:
    """Return 1.0 where the expected answer occurs in the text, in the form of :func:`folded`.

    It occurs as whole words, so that "no" is not found in "Norway", but for scripts that are
    written without spaces.

    >>> soft_match("It stands on the Vistula.", "Vistula"), soft_match("Norway.", "no")
    (1.0, 0.0)
    >>> soft_match("他出生于华沙。", "华沙")
    1.0
    """
    said, wanted = folded(text), folded(expected)
    if not wanted:
        return 0.0
    before = "" if _UNSPACED.match(wanted[0]) else r"(?<!\w)"
    after = "" if _UNSPACED.match(wanted[-1]) else r"(?!\w)"
    return float(re.search(before + re.escape(wanted) + after, said) is not None)


def best(measure: Callable[[str, str], float], said: str, expected: Iterable[str]) -> float:
    """Return the best measure over all answers that are right.

    >>> best(exact_match, "US", ["United States", "US"])
    1.0
    """
    return max((measure(said, one) for one in expected), default=0.0)


def recall_at(k: int, sources: Sequence[str], support: Sequence[frozenset[str]]) -> float:
    """Return the share of the supporting Documents among the first ``k`` that were found.

    :param sources: Documents found, best first, each once.
    :param support: the Documents wanted, each a set of which any one will do; at least one.

    >>> recall_at(2, ["a", "b", "c"], [frozenset("a"), frozenset("c")])
    0.5
    """
    first = frozenset(sources[:k])
    return sum(bool(wanted & first) for wanted in support) / len(support)
