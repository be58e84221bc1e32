"""What a graph says, byte for byte, so that two of them can be compared."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from mder.graph import export
from mder.graph.store import Graph, Which
from mder.graph.vocabulary import PROVENANCE
from mder.graph.words import WORDS


@dataclass(frozen=True, slots=True)
class State:
    """All that a graph says.

    :param quads: canonical N-Quads, there are no blank nodes, but for the account of what models
        cost, which differs from run to run.
    :param vectors: float32, by set and id.
    :param words: the files of the lexical index.
    """

    quads: frozenset[str]
    vectors: Mapping[str, Mapping[str, bytes]]
    words: Mapping[str, bytes]


def state(graph: Graph) -> State:
    """Read everything."""
    output = io.BytesIO()
    export.dump(graph, "nquads", output)
    lines = output.getvalue().decode().splitlines()
    told = frozenset(line for line in lines if not line.endswith(f" {PROVENANCE} ."))
    vectors = {which: _vectors(graph, which) for which in get_args(Which)}
    words = {path.name: path.read_bytes() for path in (graph.path / WORDS).iterdir()}
    return State(told, vectors, words)


def _vectors(graph: Graph, which: Which) -> dict[str, bytes]:
    vectors = graph.vectors(which)
    ids = list(vectors.ids)
    return {key: row.tobytes() for key, row in zip(ids, vectors.vectors(ids), strict=True)}


def difference(left: State, right: State) -> list[str]:
    """Return what is said by one side alone; nothing where both are the same."""
    lines = [f"- {line}" for line in sorted(left.quads - right.quads)]
    lines += [f"+ {line}" for line in sorted(right.quads - left.quads)]
    for which, found in left.vectors.items():
        lines += _differing(which, found, right.vectors[which])
    lines += _differing("words", left.words, right.words)
    return lines


def _differing(which: str, left: Mapping[str, Any], right: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(left.keys() | right.keys()):
        if left.get(key) != right.get(key):
            sides = "".join(s for s, found in (("-", left), ("+", right)) if key in found)
            yield f"{sides} {which} {key}"
