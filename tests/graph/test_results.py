import csv
import json

import pytest
from pyoxigraph import RdfFormat, parse

from mder.errors import QueryError
from mder.graph import vocabulary as v
from mder.graph.store import Graph

NAMES = "SELECT ?name ?summary { ?e mder:hasName ?name ; a mder:Entity } ORDER BY ?name"
EDGE = "CONSTRUCT { ?a rel:WAS_BORN_IN ?b } { ?a rel:WAS_BORN_IN ?b }"


def test_rows_are_plain_strings(graph: Graph) -> None:
    results = graph.query(NAMES)
    assert results.variables == ["name", "summary"]
    assert list(results) == [("Irène", ""), ("Marie Curie", ""), ("Warsaw", ""), ("Москва", "")]


def test_the_direct_edge_answers_the_query_that_people_expect(graph: Graph) -> None:
    born = "SELECT ?place { ?who rdfs:label 'Marie Curie' ; rel:WAS_BORN_IN/rdfs:label ?place }"
    assert list(graph.query(born)) == [("Warsaw",)]


def test_ask_is_true_or_false(graph: Graph) -> None:
    assert graph.query("ASK { ?s a mder:Merge }")
    assert not graph.query("ASK { ?s a mder:Nothing }")
    assert graph.query("ASK { ?s a mder:Merge }").render("csv") == "answer\ntrue\n"
    assert json.loads(graph.query("ASK {}").render("json"))["boolean"] is True


def test_a_table_is_aligned_and_shortens_known_iris(graph: Graph) -> None:
    table = graph.query("SELECT ?p ?e { ?d dcterms:subject ?e ; ?p 'ru' }").render()
    header, line, row = table.splitlines()
    assert header == "p                 e"
    assert line.startswith("----------------  ---")
    assert row.startswith("dcterms:language  ent:Москва-")


def test_a_line_break_in_a_value_does_not_break_the_table(graph: Graph) -> None:
    assert graph.query("SELECT ('a\\nb' AS ?x) {}").render().splitlines()[-1] == "a b"


@pytest.mark.parametrize("form", ["json", "csv", "tsv", "table"])
@pytest.mark.parametrize("query", [NAMES, EDGE, "ASK {}"])
def test_every_query_renders_in_every_row_form(graph: Graph, query: str, form: str) -> None:
    assert graph.query(query).render(form).endswith("\n")  # type: ignore[arg-type]


def test_select_as_json_and_csv_follows_the_standard(graph: Graph) -> None:
    bindings = json.loads(graph.query(NAMES).render("json"))["results"]["bindings"]
    assert bindings[3]["name"] == {"type": "literal", "value": "Москва"}
    rows = list(csv.reader(graph.query(NAMES).render("csv").splitlines()))
    assert rows[:2] == [["name", "summary"], ["Irène", ""]]


def test_turtle_is_for_statements(graph: Graph) -> None:
    turtle = graph.query(EDGE).render("turtle")
    assert "rel:WAS_BORN_IN" in turtle
    [quad] = parse(turtle, RdfFormat.TURTLE)
    assert quad.subject == v.entity_iri("Marie Curie")
    for query in (NAMES, "ASK {}"):
        with pytest.raises(QueryError, match="turtle is for CONSTRUCT"):
            graph.query(query).render("turtle")


def test_describe_shows_a_node(graph: Graph) -> None:
    described = graph.query(f"DESCRIBE {v.entity_iri('Москва')}")
    assert any(value == "Столица." for *_, value in described)
