"""The canonical names of the components found, each distinct, and the Entities they name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from mder.disambiguate.across import Group
from mder.disambiguate.names import Name
from mder.names import bare_title, normalise
from mder.records import Entity

_MOST_TYPES = 8
_LONGEST = 80  # characters; longer phrases are seldom what anybody would call a thing


def proper_name(group: Group) -> str:
    """Return the best of a group's names: a title, else the most used of the fullest ones."""
    if group.titles:
        # What tells homonyms apart is kept only where there is another spelling to tell from.
        return group.titles[0]
    weights: Counter[str] = Counter()
    for (_, name), use in zip(group.names, group.uses, strict=True):
        weights[name] += use.count
    words = {name: min(len(name.split()), 4) for name in weights if len(name) <= _LONGEST}
    if not words:
        return min(weights, key=lambda n: (len(n), n))
    capital = any(not name.islower() for name in words)
    return min(
        words,
        key=lambda n: (capital and n.islower(), -min(words[n], 2), -weights[n], -words[n], n),
    )


def entity_names(groups: Mapping[Name, Group], titles: Mapping[str, str]) -> dict[Name, str]:
    """Return a distinct name for each group.

    :param titles: the title of each source, to tell apart what is named in one Document only.
    """
    proper = {key: proper_name(group) for key, group in groups.items()}
    sharing: dict[str, list[Name]] = defaultdict(list)
    for key, name in proper.items():
        sharing[normalise(name)].append(key)
    taken: set[str] = set()
    names: dict[Name, str] = {}
    for form in sorted(sharing):
        keys = sorted(sharing[form], key=lambda k: (not groups[k].titles, groups[k].local, k))
        for rank, key in enumerate(keys):
            name, group = proper[key], groups[key]
            common = group.local and name[:1].islower()
            if common or rank > 0:
                name = f"{name} ({_distinction(group, titles)})"
            names[key] = _unused(name, taken)
            taken.add(names[key])
    return names


def _distinction(group: Group, titles: Mapping[str, str]) -> str:
    if group.value or (group.kind and not group.local):
        return group.kind or types_of(group)[0]
    return bare_title(min(titles[source] for source, _ in group.names))


def _unused(name: str, taken: set[str]) -> str:
    number = 2
    unused = name
    while unused in taken:
        unused, number = f"{name} {number}", number + 1
    return unused


def entity(name: str, group: Group) -> Entity:
    """Return the Entity of a group, its summary still to be written."""
    aliases = {n for _, n in group.names} - {name}
    documents = sorted({s for (s, _), u in zip(group.names, group.uses, strict=True) if u.titles})
    return Entity(name, types_of(group), tuple(sorted(aliases)), documents=tuple(documents))


def types_of(group: Group) -> tuple[str, ...]:
    """Return the types that count, the best supported first.

    A full name is used with more care than a short one, so that its types weigh more, however
    seldom it stands.
    """
    weights: dict[str, float] = defaultdict(float)
    for (_, name), use in zip(group.names, group.uses, strict=True):
        total = sum(use.types.values())
        for kind, weight in use.types.items():
            weights[kind] += len(name.split()) * weight / total
    order: Sequence[str] = sorted(weights, key=lambda t: (-weights[t], t))
    return tuple(order[:_MOST_TYPES])
