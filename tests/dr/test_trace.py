import json
from dataclasses import asdict, replace

import pytest

from dr.engine import Engine
from dr.records import Anchor, Answer, Citation, Hop
from dr.trace import as_record, lines
from mder.records import Binding, Evidence, EvidenceKind, QueryTriple, Question

ASKED = QueryTriple("Silver Gate", "HAS_DIRECTOR", "X")
BORN = QueryTriple("X", "WAS_BORN_IN", "Y")
PIECE = Evidence(
    "1", EvidenceKind.TRIPLE, "It is by\nAnn.", "a.md", "A", "It is by\nAnn.", 0, 13, 0.9
)
FOUND, OTHER = Binding("Ann", 0.91, ("1",)), Binding("Bo", 0.5)
HOPS = (
    Hop(ASKED, ASKED, (Anchor("Silver Gate", 1.0),), (FOUND, OTHER), FOUND, (PIECE,)),
    Hop(BORN, QueryTriple("Ann", "WAS_BORN_IN", "Y"), (Anchor("Ann", 1.0),)),
)
QUESTION = Question("Where?", (ASKED, BORN), asks="Y", expects="place")
ANSWER = Answer(
    "Where?",
    "Oslo.",
    True,
    QUESTION,
    (Citation(1, "A", "a.md", PIECE.quote, 0, 13),),
    HOPS,
    (PIECE,),
)
UNANSWERED = Answer("Where?", "Not said.", False, QUESTION, (), HOPS, (PIECE,))


def test_an_answer_is_followed_by_its_citations() -> None:
    assert list(lines(ANSWER, trace=False)) == ["Oslo.", '  [1] A (a.md): "It is by Ann."']


def test_without_a_citation_the_sources_looked_at_are_named() -> None:
    assert list(lines(UNANSWERED, trace=False)) == ["Not said.", "  looked at: a.md"]


def test_the_trace_comes_before_the_answer_hop_by_hop() -> None:
    assert list(lines(ANSWER, trace=True)) == [
        "question: Where?",
        "kind: entity, expects: place",
        "hop 1: Silver Gate HAS_DIRECTOR X  →  Silver Gate HAS_DIRECTOR X",
        "    known as Silver Gate (1.00)",
        "  * candidate Ann (0.91)",
        "    candidate Bo (0.50)",
        "    evidence (0.90) A: It is by Ann.",
        "hop 2: X WAS_BORN_IN Y  →  Ann WAS_BORN_IN Y  ← this hop failed",
        "    known as Ann (1.00)",
        # Where a hop failed, what was read for the answer is shown as well.
        "    evidence (0.90) A: It is by Ann.",
        "Oslo.",
        '  [1] A (a.md): "It is by Ann."',
    ]


def test_without_hops_the_trace_shows_the_evidence_and_the_way_to_it() -> None:
    led = replace(PIECE, id="2", title="B", score=0.4, path=("A", "Ann\nLee"))
    answer = replace(ANSWER, hops=(), evidence=(PIECE, led), decomposition=Question("Where?", ()))
    assert list(lines(answer, trace=True)) == [
        "question: Where?",
        "    evidence (0.90) A: It is by Ann.",
        "    evidence (0.40) B: It is by Ann.",
        "      by way of A → Ann Lee",
        "Oslo.",
        '  [1] A (a.md): "It is by Ann."',
    ]
    assert as_record(answer, trace=True)["evidence"] == [asdict(PIECE), asdict(led)]


def test_a_record_holds_the_answer_and_the_hop_that_failed() -> None:
    assert as_record(ANSWER, trace=False) == {
        "question": "Where?",
        "answered": True,
        "answer": "Oslo.",
        "citations": [
            {
                "number": 1,
                "title": "A",
                "source": "a.md",
                "quote": PIECE.quote,
                "start": 0,
                "end": 13,
            }
        ],
        "sources": ["a.md"],
        "failed_hop": 2,
    }


def test_the_trace_of_a_record_holds_query_triples_candidates_and_evidence() -> None:
    record = json.loads(json.dumps(as_record(ANSWER, trace=True)))
    assert record["decomposition"]["triples"][0]["predicate"] == "HAS_DIRECTOR"
    first, second = record["hops"]
    assert [b["value"] for b in first["bindings"]] == ["Ann", "Bo"]
    assert first["evidence"][0]["quote"] == PIECE.quote
    assert (first["failed"], second["failed"]) == (False, True)


@pytest.mark.parametrize("question", ["Who directed Glass Meadow?", "Who sang?", "?!"])
def test_every_line_is_one_line_and_every_record_is_json(engine: Engine, question: str) -> None:
    answer = engine.ask(question)
    for trace in (False, True):
        assert all("\n" not in line for line in lines(answer, trace=trace))
        assert json.dumps(as_record(answer, trace=trace), ensure_ascii=False)
