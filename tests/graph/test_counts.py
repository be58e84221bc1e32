from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from mder.graph import vocabulary as v
from mder.graph.counts import Tally
from mder.graph.manifest import Counts
from mder.graph.results import Results
from tests.graph.sample import KNOWLEDGE
from tests.graphs import quads

SILENT = v.document_iri("silent.txt")
MORE = [
    Quad(SILENT, v.RDF_TYPE, v.DOCUMENT, SILENT),
    Quad(v.chunk_iri("silent.txt", 0), v.LANGUAGE, Literal("en"), SILENT),
    Quad(v.entity_iri("Warsaw"), v.RDF_TYPE, NamedNode(v.SKOS + "Concept"), v.ENTITIES),
]
QUADS = {*quads(KNOWLEDGE), *MORE}
# What a Document says of itself comes and goes as one; all else by the quad.
DOCUMENTS = {quad.graph_name for quad in QUADS if quad.subject == quad.graph_name}
WHOLE = [{q for q in QUADS if q.subject == q.graph_name == document} for document in DOCUMENTS]
UNITS = sorted([*WHOLE, *({q} for q in QUADS if q.subject != q.graph_name)], key=str)
LANGUAGES = """SELECT ?k (COUNT(?s) AS ?n)
    { ?s a mder:Document OPTIONAL { ?s dcterms:language ?k } } GROUP BY ?k"""


def counted(store: Store) -> Counts:
    """Count by SPARQL."""

    def _count(sparql: str) -> dict[str, int]:
        raw = store.query(sparql, use_default_graph_as_union=True, prefixes=dict(v.PREFIXES))
        return {key: int(number) for key, number in Results(raw)}

    kinds = _count("SELECT ?k (COUNT(?s) AS ?n) { ?s a ?k } GROUP BY ?k")
    verified = _count("SELECT ?k (COUNT(?s) AS ?n) { ?s mder:isVerified ?k } GROUP BY ?k")
    return Counts(
        documents=kinds.get(v.DOCUMENT.value, 0),
        chunks=kinds.get(v.CHUNK.value, 0),
        triples=kinds.get(v.TRIPLE.value, 0),
        verified=verified.get("true", 0),
        unverified=verified.get("false", 0),
        entities=kinds.get(v.ENTITY.value, 0),
        types=kinds.get(v.ENTITY_TYPE.value, 0),
        relationships=kinds.get(v.RELATIONSHIP.value, 0),
        merges=kinds.get(v.MERGE.value, 0),
        languages=dict(sorted(_count(LANGUAGES).items())),
    )


@given(st.lists(st.sets(st.sampled_from(range(len(UNITS)))), max_size=5))
def test_what_is_kept_up_is_what_is_counted(changes: list[set[int]]) -> None:
    store, counts = Store(), Counts()
    for change in changes:
        # Each comes where it is missing, and goes where it is there.
        chosen = {quad for place in change for quad in UNITS[place]}
        more = {quad for quad in chosen if quad not in store}
        tally = Tally(counts)
        tally.add(more)
        tally.add(chosen - more, -1)
        store.extend(more)
        for quad in chosen - more:
            store.remove(quad)
        counts = tally.counts
        assert counts == counted(store)
