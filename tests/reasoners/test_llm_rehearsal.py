import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.models.ledger import Ledger, Spent
from mder.models.tokens import estimate, prompt_tokens
from mder.reasoners.base import Passage, Portrait
from mder.reasoners.llm import acts
from mder.reasoners.llm.batches import Size
from mder.reasoners.llm.prompt import render
from mder.reasoners.llm.rehearsal import RehearsedModel, rehearsed
from mder.reasoners.llm.reply import parse
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Candidate, Chunk, Entity
from tests.reasoners.doubles import TEXT, Drawer, chunks, document, llm, scripted, triple

SYNTAX = SyntaxReasoner()
SHOWN: dict[acts.Act[Any], Mapping[str, str]] = {
    acts.SUMMARIZE: {"language": "English", "before": "", "text": TEXT, "after": ""},
    acts.SUMMARIZE_AND_TRANSLATE: {
        "language": "French",
        "to": "English",
        "before": "",
        "text": TEXT,
        "after": "",
    },
    acts.TRANSLATE: {"language": "English", "text": TEXT},
    acts.EXTRACT: {"title": "Curie", "before": "", "text": TEXT},
    acts.SAME: {"items": "[1] Curie (person): Curie won.\n  M. Curie (person): M. Curie won."},
    acts.DESCRIBE: {
        "language": "English",
        "before": "",
        "text": TEXT,
        "after": "",
        "items": "[1] Marie Curie: was born in Warsaw",
    },
    acts.REDUCE: {"language": "English", "limit": "90", "items": f"[1] Curie (person)\n- {TEXT}"},
}


@pytest.mark.parametrize("act", SHOWN, ids=lambda act: act.prompt)
def test_every_act_of_indexing_gets_a_reply_of_its_form(act: acts.Act[Any]) -> None:
    reply = rehearsed(SYNTAX, render(act.prompt, **SHOWN[act]))
    parsed = parse(reply, act.kind)
    assert "Curie" in reply or act is acts.SAME
    assert parse(json.dumps(json.loads(reply)), act.kind) == parsed


@pytest.mark.parametrize("act", ["decompose", "ground", "answer", "recall", "judge"])
def test_questions_are_not_rehearsed(act: str) -> None:
    names = ("question", "triple", "evidence", "language", "bindings", "expected", "answer")
    messages = render(act, **dict.fromkeys(names, "x"))
    with pytest.raises(ValueError, match="a prompt for no act"):
        rehearsed(SYNTAX, messages)


def test_it_goes_by_the_name_and_options_of_the_model() -> None:
    model = replace(scripted("never"), options={"seed": 0})
    rehearsal = RehearsedModel(model, SYNTAX)
    assert (rehearsal.name, rehearsal.options) == (model.name, model.options)


def test_tokens_of_prompt_and_reply_are_counted_and_nothing_is_sent() -> None:
    model = scripted("never")
    messages = render("translate", language="English", text=TEXT)
    completion = RehearsedModel(model, SYNTAX).complete(messages)
    assert completion.tokens_in == prompt_tokens(messages)
    assert completion.tokens_out == estimate(completion.text)
    assert (completion.seconds, completion.finish_reason) == (0.0, "stop")
    assert RehearsedModel(model, SYNTAX, len).complete(messages).tokens_out == len(completion.text)
    assert model.asked == []


class Rehearsal:
    """A reasoner over a rehearsed model, with what it counted and what failed."""

    def __init__(self, size: Size | None = None) -> None:
        self.drawer, self.ledger = Drawer(), Ledger()
        model = RehearsedModel(scripted("never"), SYNTAX)
        self.reasoner = llm(model, self.drawer, size=size, ledger=self.ledger)

    @property
    def spent(self) -> Spent:
        """What it took; nothing may have failed."""
        assert self.drawer.failures == []
        assert self.ledger.total.failed == 0
        return self.ledger.total


LONG = f"{TEXT} " * 20


@pytest.mark.parametrize("language", ["en", "fr", "ja", ""])
def test_long_texts_are_shortened_and_translated(language: str) -> None:
    rehearsal = Rehearsal()
    (chunk,) = rehearsal.reasoner.summarize(chunks(LONG, language=language), "en")
    assert "Curie" in chunk.summary
    assert ("Curie" in chunk.english) == (language in ("fr", "ja"))
    assert rehearsal.reasoner.translate("Bonjour", "fr", "en") == "Bonjour"
    assert rehearsal.spent.calls == 2


def test_triples_are_those_of_the_reasoner_behind_it() -> None:
    rehearsal = Rehearsal()
    found = rehearsal.reasoner.extract(document(), chunks(TEXT, 32))
    expected = SYNTAX.extract(document(), chunks(TEXT, 32))
    said = [(t.subject.name, t.predicate, t.object.name) for t in expected.triples]
    assert [(t.subject.name, t.predicate, t.object.name) for t in found.triples] == said
    assert rehearsal.spent.calls == 2


WORDS = st.lists(
    st.sampled_from(
        ["Curie", "(person)", "[1]", "- x", "won:", "won.", "\n", "Łódź", "東京", "<", "A"]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
NAMES = WORDS.map(lambda text: " ".join(text.split())).filter(bool)
TYPES = st.lists(st.sampled_from(["person", "film director", "city"]), max_size=2).map(tuple)


@given(st.lists(st.builds(Candidate, NAMES, TYPES, WORDS | st.just("")), min_size=2, max_size=25))
def test_every_pair_gets_its_verdict_in_one_request_a_batch(sides: list[Candidate]) -> None:
    rehearsal = Rehearsal()
    pairs = list(pairwise(sides))
    verdicts = rehearsal.reasoner.same(pairs)
    assert "the model gave no verdict" not in {verdict.reason for verdict in verdicts}
    assert rehearsal.spent.calls == -(-len(pairs) // 10)


TRIPLES = st.builds(
    lambda s, o, at: triple(s, "WON", o, at, at + 1), NAMES, NAMES, st.integers(0, 3)
)
PASSAGES = st.builds(
    lambda found, text, near: Passage(tuple(found), near, text, ""),
    st.lists(TRIPLES, min_size=1, max_size=4),
    WORDS,
    st.sampled_from(["", "Before."]),
)


@given(st.lists(PASSAGES, min_size=1, max_size=5), st.sampled_from([Size(), Size(1)]))
def test_every_triple_gets_its_description(passages: list[Passage], size: Size) -> None:
    rehearsal = Rehearsal(size)
    described = rehearsal.reasoner.describe(passages)
    assert all(text for texts in described for text in texts)
    assert rehearsal.spent.calls <= sum(len(texts) for texts in described)


@given(
    st.lists(
        st.tuples(st.builds(Entity, NAMES, TYPES), st.lists(WORDS, max_size=4)),
        min_size=1,
        max_size=12,
    )
)
def test_every_thing_gets_its_summary(things: list[Portrait]) -> None:
    rehearsal = Rehearsal(Size(3, 20))
    summaries = rehearsal.reasoner.reduce(things, 200)
    told = [any(text.strip() for text in texts) for _, texts in things]
    assert [bool(summary.strip()) for summary in summaries] == told
    assert rehearsal.spent.calls <= -(-len(things) // 3)


@given(WORDS)
def test_any_chunk_is_read_with_one_request(text: str) -> None:
    rehearsal = Rehearsal()
    chunk = Chunk("a.md", 0, len(text), text, "en")
    assert rehearsal.reasoner.extract(document(text), [chunk]).failed == ()
    assert rehearsal.spent.calls == bool(text.strip())
