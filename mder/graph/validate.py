"""Whether a graph keeps the rules of its ontology, with nothing left to be inferred."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import chain, islice
from string import Template
from typing import Protocol, TypeAlias

from pyoxigraph import NamedNode, Quad, Store

from mder.graph.changes import Changes
from mder.graph.results import Results
from mder.graph.rules import Rules, rules
from mder.graph.vocabulary import ENTITIES, OWL, PREFIXES, RDF, RDF_TYPE, RDFS, XSD, shortened

# Each of these is a loop over an index, which holds nothing. MINUS and GROUP BY are four times as
# fast, but hold all nodes of a class at once: a check would take more memory with every Document.
_DOMAIN = Template(
    "SELECT ?s { ?s $property ?o OPTIONAL { ?s a ?k FILTER(?k IN ($types)) } FILTER(!BOUND(?k)) }"
)
_RANGE = Template(
    "SELECT DISTINCT ?o "
    "{ ?s $property ?o OPTIONAL { ?o a ?k FILTER(?k IN ($types)) } FILTER(!BOUND(?k)) }"
)
_DATATYPE = Template(
    "SELECT ?s { ?s $property ?o FILTER(!isLiteral(?o) || DATATYPE(?o) NOT IN ($types)) }"
)
_REQUIRED = Template("SELECT ?s { ?s a $kind OPTIONAL { ?s $property ?o } FILTER(!BOUND(?o)) }")
_SINGLE = Template("SELECT DISTINCT ?s { ?s $property ?o, ?other FILTER(!sameTerm(?o, ?other)) }")
_SINGLE_OF = Template(
    "SELECT DISTINCT ?s { ?s $property ?o, ?other; a $kind FILTER(!sameTerm(?o, ?other)) }"
)
_SHARED = Template(
    "SELECT DISTINCT ?o { ?s $property ?o . ?other $property ?o FILTER(!sameTerm(?s, ?other)) }"
)
_DISJOINT = Template(
    "SELECT DISTINCT ?s { ?s a ?k, ?other "
    "FILTER(?k IN ($types) && ?other IN ($types) && !sameTerm(?k, ?other)) }"
)
_USED = "SELECT DISTINCT ?p { ?s ?p ?o MINUS { ?p a mder:Relationship } }"
_BATCH = 2_000  # changed nodes that are looked at together: 50 MB

_Check: TypeAlias = tuple[str, NamedNode | None, str]
"""The rule, the property that it is about, and the query that finds what breaks it."""
_Said: TypeAlias = tuple[NamedNode, NamedNode]
"""A node, and a graph that says something of it."""
_Lost: TypeAlias = Mapping[NamedNode, Set[object]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a node breaks.

    :param rule: ``domain``, ``range``, ``required``, ``single``, ``shared``, ``disjoint`` or
        ``undeclared``.
    :param term: the property of the ontology that the rule is about, or ``""``.
    :param node: IRI or text of what breaks it.
    """

    rule: str
    term: str
    node: str

    def __str__(self) -> str:
        return f"{self.rule} {shortened(self.term)}: {shortened(self.node)}"


class HasStore(Protocol):
    """A graph that is written or read."""

    store: Store


def violations(graph: HasStore, most: int = 20) -> list[Violation]:
    """Check a graph against the shipped ontology; of each rule, at most so many are told.

    A node must state the types that domains and ranges ask for, have what its class requires,
    and hold one value where the ontology allows one; properties must be declared.
    """
    return _found(graph.store, rules(), f"LIMIT {most}")


def changed_violations(graph: HasStore, changes: Changes, most: int = 20) -> list[Violation]:
    """Check what changed in a graph that broke no rule, as :func:`violations` does.

    All that can be broken by that stands at the nodes that say something else now, and at those
    that point at a node that is no more what it was. Only these are looked at.
    """
    known, nodes = rules(), changes.nodes()
    by_rule: defaultdict[tuple[str, str], dict[Violation, None]] = defaultdict(dict)
    while batch := list(islice(nodes, _BATCH)):
        for each in _changed_in(graph.store, known, batch, changes.lost):
            by_rule[each.rule, each.term][each] = None
    return [each for group in by_rule.values() for each in islice(group, most)]


def _changed_in(
    store: Store, known: Rules, batch: Collection[_Said], lost: _Lost
) -> list[Violation]:
    near = Store()
    near.extend(_near(store, known.inverse_functional, batch, lost))
    told = {node.value for node, _ in batch}
    # Of all other nodes, only the types are there.
    found = _found(near, known, "")
    return [each for each in found if each.rule != "required" or each.node in told]


def _near(
    store: Store, single: Collection[NamedNode], batch: Collection[_Said], lost: _Lost
) -> set[Quad]:
    """Return what changed nodes say, who must agree with it, and the types of all that is named."""
    quads: set[Quad] = set()
    for node, graph in batch:
        # The direct edges of an Entity stand in the graphs of the Documents, and may be many.
        entity = node.value.startswith(PREFIXES["ent"])
        for name in {graph, ENTITIES} if entity else {None}:
            quads.update(store.quads_for_pattern(node, None, None, name))
    for predicate, thing in {(q.predicate, q.object) for q in quads if q.predicate in single}:
        quads.update(store.quads_for_pattern(None, predicate, thing, None))
    changed = {node for node, _ in batch}
    for node in changed & lost.keys():
        if lost[node] - _types(store, node):
            quads.update(store.quads_for_pattern(None, None, node, None))
            quads.update(islice(store.quads_for_pattern(None, node, None, None), 1))
    terms = chain.from_iterable((quad.subject, quad.predicate, quad.object) for quad in quads)
    for node in _named(terms) - changed:
        quads.update(store.quads_for_pattern(node, RDF_TYPE, None, None))
    return quads


def _types(store: Store, node: NamedNode) -> set[object]:
    return {quad.object for quad in store.quads_for_pattern(node, RDF_TYPE, None, None)}


def _named(terms: Iterable[object]) -> set[NamedNode]:
    return {term for term in terms if isinstance(term, NamedNode)}


def _found(store: Store, known: Rules, limit: str) -> list[Violation]:
    used = {NamedNode(prop) for (prop,) in _select(store, _USED)}
    found = [
        Violation(rule, term.value if term else "", node)
        for rule, term, sparql in chain(_of_values(known, used), _of_nodes(known, used))
        for (node,) in _select(store, f"{sparql} {limit}")
    ]
    foreign = (p for p in used - known.declared if not p.value.startswith((RDF, RDFS, OWL)))
    return found + [Violation("undeclared", prop.value, prop.value) for prop in _sorted(foreign)]


def _select(store: Store, sparql: str) -> Results:
    return Results(store.query(sparql, use_default_graph_as_union=True, prefixes=dict(PREFIXES)))


def _of_values(known: Rules, used: set[NamedNode]) -> Iterator[_Check]:
    """Yield checks of what stands at either end of a property."""
    for prop, kinds in known.domains.items():
        if prop in used:
            yield "domain", prop, _DOMAIN.substitute(property=prop, types=_listed(kinds))
    for prop, kinds in known.ranges.items():
        if prop not in used:
            continue
        if all(kind.value.startswith(XSD) for kind in kinds):
            yield "range", prop, _DATATYPE.substitute(property=prop, types=_listed(kinds))
        else:
            yield "range", prop, _RANGE.substitute(property=prop, types=_listed(kinds))


def _of_nodes(known: Rules, used: set[NamedNode]) -> Iterator[_Check]:
    """Yield checks of what a node has too little or too much of."""
    for kind, prop in known.required:
        yield "required", prop, _REQUIRED.substitute(property=prop, kind=kind)
    for prop in _sorted(used.intersection(known.functional)):
        yield "single", prop, _SINGLE.substitute(property=prop)
    for kind, prop in known.single:
        if prop in used.difference(known.functional):
            yield "single", prop, _SINGLE_OF.substitute(property=prop, kind=kind)
    for prop in _sorted(used.intersection(known.inverse_functional)):
        yield "shared", prop, _SHARED.substitute(property=prop)
    yield "disjoint", None, _DISJOINT.substitute(types=_listed(known.disjoint))


def _listed(kinds: Iterable[NamedNode]) -> str:
    return ", ".join(map(str, _sorted(kinds)))


def _sorted(kinds: Iterable[NamedNode]) -> list[NamedNode]:
    return sorted(kinds, key=lambda kind: kind.value)
