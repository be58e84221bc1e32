import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mder.errors import MissingPackageError
from mder.reasoners.syntax import parser
from mder.reasoners.syntax.parser import Parsed, parse

_WORDS = st.sampled_from(
    """Ann Lee's well-known co-written anthology- re-founded (born 1901) (WGU) "Dust and Rain"
    “Salt” Who Goes? isn't 3,000 $4 – — ... e.g. U.S. O'Neil ( ) " - 1901-1950 naïve 東京 x_y https://a.example/b?c=d
    \u00a0 the wrote a film""".split(" ")
)
_GAPS = st.sampled_from([" ", " ", " ", "\n", "  ", "\t", ""])
_TEXTS = st.lists(st.tuples(_WORDS, _GAPS), max_size=25).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


def one(text: str, *names: str) -> Parsed:
    (parsed,) = parse([text], names)
    return parsed


def bits(parsed: Parsed) -> bytes:
    """Return all that the model says of a text, and the vectors that it says it from."""
    names: list[int | str] = [*"TAG POS LEMMA MORPH DEP HEAD ENT_IOB ENT_TYPE".split()]
    return bytes(parsed.doc.to_array(names).tobytes() + parsed.doc.tensor.tobytes())


def words(text: str, *names: str) -> list[str]:
    parsed = one(text, *names)
    return [parsed.word(token) for token in parsed.doc]


@settings(max_examples=150, deadline=None)
@given(_TEXTS | st.text(max_size=120))
def test_every_token_stands_at_its_offset(text: str) -> None:
    parsed = one(text, "Who Goes?")
    assert len(parsed.starts) == len(parsed.doc)
    position = 0
    for token, start in zip(parsed.doc, parsed.starts, strict=True):
        word = parsed.word(token)
        assert text[start : start + len(word)] == word
        assert word
        assert start >= position
        position = start + len(word)


@settings(max_examples=80, deadline=None)
@given(_TEXTS)
def test_sentences_follow_one_another_within_the_text(text: str) -> None:
    parsed = one(text)
    position = 0
    for sentence in parsed.doc.sents:
        start, end = parsed.span(sentence)
        assert position <= start < end <= len(text)
        position = end


@settings(max_examples=40, deadline=None)
@given(st.lists(_TEXTS, max_size=4))
def test_a_text_reads_the_same_in_any_company(texts: list[str]) -> None:
    # To the last bit of what the model computed, so that no answer hangs on a near tie.
    assert [bits(parsed) for parsed in parse(texts)] == [bits(one(text)) for text in texts]


def test_a_bracket_is_set_aside_behind_the_word_before_it() -> None:
    parsed = one("Ann Lee (born 1901) ran.")
    assert words("Ann Lee (born 1901) ran.") == ["Ann", "Lee", "ran", "."]
    assert [b.aside for b in parsed.asides[1]] == ["born 1901"]


def test_two_brackets_are_kept_in_order() -> None:
    (asides,) = one("Ann (born 1901) (aged 30) ran.").asides.values()
    assert [b.aside for b in asides] == ["born 1901", "aged 30"]


def test_the_span_of_a_sentence_takes_in_a_bracket_at_its_end() -> None:
    text = "Ann ran (fast)"
    parsed = one(text)
    (sentence,) = parsed.doc.sents
    assert parsed.span(sentence) == (0, len(text))


def test_a_bracket_with_nothing_before_it_is_dropped() -> None:
    assert words("(first) Ann ran.") == ["Ann", "ran", "."]


def test_a_whole_name_is_one_proper_noun() -> None:
    parsed = one("Ann wrote Who Goes Home? in 1951.", "Who Goes Home?")
    (token,) = (t for t in parsed.doc if parsed.is_name(t))
    assert parsed.word(token) == "Who Goes Home?"
    assert token.pos_ == "PROPN"
    assert token.dep_ == "dobj"


def test_text_is_given_back_with_its_own_spaces() -> None:
    parsed = one("Ann wrote Who Goes? in Lindby-by-the-Sea.", "Who Goes?")
    assert parsed.text(parsed.doc[1:4]) == "wrote Who Goes? in"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a co-written film", ["a", "co-written", "film"]),
        ("an anthology- comedy film", ["an", "anthology", "-", "comedy", "film"]),
        ("a well-known film", ["a", "well", "-", "known", "film"]),
    ],
)
def test_hyphens_do_not_break_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_words_that_nobody_could_say_are_passed_over() -> None:
    assert words(f"Ann {'x' * 200} ran.") == ["Ann", "ran", "."]


def test_no_text_has_no_tokens() -> None:
    assert words("") == words(" \n ") == []


def test_texts_are_parsed_lazily_one_a_text() -> None:
    assert [len(p.doc) for p in parse(["Ann ran.", "", "Yes."])] == [3, 0, 2]


def test_threads_may_parse_at_a_time() -> None:
    text = "Ann Lee (born 1901) wrote Who Goes? in Lindby."
    expected, found = words(text), []
    threads = [threading.Thread(target=lambda: found.append(words(text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_the_model_is_loaded_once() -> None:
    assert parser.load() is parser.load()


def test_without_a_model_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MODELS", ("no_such_model",))
    with pytest.raises(MissingPackageError, match="pip install"):
        parser.load.__wrapped__()
