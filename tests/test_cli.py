"""The command ``mder`` as it is typed; what it does is tested where that is done."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mder import VERSION
from mder.graph.generations import Home
from mder.settings import load
from tests.doubles import Done
from tests.samples import MOSCOW, PAGES, TRADE, WARSAW, save

ROOT = Path(__file__).parents[1]
Command = Callable[..., Done]


@pytest.fixture
def kg(indexed: Home) -> list[str]:
    """The options that name the shared graph."""
    return ["--kg", str(indexed.path)]


def failed(done: Done, code: int) -> str:
    """Return the one line that a failure is told in."""
    assert done.code == code, done
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("mder: ")
    return line


def test_index_says_what_it_did(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", PAGES)
    done = mder("index", "docs")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("read 3, unchanged 0, skipped 0; the graph holds 3 documents, ")
    assert (elsewhere / ".mder" / "CURRENT").read_text() == "1\n"
    again = mder("index", "docs")
    assert again.out.startswith("read 0, unchanged 3, skipped 0; the graph holds 3 documents, ")


def test_index_says_it_in_json(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"warsaw.md": WARSAW})
    report = json.loads(mder("index", "docs", "--json").out)
    assert (report["generation"], report["changed"], report["read"]) == (1, True, 1)
    assert report["counts"]["documents"] == 1


def test_index_goes_on_without_what_cannot_be_read_and_exits_with_3(
    mder: Command, elsewhere: Path
) -> None:
    save(elsewhere / "docs", {"trade.txt": TRADE, "empty.txt": ""})
    done = mder("index", "docs")
    assert done.code == 3
    assert done.err.splitlines() == ["skipped docs/empty.txt: empty: no text in it"]
    assert "read 1, unchanged 0, skipped 1" in done.out


def test_index_names_the_documents_in_a_language_that_it_does_not_read(
    mder: Command, elsewhere: Path
) -> None:
    save(elsewhere / "docs", {"moscow.txt": MOSCOW})
    done = mder("index", "docs")
    assert done.code == 0
    assert done.err.splitlines() == [
        "docs/moscow.txt: text in 'ru' gives no triples, but can be searched"
    ]


def test_index_takes_globs(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", PAGES)
    mder("index", "docs", "--include", "*.md", "--exclude", "w*")
    assert json.loads(mder("stats", "--json").out)["documents"] == 1


def test_index_keeps_what_was_set(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"warsaw.md": WARSAW})
    mder("index", "docs", "--set", "summary_characters=300", "--set", "merge_threshold=0.9")
    made = load(elsewhere / ".mder" / "settings.toml")
    assert (made.summary_characters, made.merge_threshold) == (300, 0.9)
    assert mder("index", "docs").out.startswith("read 0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        ([".", "--set", "depth=3"], "no setting 'depth'; there are: llm,"),
        ([".", "--set", "top_k=many"], "top_k = 'many' must be a number"),
        ([".", "--set", "chunk_threshold=nan"], "chunk_threshold = 'nan'"),
        ([".", "--set", "chunk_threshold=inf"], "chunk_threshold = 'inf'"),
        ([".", "--llm", "tiny"], "no language model 'tiny'; name it as one of: ollama/<model>"),
        ([".", "--llm", "openai/tiny"], "OPENAI_API_KEY"),
        ([".", "--llm-large", "tiny"], "no language model 'tiny'"),
        ([".", "--set", "llm_map=tiny"], "no language model 'tiny'"),
        ([".", "--set", "llm_batch=0"], "llm_batch = 0 must be at least 1"),
        ([".", "--llm", "tiny", "--estimate"], "no language model 'tiny'"),
        ([".", "--max-cost", "1"], "needs prices; say --set price_in="),
        ([], "name the files and folders to index, or say --retry-failed"),
        (["--estimate"], "name the files and folders to index, or say --retry-failed"),
    ],
)
def test_wrong_usage_of_index_exits_with_2(
    mder: Command, elsewhere: Path, arguments: list[str], message: str
) -> None:
    save(elsewhere, {"warsaw.md": WARSAW})
    assert message in failed(mder("index", *arguments), 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["index"],
        ["index", ".", "--jobs", "0"],
        ["index", ".", "--max-tokens", "-1"],
        ["fly"],
        ["show"],
    ],
)
def test_wrong_arguments_exit_with_2_and_a_hint(
    mder: Command, elsewhere: Path, arguments: list[str]
) -> None:
    done = mder(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "-h" in done.err
    assert not (elsewhere / ".mder" / "CURRENT").exists()


def test_index_says_which_documents_stay_though_their_files_are_gone(
    mder: Command, elsewhere: Path
) -> None:
    save(elsewhere / "docs", PAGES)
    mder("index", "docs")
    (elsewhere / "docs" / "warsaw.md").unlink()
    done = mder("index", "docs")
    assert done.code == 0
    assert done.err.splitlines() == [
        "docs/warsaw.md: stays in the graph, though its file is gone",
        "mder index --prune takes out what is gone, mder remove DOC one of them",
    ]


def test_index_of_nothing_that_can_be_read_fails(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"empty.txt": ""})
    done = mder("index", "docs")
    assert done.code == 1
    assert done.err.splitlines()[-1] == "mder: no document was found that can be read"


def test_without_a_model_nothing_is_told_of_costs(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"warsaw.md": WARSAW})
    done = mder("index", "docs")
    assert len(done.out.splitlines()) == 1
    assert json.loads(mder("stats", "--json").out)["ledger"] == {}
    assert mder("index", "docs", "--estimate").out == "no language model is asked anything\n"


def test_without_failures_there_is_nothing_to_show(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"warsaw.md": WARSAW})
    mder("index", "docs")
    assert mder("failures") == Done(0, "", "")
    assert mder("failures", "--json").out == "[]\n"
    done = mder("index", "--retry-failed", "--json")
    assert (done.code, json.loads(done.out)["changed"]) == (0, False)


def test_a_second_writer_is_told_to_wait(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / "docs", {"warsaw.md": WARSAW})
    with Home.create().lock():
        assert "is being written by process" in failed(mder("index", "docs"), 1)


def test_settings_that_cannot_be_read_are_named(mder: Command, elsewhere: Path) -> None:
    save(elsewhere / ".mder", {"settings.toml": "llm ="})
    assert "settings.toml: not TOML" in failed(mder("index", "."), 2)


NAMES = "SELECT ?name { ?e a mder:Entity ; mder:hasName ?name } ORDER BY ?name LIMIT 2"


def test_query_prints_a_table(mder: Command, kg: list[str]) -> None:
    done = mder("query", NAMES, *kg)
    assert (done.code, done.err) == (0, "")
    header, rule, *rows = done.out.splitlines()
    assert (header, set(rule), len(rows)) == ("name", {"-"}, 2)


def test_query_comes_from_an_argument_a_file_or_stdin(
    mder: Command, kg: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "names.rq"
    file.write_text(NAMES, encoding="utf-8")
    printed = mder("query", NAMES, *kg).out
    assert mder("query", "-f", file, *kg).out == printed
    assert mder("query", "-", *kg, stdin=NAMES).out == printed


def test_query_prints_what_machines_read(mder: Command, kg: list[str]) -> None:
    found = json.loads(mder("query", NAMES, "--format", "json", *kg).out)
    assert found["head"]["vars"] == ["name"]
    assert mder("query", NAMES, "--format", "csv", *kg).out.splitlines()[0] == "name"
    assert mder("query", NAMES, "--format", "tsv", *kg).out.splitlines()[0] == "?name"
    described = mder("query", "DESCRIBE ent:x", "--format", "turtle", *kg)
    assert described.code == 0


def test_query_knows_the_prefixes_and_the_direct_edges(mder: Command, kg: list[str]) -> None:
    born = "SELECT ?place { ?who mder:hasName 'Marie Curie' ; rel:WAS_BORN_IN/mder:hasName ?place }"
    assert mder("query", born, *kg).out.splitlines()[-1] == "Warsaw"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "give the query either as an argument or with -f FILE"),
        (["ASK {}", "-f", "q.rq"], 2, "give the query either as an argument or with -f FILE"),
        (["-f", "nowhere.rq"], 2, "nowhere.rq: cannot read the query"),
        (["SELECT"], 1, "not a SPARQL query"),
        (["DELETE WHERE { ?s ?p ?o }"], 1, "updates are refused"),
        (["SELECT * { SERVICE <http://x.org/> { ?s ?p ?o } }"], 1, "SERVICE is refused"),
        (["ASK {}", "--format", "turtle"], 1, "turtle is for CONSTRUCT and DESCRIBE"),
    ],
)
def test_a_query_that_cannot_be_answered_is_told_in_one_line(
    mder: Command, kg: list[str], arguments: list[str], code: int, message: str
) -> None:
    assert message in failed(mder("query", *arguments, *kg), code)


@pytest.mark.parametrize(
    "command",
    [["stats"], ["show", "Warsaw"], ["query", "ASK {}"], ["failures"], ["index", "--retry-failed"]],
)
def test_without_a_graph_the_command_that_makes_one_is_told(
    mder: Command, elsewhere: Path, command: list[str]
) -> None:
    line = failed(mder(*command), 1)
    assert str(elsewhere) in line
    assert line.endswith("run: mder index PATH")
    assert "run: mder index PATH --kg nowhere" in failed(mder(*command, "--kg", "nowhere"), 1)


def test_the_graph_may_be_named_by_the_environment(
    mder: Command, indexed: Home, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert elsewhere != indexed.path
    monkeypatch.setenv("MDER_KG", str(indexed.path))
    assert mder("stats").code == 0


def test_show_tells_what_is_known_of_an_entity(mder: Command, kg: list[str]) -> None:
    done = mder("show", "Marie Curie", *kg)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Marie Curie\n")
    assert "Marie Curie — WAS_BORN_IN — Warsaw" in done.out
    assert "curie.md" in done.out


def test_show_gives_json(mder: Command, kg: list[str]) -> None:
    (found,) = json.loads(mder("show", "WTO", "--json", *kg).out)
    assert found["entity"]["name"] == "World Trade Organization"
    assert found["merges"][0]["evidence"] == "stated alias"
    assert all(triple["description"] for triple in found["triples"])


def test_show_of_an_unknown_name_suggests_others(mder: Command, kg: list[str]) -> None:
    line = failed(mder("show", "Mary Curie", *kg), 1)
    assert line == "mder: no entity is called 'Mary Curie'; did you mean: Marie Curie, Pierre Curie"
    assert failed(mder("show", "Qqq", *kg), 1) == "mder: no entity is called 'Qqq'"


def test_show_finds_a_name_in_another_script(mder: Command, kg: list[str]) -> None:
    assert mder("show", "МОСКВА", *kg).out.startswith("Москва\n")


def test_stats_counts_and_tells_what_the_graph_was_built_with(mder: Command, kg: list[str]) -> None:
    lines = mder("stats", *kg).out.splitlines()
    assert "documents: 4" in lines
    assert "  ru: 1" in lines
    assert "  embedder: test/hashing" in lines
    facts = json.loads(mder("stats", "--json", *kg).out)
    assert facts["languages"] == {"en": 3, "ru": 1}
    assert facts["built"]["settings"]["top_k"] == 5
    assert facts["built"]["with"] == f"mder-dr {VERSION}"
    assert facts["built"]["reasoners"]["map"] == "syntax"
    assert facts["ledger"] == {}


def test_version_and_help(mder: Command) -> None:
    assert mder("--version").out == f"{VERSION}\n"
    commands = ("index", "query", "show", "stats", "failures", "export", "doctor")
    for arguments in (["--help"], ["-h"], *([command, "-h"] for command in commands)):
        done = mder(*arguments)
        assert (done.code, done.err) == (0, "")
        assert "Example: mder" in done.out


def _script(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "cli.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_the_command_runs_from_a_checkout(indexed: Home, tmp_path: Path) -> None:
    done = _script("mder", "stats", "--json", "--kg", str(indexed.path), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["documents"] == 4


def test_a_failure_is_no_traceback(tmp_path: Path) -> None:
    done = _script("mder", "stats", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_has_enough_is_no_failure(indexed: Home) -> None:
    query = "SELECT * { ?s ?p ?o . ?a ?b ?c } LIMIT 50000"
    command = [sys.executable, str(ROOT / "cli.py"), "mder", "query", query, "--kg"]
    with subprocess.Popen(
        [*command, str(indexed.path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_checkout_script_says_how_it_is_used(tmp_path: Path) -> None:
    done = _script(cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "usage: python cli.py mder|dr …\n"


@pytest.mark.parametrize(
    "wrong",
    [
        ("--llm", "gguf/none.gguf"),
        ("--llm", "nonsense"),
        ("--set", "llm_map=nonsense"),
        ("--set", "llm_batch=0"),
        ("--max-cost", "3"),
    ],
)
def test_a_wrong_argument_leaves_nothing_behind(
    wrong: tuple[str, str], mder: Command, elsewhere: Path
) -> None:
    (elsewhere / "a.md").write_text("# A\n\nAnna was born in Odder.\n", encoding="utf-8")
    assert mder("index", "a.md", *wrong).code == 2
    assert [path.name for path in elsewhere.iterdir()] == ["a.md"]


@pytest.mark.parametrize("command", [("index", "a.md", "--estimate"), ("failures",)])
def test_a_broken_journal_is_told_in_one_line(
    command: tuple[str, ...], mder: Command, elsewhere: Path
) -> None:
    (elsewhere / "a.md").write_text("# A\n\nAnna was born in Odder.\n", encoding="utf-8")
    (elsewhere / ".mder" / "generations").mkdir(parents=True)
    (elsewhere / ".mder" / "journal.sqlite").write_text("no journal " * 99, encoding="utf-8")
    done = mder(*command)
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    assert "cannot use the journal" in done.err
