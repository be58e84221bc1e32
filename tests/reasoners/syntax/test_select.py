from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mder.names import normalise
from mder.reasoners.syntax.select import contentful, describe, summary
from mder.records import Mention, Triple

BEFORE = "Karl Ott was a baker. He moved to Oslo."
TEXT = "Orion Press was founded by Karl Ott. This took a year. It sells atlases."


def stating(
    sentence: str, subject: str = "Orion Press", text: str = TEXT, chunk: int = 0
) -> Triple:
    start = text.index(sentence)
    return Triple(
        Mention(subject),
        "DID",
        Mention("something"),
        "a.md",
        chunk,
        chunk + start,
        chunk + start + len(sentence),
    )


def described(sentence: str, subject: str = "Orion Press", *, chunk: int = 0) -> str:
    (description,) = describe([stating(sentence, subject, chunk=chunk)], BEFORE, TEXT)
    return description


def test_a_sentence_that_names_its_subject_is_its_description() -> None:
    sentence = "Orion Press was founded by Karl Ott."
    assert described(sentence) == sentence


def test_a_subject_that_is_not_named_is_put_before_the_sentence() -> None:
    assert described("It sells atlases.") == "Orion Press: It sells atlases."


def test_a_sentence_that_points_back_brings_what_it_points_at() -> None:
    assert described("This took a year.") == (
        "Orion Press was founded by Karl Ott. This took a year."
    )


def test_the_first_sentence_may_point_into_the_chunk_before() -> None:
    text = "This made him glad."
    (description,) = describe([stating(text, "Karl Ott", text)], BEFORE, text)
    assert description == "Karl Ott: He moved to Oslo. This made him glad."


def test_positions_count_from_the_start_of_the_document() -> None:
    assert described("It sells atlases.", chunk=700) == "Orion Press: It sells atlases."


def test_lines_are_joined() -> None:
    text = "Orion Press\n  sells atlases."
    assert describe([stating(text, text=text)], "", text) == ("Orion Press sells atlases.",)


@given(st.integers(0, 8))
def test_every_triple_gets_its_description(count: int) -> None:
    assert len(describe([stating("It sells atlases.")] * count, BEFORE, TEXT)) == count


_SENTENCES = st.lists(
    st.builds(
        "{} {} in {}.".format,
        st.sampled_from(["Ida Holm", "She", "Karl Ott", "The prize"]),
        st.sampled_from(["moved to Oslo", "won", "met Ida Holm", "sang"]),
        st.integers(1900, 1930),
    ),
    max_size=20,
)


@given(_SENTENCES | st.lists(st.text(max_size=60), max_size=8), st.integers(0, 400))
def test_a_summary_keeps_to_its_limit(descriptions: list[str], limit: int) -> None:
    assert len(summary("Ida Holm", ("person",), descriptions, limit)) <= limit


@given(_SENTENCES, st.integers(80, 2000))
def test_no_sentence_is_said_twice(descriptions: list[str], limit: int) -> None:
    found = summary("Ida Holm", ("person",), descriptions * 2, limit)
    for text in descriptions:
        assert found.count(text) < 2


@given(_SENTENCES, st.integers(80, 2000))
def test_a_summary_quotes(descriptions: list[str], limit: int) -> None:
    found = summary("Ida Holm", ("person",), descriptions, limit).removeprefix(
        "Ida Holm (person): "
    )
    for text in sorted(set(descriptions), key=len, reverse=True):
        found = found.replace(text, "")
    assert not found.strip()


@given(_SENTENCES, st.randoms())
def test_the_order_of_what_is_known_changes_little(
    descriptions: list[str],
    random: Random,
) -> None:
    shuffled = list(descriptions)
    random.shuffle(shuffled)
    one, other = (summary("Ida Holm", (), d, 10_000) for d in (descriptions, shuffled))
    assert sorted(one.split(". ")) == sorted(other.split(". ")) or len(one) == len(other)


@given(_SENTENCES)
def test_everything_is_said_where_there_is_room(descriptions: list[str]) -> None:
    found = normalise(summary("Ida Holm", (), descriptions, 10_000))
    assert all(normalise(text) in found for text in descriptions)


def test_its_own_page_comes_first_then_what_opens_with_the_name_then_the_richest() -> None:
    descriptions = [
        "The singer Ida Holm was born in Halden.",
        "Karl Ott met Ida Holm.",
        "Karl Ott met Ida Holm in Oslo on 3 May 1901.",
        "Ida Holm sang.",
        "Ida Holm won the Lindby Prize in 1911.",
        "In 1931 a prize was given in Oslo.",
    ]
    assert summary("Ida Holm", ("person", "singer"), descriptions, 1000) == (
        "Ida Holm (person, singer): The singer Ida Holm was born in Halden. "
        "Ida Holm won the Lindby Prize in 1911. Ida Holm sang. "
        "Karl Ott met Ida Holm in Oslo on 3 May 1901. In 1931 a prize was given in Oslo."
    )


def test_the_most_informative_is_kept_where_room_is_short() -> None:
    descriptions = ["She came.", "Ida Holm sang.", "Ida Holm won the Lindby Prize in 1911."]
    found = summary("Ida Holm", (), descriptions, 50)
    assert found == "Ida Holm: Ida Holm won the Lindby Prize in 1911."


def test_what_is_too_long_makes_room_for_what_fits() -> None:
    descriptions = ["Ida Holm sang.", "Ida Holm met Karl Ott in 1911.", f"Ida Holm {'sang ' * 40}."]
    assert "sang sang" not in summary("Ida Holm", (), descriptions, 80)


@pytest.mark.parametrize(
    "descriptions",
    [["Ida sang. This took a year.", "Ida sang."], ["Ida sang.", "Ida sang. This took a year."]],
)
def test_a_sentence_within_another_is_not_said_again(descriptions: list[str]) -> None:
    assert summary("Ida", (), descriptions, 500) == "Ida: Ida sang. This took a year."


def test_the_name_put_before_a_description_is_not_repeated() -> None:
    assert summary("Ida", (), ["Ida: She sang."], 500) == "Ida: She sang."


def test_of_nothing_there_is_no_summary() -> None:
    assert summary("Ida", ("person",), [], 500) == ""


def test_the_end_of_a_word_is_no_sentence_said_before() -> None:
    found = summary("Ida", (), ["Ida sang. She won.", "He won."], 500)
    assert found == "Ida: Ida sang. She won. He won."


def test_a_name_within_a_word_does_not_name_the_subject() -> None:
    text = "Annual sales fell."
    assert describe([stating(text, "Ann", text)], "", text) == ("Ann: Annual sales fell.",)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Karl sang. https://a.example/b", "Karl sang."),
        ("Karl sang.\n\n----------\n\nIda danced.", "Karl sang.\n\nIda danced."),
        ("Karl sang.\n\n| 1 | 2 | 3 | 4 |\n\nIda danced.", "Karl sang.\n\nIda danced."),
        ("Karl\nsang.", "Karl sang."),
        ("", ""),
    ],
)
def test_markup_noise_is_dropped_and_words_are_kept(text: str, kept: str) -> None:
    assert contentful(text, "en") == kept


@pytest.mark.parametrize("text", ["東京は日本の首都です。", "Москва — столица России."])
def test_other_scripts_have_content(text: str) -> None:
    assert contentful(text, "") == text


@given(st.lists(st.sampled_from(["Karl sang.", "Ida won 3 prizes in 1911.", "Yes."]), max_size=9))
def test_no_sentence_with_words_is_lost(texts: list[str]) -> None:
    assert contentful("\n\n".join(texts), "en") == "\n\n".join(texts)


@given(st.text(max_size=120))
def test_descriptions_of_any_text_name_their_subject(text: str) -> None:
    assume(text.strip())
    triple = replace(stating(text, "Ida", text), subject=Mention("Ida"))
    (description,) = describe([triple], "", text)
    assert "Ida" in description
