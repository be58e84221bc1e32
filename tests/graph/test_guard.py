import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal

from mder.errors import QueryError
from mder.graph.guard import refuse_service
from mder.graph.store import Graph

CALLS = [
    "SELECT * { SERVICE <http://localhost:9/> { ?s ?p ?o } }",
    "ASK { service silent <http://localhost:9/> { } }",
    "SELECT * { { SERVICE ?x { ?a ?b ?c } } }",
    "CONSTRUCT { ?a ?b ?c } { SERVICE <http://localhost:9/> { ?a ?b ?c } }",
    "PREFIX : <http://localhost:9/> SELECT * { SERVICE:x { ?s ?p ?o } }",
    "PREFIX service: <http://localhost:9/> SELECT * { SERVICE service:x { ?s ?p ?o } }",
    "SELECT * { ?s ?p 'service' . SERVICE <http://localhost:9/> { ?a ?b ?c } }",
    "SELECT * { ?s ?p ?o FILTER NOT EXISTS { SERVICE <http://localhost:9/> { ?s ?p ?o } } }",
    # What looks like an IRI from "<?b" to "#>" is a comparison, the keyword and a comment.
    "SELECT * { ?a ?p ?b FILTER(?a<?b)SERVICE#>\n<http://localhost:9/>{ ?s ?p ?o } }",
    "SELECT * { s\\u0065rvice <http://localhost:9/> { ?s ?p ?o } }",
]
HARMLESS = [
    "SELECT ?service { ?service a <http://example.org/Service> } # SERVICE <http://x/> {",
    "SELECT * { ?s ?p 'SERVICE <http://localhost:9/> { ?s ?p ?o }' }",
    'SELECT * { ?s ?p """a SERVICE <http://localhost:9/> {\n"""@service }',
    "PREFIX service: <http://example.org/> SELECT * { ?s service:SERVICE _:service }",
    "SELECT * { ?s ?p ?o }",
]
UPDATES = [
    "INSERT DATA { <a:a> <a:b> <a:c> }",
    "PREFIX x: <a:> DELETE WHERE { ?s ?p ?o }",
    "CLEAR ALL",
    "LOAD <http://localhost:9/>",
    "DROP GRAPH <a:a>",
]
NOISE = st.text("'\"#<>\\{} x?", max_size=9)


@pytest.mark.parametrize("query", CALLS)
def test_a_query_that_calls_another_server_is_refused(graph: Graph, query: str) -> None:
    with pytest.raises(QueryError, match="SERVICE is refused"):
        graph.query(query)


@pytest.mark.parametrize("query", HARMLESS)
def test_the_word_alone_is_no_call(graph: Graph, query: str) -> None:
    list(graph.query(query))


@given(NOISE, NOISE, NOISE)
def test_no_comment_hides_a_call(a: str, b: str, c: str) -> None:
    query = f"SELECT * {{ #{a}\nSERVICE#{b}\n<http://localhost:9/> {{}} }} #{c}"
    with pytest.raises(QueryError):
        refuse_service(query)
    refuse_service(query.replace("SERVICE", "").replace("<http://localhost:9/>", "# SERVICE\n"))


@given(st.text(st.characters(codec="utf-8")))
def test_no_string_that_holds_the_word_is_taken_for_a_call(text: str) -> None:
    refuse_service(f"SELECT * {{ ?s ?p {Literal(text + ' SERVICE <http://x/> {' + text)} }}")


@pytest.mark.parametrize("update", UPDATES)
def test_updates_are_refused_by_name(graph: Graph, update: str) -> None:
    with pytest.raises(QueryError, match="updates are refused"):
        graph.query(update)


def test_bad_syntax_is_told_in_one_line(graph: Graph) -> None:
    with pytest.raises(QueryError, match=r"not a SPARQL query: error at 1:\d+") as caught:
        graph.query("SELECT * { ?s ?p ?o")
    assert "\n" not in str(caught.value)


def test_an_unknown_prefix_is_bad_syntax(graph: Graph) -> None:
    with pytest.raises(QueryError, match="Prefix not found"):
        graph.query("SELECT * { ?s load:me ?o }")
