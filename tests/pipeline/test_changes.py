"""What a run does where there is a graph already."""

from pathlib import Path

import pytest

from mder.graph.generations import Home
from mder.graph.store import Graph
from mder.settings import Settings, load
from tests.pipeline.look import facts, opened, quads, sources
from tests.samples import CURIE, PAGES, TRADE, WARSAW, run_index, save


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The quads of all pages, indexed at once."""
    folder = save(tmp_path_factory.mktemp("whole"), PAGES)
    home = Home.create(folder / ".mder")
    run_index(home, folder)
    return quads(home)


def test_indexing_twice_does_nothing(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    first = run_index(home, folder)
    assert (first.generation, first.changed, first.read, first.kept) == (1, True, 3, 0)
    second = run_index(home, folder)
    assert (second.generation, second.changed, second.read, second.kept) == (1, False, 0, 3)
    assert [path.name for path in home.generations.iterdir()] == ["1"]


def test_a_changed_file_is_replaced_exactly(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    save(folder, {"warsaw.md": "# Warsaw\n\nWarsaw is the capital of Norway.\n"})
    report = run_index(home, folder)
    assert (report.generation, report.changed, report.read, report.kept) == (2, True, 1, 2)
    assert ("Warsaw", "IS_CAPITAL_OF", "Norway") in facts(home)
    assert "Poland" not in quads(home)
    save(folder, {"warsaw.md": WARSAW})
    run_index(home, folder)
    assert "Norway" not in quads(home)


def test_a_file_changed_back_gives_the_graph_that_was(home: Home, folder: Path, whole: str) -> None:
    save(folder, {**PAGES, "warsaw.md": "# Warsaw\n\nWarsaw burnt down.\n"})
    run_index(home, folder)
    save(folder, PAGES)
    run_index(home, folder)
    assert quads(home) == whole


def test_a_change_of_front_matter_alone_is_seen(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    save(folder, {"curie.md": CURIE.replace("2024-05-01", "2025-06-02")})
    assert run_index(home, folder).changed
    assert ("date", "2025-06-02") in opened(home).document("curie.md").metadata


def test_documents_that_are_not_named_stay(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder / "warsaw.md")
    report = run_index(home, folder / "curie.md")
    assert (report.read, report.kept) == (1, 0)
    assert sources(home) == {"warsaw.md", "curie.md"}


def test_a_name_with_a_hash_sign_is_the_name_of_a_file(home: Home, folder: Path) -> None:
    save(folder, {"C#.md": WARSAW, "C#-old.md": TRADE})
    run_index(home, folder / "C#.md")
    run_index(home, folder / "C#-old.md")
    assert sources(home) == {"C#.md", "C#-old.md"}


ROWS = '{"title": "Oslo", "text": "Oslo is in Norway."}\n{"title": "Rome", "text": "It is old."}\n'


def test_a_row_is_a_document_and_goes_when_its_file_no_longer_has_it(
    home: Home, folder: Path
) -> None:
    save(folder, {"cities.jsonl": ROWS, "warsaw.md": WARSAW})
    assert run_index(home, folder).read == 3
    save(folder, {"cities.jsonl": ROWS.splitlines()[0]})
    report = run_index(home, folder)
    assert (report.changed, report.read, report.kept) == (True, 0, 2)
    assert opened(home).entity("Oslo")
    assert opened(home).entity("Rome") is None
    assert len(sources(home)) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_neither_order_nor_jobs_change_the_graph(
    home: Home, folder: Path, whole: str, jobs: int
) -> None:
    save(folder, PAGES)
    paths = [folder / name for name in sorted(PAGES, reverse=True)]
    run_index(home, *paths, jobs=jobs)
    assert quads(home) == whole


def test_one_run_a_file_gives_the_graph_of_one_run(home: Home, folder: Path, whole: str) -> None:
    save(folder, PAGES)
    for name in sorted(PAGES, reverse=True):
        run_index(home, folder / name)
    assert quads(home) == whole


def test_the_generation_before_stays_readable(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    old = opened(home)
    save(folder, {"warsaw.md": "# Warsaw\n\nWarsaw is the capital of Norway.\n"})
    run_index(home, folder)
    assert old.find("Poland") == ("Poland",)
    assert Graph.open(home.generations / "1").entity("Norway") is None
    assert opened(home).entity("Poland") is None


def test_few_generations_are_kept(home: Home, folder: Path) -> None:
    for number in range(4):
        save(folder, {"page.txt": f"It rained {number} times.\n"})
        run_index(home, folder)
    assert sorted(path.name for path in home.generations.iterdir()) == ["3", "4"]


def test_other_settings_make_a_new_generation(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    report = run_index(home, folder, settings=Settings(summary_characters=60))
    assert (report.changed, report.read, report.kept) == (True, 0, 3)
    summaries = [s for (s,) in opened(home).query("SELECT ?s { ?e mder:hasSummary ?s }")]
    assert summaries
    entities = opened(home).query("SELECT ?s { ?e a mder:Entity ; mder:hasSummary ?s }")
    assert max(len(summary) for (summary,) in entities) <= 60
    assert load(home.settings).summary_characters == 60


def test_other_bounds_of_chunks_read_everything_anew(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    assert run_index(home, folder, settings=Settings(chunk_characters=250)).read == 3


def test_a_document_whose_file_is_gone_stays_and_is_told(home: Home, folder: Path) -> None:
    save(folder, PAGES)
    run_index(home, folder)
    gone = min(PAGES)
    (folder / gone).unlink()
    report = run_index(home, folder)
    assert [Path(source).name for source in report.gone] == [gone]
    assert not report.changed
