"""Whether a graph keeps the rules of its ontology, with nothing left to be inferred."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from string import Template
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import NamedNode

from mder.graph.rules import Rules, rules
from mder.graph.vocabulary import OWL, RDF, RDFS, XSD, shortened

if TYPE_CHECKING:
    from mder.graph.store import Graph

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


def violations(graph: "Graph", most: int = 20) -> list[Violation]:
    """Check a graph against the shipped ontology; of each rule, at most so many are told.

    A node must state the types that domains and ranges ask for, have what its class requires,
    and hold one value where the ontology allows one; properties must be declared.
    """
    known = rules()
    used = {NamedNode(prop) for (prop,) in graph.query(_USED)}
    found = [
        Violation(rule, term.value if term else "", node)
        for rule, term, sparql in chain(_of_values(known, used), _of_nodes(known, used))
        for (node,) in graph.query(f"{sparql} LIMIT {most}")
    ]
    foreign = (p for p in used - known.declared if not p.value.startswith((RDF, RDFS, OWL)))
    return found + [Violation("undeclared", prop.value, prop.value) for prop in _sorted(foreign)]


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
