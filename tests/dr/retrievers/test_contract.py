"""What every Retriever promises; a new one joins by its name in RETRIEVERS."""

from itertools import pairwise

import pytest

from dr.engine import Engine
from dr.retrievers import RETRIEVERS, Means, Retriever, open_retriever
from mder.embedders.base import Embedder
from mder.errors import UsageError
from mder.graph.store import Graph
from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from tests.reasoners import doubles

QUESTION = "Where was the director of Silver Gate born?"
ODD = (
    "",
    " ",
    "?!",
    "\ud800 \x00 \ufffd",
    '" OR 1=1; DROP TABLE words; --',
    "*:* (halden AND NOT title:[a TO b]) ~5 ^2",
    "?s ?p ?o } UNION { SELECT * WHERE { ?x ?y ?z",
    "(a+)+$ [halden\\",
    "东京在哪里?",
    "halden " * 300,
)


def reasoner(name: str, graph: Graph) -> Reasoner:
    if name == "llm-only":
        return doubles.llm(doubles.sensible_model())
    return SyntaxReasoner(lambda text: bool(graph.find(text)))


def opened(name: str, graph: Graph, embedder: Embedder, most: int = 30) -> Retriever:
    means = Means(graph, embedder, reasoner(name, graph), max_evidence=most)
    return open_retriever(name, means)


@pytest.fixture(scope="module", params=RETRIEVERS)
def retriever(request: pytest.FixtureRequest, graph: Graph, embedder: Embedder) -> Retriever:
    return opened(request.param, graph, embedder)


def test_it_goes_by_its_name(retriever: Retriever) -> None:
    assert retriever.name in RETRIEVERS
    assert retriever.retrieve(QUESTION).question.text == QUESTION


def test_each_piece_of_evidence_comes_once_and_has_a_document(
    retriever: Retriever, graph: Graph
) -> None:
    found = retriever.retrieve(QUESTION).evidence
    assert len({piece.id for piece in found}) == len(found)
    for piece in found:
        assert graph.document(piece.source).title == piece.title
        assert piece.quote


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("name", RETRIEVERS)
def test_no_more_is_found_than_is_wanted(
    name: str, most: int, graph: Graph, embedder: Embedder
) -> None:
    assert len(opened(name, graph, embedder, most).retrieve(QUESTION).evidence) <= most


def test_the_same_question_finds_the_same(
    retriever: Retriever, graph: Graph, embedder: Embedder
) -> None:
    found = retriever.retrieve(QUESTION)
    assert retriever.retrieve(QUESTION) == found
    assert opened(retriever.name, graph, embedder).retrieve(QUESTION) == found


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_question_is_words_whatever_it_says(name: str, graph: Graph, embedder: Embedder) -> None:
    engine = Engine(graph, embedder, reasoner(name, graph), name)
    for text in ODD:
        answer = engine.ask(text)
        assert answer.text
        assert len(answer.evidence) <= engine.max_evidence
        assert not set(answer.sources) - set(graph.manifest.documents)


@pytest.mark.parametrize("name", ["hybrid", "vector", "bm25"])
def test_what_is_most_like_the_question_comes_first(
    name: str, graph: Graph, embedder: Embedder
) -> None:
    found = opened(name, graph, embedder).retrieve(QUESTION).evidence
    assert found[0].title == "Silver Gate"
    assert all(one.score >= other.score for one, other in pairwise(found))


def test_an_unknown_name_is_refused_with_those_there_are(graph: Graph, embedder: Embedder) -> None:
    with pytest.raises(UsageError, match=r"no retriever 'best'; choose one of dr, hybrid"):
        opened("best", graph, embedder)


def test_what_a_model_knows_is_not_asked_of_the_built_in_reasoner(
    graph: Graph, embedder: Embedder
) -> None:
    with pytest.raises(UsageError, match="--llm provider/model"):
        open_retriever("llm-only", Means(graph, embedder, SyntaxReasoner()))
