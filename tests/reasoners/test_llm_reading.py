import logging
from collections.abc import Sequence
from typing import Any

import pytest

from mder.errors import ModelError, TooLongError
from mder.models.base import Message
from mder.models.ledger import Ledger
from mder.reasoners.llm.batches import Size
from mder.records import Chunk, Extraction
from tests.reasoners import doubles
from tests.reasoners.doubles import Drawer, Recorder, Say, cut, data, llm, scripted

LONG = "Marie Curie was a chemist who lived in Paris. " * 40
FOREIGN = "Marie Curie était une chimiste qui vivait à Paris. " * 40
NONE: dict[str, Any] = {"things": []}


def short(summary: str, translation: str | None = None) -> dict[str, Any]:
    """Return the reply to a request for a summary, with its translation where there is one."""
    if translation is None:
        return {"text": summary}
    return {"summary": summary, "translation": translation}


def things(subject: str, relation: str, value: str) -> dict[str, Any]:
    return {"things": [{"name": subject, "type": "", "facts": [[relation, value, ""]]}]}


def summarize(
    model: Recorder, *texts: str, language: str = "en", to: str = "en", size: Size | None = None
) -> tuple[Chunk, ...]:
    chunks = [Chunk("curie.md", 0, len(text), text, language) for text in texts]
    return llm(model, size=size).summarize(chunks, to)


@pytest.mark.parametrize("language", ["en", "fr", ""])
def test_short_text_is_its_own_summary_and_costs_nothing(language: str) -> None:
    model = scripted("never")
    (chunk,) = summarize(model, "Short.", language=language)
    assert (chunk.summary, chunk.english) == ("Short.", "")
    assert model.asked == []


def test_length_up_to_which_a_text_is_its_own_summary_is_set() -> None:
    model = scripted(short("A chemist."))
    found = summarize(model, "x" * 50, "y" * 51, size=Size(own_summary=50))
    assert [chunk.summary for chunk in found] == ["x" * 50, "A chemist."]
    assert len(model.asked) == 1


def test_long_text_is_shortened_beside_its_neighbours() -> None:
    model = scripted(short("A chemist."))
    found = summarize(model, "Before.", LONG, "After.")
    assert [chunk.summary for chunk in found] == ["Before.", "A chemist.", "After."]
    (asked,) = model.asked
    assert [data(asked, name) for name in ("before", "text", "after")] == [
        "Before.",
        LONG,
        "After.",
    ]
    assert model.acts == {"summarize": 1}


def test_neighbours_are_shown_in_part() -> None:
    model = scripted(short("A chemist."))
    summarize(model, "b" * 5000, LONG, "a" * 5000, size=Size(own_summary=800))
    assert all(len(shown) < 8000 for shown in model.shown)


def test_foreign_text_is_summarised_and_translated_in_one_request() -> None:
    model = scripted(short("Une chimiste.", "A chemist."))
    (chunk,) = summarize(model, FOREIGN, language="fr")
    assert (chunk.summary, chunk.english) == ("Une chimiste.", "A chemist.")
    (shown,) = model.shown
    assert "of the passage: French" in shown
    assert "translate into: English" in shown
    assert model.acts == {"summarize_and_translate": 1}


@pytest.mark.parametrize(("language", "to"), [("fr", "fr"), ("", "en"), ("fr", "")])
def test_no_translation_is_asked_for_where_none_is_wanted(language: str, to: str) -> None:
    model = scripted(short("Une chimiste."))
    (chunk,) = summarize(model, FOREIGN, language=language, to=to)
    assert (chunk.summary, chunk.english) == ("Une chimiste.", "")
    assert model.acts == {"summarize": 1}


@pytest.mark.parametrize("lacking", [short("Une chimiste.", " "), short("", "A chemist.")])
def test_missing_half_of_summary_and_translation_is_asked_for_again(
    lacking: dict[str, Any],
) -> None:
    model = scripted(lacking, short("Une chimiste.", "A chemist."))
    (chunk,) = summarize(model, FOREIGN, language="fr")
    assert chunk.english == "A chemist."
    assert "the summary or its translation is empty" in model.asked[1][-1].content


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    "reply", ["no", short(""), cut('{"text": "A chemist."}'), ModelError("busy", retryable=True)]
)
def test_summary_falls_back_on_the_text(reply: Say, language: str) -> None:
    (chunk,) = summarize(scripted(reply), LONG, language=language)
    assert (chunk.summary, chunk.english) == (LONG, "")


def halving(*fields: str, limit: int) -> Recorder:
    """Return a model that repeats texts that are not too long for it."""

    def answer(messages: Sequence[Message]) -> Say:
        text = data(messages)
        return cut("") if len(text) > limit else dict.fromkeys(fields, text)

    return Recorder(answer)


@pytest.mark.parametrize(("language", "to"), [("en", "en"), ("fr", "en")])
def test_summary_that_is_too_long_is_split_and_the_parts_joined(language: str, to: str) -> None:
    text = f"{LONG.strip()} Then she left."
    fields = ("text",) if language == to else ("summary", "translation")
    model, drawer, ledger = halving(*fields, limit=len(text) // 2 + 50), Drawer(), Ledger()
    chunks = [Chunk("curie.md", 0, len(text), text, language)]
    (chunk,) = llm(model, drawer, ledger=ledger).summarize(chunks, to)
    assert chunk.summary == text
    assert chunk.english == ("" if language == to else text)
    assert (ledger.total.asked, ledger.total.calls, ledger.total.failed) == (1, 3, 0)
    assert drawer.failures == []
    whole, first, second = model.asked
    assert data(whole, "before") == data(first, "before") == ""
    assert data(second).startswith(data(first, "after")[:20])
    assert data(first).strip().endswith(data(second, "before")[-20:].strip())
    again = scripted("never")
    assert llm(again, drawer).summarize(chunks, to) == (chunk,)
    assert again.asked == []


def test_translation_that_is_too_long_is_split_and_the_parts_joined() -> None:
    model, drawer = halving("text", limit=12), Drawer()
    assert llm(model, drawer).translate("One two. Three four.", "en", "de") == (
        "One two. Three four."
    )
    assert model.acts == {"translate": 3}
    again = scripted("never")
    assert llm(again, drawer).translate("One two. Three four.", "en", "de")
    assert again.asked == []


def test_summary_that_speaks_of_the_examples_is_refused() -> None:
    for language, rest in (("en", ()), ("fr", ("A chemist.",))):
        echo, good = short("Zorblax Quimby was a chemist.", *rest), short("A chemist.", *rest)
        model = scripted(echo, good)
        (chunk,) = summarize(model, LONG, language=language)
        assert chunk.summary == "A chemist."
        assert "Zorblax Quimby is a name of the examples" in model.asked[1][-1].content


def test_translation_names_the_language() -> None:
    model = scripted({"text": " Hallo \n"})
    assert llm(model).translate("Hello", "en", "de") == "Hallo"
    assert "into: German" in model.shown[0]


@pytest.mark.parametrize(("text", "language"), [("Hello", "de"), (" \n", "en"), ("", "en")])
def test_nothing_is_asked_where_there_is_nothing_to_translate(text: str, language: str) -> None:
    model = scripted("never")
    assert llm(model).translate(text, language, "de") == text
    assert model.asked == []


@pytest.mark.parametrize("reply", ["no", {"text": " "}, {"text": "Plindor Vexley sagt Hallo"}])
def test_translation_falls_back_on_the_text(reply: Say) -> None:
    assert llm(scripted(reply)).translate("Hello", "en", "de") == "Hello"


def extract(
    model: Recorder, *chunks: Chunk, drawer: Drawer | None = None, ledger: Ledger | None = None
) -> Extraction:
    return llm(model, drawer, ledger=ledger).extract(doubles.document(), chunks)


def test_chunk_is_shown_with_its_title_and_what_came_before() -> None:
    model = scripted(NONE)
    extract(model, *doubles.chunks(doubles.TEXT, 32))
    first, second = model.asked
    assert [data(first, n) for n in ("title", "before", "text")] == [
        "Marie Curie",
        "",
        doubles.TEXT[:32],
    ]
    assert data(second, "before") == doubles.TEXT[:32]
    assert model.acts == {"extract": 2}


def test_foreign_chunk_is_read_in_english_where_there_is_some() -> None:
    model = scripted(NONE)
    extract(model, Chunk("a.md", 0, 4, "Кюри", "ru", "Кюри", "Curie"))
    extract(model, Chunk("a.md", 0, 4, "Кюри", "ru", "Кюри"))
    extract(model, Chunk("a.md", 0, 5, "Curie", "en", "short", "English"))
    assert [data(asked) for asked in model.asked] == ["Curie", "Кюри", "Curie"]


def test_index_in_another_language_reads_that_as_it_stands() -> None:
    model = scripted(NONE)
    chunk = Chunk("a.md", 0, 5, "Texte", "fr", "Texte", "Text")
    llm(model, language="fr").extract(doubles.document(), [chunk])
    assert data(model.asked[0]) == "Texte"


def test_chunk_without_a_usable_reply_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    text = doubles.TEXT + " " + doubles.TEXT
    model = scripted("no", "no", things("Marie Curie", "discovered", "radium"))
    drawer, ledger, middle = Drawer(), Ledger(), len(doubles.TEXT)
    with caplog.at_level(logging.WARNING):
        found = extract(model, *doubles.chunks(text, middle), drawer=drawer, ledger=ledger)
    assert [triple.chunk for triple in found.triples] == [middle]
    assert found.failed == (0,)
    about = f"triples of curie.md, characters 0 to {middle}"
    assert caplog.messages == [f"no {about}: it holds no complete JSON"]
    assert [(f.about, f.source, f.stage) for f in drawer.failures] == [(about, "curie.md", "map")]
    assert (ledger.total.asked, ledger.total.failed) == (2, 1)


def test_failing_server_ends_the_run_and_a_passing_failure_does_not() -> None:
    found = extract(scripted(ModelError("busy", retryable=True)), *doubles.chunks())
    assert (found.missed, found.failed) == ((0,), ())
    with pytest.raises(ModelError, match="no server"):
        extract(scripted(ModelError("no server")), *doubles.chunks())


def test_content_without_triples_is_a_warning_that_names_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        assert extract(scripted(NONE), *doubles.chunks(LONG)) == Extraction()
    assert caplog.messages == [f"no triples in curie.md, characters 0 to {len(LONG)}"]


def test_short_text_may_well_state_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert extract(scripted(NONE), *doubles.chunks("A heading")) == Extraction()
    assert caplog.messages == []


@pytest.mark.parametrize(
    "wrong",
    [
        things("Einstein", "discovered", "relativity"),
        things("Zorblax Quimby", "never joined", "Quennibar Institute"),
    ],
)
def test_reply_about_something_else_is_asked_for_again(wrong: dict[str, Any]) -> None:
    model, drawer = scripted(wrong, things("Marie Curie", "lived in", "Paris")), Drawer()
    assert len(extract(model, *doubles.chunks(LONG), drawer=drawer).triples) == 1
    assert "copy them from it" in model.asked[1][-1].content
    assert len(drawer.kept) == 1


def test_names_with_marks_of_tags_are_those_of_the_text() -> None:
    text = "The class Box<Item> holds an Item in every row of the table that it is in."

    def copied(messages: Sequence[Message]) -> Say:
        return things(data(messages)[10:19], "holds", "Item")

    drawer = Drawer()
    (triple,) = extract(Recorder(copied), *doubles.chunks(text), drawer=drawer).triples
    assert (triple.subject.name, triple.verified) == ("Box<Item>", True)
    (again,) = extract(scripted("never"), *doubles.chunks(text), drawer=drawer).triples
    assert again == triple


TOLD = (
    "Marie Curie left Warsaw. Pierre Curie stayed in Paris. "
    "Marie Curie found radium. The Curies (CC) loved chemistry."
)
STATED = {
    "Marie Curie left Warsaw.": ("Marie Curie", "left", "Warsaw"),
    "Pierre Curie stayed in Paris.": ("Pierre Curie", "stayed in", "Paris"),
    "Marie Curie found radium.": ("Marie Curie", "found", "radium"),
    "The Curies (CC) loved chemistry.": ("CC", "loved", "chemistry"),
}


def up_to(sentences: int, reply: Say) -> Recorder:
    """Return a model that gives this reply to longer texts."""

    def answer(messages: Sequence[Message]) -> Say:
        stated = [fact for sentence, fact in STATED.items() if sentence in data(messages)]
        if len(stated) > sentences:
            return reply
        return {"things": [thing for fact in stated for thing in things(*fact)["things"]]}

    return Recorder(answer)


@pytest.mark.parametrize(
    "reply", [TooLongError("the prompt is too long"), cut('{"things": []}'), cut('{"things": [')]
)
def test_chunk_that_is_too_long_is_split_and_the_parts_joined(reply: Say) -> None:
    drawer, ledger, model = Drawer(), Ledger(), up_to(1, reply)
    found = extract(model, *doubles.chunks(TOLD), drawer=drawer, ledger=ledger)
    assert [TOLD[t.start : t.end] for t in found.triples] == list(STATED)
    assert all(triple.verified and triple.chunk == 0 for triple in found.triples)
    assert model.acts == {"extract": 7}
    assert found.failed == ()
    assert drawer.failures == []
    assert ledger.total.failed == 0


def test_chunk_that_was_split_counts_once() -> None:
    drawer, ledger, again = Drawer(), Ledger(), Ledger()
    extract(up_to(1, cut("")), *doubles.chunks(TOLD), drawer=drawer, ledger=ledger)
    assert (ledger.total.asked, ledger.total.calls, ledger.total.cached) == (1, 7, 0)
    # Of a run that was killed, the parts are kept and the whole is not.
    drawer.kept.popitem()
    extract(up_to(1, cut("")), *doubles.chunks(TOLD), drawer=drawer, ledger=again)
    assert (again.total.asked, again.total.calls, again.total.cached) == (1, 1, 0)


def test_parts_without_any_fact_of_theirs_fail_as_one_chunk() -> None:
    # Each is so short that it may well state nothing; together they are not.
    text = "It was a rather late hour on that day. It was a rather dark hour too."
    drawer, ledger = Drawer(), Ledger()

    def answer(messages: Sequence[Message]) -> Say:
        whole = data(messages).count(".") > 1
        return cut("") if whole else things("Einstein", "discovered", "relativity")

    found = extract(Recorder(answer), *doubles.chunks(text), drawer=drawer, ledger=ledger)
    assert found == Extraction(failed=(0,))
    assert len(drawer.failures) == ledger.total.failed == 1


def test_chunk_that_was_split_is_not_asked_for_again() -> None:
    drawer = Drawer()
    found = extract(up_to(1, cut("")), *doubles.chunks(TOLD), drawer=drawer)
    again = scripted("never")
    assert extract(again, *doubles.chunks(TOLD), drawer=drawer) == found
    assert again.asked == []


def test_chunk_that_was_split_gives_the_same_when_it_is_read_again() -> None:
    # The first sentence states the last fact as well as its own does.
    text = "Ann saw Bob. It was late. It was dark. Ann saw Bob."
    replies = [NONE, NONE, NONE, things("Ann", "saw", "Bob")]

    def answer(messages: Sequence[Message]) -> Say:
        return cut("") if data(messages).count(".") > 1 else replies.pop(0)

    drawer = Drawer()
    found = extract(Recorder(answer), *doubles.chunks(text), drawer=drawer)
    assert len(found.triples) == 1
    assert extract(scripted("never"), *doubles.chunks(text), drawer=drawer) == found


def test_sentence_that_is_too_long_alone_fails_and_the_rest_is_kept() -> None:
    def answer(messages: Sequence[Message]) -> Say:
        return cut("") if "Pierre" in data(messages) else up_to(1, cut("")).answer(messages)

    drawer, ledger = Drawer(), Ledger()
    found = extract(Recorder(answer), *doubles.chunks(TOLD), drawer=drawer, ledger=ledger)
    assert found == Extraction(failed=(0,))
    assert [failure.stage for failure in drawer.failures] == ["map"]
    assert ledger.total.failed == 1
    assert len(drawer.kept) == 1
