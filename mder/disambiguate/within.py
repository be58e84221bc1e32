"""Names of one thing within one Document: its title, stated aliases, shortened names."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from mder.disambiguate.names import Name, Use
from mder.names import bare_title, canonical, normalise
from mder.records import Reading

HONORIFICS = frozenset(
    """mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess count countess
    duke duchess baron baroness emperor empress saint st pope president chancellor general captain
    colonel major reverend rev judge justice senator governor""".split()
)
# (name, name, the rule that found them to be one)
Pair = tuple[Name, Name, str]


def within(reading: Reading, uses: Mapping[Name, Use]) -> Iterator[Pair]:
    """Yield pairs of names that are one in a Document."""
    source, title = reading.document.source, canonical(reading.document.title)
    topic = (source, title)
    yield topic, (source, canonical(bare_title(title))), "title"
    for alias in reading.extraction.aliases:
        yield (source, canonical(alias.name)), (source, canonical(alias.alias)), "stated alias"
    names = sorted(
        {canonical(n) for n in _all_names(reading)} | {title, canonical(bare_title(title))}
    )
    yield from _same_form(source, names, uses)
    named = [n for n in names if not uses[source, n].value]
    persons = [n for n in named if _is_person(uses[source, n])]
    surname = _words(title)[-1] if title in persons else ""
    shorts = [n for n in named if not _is_elsewhere(uses[source, n]) or normalise(n) == surname]
    yield from _shortened(source, shorts, persons, title)


def _all_names(reading: Reading) -> Iterator[str]:
    for triple in reading.extraction.triples:
        yield from (triple.subject.name, triple.object.name)
    yield from (m.name for m in reading.extraction.mentions)


def _same_form(source: str, names: list[str], uses: Mapping[Name, Use]) -> Iterator[Pair]:
    forms: dict[str, list[str]] = defaultdict(list)
    for name in names:
        forms[normalise(name)].append(name)
    for first, *others in forms.values():
        for other in others:
            if uses[source, first].local == uses[source, other].local:
                yield (source, first), (source, other), "same normalised name"


def _is_person(use: Use) -> bool:
    return 2 * use.types.get("person", 0) > max(use.types.values(), default=0)


def _is_elsewhere(use: Use) -> bool:
    """Say whether a name is one of a place rather than of a person."""
    return use.types.get("place", 0) > use.types.get("person", 0)


def _shortened(source: str, shorts: list[str], persons: list[str], title: str) -> Iterator[Pair]:
    """Yield names of persons with those that shorten them, where only one can be meant."""
    words = {name: _words(name) for name in persons}
    for name in shorts:
        if name in {title, bare_title(title)}:
            # What a page is about is nobody else cut short.
            continue
        short = _words(name)
        fuller = [n for n, long in words.items() if _shortens(short, long)]
        best = fuller if len(fuller) < 2 else _preferred(short, fuller, title)
        if len(best) == 1:
            yield (source, best[0]), (source, name), "shortened name"


def _words(name: str) -> list[str]:
    """Return the words of a person's name: of "Ann Lee, Duchess of Kent", Ann Lee."""
    words = normalise(re.split(r",| of ", bare_title(name))[0]).split()
    kept = [w for w in words if w not in HONORIFICS]
    return kept or words


def _shortens(short: list[str], long: list[str]) -> bool:
    """Say whether a name leaves out parts of another: given name, surname or middle names.

    >>> _shortens(["curie"], ["marie", "curie"]), _shortens(["marie", "paris"], ["marie", "curie"])
    (True, False)
    """
    if not short or len(long) <= len(short):
        return False
    if len(short) == 1:
        return short[0] in {long[0], long[-1]} and len(short[0]) > 1
    return short[0] == long[0] and short[-1] == long[-1] and set(short) <= set(long)


def _preferred(short: list[str], fuller: list[str], title: str) -> list[str]:
    """Choose among several fuller names: the Document's own topic, else the one surname."""
    topics = [n for n in fuller if n in {title, bare_title(title)}]
    if topics:
        return topics[:1]
    longest = max(fuller, key=lambda n: (len(n), n))
    if all(_words(n) == _words(longest) or _shortens(_words(n), _words(longest)) for n in fuller):
        return [longest]
    surnames = [n for n in fuller if _words(n)[-1] == short[-1]]
    return surnames if len(surnames) == 1 else []
