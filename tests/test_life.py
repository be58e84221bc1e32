"""What becomes of a graph that is there."""

import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mder import library, life
from mder.choice import Models
from mder.embedders.base import Vectors
from mder.errors import GraphError, UsageError
from mder.graph.generations import Home
from mder.graph.manifest import read_manifest
from mder.graph.store import SETS, Graph
from mder.graph.vocabulary import document_iri, shortened
from mder.pipeline import Report
from mder.settings import load
from tests import stubs
from tests.doubles import HashingEmbedder
from tests.pipeline.served import answer, asked, connect, knowledge
from tests.samples import PAGES, WARSAW, save

ROWS = '{"title": "Oslo", "text": "Oslo is in Norway."}\n{"title": "Rome", "text": "It is old."}\n'
NORWAY = "# Warsaw\n\nWarsaw is the capital of Norway.\n"


class Small(HashingEmbedder):
    name = "test/small"
    dimension = 32


EMBEDDERS = {"": HashingEmbedder, "small": Small}


@pytest.fixture(autouse=True)
def _test_embedders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mder.embedders.open_embedder", lambda name="": EMBEDDERS[name]())


@pytest.fixture
def docs(elsewhere: Path) -> Path:
    """Three pages and two rows, indexed into the graph beside their folder."""
    folder = save(elsewhere / "docs", {**PAGES, "rows.jsonl": ROWS})
    library.build(folder)
    return folder


def sources(graph: Graph) -> set[str]:
    return set(graph.manifest.documents)


def row() -> str:
    """Return the source of the first row."""
    return min(s for s in sources(library.open_graph()) if "#" in s)


def remove(*documents: str | Path) -> Report:
    return life.remove(documents)[1]


@pytest.mark.parametrize(
    ("here", "name"),
    [
        (".", "docs/warsaw.md"),
        (".", "./docs/../docs/warsaw.md"),
        ("docs", "warsaw.md"),
        ("docs", "./warsaw.md"),
        ("other", "../docs/warsaw.md"),
        ("other", "docs/warsaw.md"),
        ("other", document_iri("docs/warsaw.md").value),
        ("other", f"<{document_iri('docs/warsaw.md').value}>"),
        ("other", shortened(document_iri("docs/warsaw.md").value)),
    ],
)
def test_a_document_is_named_by_its_path_from_here_its_source_or_its_iri(
    docs: Path, monkeypatch: pytest.MonkeyPatch, here: str, name: str
) -> None:
    kg = docs.parent / ".mder"
    (docs.parent / "other").mkdir()
    monkeypatch.chdir(docs.parent / here)
    assert life.remove([name], kg)[1].removed == ("docs/warsaw.md",)


def test_a_document_is_named_by_its_whole_path_be_it_there_or_gone(docs: Path) -> None:
    (docs / "curie.md").unlink()
    assert remove(docs / "warsaw.md", docs / "curie.md").removed == (
        "docs/curie.md",
        "docs/warsaw.md",
    )
    assert life.present(["docs/warsaw.md", "docs/curie.md"]) == ("docs/warsaw.md",)


def test_a_path_from_here_comes_before_the_same_source(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = save(docs / "docs", {"warsaw.md": NORWAY})
    library.build(inner)
    monkeypatch.chdir(docs)
    assert remove("docs/warsaw.md").removed == ("docs/docs/warsaw.md",)


def test_a_folder_stands_for_all_documents_in_it(docs: Path) -> None:
    save(docs.parent / "docs-too", {"warsaw.md": WARSAW})
    library.build(docs.parent / "docs-too")
    graph, report = life.remove(["docs/"])
    assert len(report.removed) == 5
    assert sources(graph) == {"docs-too/warsaw.md"}


def test_all_documents_can_go_and_come_back(docs: Path) -> None:
    whole = knowledge(library.open_graph())
    graph, _ = life.remove(["."])
    assert graph.statistics()["documents"] == graph.statistics()["entities"] == 0
    assert knowledge(library.build(docs)) == whole


def test_a_file_stands_for_its_rows_and_a_row_for_itself(docs: Path) -> None:
    first = row()
    assert remove(first).removed == (first,)
    assert len(sources(library.open_graph())) == 4
    assert first not in remove(docs / "rows.jsonl").removed
    assert sources(library.open_graph()) == {f"docs/{name}" for name in PAGES}
    assert life.present([first]) == ("docs/rows.jsonl",)


def test_a_file_with_an_odd_name_is_named_as_it_is_and_as_it_is_shown(elsewhere: Path) -> None:
    save(elsewhere, {"a\x01.md": WARSAW, "b\x01.md": NORWAY, "C#.md": WARSAW, "C": NORWAY})
    library.build([Path(n) for n in ("a\x01.md", "b\x01.md", "C#.md", "C")])
    assert remove("a\x01.md", "b\\u0001.md", "C").removed == ("C", "a\\u0001.md", "b\\u0001.md")


@pytest.mark.parametrize("unknown", ["nowhere.md", "docs/war", "", "doc:nothing", "rows.jsonl#12"])
def test_one_unknown_document_leaves_all_of_them(docs: Path, unknown: str) -> None:
    before = sources(library.open_graph())
    with pytest.raises(UsageError, match=r"no document '.*list them with: mder query"):
        remove("docs/warsaw.md", unknown)
    assert sources(library.open_graph()) == before
    assert docs.is_dir()


def test_what_is_removed_leaves_no_trace(docs: Path) -> None:
    graph, _ = life.remove(["docs/warsaw.md", "docs/rows.jsonl"])
    (docs / "warsaw.md").unlink()
    (docs / "rows.jsonl").unlink()
    assert knowledge(graph) == knowledge(library.build(docs, "fresh"))


def test_removing_asks_only_the_model_that_is_named(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(elsewhere, PAGES)
    with stubs.ollama(answer) as url:
        connect(monkeypatch, url)
        library.build(["warsaw.md", "curie.md"], llm="ollama/tiny")
        before = len(url.requests)
        with pytest.raises(UsageError, match="say --llm ollama/tiny again"):
            remove("curie.md")
        graph, _ = life.remove(["curie.md"], models=Models(llm="ollama/tiny"))
        assert not asked(url.requests[before:])["map"]
    assert sources(graph) == {"warsaw.md"}


def test_generations_are_listed_with_what_they_hold(docs: Path) -> None:
    remove("docs/rows.jsonl")
    one, two = life.generations()
    assert (one.number, one.documents, one.current, one.damage) == (1, 5, False, "")
    assert (two.number, two.documents, two.current, two.damage) == (2, 3, True, "")
    counts = library.open_graph().statistics()
    assert (two.entities, two.triples) == (counts["entities"], counts["triples"])
    assert two.created == library.open_graph().manifest.created
    files = [p.stat() for p in (docs.parent / ".mder" / "generations").rglob("*") if p.is_file()]
    assert one.size + two.size == sum({f.st_ino: f.st_size for f in files}.values())


@pytest.mark.parametrize("name", ["manifest.json", "seal", "vectors/names.*.npy"])
def test_a_changed_byte_is_found_though_nothing_else_tells(docs: Path, name: str) -> None:
    remove("docs/rows.jsonl")
    file = next((docs.parent / ".mder" / "generations" / "1").glob(name))
    before, data = file.stat(), bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.unlink()  # the other generation may share it
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    one, two = life.generations()
    assert file.name in one.damage or (name, one.damage[:13]) == ("seal", "manifest.json")
    assert "\n" not in one.damage
    assert two.damage == ""


def test_a_generation_without_its_record_is_listed(docs: Path) -> None:
    (docs.parent / ".mder" / "generations" / "1" / "manifest.json").unlink()
    (only,) = life.generations()
    assert (only.created, only.documents, only.triples) == ("", None, None)
    assert only.damage == "no manifest.json"
    assert only.current


def test_looking_and_going_back_load_nothing_heavy() -> None:
    code = "import sys, mder.life, mder.cli.life; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "spacy", "onnxruntime", "lxml", "yaml"}.intersection(done.stdout.split())


def test_so_many_generations_are_kept_as_are_asked_for(docs: Path) -> None:
    for number in range(3):
        save(docs, {"warsaw.md": f"It rained {number} times.\n"})
        library.build(docs, keep=3)
    assert [generation.number for generation in life.generations()] == [2, 3, 4]
    life.remove(["docs/warsaw.md"], keep=1)
    assert [generation.number for generation in life.generations()] == [5]


def test_going_back_gives_the_graph_that_was_and_a_run_brings_it_forward(docs: Path) -> None:
    before = knowledge(library.open_graph())
    save(docs, {"warsaw.md": NORWAY})
    after = knowledge(library.build(docs))
    now = life.rollback()
    assert (now.number, now.documents, now.current) == (1, 5, True)
    assert knowledge(library.open_graph()) == before
    graph, report = library.index([docs])
    assert knowledge(graph) == after
    assert (report.generation, report.changed) == (3, True)


def test_going_back_goes_back_to_the_settings_of_then_but_not_of_asking(docs: Path) -> None:
    library.index([docs], assignments=["summary_characters=60", "price_in=2.5"])
    life.rollback()
    settings = load(Home.find().settings)
    assert (settings.summary_characters, settings.price_in) == (1200, 2.5)
    assert not library.index([docs])[1].changed


def test_there_may_be_nothing_to_go_back_to(docs: Path) -> None:
    assert docs.is_dir()
    with pytest.raises(GraphError, match="no older generation that is whole"):
        life.rollback()
    assert library.open_graph().path.name == "1"


def test_nobody_goes_back_while_another_writes(docs: Path) -> None:
    remove("docs/warsaw.md")
    with Home.find().lock(), pytest.raises(GraphError, match="is being written by process"):
        life.rollback()
    assert docs.is_dir()
    assert library.open_graph().path.name == "2"


def test_without_a_graph_there_is_no_life(elsewhere: Path) -> None:
    calls = (life.generations, life.rollback, life.reembed, lambda: life.remove(["a.md"]))
    for call in calls:
        with pytest.raises(GraphError, match="run: mder index PATH"):
            call()
    assert not list(elsewhere.iterdir())


def test_a_damaged_graph_is_answered_for_by_the_one_before(
    docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    remove("docs/rows.jsonl")
    (docs.parent / ".mder" / "generations" / "2" / "state.sqlite").unlink()
    with caplog.at_level(logging.WARNING, "mder"):
        graph = library.open_graph()
    assert graph.path.name == "1"
    (record,) = caplog.records
    assert "answering from generation 1; run mder index to mend it" in record.getMessage()


def test_another_embedder_makes_vectors_anew_and_reads_nothing(docs: Path) -> None:
    before = library.open_graph()
    told: list[str] = []
    graph, report = life.reembed("small", told=told.append)
    assert (report.changed, report.read, report.removed) == (True, 0, ())
    assert told == [
        "embedder test/hashing → test/small: 0 of 5 documents are read again, and what is known "
        "of all is worked out anew"
    ]
    assert (graph.manifest.embedder, graph.manifest.dimension) == ("test/small", 32)
    assert {graph.vectors(which).dimension for which in SETS} == {32}
    assert load(Home.find().settings).embedder == "small"
    chunks = "SELECT ?c ?t { ?c a mder:Chunk ; mder:hasContent ?t } ORDER BY ?c"
    triples = "SELECT ?t ?r { ?t a mder:Triple ; mder:hasRelationship ?r } ORDER BY ?t"
    for query in (chunks, triples):
        assert list(graph.query(query)) == list(before.query(query))
    again = library.index([docs])[1]
    assert (again.changed, again.read, again.kept) == (False, 0, 5)


def test_the_embedder_that_the_graph_has_embeds_all_the_same(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A server may have another model under the same name.
    assert docs.is_dir()
    asked: list[str] = []
    encode = HashingEmbedder.encode

    def asking(self: HashingEmbedder, texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(HashingEmbedder, "encode", asking)
    assert life.reembed()[1].changed
    names = {name for (name,) in library.open_graph().query("SELECT ?n { ?e rdfs:label ?n }")}
    assert {text.partition(" (")[0] for text in asked} & names
    assert [generation.number for generation in life.generations()] == [1, 2]


def test_going_back_undoes_another_embedder(docs: Path) -> None:
    life.reembed("small")
    life.rollback()
    assert read_manifest(Home.find().current()).embedder == "test/hashing"
    assert not library.index([docs])[1].changed
