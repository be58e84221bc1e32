"""Quads of a store as they are asked for, with what a damaged store means."""

from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, Store

from mder.errors import GraphError
from mder.graph import vocabulary as v
from mder.graph.node import Node


def quads(
    store: Store,
    subject: NamedNode | None,
    predicate: NamedNode | None,
    thing: NamedNode | None,
    graph: NamedNode | None,
) -> Iterator[Quad]:
    """Yield the quads of a pattern, in which None is anything.

    :raises GraphError: when the store is damaged.
    """
    try:
        yield from store.quads_for_pattern(subject, predicate, thing, graph)
    except (OSError, RuntimeError) as error:
        raise GraphError(f"the graph is damaged: {error}; run mder index again") from error


def rows(store: Store, query: str) -> Iterator[tuple[str, ...]]:
    """Yield the values of the solutions of a SELECT over all graphs, in which all are bound.

    Of what many nodes have, this gives some a few times faster than their quads do.

    :raises GraphError: when the store is damaged.
    """
    try:
        found = store.query(query, use_default_graph_as_union=True)
        for solution in found if isinstance(found, QuerySolutions) else ():
            yield tuple(term.value for term in solution if isinstance(term, NamedNode | Literal))
    except (OSError, RuntimeError) as error:
        raise GraphError(f"the graph is damaged: {error}; run mder index again") from error


def node(store: Store, iri: NamedNode) -> Node:
    """Return all that is said of a node itself."""
    # The direct edges of an Entity stand in the graphs of the Documents, and may be many.
    graph = v.ENTITIES if iri.value.startswith(v.PREFIXES["ent"]) else None
    return Node(iri, quads(store, iri, None, None, graph))


def named(terms: Iterable[object]) -> Iterator[NamedNode]:
    """Yield the nodes among terms that have an IRI."""
    return (term for term in terms if isinstance(term, NamedNode))


def as_iri(value: str) -> NamedNode:
    """Return a text as an IRI.

    :raises GraphError: when it is none.
    """
    try:
        return NamedNode(value)
    except ValueError as error:
        raise GraphError(f"not an IRI: {value!r}") from error
