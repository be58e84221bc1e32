"""The examples can be read, parsed and compiled, and names in any script can be asked about."""

from pathlib import Path

import pytest
from pyoxigraph import QuerySolutions, Store

from dr import Engine, open_engine
from mder import build
from mder.graph.guard import refuse_service
from mder.graph.vocabulary import PREFIXES
from mder.records import Document
from mder.sources import discover, read

EXAMPLES = Path(__file__).parents[1] / "examples"
QUERIES = sorted((EXAMPLES / "queries").glob("*.rq"))

TITLES = {
    "Cambridge",
    "Ernest Rutherford",
    "Frédéric Joliot-Curie",
    "Henri Becquerel",
    "Irène Joliot-Curie",
    "J. J. Thomson",
    "Lise Meitner",
    "Marie Curie",
    "Nuclear fission",
    "Otto Hahn",
    "Pierre Curie",
    "Polonium",
    "Radium",
    "Vienna",
    "Warsaw",
}
NAMES = {"Paris, Texas", "Москва", "東京"}


def documents(folder: str) -> list[Document]:
    made = [d for path in discover([EXAMPLES / folder]) for d in read(path, path.name)]
    assert all(isinstance(d, Document) for d in made), made
    return [d for d in made if isinstance(d, Document)]


@pytest.mark.parametrize(("folder", "titles"), [("documents", TITLES), ("names", NAMES)])
def test_every_document_is_read_under_its_title(folder: str, titles: set[str]) -> None:
    made = documents(folder)
    assert {document.title for document in made} == titles
    assert len(made) == len(titles)


def test_documents_are_short_pages_in_several_formats() -> None:
    suffixes = {path.suffix for path in discover([EXAMPLES / "documents"])}
    assert suffixes == {".md", ".txt", ".html", ".jsonl"}
    for document in documents("documents"):
        assert 100 <= len(document.text.split()) <= 250, document.title


def test_front_matter_gives_dates() -> None:
    dated = {d.title for d in documents("documents") if "date" in dict(d.metadata)}
    assert "Marie Curie" in dated


def test_the_html_page_is_read_without_its_menu_and_footer() -> None:
    (page,) = [d for d in documents("documents") if d.title == "Nuclear fission"]
    assert "Written for the examples" not in page.text
    assert not page.text.startswith("Radium")


def test_there_are_three_queries() -> None:
    assert [path.stem for path in QUERIES] == ["passages", "related", "timeline"]


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_queries_are_sparql_with_the_prefixes_of_the_graph(path: Path) -> None:
    sparql = path.read_text(encoding="utf-8")
    refuse_service(sparql)
    found = Store().query(sparql, use_default_graph_as_union=True, prefixes=dict(PREFIXES))
    assert isinstance(found, QuerySolutions)
    assert list(found) == []


def test_questions_are_one_a_line_and_differ() -> None:
    lines = (EXAMPLES / "questions.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) == 8
    assert all(line.endswith("?") and line == line.strip() for line in lines)


def test_the_script_compiles() -> None:
    path = EXAMPLES / "library.py"
    compile(path.read_text(encoding="utf-8"), str(path), "exec")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return open_engine(build(EXAMPLES / "names", tmp_path_factory.mktemp("names") / "kg"))


@pytest.mark.parametrize(
    ("question", "answer", "title"),
    [
        ("Where is Paris, Texas?", "Texas", "Paris, Texas"),
        ("Who founded Paris, Texas?", "George W. Wright", "Paris, Texas"),
        ("Where is the Culbertson Fountain?", "plaza", "Paris, Texas"),
        ("What is Москва?", "столица", "Москва"),
        ("What is 東京?", "首都", "東京"),
    ],
)
def test_names_in_any_script_can_be_asked_about(
    engine: Engine, question: str, answer: str, title: str
) -> None:
    found = engine.ask(question)
    assert answer in found.text
    assert [citation.title for citation in found.citations] == [title]
