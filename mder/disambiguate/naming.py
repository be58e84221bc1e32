"""The canonical names of the components found, each distinct, and the Entities they name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from mder.disambiguate.across import CLASHING, Group
from mder.disambiguate.names import Name
from mder.names import bare_title, canonical, normalise
from mder.records import VALUES, Entity

# What things of one name are told apart by, where titles do not serve.
KINDS = VALUES.union(CLASHING)
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


def full_names(names: Sequence[str]) -> list[str]:
    """Return those of the names of a thing that may be its proper one: those not cut short."""
    fit = [name for name in names if len(name) <= _LONGEST]
    full: list[str] = [] if fit else list(names)
    for lower in (False, True):
        alike = [name for name in fit if name.islower() == lower]
        words = min(2, max((len(name.split()) for name in alike), default=0))
        full += [name for name in alike if len(name.split()) >= words]
    return full


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
        plain = next((k for k in keys if not (groups[k].local and proper[k][:1].islower())), None)
        for key in keys:
            name = proper[key]
            if key != plain:
                name = canonical(f"{name} ({_distinction(name, groups[key], titles)})")
            names[key] = _unused(name, taken)
            taken.add(names[key])
    return names


def _distinction(name: str, group: Group, titles: Mapping[str, str]) -> str:
    if group.kind and (group.value or not group.local):
        return group.kind
    if group.value:
        return max(VALUES.intersection(group.types), key=lambda t: (group.types[t], t))
    return bare_title(min(titles[source] for source, other in group.names if other == name))


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
