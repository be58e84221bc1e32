"""Pairs of groups that may be one Entity: by cosine of names with types, and by their letters."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from mder.disambiguate.across import Group
from mder.disambiguate.naming import full_names, types_of
from mder.embedders.base import Embedder, Vectors
from mder.names import normalise, unaccented

_BLOCK = 1024  # rows of a block of the similarity matrix: 4 MB of float32
_SLACK = 1e-4  # more than the order of summing can change in a product
_CROWD = 12  # groups under one lexical key, above which each is compared with the first ones only


def label(name: str, types: Sequence[str]) -> str:
    """Return what is embedded of a name: itself with its first types."""
    return f"{name} ({', '.join(types[:2])})" if types else name


def by_cosine(vectors: Vectors, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield (i, j, cosine) with i < j for all rows more similar than the threshold, exactly."""
    for top in range(0, len(vectors), _BLOCK):
        block = vectors[top : top + _BLOCK]
        for left in range(top, len(vectors), _BLOCK):
            similar = block @ vectors[left : left + _BLOCK].T
            for i, j in zip(*np.nonzero(similar > threshold - _SLACK), strict=True):
                if top + i < left + j:
                    score = _cosine(block[i], vectors[left + j])
                    if score > threshold:
                        yield int(top + i), int(left + j), score


def _cosine(left: Vectors, right: Vectors) -> float:
    """Return a dot product, summed in one order whatever else is compared."""
    return float(np.einsum("i,i->", left, right))


def meeting(vectors: Vectors, others: Vectors, threshold: float) -> Iterator[tuple[int, int]]:
    """Yield (row, row of the others) of all that may be nearer to each other than the threshold."""
    for top in range(0, len(vectors), _BLOCK):
        block = vectors[top : top + _BLOCK]
        for left in range(0, len(others), _BLOCK):
            similar = block @ others[left : left + _BLOCK].T
            for i, j in np.argwhere(similar > threshold - _SLACK).tolist():
                yield top + i, left + j


def stacked(rows: Sequence[bytes]) -> Vectors:
    """Return stored vectors, at least one, as rows."""
    return np.frombuffer(b"".join(rows), dtype=np.float32).reshape(len(rows), -1)


def by_letters(groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    """Yield pairs that agree but for accents, spaces, word order, or as name and acronym."""
    table: dict[str, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        full = full_names([name for _, name in group.names])
        keys = {key for name in full for key in lexical_keys(name)}
        for key in sorted(keys):
            table[key].append(index)
    for members in table.values():
        for at, i in enumerate(members):
            rest = members[at + 1 :] if at < _CROWD else members[at + 1 : at + 2]
            yield from ((i, j) for j in rest)


def by_company(
    groups: Sequence[Group], names: Sequence[str], company: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of given names, each known in one Document only, that keep the same company.

    :param names: the name of each group.
    :param company: the full names in each Document.
    """
    table: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (group, name) in enumerate(zip(groups, names, strict=True)):
        others = set[str]().union(*(company[source] for source, _ in group.names))
        for other in sorted(others):
            table[normalise(name), other].append(index)
    for members in table.values():
        yield from pairwise(members)


def lexical_keys(name: str) -> set[str]:
    """Return the forms under which a name meets its other spellings."""
    plain = unaccented(name)
    keys = {plain.replace(" ", ""), " ".join(sorted(plain.split()))}
    capitals = "".join(word[0] for word in name.split() if word[0].isupper())
    if len(capitals) > 2:
        keys.add(f"acronym {capitals.casefold()}")
    if name.isupper() and name.isalpha() and 2 < len(name) <= 8:
        keys.add(f"acronym {name.casefold()}")
    return keys


def proposals(
    groups: Sequence[Group], names: Sequence[str], embedder: Embedder, threshold: float
) -> Iterator[tuple[int, int, float]]:
    """Yield (i, j, cosine) for pairs to be judged, each once, in a stable order.

    :param names: the name of each group.
    """
    if not groups:
        return
    labels = [label(n, types_of(g)) for n, g in zip(names, groups, strict=True)]
    vectors = embedder.encode(labels)
    found = {(i, j): score for i, j, score in by_cosine(vectors, threshold)}
    for i, j in by_letters(groups):
        found.setdefault((min(i, j), max(i, j)), _cosine(vectors[i], vectors[j]))
    for (i, j), score in sorted(found.items()):
        yield i, j, score
