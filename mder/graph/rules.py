"""The rules that the ontology states, read from the ontology itself."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import NamedNode, QuerySolutions, RdfFormat, Store

from mder.graph.node import Term
from mder.graph.vocabulary import PREFIXES
from mder.resources import read_text

Allowed = Mapping[NamedNode, frozenset[NamedNode]]
"""A property, and the classes that its subject (or object) may be of, or its datatypes."""

# A class stands for itself, an owl:unionOf for its members; sub-classes will do as well.
_MEMBERS = "(owl:unionOf/rdf:rest*/rdf:first)?/^rdfs:subClassOf*"
_DOMAINS = f"SELECT ?p ?c {{ ?p rdfs:domain/{_MEMBERS} ?c FILTER(isIRI(?c)) }}"
_RANGES = f"SELECT ?p ?c {{ ?p rdfs:range/{_MEMBERS} ?c FILTER(isIRI(?c)) }}"
_DECLARED = """SELECT ?p { VALUES ?k {
    owl:ObjectProperty owl:DatatypeProperty owl:AnnotationProperty } ?p a ?k }"""
_FUNCTIONAL = "SELECT ?p { ?p a owl:FunctionalProperty }"
_INVERSE_FUNCTIONAL = "SELECT ?p { ?p a owl:InverseFunctionalProperty }"
_REQUIRED = """SELECT ?c ?p {
    ?c rdfs:subClassOf ?r . ?r owl:onProperty ?p ; owl:cardinality|owl:minCardinality ?n
    FILTER(?n > 0) }"""
_AT_MOST_ONE = """SELECT ?c ?p {
    ?c rdfs:subClassOf ?r . ?r owl:onProperty ?p ; owl:cardinality|owl:maxCardinality ?n
    FILTER(?n = 1) }"""
_DISJOINT = """SELECT ?c {
    ?a a owl:AllDisjointClasses ; owl:members/rdf:rest*/rdf:first ?c }"""


@dataclass(frozen=True, slots=True)
class Rules:
    """What must hold in a graph whose types are all stated.

    :param required: (class, property): every instance has a value.
    :param single: (class, property): no instance has two values.
    :param disjoint: nothing is of two of these classes.
    :param declared: every property that the ontology knows.
    """

    domains: Allowed
    ranges: Allowed
    functional: tuple[NamedNode, ...]
    inverse_functional: tuple[NamedNode, ...]
    required: tuple[tuple[NamedNode, NamedNode], ...]
    single: tuple[tuple[NamedNode, NamedNode], ...]
    disjoint: tuple[NamedNode, ...]
    declared: frozenset[NamedNode]


def rules() -> Rules:
    """Read the rules of the shipped ontology."""
    store = Store()
    store.load(read_text("ontology", "mder.ttl"), RdfFormat.TURTLE)
    return Rules(
        domains=_allowed(store, _DOMAINS),
        ranges=_allowed(store, _RANGES),
        functional=tuple(p for (p,) in _rows(store, _FUNCTIONAL)),
        inverse_functional=tuple(p for (p,) in _rows(store, _INVERSE_FUNCTIONAL)),
        required=tuple((c, p) for c, p in _rows(store, _REQUIRED)),
        single=tuple((c, p) for c, p in _rows(store, _AT_MOST_ONE)),
        disjoint=tuple(c for (c,) in _rows(store, _DISJOINT)),
        declared=frozenset(p for (p,) in _rows(store, _DECLARED)),
    )


def _allowed(store: Store, sparql: str) -> Allowed:
    table: defaultdict[NamedNode, set[NamedNode]] = defaultdict(set)
    for prop, kind in _rows(store, sparql):
        table[prop].add(kind)
    return {prop: frozenset(kinds) for prop, kinds in table.items()}


def _rows(store: Store, sparql: str) -> Iterator[tuple[NamedNode, ...]]:
    """Yield solutions, sorted, all of IRIs."""
    found = store.query(sparql, prefixes=dict(PREFIXES))
    if not isinstance(found, QuerySolutions):
        raise TypeError(f"not a SELECT: {sparql}")
    rows = [tuple(_named(term) for term in row) for row in found]
    yield from sorted(rows, key=lambda row: [node.value for node in row])


def _named(term: Term | None) -> NamedNode:
    if not isinstance(term, NamedNode):
        raise TypeError(f"not an IRI in the ontology: {term}")
    return term
