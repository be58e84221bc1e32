"""What a Generation in the making says otherwise than the one before."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from pyoxigraph import NamedNode, Quad

from mder.graph.node import Term
from mder.graph.vocabulary import HAS_RELATIONSHIP, HAS_TYPE, RDF_TYPE

_MOST = 200_000  # changed nodes that are remembered: 50 MB
_SHARED = (HAS_RELATIONSHIP, HAS_TYPE)


class Changes:
    """Which nodes are concerned by what was added and removed; some may be as they were again.

    :ivar lost: the classes that a node was of, and may be of no more.
    :ivar left: the property and the node that many share, and something shares no more.
    """

    def __init__(self) -> None:
        self.lost: defaultdict[NamedNode, set[Term]] = defaultdict(set)
        self.left: set[tuple[NamedNode, NamedNode]] = set()
        self._nodes: defaultdict[NamedNode, set[NamedNode]] = defaultdict(set)
        self._count = 0

    def note(self, more: Iterable[Quad], fewer: Iterable[Quad]) -> None:
        """Take in what was added, and what was removed."""
        for quad in chain(more, fewer):
            node, graph = quad.subject, quad.graph_name
            if isinstance(node, NamedNode) and isinstance(graph, NamedNode) and not self.too_many:
                self._count += node not in self._nodes[graph]
                self._nodes[graph].add(node)
        for quad in fewer:
            if quad.predicate == RDF_TYPE and isinstance(quad.subject, NamedNode):
                self.lost[quad.subject].add(quad.object)
            elif quad.predicate in _SHARED and isinstance(quad.object, NamedNode):
                self.left.add((quad.predicate, quad.object))

    @property
    def too_many(self) -> bool:
        """Whether not all nodes are remembered, so that all of the graph must be looked at."""
        return self._count >= _MOST

    def nodes(self) -> Iterator[tuple[NamedNode, NamedNode]]:
        """Yield each node of which something else is said, and the graph that says it."""
        for graph, nodes in self._nodes.items():
            for node in nodes:
                yield node, graph
