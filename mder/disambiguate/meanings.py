"""The names found to mean one thing so far; titles that tell homonyms apart are never joined."""

from collections.abc import Iterable, Mapping, Sequence

from mder.disambiguate.components import Components
from mder.disambiguate.names import Name, Use
from mder.names import bare_title, normalise


class Meanings:
    """A partition of names, which grows by joins that may be refused."""

    def __init__(self, uses: Mapping[Name, Use]) -> None:
        self._components: Components[Name] = Components(uses)
        self._titles: dict[Name, set[str]] = {n: {n[1]} for n, use in uses.items() if use.titles}

    def join(self, left: Name, right: Name) -> bool:
        """Let two names mean one thing; say whether that is new and can be."""
        a, b = self._components.find(left), self._components.find(right)
        titles = self._titles.get(a, set()), self._titles.get(b, set())
        if a == b or told_apart(*titles):
            return False
        self._components.join(a, b)
        self._titles[self._components.find(a)] = titles[0] | titles[1]
        return True

    def groups(self) -> Sequence[list[Name]]:
        """Return the names of each thing."""
        return list(self._components.groups().values())


def told_apart(left: Iterable[str], right: Iterable[str]) -> bool:
    """Say whether titles tell two things apart.

    >>> told_apart(["Mercury (planet)"], ["Mercury (element)"]), told_apart(["USA"], ["America"])
    (True, False)
    """
    full: dict[str, set[str]] = {}
    for title in left:
        full.setdefault(normalise(bare_title(title)), set()).add(normalise(title))
    return any(
        normalise(title) not in full.get(normalise(bare_title(title)), {normalise(title)})
        for title in right
    )
