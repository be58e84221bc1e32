from dataclasses import replace

import pytest

from mder.errors import UsageError
from mder.models.ledger import Ledger
from mder.models.replies import NoReplies
from mder.reasoners import Terms, llm_reasoner, open_cast, open_reasoner, rehearsed_cast
from mder.reasoners.cast import Cast
from mder.reasoners.llm import LlmReasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Entity
from tests.reasoners.doubles import (
    TEXT,
    Drawer,
    Recorder,
    Shelf,
    chunks,
    document,
    llm,
    scripted,
)

STAGES = ("summarize", "translate", "map", "disambiguate", "enrich", "reduce")
LOCAL = {**dict.fromkeys(STAGES, ""), "reduce": "ollama/tiny", "enrich": "ollama/tiny"}


def terms(ledger: Ledger | None = None) -> Terms:
    return Terms(ledger or Ledger(), NoReplies())


def test_one_reasoner_may_play_all_parts() -> None:
    cast = Cast.of(SyntaxReasoner())
    assert cast.names == dict.fromkeys(STAGES, "syntax")
    assert cast.name == "syntax"


def test_cast_of_several_names_each_stage() -> None:
    cast = replace(Cast.of(SyntaxReasoner()), reduce=llm(scripted("")))
    assert cast.names["reduce"] == "double/recorder"
    assert cast.name.startswith("summarize: syntax, translate: syntax, map: syntax")
    assert cast.name.endswith("reduce: double/recorder")


def test_stages_of_one_model_share_it() -> None:
    cast = open_cast(LOCAL, "en", terms())
    assert cast.enrich is cast.reduce
    assert cast.map is cast.summarize
    assert cast.names == {stage: LOCAL[stage] or "syntax" for stage in STAGES}


def test_syntax_needs_no_name_and_is_told_which_names_are_known() -> None:
    assert isinstance(open_reasoner(), SyntaxReasoner)
    assert isinstance(open_reasoner("", known=lambda name: name == "Curie"), SyntaxReasoner)


def test_model_is_opened_by_name_with_no_request() -> None:
    reasoner = open_reasoner("ollama/tiny")
    assert isinstance(reasoner, LlmReasoner)
    assert reasoner.name == "ollama/tiny"


@pytest.mark.parametrize("name", ["tiny", "elsewhere/tiny", "ollama/"])
def test_unknown_model_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no language model"):
        open_reasoner(name)
    with pytest.raises(UsageError, match="no language model"):
        rehearsed_cast({**LOCAL, "map": name}, "en", terms())


def test_terms_reach_the_requests() -> None:
    model, ledger, drawer = Recorder(), Ledger(), Drawer()
    reasoner = llm_reasoner(model, "fr", Terms(ledger, drawer, batch=1, own_summary=0))
    reasoner.reduce([(Entity("Curie"), [TEXT]), (Entity("radium"), ["It glows."])], 1200)
    assert model.acts == {"reduce": 2}
    assert all("Language: French" in shown for shown in model.shown)
    assert ledger.stages["reduce"].calls == 2
    assert len(drawer.kept) == 2


def test_parses_are_kept_where_the_terms_say() -> None:
    shelf, text = Shelf(), f"{TEXT}\n\n" * 200
    cast = open_cast(dict.fromkeys(STAGES, ""), "en", Terms(parses=shelf))
    assert cast.map.extract(document(text), chunks(text)).triples
    assert [source for source, _ in shelf.kept] == [document().source]


def test_rehearsal_counts_what_the_models_would_be_asked_and_asks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    ledger = Ledger()
    cast = rehearsed_cast({**LOCAL, "map": "openai/tiny"}, "en", terms(ledger))
    served = {"map": "openai/tiny", "enrich": "ollama/tiny", "reduce": "ollama/tiny"}
    assert cast.names == {**dict.fromkeys(STAGES, "syntax"), **served}
    assert cast.map.extract(document(), chunks()).triples
    assert list(ledger.stages) == ["map"]
    assert ledger.total.calls == 1
