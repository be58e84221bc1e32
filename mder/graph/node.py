"""What the graph says of one node, read with the expected type or refused with the value seen."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from mder.errors import GraphError
from mder.graph.vocabulary import XSD

Term: TypeAlias = NamedNode | BlankNode | Literal | Triple

_T = TypeVar("_T")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


class Node:
    """The outgoing edges of a node; false where there are none."""

    __slots__ = ("_values", "iri")

    def __init__(self, iri: NamedNode, quads: Iterable[Quad]) -> None:
        self.iri = iri
        self._values: dict[NamedNode, list[Term]] = {}
        for quad in quads:
            self._values.setdefault(quad.predicate, []).append(quad.object)

    def __bool__(self) -> bool:
        return bool(self._values)

    def is_a(self, kind: NamedNode, predicate: NamedNode) -> bool:
        """Say whether ``predicate`` leads to ``kind``."""
        return kind in self._values.get(predicate, ())

    def text(self, predicate: NamedNode, default: str | None = None) -> str:
        """Return the one string, or the default where there is none.

        :raises GraphError: when there is none and no default, when there are more, or an IRI.
        """
        if default is not None and predicate not in self._values:
            return default
        term = self._one(predicate)
        if not isinstance(term, Literal):
            raise self._unexpected(predicate, term, "a string")
        return term.value

    def texts(self, predicate: NamedNode) -> tuple[str, ...]:
        """Return every string, sorted."""
        values = self._values.get(predicate, ())
        return tuple(sorted(t.value for t in values if isinstance(t, Literal)))

    def integer(self, predicate: NamedNode) -> int:
        """Return the one integer.

        :raises GraphError: when there is not exactly one value, or it is no integer.
        """
        return self._parsed(predicate, "integer", int)

    def real(self, predicate: NamedNode) -> float:
        """Return the one double.

        :raises GraphError: when there is not exactly one value, or it is no double.
        """
        return self._parsed(predicate, "double", float)

    def flag(self, predicate: NamedNode) -> bool:
        """Return the one boolean.

        :raises GraphError: when there is not exactly one value, or it is no boolean.
        """
        return self._parsed(predicate, "boolean", _BOOLEANS.__getitem__)

    def link(self, predicate: NamedNode) -> NamedNode:
        """Return the one node that the predicate leads to.

        :raises GraphError: when there is not exactly one value, or it is no IRI.
        """
        term = self._one(predicate)
        if not isinstance(term, NamedNode):
            raise self._unexpected(predicate, term, "an IRI")
        return term

    def links(self, predicate: NamedNode) -> tuple[NamedNode, ...]:
        """Return every node that the predicate leads to, sorted by IRI."""
        nodes = (t for t in self._values.get(predicate, ()) if isinstance(t, NamedNode))
        return tuple(sorted(nodes, key=lambda node: node.value))

    def _parsed(self, predicate: NamedNode, kind: str, parse: Callable[[str], _T]) -> _T:
        term = self._one(predicate)
        if isinstance(term, Literal) and term.datatype.value == XSD + kind:
            try:
                return parse(term.value)
            except (KeyError, ValueError):
                pass
        raise self._unexpected(predicate, term, f"an xsd:{kind}")

    def _one(self, predicate: NamedNode) -> Term:
        values = self._values.get(predicate, [])
        if len(values) != 1:
            raise GraphError(
                f"{self.iri.value}: {len(values)} values of {predicate.value} where one is needed; "
                "run mder index again"
            )
        return values[0]

    def _unexpected(self, predicate: NamedNode, term: Term, wanted: str) -> GraphError:
        return GraphError(
            f"{self.iri.value}: {predicate.value} is {term}, not {wanted}; run mder index again"
        )
