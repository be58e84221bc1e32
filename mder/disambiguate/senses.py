"""The senses of names in one Document, and what two of them share that may be one Entity.

Whatever Disambiguate finds about a Sense rests on those alone that it shares a key with, directly
or through others. So where a Document comes or goes, only these are looked at again.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mder.disambiguate.across import Group
from mder.disambiguate.meanings import Meanings
from mder.disambiguate.names import Name, Use, collect
from mder.disambiguate.naming import KINDS, full_names
from mder.disambiguate.proposals import lexical_keys
from mder.disambiguate.within import within
from mder.names import bare_title, canonical, normalise
from mder.records import Reading

_NUMBER = re.compile(r"(?<=\))( \d+)+$")


@dataclass(frozen=True, slots=True)
class Sense:
    """The names that mean one thing in one Document.

    :param title: of the Document.
    :param joins: pairs of names found to be one, with the rule that found it.
    :param company: where the names are given names alone, the full names in the Document.
    """

    source: str
    title: str
    uses: dict[str, Use]
    joins: tuple[tuple[str, str, str], ...] = ()
    company: tuple[str, ...] = ()

    @property
    def group(self) -> Group:
        """The Sense as a group that it is alone in."""
        return Group([(self.source, name) for name in self.uses], list(self.uses.values()))


def senses(reading: Reading) -> tuple[Sense, ...]:
    """Return the senses of the names in a Document, in the order of their names."""
    source, title = reading.document.source, reading.document.title
    uses = collect([reading])
    meanings = Meanings(uses)
    joins: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    found = list(within(reading, uses))
    made = [(left[1], right[1], rule) for left, right, rule in found if meanings.join(left, right)]
    groups = sorted(sorted(name for _, name in names) for names in meanings.groups())
    first = {name: names[0] for names in groups for name in names}
    for join in made:
        joins[first[join[0]]].append(join)
    known = [Sense(source, title, {n: uses[source, n] for n in names}) for names in groups]
    company = tuple(sorted(set(_company(known))))
    for sense in known:
        # No context tells what a value or a common noun of its Document means.
        if sense.group.value or (sense.group.local and not given(sense.group)):
            for use in sense.uses.values():
                use.contexts.clear()
    return tuple(
        Sense(source, title, s.uses, tuple(joins[min(s.uses)]), company if given(s.group) else ())
        for s in known
    )


def given(group: Group) -> bool:
    """Say whether all that is known of somebody is a name such as "Anna"."""
    return group.local and not (group.value or _phrase(group.names))


def keys(sense: Sense) -> set[str]:
    """Return what a Sense has in common with every other that may bear on what it means."""
    group = sense.group
    full = dict.fromkeys((*full_names(list(sense.uses)), *group.titles))
    # Common nouns are told apart by the titles of their Documents, which several may have.
    told = {f"{name} ({bare_title(sense.title)})" for name in full if name[:1].islower()}
    if group.local and not group.value and _phrase(group.names):
        # "jury (place)" may be the jury of a page on "place", or a place by the name of jury.
        alike = full if canonical(bare_title(sense.title)) in KINDS else ()
        return {f"name {normalise(name)}" for name in (*told, *alike)}
    found = {f"name {normalise(form)}" for name in (*full, *told) for form in _forms(name)}
    found |= {f"name {key.removeprefix('common:')}" for key in group.keys()}  # noqa: SIM118
    if not given(group):
        found |= {key for name in full for key in lexical_keys(name)}
    return found


def _forms(name: str) -> Iterator[str]:
    """Yield a name, and those that it may have been made of to tell two things apart."""
    yield name
    plain = _NUMBER.sub("", name)
    yield plain
    yield from (plain[: bracket.start()] for bracket in re.finditer(r" \(", plain))


def _company(known: Sequence[Sense]) -> Iterator[str]:
    for sense in known:
        if not (sense.group.local or sense.group.value):
            yield from (normalise(n) for n in sense.uses if " " in n and not n.islower())


def _phrase(names: Sequence[Name]) -> bool:
    """Say whether a thing that is known in its Document only has common nouns for names."""
    return all(name[:1].islower() for _, name in names)
