"""Whether a graph keeps the rules of its ontology, with nothing left to be inferred."""

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import chain, groupby, islice
from string import Template
from typing import Protocol, TypeAlias

from pyoxigraph import NamedNode, Quad, Store

from mder.graph.results import Results
from mder.graph.rules import Rules, rules
from mder.graph.vocabulary import ENTITIES, OWL, PREFIXES, RDF, RDF_TYPE, RDFS, XSD, shortened

# MINUS is a hash join here, five times faster than FILTER NOT EXISTS.
_DOMAIN = Template("SELECT ?s { ?s $property ?o MINUS { $types } }")
_RANGE = Template("SELECT DISTINCT ?o { ?s $property ?o MINUS { $types } }")
_DATATYPE = Template(
    "SELECT ?s { ?s $property ?o FILTER(!isLiteral(?o) || DATATYPE(?o) NOT IN ($types)) }"
)
_REQUIRED = Template("SELECT ?s { ?s a $kind MINUS { ?s $property ?o } }")
_SINGLE = Template("SELECT ?s { ?s $property ?o } GROUP BY ?s HAVING(COUNT(DISTINCT ?o) > 1)")
_SINGLE_OF = Template(
    "SELECT ?s { ?s $property ?o . ?s a $kind } GROUP BY ?s HAVING(COUNT(DISTINCT ?o) > 1)"
)
_SHARED = Template("SELECT ?o { ?s $property ?o } GROUP BY ?o HAVING(COUNT(DISTINCT ?s) > 1)")
_DISJOINT = Template(
    "SELECT ?s { ?s a ?k FILTER(?k IN ($types)) } GROUP BY ?s HAVING(COUNT(DISTINCT ?k) > 1)"
)
_USED = "SELECT DISTINCT ?p { ?s ?p ?o MINUS { ?p a mder:Relationship } }"

_Check: TypeAlias = tuple[str, NamedNode | None, str]
"""The rule, the property that it is about, and the query that finds what breaks it."""


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


def changed_violations(
    graph: HasStore, added: Collection[Quad], removed: Collection[Quad], most: int = 20
) -> list[Violation]:
    """Check what came to a graph that broke no rule, and went from it, as :func:`violations` does.

    All that can be broken by that stands at the nodes that say something else now, and at those
    that point at a node that is no more what it was. Only these are looked at.
    """
    changed = _named(quad.subject for quad in chain(added, removed))
    known, near = rules(), Store()
    near.extend(_near(graph.store, known.inverse_functional, changed, added, removed))
    found = _found(near, known, "")
    # Of all other nodes, only the types are there.
    told = {node.value for node in changed}
    found = [each for each in found if each.rule != "required" or each.node in told]
    by_rule = groupby(found, key=lambda each: (each.rule, each.term))
    return [each for _, group in by_rule for each in islice(group, most)]


def _near(
    store: Store,
    single: Collection[NamedNode],
    changed: Set[NamedNode],
    added: Collection[Quad],
    removed: Collection[Quad],
) -> set[Quad]:
    """Return what changed nodes say, who must agree with it, and the types of all that is named."""
    quads = set(added)
    for node in changed:
        # The direct edges of an Entity stand in the graphs of the Documents, and may be many.
        graph = ENTITIES if node.value.startswith(PREFIXES["ent"]) else None
        quads.update(store.quads_for_pattern(node, None, None, graph))
    for predicate, thing in {(q.predicate, q.object) for q in added if q.predicate in single}:
        quads.update(store.quads_for_pattern(None, predicate, thing, None))
    for quad in (q for q in removed if q.predicate == RDF_TYPE):
        lost = quad.subject
        if isinstance(lost, NamedNode) and quad.object not in _types(store, lost):
            quads.update(store.quads_for_pattern(None, None, lost, None))
            quads.update(islice(store.quads_for_pattern(None, lost, None, None), 1))
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
            yield "domain", prop, _DOMAIN.substitute(property=prop, types=_typed("?s", kinds))
    for prop, kinds in known.ranges.items():
        if prop not in used:
            continue
        if all(kind.value.startswith(XSD) for kind in kinds):
            yield "range", prop, _DATATYPE.substitute(property=prop, types=_listed(kinds))
        else:
            yield "range", prop, _RANGE.substitute(property=prop, types=_typed("?o", kinds))


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


def _typed(variable: str, kinds: Iterable[NamedNode]) -> str:
    return " UNION ".join(f"{{ {variable} a {kind} }}" for kind in _sorted(kinds))


def _listed(kinds: Iterable[NamedNode]) -> str:
    return ", ".join(map(str, _sorted(kinds)))


def _sorted(kinds: Iterable[NamedNode]) -> list[NamedNode]:
    return sorted(kinds, key=lambda kind: kind.value)
