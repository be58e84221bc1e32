"""One name in several Documents: one Entity, unless types clash or titles tell homonyms apart."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mder.disambiguate.names import Name, Use
from mder.names import bare_title, normalise

_WORD = re.compile(r"[^\W\d_]{4,}")
_CLASHING = ("person", "place")
_CERTAIN = 0.8  # share of a kind among the types of a name that makes it certain
_LEAST = 12  # weight of two mentions


@dataclass(slots=True)
class Group:
    """The names of one thing found so far, with how they are used."""

    names: list[Name]
    uses: list[Use]

    @property
    def titles(self) -> list[str]:
        """Return the titles among its names, those that tell homonyms apart first."""
        found = {name for (_, name), use in zip(self.names, self.uses, strict=True) if use.titles}
        return sorted(found, key=lambda t: (bare_title(t) == t, t))

    @property
    def local(self) -> bool:
        """Say whether its names identify it within Documents only."""
        return all(use.local for use in self.uses)

    @property
    def value(self) -> bool:
        """Say whether it is a date, a number or the like."""
        return any(use.value for use in self.uses) and not self.titles

    @property
    def types(self) -> Counter[str]:
        """Return its types with their weights."""
        return sum((use.types for use in self.uses), Counter())

    @property
    def kind(self) -> str:
        """Return "person" or "place" where it is certainly one of them."""
        weights = {kind: self.types[kind] for kind in _CLASHING}
        kind = max(weights, key=lambda k: weights[k])
        total = sum(weights.values())
        return kind if weights[kind] >= max(_LEAST, _CERTAIN * total) else ""

    def contexts(self, most: int = 3) -> str:
        """Return passages in which it stands."""
        texts = dict.fromkeys(c for use in self.uses for c in use.contexts)
        return " ".join(list(texts)[:most])

    def keys(self) -> set[str]:
        """Return the forms under which others may know it: its titles, else its fullest names."""
        if self.titles:
            return {normalise(bare_title(t)) for t in self.titles}
        lengths = {name: len(name.split()) for _, name in self.names}
        longest = max(lengths.values())
        return {normalise(n) for n, size in lengths.items() if size > 1 or size == longest}


def across(groups: Mapping[Name, Group]) -> Iterator[tuple[Name, Name]]:
    """Yield representatives of groups that share a name and are one Entity."""
    known: dict[str, list[Name]] = defaultdict(list)
    for name, group in groups.items():
        for key in sorted(group.keys()):
            known[key].append(name)
    for names in known.values():
        if len(names) > 1:
            yield from _same_name(names, groups)


def _same_name(names: Sequence[Name], groups: Mapping[Name, Group]) -> Iterator[tuple[Name, Name]]:
    targets: dict[str, Name] = {}
    for name in names:
        for title in groups[name].titles[:1]:
            first = targets.setdefault(normalise(title), name)
            yield first, name
    rest = [n for n in names if not groups[n].titles and not groups[n].local]
    if targets:
        for name in rest:
            target = fitting(groups[name], [groups[t] for t in targets.values()])
            if target is not None and not _clash(groups[name], target):
                yield target.names[0], name
        return
    by_kind: dict[str, Name] = {}
    usual = Counter(groups[n].kind for n in rest if groups[n].kind).most_common(1)
    for name in rest:
        kind = groups[name].kind or (usual[0][0] if usual else "")
        yield by_kind.setdefault(kind, name), name


def fitting(group: Group, targets: Sequence[Group]) -> Group | None:
    """Return the homonym that the context of a name fits, by the words that they share."""
    if len(targets) == 1:
        return targets[0]
    words = set(_WORD.findall(group.contexts().casefold()))
    shared = [(len(words & set(_WORD.findall(_about(t)))), -i) for i, t in enumerate(targets)]
    best = max(shared)
    tied = sum(score == best[0] for score, _ in shared) > 1
    return None if tied or best[0] < 2 else targets[-best[1]]


def _about(group: Group) -> str:
    return f"{' '.join(group.titles)} {group.contexts()}".casefold()


def _clash(left: Group, right: Group) -> bool:
    return bool(left.kind and right.kind and left.kind != right.kind)
