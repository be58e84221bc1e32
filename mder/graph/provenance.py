"""Who made a graph and at what cost, in the terms of PROV-O (W3C Recommendation, 2013)."""

from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from mder.graph import vocabulary as v
from mder.graph.manifest import Cost
from mder.names import canonical


def agent_quads(names: Iterable[str], graph: NamedNode = v.ENTITIES) -> Iterator[Quad]:
    """Yield Reasoners."""
    for name in dict.fromkeys(names):
        node = v.agent_iri(name)
        yield Quad(node, v.RDF_TYPE, v.SOFTWARE_AGENT, graph)
        yield Quad(node, v.LABEL, Literal(canonical(name)), graph)


def activity_quads(costs: Iterable[Cost]) -> Iterator[Quad]:
    """Yield what was asked of language models, in a graph of its own, for no two runs agree."""
    for cost in costs:
        # By now this may be none of the Reasoners that the graph is from.
        yield from agent_quads([cost.model], v.PROVENANCE)
        node = v.activity_iri(cost.stage, cost.model)
        yield Quad(node, v.RDF_TYPE, v.ACTIVITY, v.PROVENANCE)
        yield Quad(node, v.LABEL, Literal(f"{cost.stage} by {canonical(cost.model)}"), v.PROVENANCE)
        yield Quad(node, v.ASSOCIATED_WITH, v.agent_iri(cost.model), v.PROVENANCE)
        for term, number in _figures(cost).items():
            yield Quad(node, term, Literal(number), v.PROVENANCE)


def _figures(cost: Cost) -> dict[NamedNode, int | float]:
    return {
        v.HAS_CALLS: cost.calls,
        v.HAS_TOKENS_IN: cost.tokens_in,
        v.HAS_TOKENS_OUT: cost.tokens_out,
        v.HAS_CACHED: cost.cached,
        v.HAS_FAILED: cost.failed,
        v.HAS_SECONDS: float(cost.seconds),
    }
