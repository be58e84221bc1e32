import logging

import pytest

from mder.reasoners.llm import LlmReasoner
from mder.records import Alias, Chunk, Extraction, Mention
from tests.reasoners import doubles
from tests.reasoners.doubles import Scripted

LONG = "Marie Curie was a chemist who lived in Paris. " * 8
Stated = dict[str, str]


def stated(subject: str, predicate: str, obj: str, quote: str = "", types: str = "") -> Stated:
    return {
        "subject": subject,
        "predicate": predicate,
        "object": obj,
        "subject_type": types,
        "object_type": "",
        "evidence": quote,
    }


def extract(
    text: str,
    *triples: Stated,
    aliases: tuple[Stated, ...] = (),
    language: str = "en",
    english: str = "",
) -> Extraction:
    script = Scripted({"triples": list(triples), "aliases": list(aliases)})
    given = Chunk("curie.md", 0, len(text), text, language, english=english)
    return LlmReasoner(script.model).extract(doubles.document(text), [given])


TEXT = "She was shy. In 1898 Curie discovered  Polonium, and named it. It glows."


def test_quotation_is_found_in_any_spelling_and_grows_to_its_sentence() -> None:
    found = extract(TEXT, stated("Curie", "discovered", "Polonium", "CURIE discovered polonium"))
    (triple,) = found.triples
    assert TEXT[triple.start : triple.end] == "In 1898 Curie discovered  Polonium, and named it."
    assert triple.verified


def test_sentence_with_both_names_stands_in_for_a_wrong_quotation() -> None:
    (triple,) = extract(TEXT, stated("Curie", "discovered", "Polonium", "never written")).triples
    assert TEXT[triple.start : triple.end] == "In 1898 Curie discovered  Polonium, and named it."
    assert triple.verified


def test_triple_that_no_passage_states_points_at_its_chunk_unverified() -> None:
    (triple,) = extract(TEXT, stated("Curie", "is", "glows")).triples
    assert (triple.start, triple.end, triple.verified) == (0, len(TEXT), False)


def test_name_that_is_not_there_is_not_verified() -> None:
    quote = "Curie discovered  Polonium"
    (triple,) = extract(TEXT, stated("Curie", "discovered", "uranium", quote)).triples
    assert not triple.verified


def test_triple_of_which_no_name_is_there_is_left_out() -> None:
    assert (
        extract(TEXT, stated("Einstein", "discovered", "relativity", "She was shy.")).triples == ()
    )


def test_title_may_stand_in_for_a_pronoun() -> None:
    (triple,) = extract(TEXT, stated("Marie Curie", "was", "shy", "She was shy.")).triples
    assert triple.verified
    assert TEXT[triple.start : triple.end] == "She was shy."


def test_names_of_the_examples_are_filtered() -> None:
    found = extract(
        TEXT, stated("Zorblax Quimby", "WROTE", "Polonium"), stated("Curie", "IS", "shy")
    )
    assert [triple.subject.name for triple in found.triples] == ["Curie"]
    assert "Zorblax Quimby" not in {mention.name for mention in found.mentions}


def test_name_of_the_examples_stays_where_the_text_has_it() -> None:
    text = "Quimby won."
    assert extract(text, stated("Quimby", "DID", "won")).triples


def test_words_are_brought_into_the_form_of_the_graph() -> None:
    text = "The jury did not like the Opera."
    (triple,) = extract(
        text, stated("The jury", "did not like", "the Opera", text, "Group")
    ).triples
    assert triple.subject == Mention("jury", ("group",), local=True)
    assert triple.object == Mention("Opera")
    assert (triple.predicate, triple.negated) == ("DID_NOT_LIKE", True)


@pytest.mark.parametrize(
    "broken", [stated("", "IS", "shy"), stated("Curie", "_", "shy"), stated("Curie", "IS", "Curie")]
)
def test_triple_without_all_its_parts_is_left_out(broken: Stated) -> None:
    assert extract(TEXT, broken).triples == ()


def test_aliases_must_stand_in_the_text() -> None:
    text = "The European Union (EU) grew."
    given = (
        {"name": "the European Union", "alias": "EU"},
        {"name": "European Union", "alias": "Brussels"},
        {"name": "European Union", "alias": "european union"},
    )
    found = extract(text, aliases=given)
    assert found.aliases == (Alias("curie.md", "European Union", "EU"),)
    assert found.mentions == (Mention("European Union"),)


def test_alias_vouches_for_a_name() -> None:
    text = "The EU grew in 2004."
    given = ({"name": "European Union", "alias": "EU"},)
    (triple,) = extract(
        text, stated("European Union", "GREW_IN", "2004", text), aliases=given
    ).triples
    assert triple.verified


def test_foreign_chunk_is_read_in_english_and_points_at_itself() -> None:
    text, english = "Кюри родилась в Варшаве.", "Curie was born in Warsaw."
    born = stated("Curie", "WAS_BORN_IN", "Warsaw", english)
    (triple,) = extract(text, born, language="ru", english=english).triples
    assert (triple.start, triple.end, triple.verified) == (0, len(text), True)


def test_foreign_chunk_without_english_is_read_as_it_stands() -> None:
    text = "東京は日本の首都です。人口は多い。"
    born = stated("東京", "は首都", "日本", "東京は日本の首都です")
    (triple,) = extract(text, born, language="ja").triples
    assert text[triple.start : triple.end] == "東京は日本の首都です。"
    assert triple.verified


def test_chunk_without_a_usable_reply_costs_only_itself(caplog: pytest.LogCaptureFixture) -> None:
    text = doubles.TEXT + " " + doubles.TEXT
    script = Scripted("no", "no", {"triples": [stated("Marie Curie", "DISCOVERED", "radium")]})
    chunks = doubles.chunks(text, len(doubles.TEXT))
    with caplog.at_level(logging.WARNING):
        found = LlmReasoner(script.model).extract(doubles.document(text), chunks)
    assert [triple.chunk for triple in found.triples] == [len(doubles.TEXT)]
    (warning,) = caplog.messages
    assert warning.startswith(f"no triples of curie.md, characters 0 to {len(doubles.TEXT)}: ")


def test_long_text_without_triples_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert extract(LONG).triples == ()
    assert caplog.messages == [f"no triples in curie.md, characters 0 to {len(LONG)}"]


def test_reply_about_something_else_is_asked_for_again() -> None:
    wrong = {"triples": [stated("Einstein", "DISCOVERED", "relativity")]}
    right = {"triples": [stated("Marie Curie", "LIVED_IN", "Paris")]}
    script = Scripted(wrong, right)
    found = LlmReasoner(script.model).extract(doubles.document(LONG), doubles.chunks(LONG))
    assert len(found.triples) == 1
    assert "copy them from it" in script.asked[1][-1].content
