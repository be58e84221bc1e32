"""How much of each kind a graph holds, kept up while quads come and go."""

from collections import Counter
from collections.abc import Iterable

import msgspec
from pyoxigraph import Literal, NamedNode, Quad

from mder.graph import vocabulary as v
from mder.graph.manifest import Counts

_KINDS = {
    v.DOCUMENT: "documents",
    v.CHUNK: "chunks",
    v.TRIPLE: "triples",
    v.ENTITY: "entities",
    v.ENTITY_TYPE: "types",
    v.RELATIONSHIP: "relationships",
    v.MERGE: "merges",
}
_VERIFIED = {"true": "verified", "false": "unverified"}
_TOLD = frozenset({v.RDF_TYPE, v.IS_VERIFIED, v.LANGUAGE})


class Tally:
    """Counts what quads say."""

    def __init__(self, counts: Counts) -> None:
        numbers = msgspec.structs.asdict(counts)
        self._languages = Counter(numbers.pop("languages"))
        self._numbers = Counter(numbers)

    def add(self, quads: Iterable[Quad], times: int = 1) -> None:
        """Count quads that a graph did not have, or no more has where ``times`` is -1."""
        for quad in quads:
            if quad.predicate not in _TOLD:
                continue
            thing = quad.object
            if isinstance(thing, NamedNode):
                self._numbers[_KINDS.get(thing, "")] += times
            elif isinstance(thing, Literal):
                self._add_said(quad, thing.value, times)

    @property
    def counts(self) -> Counts:
        """What was counted."""
        numbers = {name: self._numbers[name] for name in (*_KINDS.values(), *_VERIFIED.values())}
        spoken = {code: n for code, n in sorted(self._languages.items()) if code and n}
        silent = numbers["documents"] - sum(spoken.values())
        languages = {"": silent, **spoken} if silent else spoken
        return Counts(**numbers, languages=languages)

    def _add_said(self, quad: Quad, text: str, times: int) -> None:
        if quad.predicate == v.IS_VERIFIED:
            self._numbers[_VERIFIED.get(text, "")] += times
        # Of a Document, not of one of its Chunks.
        elif quad.subject == quad.graph_name:
            self._languages[text] += times
