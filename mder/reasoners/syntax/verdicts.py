"""Whether two names mean one thing, judged by their letters and by the company they keep."""

import re
from collections.abc import Iterator

from mder.names import normalise, unaccented
from mder.reasoners.syntax.brackets import is_acronym
from mder.records import Candidate, Verdict

# Coarse kinds of which a thing is only one; other types say nothing about sameness.
_KINDS = ("person", "place", "organization", "work", "event", "product", "law", "language")
_NAME = re.compile(r"\b[^\W\d_a-z]\w+(?:[ -][^\W\d_a-z]\w+)*")
_DIGITS = re.compile(r"\d+")
_COMPANY = re.compile(r",? (?:inc|incorporated|ltd|limited|corp|corporation|co|llc|plc|gmbh|ag)$")


def verdict(left: Candidate, right: Candidate) -> Verdict:
    """Say whether two Candidates are one Entity, and why."""
    a, b = normalise(left.name), normalise(right.name)
    if _clash(left.types, right.types):
        return Verdict(same=False, reason="types clash")
    if _DIGITS.findall(a) != _DIGITS.findall(b):
        return Verdict(same=False, reason="numbers differ")
    if a == b:
        return _homonyms(left, right)
    reason = next(_likeness(left, right), "")
    if reason:
        return Verdict(same=True, reason=reason)
    if _initials_agree(a, b) and (company := shared_names(left, right)):
        return Verdict(same=True, reason=f"initials agree, and both stand with {company[0]}")
    return Verdict(same=False, reason="names differ")


def _homonyms(left: Candidate, right: Candidate) -> Verdict:
    """Judge one name in two Documents: a given name alone needs company that both keep."""
    if left.name[:1].islower() != right.name[:1].islower():
        return Verdict(same=False, reason="one is a name, the other a common noun")
    if " " in normalise(left.name) or "person" not in (*left.types, *right.types):
        return Verdict(same=True, reason="same name")
    company = shared_names(left, right)
    if company:
        return Verdict(same=True, reason=f"same name, and both stand with {company[0]}")
    return Verdict(same=False, reason="one short name, nothing else in common")


def shared_names(left: Candidate, right: Candidate) -> list[str]:
    """Return the other names that stand in both contexts, in order of the first."""
    own = {*normalise(left.name).split(), *normalise(right.name).split()}
    others = {normalise(n) for n in _names(right.context)}
    return [
        n
        for n in _names(left.context)
        if normalise(n) in others and not own.intersection(normalise(n).split())
    ]


def _names(text: str) -> list[str]:
    """Return capitalised words, those that open a sentence left out."""
    found = (
        m for m in _NAME.finditer(text) if not re.search(r"(?:^|[.!?:]\s+)$", text[: m.start()])
    )
    return list(dict.fromkeys(m[0] for m in found))


def _clash(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    a = {kind for kind in left if kind in _KINDS}
    b = {kind for kind in right if kind in _KINDS}
    return bool(a and b and not a & b and ("person" in a or "person" in b))


def _likeness(one: Candidate, other: Candidate) -> Iterator[str]:
    """Yield the grounds on which two spellings are one name."""
    left, right = one.name, other.name
    a, b = unaccented(left), unaccented(right)
    if a.replace(" ", "") == b.replace(" ", ""):
        yield "same letters but for accents and spaces"
    if _COMPANY.sub("", a) == _COMPANY.sub("", b):
        yield "same name but for the legal form"
    persons = "person" in (*one.types, *other.types)
    if not persons and (_abbreviates(left, right) or _abbreviates(right, left)):
        yield "one is made of the first letters of the other"
    if sorted(a.split()) == sorted(b.split()):
        yield "same words in another order"
    if left[:1].islower() and right[:1].islower() and _singular(a) == _singular(b):
        yield "singular and plural"


def _abbreviates(short: str, name: str) -> bool:
    whole = len(name.split()) > 2 and "'s " not in name and name[:1].isupper()
    return whole and len(short) > 2 and is_acronym(short, name)


def _singular(name: str) -> str:
    return name.removesuffix("s")


def _initials_agree(a: str, b: str) -> bool:
    """Say whether two names of persons agree word by word, initials standing for names.

    >>> _initials_agree("john f kennedy", "john fitzgerald kennedy")
    True
    """
    left, right = sorted((a.split(), b.split()), key=len)
    if len(left) < 2 or left[-1] != right[-1]:
        return False
    if len(left) == len(right):
        return all(
            (x[0] == y[0] and 1 in {len(x), len(y)}) or x == y
            for x, y in zip(left, right, strict=True)
        )
    return left[0] == right[0] and len(right) - len(left) == 1
