"""The ontology and a graph under it load wherever RDF is read, without a network."""

import io
from pathlib import Path

import owlready2
import pytest
import rdflib
from pyoxigraph import NamedNode, RdfFormat, Store, parse, serialize
from rdflib.namespace import OWL, RDF, RDFS

from mder.graph import vocabulary as v
from mder.graph.export import dump
from mder.graph.store import Graph
from mder.resources import read_text

TURTLE = read_text("ontology", "mder.ttl")
INVERSES = [
    ("hasChunk", "belongsToDocument"),
    ("hasNext", "hasPrevious"),
    ("hasSource", "isSourceOf"),
    ("hasTarget", "isTargetOf"),
    ("hasType", "isTypeOf"),
]


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(data=TURTLE, format="turtle")


def _world(*parts: bytes) -> owlready2.World:
    world = owlready2.World()
    for index, part in enumerate(parts):
        base = f"https://example.org/part{index}#"
        world.get_ontology(base).load(fileobj=io.BytesIO(part), format="ntriples")
    return world


def _ntriples() -> bytes:
    written = serialize(parse(TURTLE, RdfFormat.TURTLE), format=RdfFormat.N_TRIPLES)
    return written or b""


def test_rdflib_and_oxigraph_read_the_same_number_of_triples(ontology: rdflib.Graph) -> None:
    store = Store()
    store.load(TURTLE, RdfFormat.TURTLE)
    assert len(store) == len(ontology) > 300


def test_nothing_is_imported(ontology: rdflib.Graph) -> None:
    assert not list(ontology.triples((None, OWL.imports, None)))


def test_every_term_has_a_label_a_comment_and_one_domain(ontology: rdflib.Graph) -> None:
    kinds = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
    terms = {s for kind in kinds for s in ontology.subjects(RDF.type, kind)}
    for term in (term for term in terms if isinstance(term, rdflib.URIRef)):
        assert ontology.value(term, RDFS.label, any=False), term
        assert ontology.value(term, RDFS.comment, any=False), term
        assert len(list(ontology.objects(term, RDFS.domain))) <= 1, term


def test_every_term_in_the_vocabulary_is_declared(ontology: rdflib.Graph) -> None:
    used = {t.value for t in vars(v).values() if isinstance(t, NamedNode)}
    for iri in (iri for iri in used if iri.startswith(v.MDER)):
        assert (rdflib.URIRef(iri), RDF.type, None) in ontology, iri


@pytest.mark.parametrize(("one", "other"), INVERSES)
def test_inverses_are_declared(ontology: rdflib.Graph, one: str, other: str) -> None:
    mder = rdflib.Namespace(v.MDER)
    assert (mder[one], OWL.inverseOf, mder[other]) in ontology


def test_owlready_reads_the_ontology_with_a_graph_under_it(graph: Graph) -> None:
    data = io.BytesIO()
    dump(graph, "ntriples", data)
    world = _world(_ntriples(), data.getvalue())
    mder = world.get_namespace(v.MDER)
    assert {e.hasName for e in mder.Entity.instances()} == {
        "Irène",
        "Marie Curie",
        "Warsaw",
        "Москва",
    }
    assert mder.hasChunk.inverse_property is mder.belongsToDocument
    relation = world[v.relation_iri("WAS_BORN_IN").value]
    assert list(relation.get_relations()) == [
        (world[v.entity_iri("Marie Curie").value], world[v.entity_iri("Warsaw").value])
    ]


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib warns of itself
def test_rdflib_reads_the_whole_graph_as_nquads(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "graph.nq"
    with path.open("wb") as output:
        dump(graph, "nquads", output)
    parsed = rdflib.Dataset()
    parsed.parse(path, format="nquads")
    assert len(list(parsed.quads())) == len(graph.store)
