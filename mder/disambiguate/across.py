"""One name in several Documents: one Entity, unless types clash or titles tell homonyms apart."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mder.disambiguate.names import Name, Use
from mder.names import bare_title, normalise

_WORD = re.compile(r"[^\W\d_]{4,}")
CLASHING = ("person", "place")
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
        return sum((Counter(use.types) for use in self.uses), Counter())

    @property
    def kind(self) -> str:
        """Return "person" or "place" where it is certainly one of them."""
        types = self.types
        weights = {kind: types[kind] for kind in CLASHING}
        kind = max(weights, key=lambda k: weights[k])
        total = sum(weights.values())
        return kind if weights[kind] >= max(_LEAST, _CERTAIN * total) else ""

    def contexts(self, most: int = 3) -> str:
        """Return passages in which it stands."""
        texts = dict.fromkeys(c for use in self.uses for c in use.contexts)
        return " ".join(list(texts)[:most])

    def keys(self) -> dict[str, Name]:
        """Return the forms under which others may know it: its titles, else its fullest names."""
        longest = max(len(name.split()) for _, name in self.names)
        full = [n for n in self.names if len(n[1].split()) >= min(2, longest)]
        titles = [n for n, use in zip(self.names, self.uses, strict=True) if use.titles]
        keys = {_key(name): name for _, name in sorted((n[1].islower(), n) for n in full)}
        return keys | {form: name for name in titles for form in self._title_forms(name[1])}

    def _title_forms(self, title: str) -> Iterator[str]:
        """Yield a title without its qualifier; "Ann Lee, 2nd Baroness Lee" is also Ann Lee."""
        bare = bare_title(title)
        yield normalise(bare)
        person, comma, _ = bare.partition(",")
        if comma and " " in person and self.kind == "person":
            yield normalise(person)


def _key(name: Name) -> str:
    """Return the form under which a name is known; "Requests" is not "requests"."""
    form = normalise(name[1])
    return common(form) if name[1][:1].islower() else form


def common(form: str) -> str:
    """Return the key of a common noun, which no name has: nothing normalised holds a colon."""
    return f"common:{form.removeprefix('common:')}"


def across(groups: Mapping[Name, Group]) -> Iterator[tuple[Name, Name]]:
    """Yield pairs of names in groups that share a name and are one Entity."""
    known: dict[str, dict[Name, Group]] = defaultdict(dict)
    for group in groups.values():
        if group.local and not (group.titles or group.value):
            # It is never one with what another Document has.
            continue
        for key, name in sorted(group.keys().items()):
            known[key][name] = group
            # A common noun may still be what a page is about.
            if group.titles:
                known[common(key)][name] = group
    for sharing in known.values():
        if len(sharing) > 1:
            yield from _same_name(sharing)


def _same_name(sharing: Mapping[Name, Group]) -> Iterator[tuple[Name, Name]]:
    targets: dict[tuple[str, str], Name] = {}
    for name, group in sharing.items():
        for title in group.titles[:1]:
            yield targets.setdefault((normalise(title), group.kind), name), name
    values = [n for n, group in sharing.items() if group.value]
    yield from ((values[0], name) for name in values[1:])
    rest = [n for n, group in sharing.items() if not (group.titles or group.value)]
    if targets:
        for name in rest:
            target = fitting(sharing[name], {t: sharing[t] for t in targets.values()})
            if target is not None and not _clash(sharing[name], sharing[target]):
                yield target, name
        return
    by_kind: dict[str, Name] = {}
    usual = Counter(sharing[n].kind for n in rest if sharing[n].kind).most_common(1)
    for name in rest:
        kind = sharing[name].kind or (usual[0][0] if usual else "")
        yield by_kind.setdefault(kind, name), name


def fitting(group: Group, targets: Mapping[Name, Group]) -> Name | None:
    """Return the homonym that the context of a name fits, by the words that they share."""
    if len(targets) == 1:
        return next(iter(targets))
    words = set(_WORD.findall(group.contexts().casefold()))
    shared = {name: len(words & set(_WORD.findall(_about(t)))) for name, t in targets.items()}
    most = max(shared.values())
    best = [name for name, count in shared.items() if count == most]
    return best[0] if len(best) == 1 and most > 1 else None


def _about(group: Group) -> str:
    return f"{' '.join(group.titles)} {group.contexts()}".casefold()


def _clash(left: Group, right: Group) -> bool:
    return bool(left.kind and right.kind and left.kind != right.kind)
