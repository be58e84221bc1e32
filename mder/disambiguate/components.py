"""Union-find: sets of things found to be one, joined in any order with the same result."""

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Components(Generic[T]):
    """A partition of things into components; every thing begins alone."""

    def __init__(self, things: Iterable[T] = ()) -> None:
        self._parent: dict[T, T] = {thing: thing for thing in things}

    def find(self, thing: T) -> T:
        """Return the representative of the component that a thing is in."""
        root = self._parent.setdefault(thing, thing)
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[thing] != root:
            self._parent[thing], thing = root, self._parent[thing]
        return root

    def join(self, left: T, right: T) -> bool:
        """Make one component of two; say whether they were two."""
        a, b = self.find(left), self.find(right)
        self._parent[b] = a
        return a != b

    def groups(self) -> dict[T, list[T]]:
        """Return the members of each component by its representative, in order of addition."""
        groups: dict[T, list[T]] = defaultdict(list)
        for thing in list(self._parent):
            groups[self.find(thing)].append(thing)
        return groups


class Partition:
    """The same of the numbers below a limit, which may be many: each takes eight bytes."""

    def __init__(self, limit: int) -> None:
        self._parent = array("q", range(limit))

    def find(self, number: int) -> int:
        """Return the representative of the component that a number is in."""
        parent = self._parent
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    def join(self, left: int, right: int) -> None:
        """Make one component of two."""
        self._parent[self.find(right)] = self.find(left)
