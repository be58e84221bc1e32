"""``dr eval`` from questions to figures, over a small graph, with an engine that is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dr import cli
from mder.errors import ReplyError
from mder.graph.store import Graph
from mder.models.ledger import Ledger, Spent
from tests.doubles import HashingEmbedder
from tests.dr.console import Console, Run
from tests.dr.evaluate.stand_in import Scripted, answer, write_rows

QUESTIONS = [
    {"question": "Where?", "answers": ["Norway"], "supporting_idx": [0], "type": "where"},
    {"question": "What?", "answers": ["metal"], "supporting_titles": ["Mercury"], "type": "what"},
    {"question": "Who?", "answers": [], "type": "who"},
]
Evaluate = Callable[..., Run]


class Engines:
    """Opens engines that find the first Document and answer the same, whoever is asked."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, str]] = []
        self.fails = ""

    def __call__(
        self, graph: Graph, *, llm: str, embedder: str, retriever: str, ledger: Ledger
    ) -> Scripted:
        assert embedder == ""
        self.opened.append((retriever, llm))
        ledger.add("ask", Spent(calls=1, tokens_in=99))  # before the first question, so of none
        query = (
            "SELECT ?s { ?d a mder:Document ; mder:hasUri ?s ; dcterms:title ?t } ORDER BY ?t ?s"
        )
        sources = [source for (source,) in graph.query(query)]
        said = {
            "Where?": answer("Norway", *sources),
            "What?": answer("planet", sources[0]),
            "Who?": answer(),
        }
        failed = {self.fails: ReplyError("no use")} if self.fails else {}
        return Scripted({**said, **failed})


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Engines:
    opened = Engines()
    monkeypatch.setattr("dr.engine.open_engine", opened)
    monkeypatch.setattr("dr.retrievers.RETRIEVERS", ("dr", "vector"))
    monkeypatch.setattr("mder.embedders.open_embedder", lambda _name="": HashingEmbedder())
    return opened


@pytest.fixture
def evaluate(console: Console, engines: Engines, elsewhere: Path) -> Evaluate:
    """Run ``dr eval`` on the questions in an empty folder."""
    write_rows(elsewhere / "q.jsonl", *QUESTIONS)

    def _evaluate(*options: object, stdin: str = "") -> Run:
        questions = () if "-" in options else ("q.jsonl",)
        return console(cli.main, "eval", *questions, *options, stdin=stdin)

    assert not engines.opened
    return _evaluate


@pytest.fixture
def there(kg: Path, corpora: list[Path]) -> list[object]:
    """Name the graph that is there, and its corpora."""
    named = [part for path in corpora for part in ("--corpus", path)]
    return ["--kg", kg, *named]


def test_json_is_one_object_by_retriever(evaluate: Evaluate, there: list[object]) -> None:
    run = evaluate(*there, "--json")
    assert (run.code, run.err) == (0, "")
    assert run.out.count("\n") == 1
    record = json.loads(run.out)["dr"]
    assert (record["questions"], record["failed"]) == (3, 0)
    assert (record["recall@2"], record["em"], record["soft_em"]) == (0.5, 0.5, 0.5)
    assert (record["declined"], record["declined_answerable"]) == (1, 0)
    assert (record["judge"], record["tokens"]) == (None, {"in": 0, "out": 0})
    assert record["by_type"]["who"]["declined"] == 1
    assert record["by_type"]["who"]["em"] is None


def test_the_table_has_a_column_for_each_retriever_named(
    evaluate: Evaluate, engines: Engines, there: list[object]
) -> None:
    run = evaluate(*there, "--retriever", "vector", "--retriever", "dr", "--retriever", "vector")
    assert run.code == 0
    assert engines.opened == [("vector", "syntax"), ("dr", "syntax")]
    head = run.out.splitlines()[0]
    assert [cell.strip() for cell in head.split("|")[2:4]] == ["vector", "dr"]
    assert "dr − vector" in run.out


def test_a_corpus_is_indexed_and_the_graph_kept_where_a_place_is_named(
    evaluate: Evaluate, corpora: list[Path], elsewhere: Path
) -> None:
    named = [part for path in corpora for part in ("--corpus", path)]
    once = evaluate(*named, "--json")
    assert once.code == 0
    assert "skipped" in once.err
    assert sorted(path.name for path in elsewhere.iterdir()) == ["q.jsonl"]
    kept = evaluate(*named, "--json", "--kg", "made")
    assert (elsewhere / "made" / "CURRENT").exists()
    again = evaluate(*named, "--json", "--kg", "made")
    assert again.err == ""
    figures = [json.loads(run.out)["dr"]["recall@2"] for run in (once, kept, again)]
    assert figures == [0.5] * 3


def test_results_are_written_with_every_question_and_answer(
    evaluate: Evaluate, there: list[object], elsewhere: Path
) -> None:
    run = evaluate(*there, "--out", "results", "--judge", "syntax", "--seed", 3)
    assert run.code == 0
    folder = elsewhere / "results"
    names = {"results.json", "results.md", "results.png", "results.svg"}
    assert {path.name for path in folder.iterdir()} == names
    record = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert (record["seed"], record["llm"], record["judge"]) == (3, "syntax", "syntax")
    assert record["retrievers"]["dr"]["judge"] == 0.5
    where, what, who = record["questions"]
    assert where["results"]["dr"]["value"] == "Norway"
    assert where["supporting"][0][0].startswith("corpus.jsonl#")
    assert where["results"]["dr"]["documents"][0] == where["supporting"][0][0]
    assert where["results"]["dr"]["scores"]["recall@2"] == 1
    assert len(what["supporting"][0]) == 3
    assert who["unanswerable"] is True
    text = (folder / "results.md").read_text(encoding="utf-8")
    assert text.startswith(f"# dr eval, {record['date']}\n\n```sh\ndr eval q.jsonl --kg ")
    assert run.out.strip() in text


def test_questions_come_from_stdin_and_no_more_than_the_limit(
    evaluate: Evaluate, there: list[object]
) -> None:
    run = evaluate(
        "-", *there, "--json", "--limit", 1, stdin="question,answer\nWhere?,x\nNever?,x\n"
    )
    assert json.loads(run.out)["dr"]["questions"] == 1


def test_a_question_without_a_reply_makes_the_run_a_part(
    evaluate: Evaluate, engines: Engines, there: list[object]
) -> None:
    engines.fails = "What?"
    run = evaluate(*there, "--json")
    assert run.code == 3
    assert run.err == "dr: q.jsonl, line 3: What?: no use\n"
    record = json.loads(run.out)["dr"]
    assert (record["questions"], record["failed"]) == (2, 1)


def test_a_run_without_any_reply_has_failed(
    evaluate: Evaluate, engines: Engines, there: list[object]
) -> None:
    engines.fails = "Where?"
    run = evaluate(*there, "--limit", 1)
    assert run.code == 1
    assert "failed" in run.out


def test_supporting_documents_that_are_not_there_are_told(
    evaluate: Evaluate, there: list[object]
) -> None:
    row = {"question": "Where?", "supporting_titles": ["Oslo"]}
    run = evaluate("-", *there, "--json", stdin=json.dumps(row))
    assert run.err == "not in the graph, so that they are never found: 1 supporting documents\n"
    assert json.loads(run.out)["dr"]["recall@10"] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--retriever", "oracle"], "no retriever 'oracle'; choose of dr, vector"),
        (["--limit", "0"], "--limit"),
        (["--corpus", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_wrong_options_are_wrong_usage_before_anything_is_asked(
    evaluate: Evaluate, engines: Engines, options: list[str], says: str
) -> None:
    run = evaluate(*options)
    assert run.code == 2
    assert says in run.err
    assert not engines.opened


@pytest.mark.parametrize("stdin", ["{}", "", "question,type\na,b,c\n"])
def test_bad_questions_are_one_line_and_wrong_usage(
    evaluate: Evaluate, there: list[object], stdin: str
) -> None:
    run = evaluate("-", *there, stdin=stdin)
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1


def test_questions_that_are_not_there_are_wrong_usage(console: Console) -> None:
    run = console(cli.main, "eval", "nowhere.jsonl")
    assert run.code == 2
    assert "nowhere.jsonl: No such file" in run.err


def test_without_matplotlib_nothing_is_asked_for_results_that_cannot_be_written(
    evaluate: Evaluate, engines: Engines, there: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dr.evaluate.plots.find_spec", lambda _name: None)
    run = evaluate(*there, "--out", "results")
    assert run.code == 1
    assert "pip install 'mder-dr[eval]'" in run.err
    assert not engines.opened


def test_help_shows_an_example(console: Console) -> None:
    run = console(cli.main, "eval", "--help")
    assert run.code == 0
    assert "Example: dr eval" in run.out
