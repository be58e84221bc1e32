"""The commands for what becomes of a graph, as they are typed; what they do is tested elsewhere."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mder.graph.vocabulary import document_iri
from tests.doubles import Done, HashingEmbedder
from tests.samples import PAGES, save

Command = Callable[..., Done]


@pytest.fixture
def docs(mder: Command, elsewhere: Path) -> Path:
    folder = save(elsewhere / "docs", PAGES)
    assert mder("index", "docs").code == 0
    return folder


def failed(done: Done, code: int) -> str:
    """Return the one line that a failure is told in."""
    assert (done.code, done.out) == (code, "")
    (line,) = done.err.splitlines()
    assert line.startswith("mder: ")
    return line


def test_prune_takes_out_what_is_gone_with_or_without_a_path(mder: Command, docs: Path) -> None:
    (docs / "warsaw.md").unlink()
    done = mder("index", "docs", "--prune")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        "read 0, unchanged 2, skipped 0, removed 1; the graph holds 2 documents"
    )
    (docs / "curie.md").unlink()
    told = json.loads(mder("index", "--prune", "--json").out)
    assert (told["removed"], told["gone"]) == (["docs/curie.md"], [])
    assert told["counts"]["documents"] == 1


def test_pruning_the_last_document_is_no_failure(mder: Command, docs: Path) -> None:
    for file in docs.iterdir():
        file.unlink()
    assert mder("index", "docs", "--prune").code == 0


def test_prune_needs_a_graph_and_cannot_be_estimated(mder: Command, elsewhere: Path) -> None:
    assert "run: mder index PATH" in failed(mder("index", "--prune"), 1)
    assert "--prune" in failed(mder("index", "--prune", "--estimate"), 2)
    assert not list(elsewhere.iterdir())


def test_some_documents_that_are_gone_are_listed_and_the_rest_counted(
    mder: Command, elsewhere: Path
) -> None:
    pages = {f"{number:02}.txt": f"It rained {number} times.\n" for number in range(13)}
    folder = save(elsewhere / "docs", pages)
    mder("index", "docs")
    for file in sorted(folder.iterdir())[:12]:
        file.unlink()
    *named, last = mder("index", "docs").err.splitlines()
    assert named[0] == "docs/00.txt: stays in the graph, though its file is gone"
    assert len(named) == 10
    assert last == (
        "2 more stay as well; mder index --prune takes out what is gone, mder remove DOC one of "
        "them"
    )
    assert len(json.loads(mder("index", "docs", "--json").out)["gone"]) == 12


def test_what_other_settings_mean_is_told_before_the_work(mder: Command, docs: Path) -> None:
    done = mder("index", docs, "--set", "merge_threshold=0.9")
    assert done.err == (
        "merge_threshold 0.95 → 0.9: 0 of 3 documents are read again, and what is known of all is "
        "worked out anew\n"
    )


def test_keep_says_how_many_generations_are_left(mder: Command, docs: Path) -> None:
    (docs / "warsaw.md").write_text("It rained.\n", encoding="utf-8")
    mder("index", "docs", "--keep", "1")
    assert [made["number"] for made in json.loads(mder("generations", "--json").out)] == [2]
    assert mder("index", "docs", "--keep", "0").code == 2


def test_remove_says_what_it_did_and_what_comes_again(mder: Command, docs: Path) -> None:
    (docs / "curie.md").unlink()
    done = mder("remove", "docs/curie.md")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("removed 1; the graph holds 2 documents, ")
    done = mder("remove", "docs")
    assert done.err == (
        "the next mder index adds again what is still there: docs/trade.txt and 1 more\n"
    )
    assert done.out.startswith("removed 2; the graph holds 0 documents, ")


def test_remove_says_it_in_json(mder: Command, docs: Path) -> None:
    told = json.loads(
        mder("remove", "docs/curie.md", document_iri("docs/trade.txt").value, "--json").out
    )
    assert told["removed"] == told["present"] == ["docs/curie.md", "docs/trade.txt"]
    assert (told["generation"], told["counts"]["documents"]) == (2, 1)
    assert docs.is_dir()


def test_remove_of_an_unknown_document_removes_nothing(mder: Command, docs: Path) -> None:
    line = failed(mder("remove", "docs/warsaw.md", docs / "none.md"), 2)
    assert f"no document '{docs / 'none.md'}' in " in line
    listing = line.partition("mder query '")[2].rstrip("'")
    listed = mder("query", listing, "--format", "csv").out.split()
    assert listed[1:] == [f"docs/{name}" for name in sorted(PAGES)]


def test_remove_loads_no_parser(mder: Command, docs: Path) -> None:
    assert mder("stats").code == 0
    code = (
        "import sys; from mder import life; from tests.doubles import HashingEmbedder as E; "
        "import mder.embedders as e; e.open_embedder = lambda _='': E(); "
        "life.remove(['docs/curie.md']); print(*sys.modules)"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=docs.parent,
        env={"PYTHONPATH": str(root)},
    )
    assert not {"spacy", "torch"}.intersection(done.stdout.split())


def test_generations_are_a_table(mder: Command, docs: Path) -> None:
    mder("remove", docs / "warsaw.md")
    lines = mder("generations").out.splitlines()
    head, one, two = (line.split() for line in lines)
    assert head == ["generation", "made", "documents", "entities", "triples", "size", "state"]
    assert (one[0], one[2], one[-1]) == ("1", "3", "whole")
    assert (two[0], two[2], two[-2:]) == ("2", "2", ["whole,", "current"])
    assert two[6] == "kB"


def test_a_damaged_generation_is_told_by_its_readers_and_in_the_table(
    mder: Command, docs: Path
) -> None:
    mder("remove", docs / "warsaw.md")
    file = next((docs.parent / ".mder" / "generations" / "2" / "vectors").glob("names.*.npy"))
    file.unlink()
    done = mder("stats", "--json")
    assert (done.code, json.loads(done.out)["documents"]) == (0, 3)
    (line,) = done.err.splitlines()
    assert line.startswith("generation 2 is damaged")
    assert line.endswith("answering from generation 1; run mder index to mend it")
    table = mder("generations").out
    assert f"  damaged: vectors/{file.name}: missing, current\n" in table
    assert mder("rollback").code == 0
    assert mder("stats").err == ""


def test_rollback_tells_to_which_and_fails_where_there_is_none(mder: Command, docs: Path) -> None:
    mder("remove", docs / "warsaw.md")
    done = mder("rollback")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("back at generation 1, made 2")
    assert ": 3 documents, " in done.out
    assert "no older generation that is whole; run mder index" in failed(mder("rollback"), 1)
    mder("index", "docs")
    mder("remove", docs / "warsaw.md")
    assert json.loads(mder("rollback", "--json").out)["number"] == 1


def test_reembed_says_what_it_did(
    mder: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = mder("reembed")
    assert done.out.startswith("embedded anew with test/hashing; the graph holds 3 documents, ")
    monkeypatch.setattr(HashingEmbedder, "name", "test/other")
    done = mder("reembed", "--embedder", "other")
    assert done.err.startswith("embedder test/hashing → test/other: 0 of 3 documents are read")
    assert done.out.startswith("embedded anew with test/other; the graph holds 3 documents, ")
    told = json.loads(mder("reembed", "--json").out)
    assert (told["changed"], told["embedder"], told["dimension"]) == (True, "test/other", 64)
    assert mder("index", docs).out.startswith("read 0, unchanged 3")


@pytest.mark.parametrize(
    "command", [["remove", "a.md"], ["reembed"], ["generations"], ["rollback"]]
)
def test_without_a_graph_the_command_that_makes_one_is_told(
    mder: Command, elsewhere: Path, command: list[str]
) -> None:
    assert failed(mder(*command), 1).endswith("run: mder index PATH")
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("command", ["remove", "reembed", "generations", "rollback"])
def test_each_command_shows_an_example(mder: Command, command: str) -> None:
    done = mder(command, "-h")
    assert (done.code, done.err) == (0, "")
    assert f"Example: mder {command}" in done.out
