import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.locate import cut, fold, halves, stating
from mder.sentences import sentences


@pytest.mark.parametrize(
    ("text", "passage", "found"),
    [
        ("Marie Curie left.", "marie curie", "Marie Curie"),
        ("Beyoncé sang.", "Beyonce", "Beyoncé"),
        ("He lived\n  in  Łódź.", "in Łódź", "in  Łódź"),
        (
            "It\u2019s \u201cso\u201d \u2013 so.",
            'It\'s "so" - so',
            "It\u2019s \u201cso\u201d \u2013 so",
        ),
        ("東京は首都です。", "東京", "東京"),
        ("Curie's work", "Curie", "Curie"),
        ("STRASSE", "straße", "STRASSE"),
        ("The Annual of Ann", "Ann", "Ann"),
    ],
)
def test_passage_is_found_as_it_was_written(text: str, passage: str, found: str) -> None:
    span = fold(text).find(passage)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("text", "passage"),
    [("The Annual", "Ann"), ("in 18675", "1867"), ("nothing", ""), ("short", "a short one")],
)
def test_passage_within_a_word_or_absent_is_not_found(text: str, passage: str) -> None:
    assert fold(text).find(passage) is None


@given(st.text(), st.text(), st.text(min_size=1))
def test_span_of_a_passage_is_within_the_text(before: str, after: str, passage: str) -> None:
    text = f"{before} {passage} {after}"
    span = fold(text).find(passage)
    if fold(passage).text:
        assert span is not None
        assert fold(text[span[0] : span[1]]).text.startswith(fold(passage).text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("He met Queens of England.", "Queen of England"),
        ("They filmed the American Wars.", "American War"),
        ("Polish miners struck.", "Polish miner"),
        ("the Saint-Denis Cathedral", "Saint Denis cathedral"),
        ("Er lebte in den Vereinigten Staaten.", "Vereinigte Staaten"),
        ("o Warszawie", "Warszawa"),
    ],
)
def test_name_is_found_with_endings_of_its_own(text: str, name: str) -> None:
    assert fold(text).find_inflected(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The manual", "Man"),
        ("Annual sales of cars", "Ann"),
        ("Queen and England", "Queen of England"),
        ("anything", ""),
        ("a.c", "a+c"),
        ("It cost 12599 francs.", "12500 francs"),
        ("in 18675", "1867"),
    ],
)
def test_another_name_is_not_taken_for_it(text: str, name: str) -> None:
    assert not fold(text).find_inflected(name)


@given(st.text(), st.text())
def test_any_name_may_be_looked_for(text: str, name: str) -> None:
    folded = fold(text)
    assert folded.find_inflected(name) in (True, False)
    span = folded.find(name)
    assert span is None or 0 <= span[0] < span[1] <= len(text)


@given(st.text())
def test_folding_keeps_the_order_of_places(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.offsets)
    assert list(folded.offsets) == sorted(folded.offsets)
    assert fold(folded.text).text == folded.text or not text.isascii()


def stated(text: str, subject: str, relation: str, obj: str) -> str | None:
    """Return the sentence that states a fact."""
    spans = sentences(text)
    place = stating([fold(text[a:b]) for a, b in spans], [subject], relation, [obj])
    return None if place is None else text[slice(*spans[place])]


CURIE = (
    "Curie won. She moved to Paris in 1891. Curie left Warsaw early. Paris was hers. Warsaw fell."
)


@pytest.mark.parametrize(
    ("subject", "relation", "obj", "sentence"),
    [
        ("Curie", "LEFT", "Warsaw", "Curie left Warsaw early."),
        ("Curie", "MOVED_IN", "1891", "She moved to Paris in 1891."),
        ("Curie", "MOVED_TO", "Paris", "She moved to Paris in 1891."),
        ("Curie", "WON", "a prize", "Curie won."),
        ("Marie Curie", "LEFT", "Warsaw", "Curie left Warsaw early."),
        ("Poland", "FELL_WITH", "Warsaw", "Warsaw fell."),
        ("Einstein", "LEFT", "Berlin", None),
        ("Einstein", "WON", "a prize", None),
    ],
)
def test_fact_is_found_in_the_sentence_that_states_it_best(
    subject: str, relation: str, obj: str, sentence: str | None
) -> None:
    assert stated(CURIE, subject, relation, obj) == sentence


def test_first_of_equal_sentences_states_a_fact() -> None:
    assert stating([fold("Ann ran."), fold("Ann ran.")], ["Ann"], "DID", ["ran"]) == 0
    assert stating([], ["Ann"], "DID", ["ran"]) is None


def test_any_of_the_names_of_a_thing_will_do() -> None:
    found = [fold("The EU grew."), fold("Europe shrank.")]
    assert stating(found, ["European Union", "EU"], "GREW_IN", ["2004"]) == 0


@given(st.text(), st.integers(1, 50))
def test_cut_keeps_to_the_limit_and_to_the_text(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= limit
    assert text.startswith(short)


def test_cut_keeps_whole_sentences() -> None:
    assert cut("One two. Three four. Five six.", 22) == "One two. Three four."


def test_text_is_halved_between_sentences() -> None:
    text = "She was shy. Marie Curie discovered radium."
    assert halves(text) == ("She was shy. ", "Marie Curie discovered radium.")


@pytest.mark.parametrize("text", ["", "One sentence only."])
def test_text_of_one_sentence_has_no_halves(text: str) -> None:
    assert halves(text) == ()
