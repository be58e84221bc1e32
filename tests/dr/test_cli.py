import json
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import mder
from dr import cli
from mder import life
from tests.dr.console import Console, Run

TWO_HOPS = "Where was the director of Silver Gate born?"
HEAVY = ("spacy", "torch", "onnxruntime", "openai", "ollama", "trafilatura")


def one_line(run: Run) -> str:
    """Return what a failed command said, which is one line and no traceback."""
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert run.err.startswith("dr: ")
    return run.err


def test_ask_prints_the_answer_and_its_sources(console: Console, kg: Path) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg)
    assert (run.code, run.err) == (0, "")
    answer, first, second = run.out.splitlines()
    assert answer.startswith("Halden.")
    assert first == '  [1] Clara Venn (pages/clara-venn.md): "She was born in Halden."'
    assert second.startswith("  [2] Silver Gate (pages/silver-gate.md): ")


def test_json_is_one_object_on_one_line(console: Console, kg: Path) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--json")
    assert run.out.count("\n") == 1
    record = json.loads(run.out)
    assert record["answered"] is True
    assert record["failed_hop"] is None
    assert record["citations"][0]["quote"] == "She was born in Halden."
    assert "hops" not in record


def test_trace_shows_the_hops(console: Console, kg: Path) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--trace")
    assert "hop 1: Silver Gate HAS_DIRECTOR X" in run.out
    assert "* candidate Clara Venn" in run.out
    record = json.loads(console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--trace", "--json").out)
    assert [hop["chosen"]["value"] for hop in record["hops"]] == ["Clara Venn", "Halden"]


@pytest.mark.parametrize("name", ["bm25", "vector", "hybrid"])
def test_a_retriever_is_asked_for_by_its_name(console: Console, kg: Path, name: str) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--retriever", name, "--trace", "--json")
    assert (run.code, run.err) == (0, "")
    record = json.loads(run.out)
    assert record["hops"] == []
    assert record["sources"][0] == "pages/silver-gate.md"


@pytest.mark.parametrize(
    ("name", "said"), [("best", "choose one of dr, hybrid"), ("llm-only", "--llm provider/model")]
)
def test_a_retriever_that_cannot_be_used_is_wrong_usage(
    console: Console, kg: Path, name: str, said: str
) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--retriever", name)
    assert run.code == 2
    assert said in one_line(run)


def test_a_graph_of_an_earlier_version_is_told_what_mends_it(
    console: Console, kg: Path, tmp_path: Path
) -> None:
    shutil.copytree(kg, tmp_path / "kg")
    generation = mder.open_graph(tmp_path / "kg").path
    shutil.rmtree(generation / "words")
    record = json.loads((generation / "manifest.json").read_bytes())
    files = {name: f for name, f in record["files"].items() if not name.startswith("words/")}
    data = json.dumps(record | {"files": files}).encode()
    (generation / "manifest.json").write_bytes(data)
    (generation / "seal").write_text(f"{zlib.crc32(data):08x}")
    run = console(cli.main, "ask", TWO_HOPS, "--kg", tmp_path / "kg", "--retriever", "bm25")
    assert run.code == 1
    assert "no index of words" in one_line(run)
    assert "run mder index again" in run.err


def test_a_question_without_an_answer_is_no_failure(console: Console, kg: Path) -> None:
    run = console(cli.main, "ask", "When did Jon Brekke die?", "--kg", kg, "--json")
    assert run.code == 0
    record = json.loads(run.out)
    assert record["answered"] is False
    assert record["citations"] == []
    assert record["failed_hop"] == 1


def test_questions_are_read_from_stdin_one_a_line(console: Console, kg: Path) -> None:
    typed = f"{TWO_HOPS}\n\n  Who directed Glass Meadow?  \n"
    run = console(cli.main, "ask", "-", "--kg", kg, "--json", stdin=typed)
    records = [json.loads(line) for line in run.out.splitlines()]
    assert [r["question"] for r in records] == [TWO_HOPS, "Who directed Glass Meadow?"]
    assert all(r["answered"] for r in records)


def test_no_questions_give_no_answers(console: Console, kg: Path) -> None:
    assert console(cli.main, "ask", "-", "--kg", kg) == Run(0, "", "")


def test_the_graph_may_be_named_by_the_environment(
    console: Console, kg: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDER_KG", str(kg))
    assert console(cli.main, "ask", TWO_HOPS).out.startswith("Halden.")


@pytest.mark.parametrize("question", ["", "   "])
def test_an_empty_question_is_wrong_usage(console: Console, kg: Path, question: str) -> None:
    run = console(cli.main, "ask", question, "--kg", kg)
    assert run.code == 2
    assert "empty" in one_line(run)


def test_without_a_graph_one_line_says_how_to_make_one(console: Console, tmp_path: Path) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", tmp_path / "none")
    assert run.code == 1
    assert "mder index" in one_line(run)


def test_without_a_graph_here_one_line_says_how_to_make_one(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDER_KG", raising=False)
    run = console(cli.main, "ask", TWO_HOPS)
    assert run.code == 1
    assert "mder index" in one_line(run)


def test_an_unknown_provider_is_wrong_usage(console: Console, kg: Path) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--llm", "nobody/tiny")
    assert run.code == 2
    assert "nobody/tiny" in one_line(run)


def test_another_embedder_is_refused_with_the_command_that_mends_it(
    console: Console, kg: Path
) -> None:
    run = console(cli.main, "ask", TWO_HOPS, "--kg", kg, "--embedder", "ollama/tiny")
    assert run.code == 1
    assert one_line(run).endswith("run: mder reembed --embedder ollama/tiny\n")


def test_a_damaged_graph_is_answered_for_by_the_one_before_with_a_warning(
    console: Console, kg: Path, tmp_path: Path
) -> None:
    moved = Path(shutil.copytree(kg, tmp_path / "kg"))
    life.remove(["pages/glass-meadow.md"], moved)
    next((moved / "generations" / "2" / "vectors").glob("names.*.npy")).unlink()
    run = console(cli.main, "ask", TWO_HOPS, "--kg", moved)
    assert run.out.startswith("Halden.")
    (line,) = run.err.splitlines()
    assert line.endswith("answering from generation 1; run mder index to mend it")


@pytest.mark.parametrize("options", [("--top-k", "0"), ("--extra", "-1"), ("--nonsense",)])
def test_wrong_options_are_wrong_usage(
    console: Console, kg: Path, options: tuple[str, ...]
) -> None:
    assert console(cli.main, "ask", TWO_HOPS, "--kg", kg, *options).code == 2


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, dr.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(HEAVY) & set(run.stdout.split())
