from dataclasses import dataclass

import numpy as np
import pytest

import dr
from dr.engine import Engine
from mder.embedders.base import Embedder, Vectors
from mder.errors import GraphError, UsageError
from mder.graph.store import Graph
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import EvidenceKind, Kind
from tests.dr.pages import PAGES

GERMAN = "Wo wurde der Regisseur von Silver Gate geboren?"


@dataclass(frozen=True)
class Other:
    """An Embedder of another space."""

    name: str = "other/letters"
    dimension: int = 3

    def encode(self, texts: list[str]) -> Vectors:
        raise AssertionError(f"asked for {len(texts)} vectors")


def test_a_question_of_two_hops_is_answered_with_both_passages(engine: Engine) -> None:
    answer = engine.ask("Where was the director of Silver Gate born?")
    assert answer.answered
    assert answer.text.startswith("Halden.")
    assert {(c.source, c.quote) for c in answer.citations} == {
        ("pages/clara-venn.md", "She was born in Halden."),
        ("pages/silver-gate.md", "Silver Gate is a 1994 drama film directed by Clara Venn."),
    }


def test_a_question_of_three_hops(engine: Engine) -> None:
    answer = engine.ask("Where was the husband of the director of Silver Gate born?")
    assert answer.text.startswith("Odder.")
    assert [hop.failed for hop in answer.hops] == [False] * 3
    assert {"pages/silver-gate.md", "pages/clara-venn.md", "pages/karl-ott.md"} <= {
        *answer.sources[:4]
    }


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Who directed Glass Meadow?", "Jon Brekke."),
        ("When was the director of Glass Meadow born?", "9 October 1938."),
        ("Who is the mayor of the town where Silver Gate was filmed?", "Ida Holm."),
        ("Where was the director of The Blue Ferry born?", "Skagen."),
        ("When was Halden founded?", "1105."),
        ("Who was born first, Clara Venn or Jon Brekke?", "Jon Brekke ("),
        ("Which film whose director is younger, Silver Gate or Glass Meadow?", "Silver Gate ("),
        ("Are Clara Venn and Jon Brekke of the same nationality?", "No (Clara Venn: Norwegian;"),
        ("Are Karl Ott and Nils Lunde of the same nationality?", "Yes (Karl Ott: Danish;"),
        ("Was Clara Venn born in Halden?", "Yes."),
        ("Did Jon Brekke direct Glass Meadow?", "Yes."),
        ("Did Karl Ott visit Paris?", "No."),
    ],
)
def test_answers_begin_with_what_is_asked_for_and_are_cited(
    engine: Engine, question: str, start: str
) -> None:
    answer = engine.ask(question)
    assert answer.text.startswith(start)
    assert answer.answered
    assert answer.citations


@pytest.mark.parametrize(
    "question",
    [
        "Where did Karl Ott study?",
        "Who founded Halden?",
        "When did Jon Brekke die?",
        "Who died later, Karl Ott or Jon Brekke?",
        "Did Jon Brekke write Glass Meadow?",
        "Was Jon Brekke born in Halden?",
        "Did Clara Venn die in Halden?",
        "Who is the wife of Jon Brekke?",
        "What is the capital of Zembla?",
        "Who composed Silver Gate?",
        "?!",
        "",
    ],
)
def test_what_the_pages_do_not_say_is_not_answered(engine: Engine, question: str) -> None:
    answer = engine.ask(question)
    assert not answer.answered, answer.text
    assert answer.text
    assert answer.citations == ()


class Translating(SyntaxReasoner):
    """Knows one German question."""

    multilingual = True

    def translate(self, text: str, language: str, to: str, source: str = "") -> str:  # noqa: ARG002
        assert (text, language, to) == (GERMAN, "de", "en")
        return "Where was the director of Silver Gate born?"


def test_a_question_in_another_language_does_no_harm(engine: Engine) -> None:
    assert engine.ask(GERMAN).text


def test_a_question_in_another_language_is_translated_by_who_can(
    graph: Graph, embedder: Embedder
) -> None:
    answer = Engine(graph, embedder, Translating()).ask(GERMAN)
    assert answer.text.startswith("Halden.")


def test_in_which_language_a_question_is_does_not_matter_to_who_speaks_one(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("dr.engine.detect")
    assert engine.ask("Where was the director of Silver Gate born?").answered


def test_citations_quote_their_document_at_its_place(engine: Engine, graph: Graph) -> None:
    answer = engine.ask("Where was the husband of the director of Silver Gate born?")
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        page = PAGES[citation.source.removeprefix("pages/")]
        assert citation.quote in page
        assert citation.quote in answer.text
        assert citation.title == graph.document(citation.source).title
        assert citation.end - citation.start == len(citation.quote)


def test_the_trace_is_kept(engine: Engine) -> None:
    question = "Where was the director of Silver Gate born?"
    answer = engine.ask(question)
    assert answer.question == question
    assert answer.decomposition.kind is Kind.ENTITY
    assert [hop.chosen.value for hop in answer.hops if hop.chosen] == ["Clara Venn", "Halden"]


def test_evidence_begins_with_the_chain_and_names_no_piece_twice(engine: Engine) -> None:
    answer = engine.ask("Where was the director of Silver Gate born?")
    ids = [e.id for e in answer.evidence]
    assert len(ids) == len(set(ids))
    assert answer.sources[:2] == ("pages/silver-gate.md", "pages/clara-venn.md")
    first = answer.hops[0].chosen
    assert first is not None
    assert ids[0] == first.evidence[0]


def test_extra_evidence_is_added_by_likeness(graph: Graph) -> None:
    question = "Where was the director of Silver Gate born?"
    bare = dr.open_engine(graph, extra=0).ask(question)
    assert bare.text.startswith("Halden.")
    full = dr.open_engine(graph, extra=4).ask(question)
    added = full.evidence[len(bare.evidence) :]
    assert {piece.kind for piece in added} == {EvidenceKind.SUMMARY}
    assert 1 <= len(added) <= 4


def test_no_more_evidence_is_shown_than_allowed(graph: Graph) -> None:
    answer = dr.open_engine(graph, max_evidence=2).ask("Who directed Glass Meadow?")
    assert len(answer.evidence) == 2
    assert answer.text.startswith("Jon Brekke.")


def test_asking_twice_gives_the_same(engine: Engine, graph: Graph) -> None:
    question = "Who is the mayor of the town where Silver Gate was filmed?"
    first = engine.ask(question)
    assert engine.ask(question) == first
    assert dr.open_engine(graph).ask(question) == first


def test_an_embedder_of_another_space_is_refused(graph: Graph) -> None:
    with pytest.raises(GraphError) as caught:
        Engine(graph, Other(), SyntaxReasoner())  # type: ignore[arg-type]
    message = str(caught.value)
    assert "other/letters" in message
    assert graph.manifest.embedder in message
    assert message.endswith("run: mder reembed --embedder other/letters")


def test_vectors_have_the_dimension_that_the_graph_names(graph: Graph, embedder: Embedder) -> None:
    assert embedder.dimension == graph.manifest.dimension
    assert np.linalg.norm(embedder.encode(["Silver Gate"])[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("llm", ["nobody/tiny", "ollama", "ollama/"])
def test_a_model_without_a_known_provider_is_refused(graph: Graph, llm: str) -> None:
    with pytest.raises(UsageError, match="ollama/<model>"):
        dr.open_engine(graph, llm=llm)
