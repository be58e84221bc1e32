from collections.abc import Mapping

import pytest

from mder.reasoners.syntax.discourse import Discourse, is_person
from mder.reasoners.syntax.parser import parse
from mder.reasoners.syntax.phrases import is_named
from mder.records import Mention

TOPIC = Mention("Silver Gate")


def all_meant(
    text: str,
    word: str,
    topic: Mention = TOPIC,
    *,
    genders: Mapping[str, str] = {},
    types: Mapping[str, str] = {},
) -> tuple[str, ...]:
    """Return whom a word of the last sentence means, after all the sentences were read."""
    discourse = Discourse(topic, genders=dict(genders))
    for name, kind in types.items():
        discourse.learn(name.replace("_", " "), kind)
    (parsed,) = parse([text])
    *_, last = parsed.doc.sents
    for sentence in parsed.doc.sents:
        for token in sentence:
            if is_named(token, parsed) and token.dep_ != "compound":
                discourse.note(token, parsed)
        if sentence != last:
            discourse.sentence += 1
    token = next(t for t in last if t.text == word)
    return tuple(found.name for found in discourse.resolve(token, parsed))


def meant(text: str, word: str, topic: Mention = TOPIC, **types: str) -> str | None:
    names = all_meant(text, word, topic, types=types)
    assert len(names) < 2
    return names[0] if names else None


def test_he_is_the_last_subject() -> None:
    assert meant("Karl Ott met Paul Holm. He sang.", "He") == "Karl Ott"


def test_he_is_no_place() -> None:
    assert meant("Karl Ott sang. Norway was cold. He left.", "He") == "Karl Ott"


def test_it_is_no_person() -> None:
    text = "Orion Press moved to Oslo. Karl Ott sang. It closed."
    assert meant(text, "It", Mention("Orion Press")) == "Orion Press"


def test_they_are_a_group() -> None:
    found = meant("The Lanterns sang. Karl Ott left. They sang.", "They", Lanterns="band")
    assert found == "Lanterns"


def test_a_person_known_as_she_is_not_he() -> None:
    text = "Karl Ott sang. Ida Holm danced. He stayed."
    assert all_meant(text, "He", genders={"Ida Holm": "she"}) == ("Karl Ott",)


def test_they_are_those_named_together() -> None:
    text = "Karl Ott and Ida Holm met in Oslo. They left."
    assert all_meant(text, "They") == ("Karl Ott", "Ida Holm")


def test_nobody_sees_himself_in_another() -> None:
    assert meant("Karl Ott sang. Paul Holm saw him.", "him") == "Karl Ott"


def test_what_was_named_long_ago_is_not_meant() -> None:
    text = "Orion Press grew. " + "Yes, so it seems today. " * 5 + "It closed."
    assert meant(text, "It") == "Silver Gate"


def test_the_topic_is_meant_where_nothing_else_was_named() -> None:
    assert meant("It closed.", "It") == "Silver Gate"
    assert meant("He sang.", "He", Mention("Karl Ott")) == "Karl Ott"


@pytest.mark.parametrize("word", ["I", "you", "who", "somebody", "we"])
def test_other_pronouns_mean_nobody_known(word: str) -> None:
    assert meant(f"Karl Ott sang. Then {word} left.", word) is None


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("company", "company"),
        ("publisher", "company"),
        ("band", "group"),
        ("thriller", "film"),
        ("novella", "book"),
        ("town", "city"),
    ],
)
def test_a_definite_noun_is_what_was_said_to_be_such_a_thing(kind: str, word: str) -> None:
    text = f"Orion Sky moved to Oslo. Karl Ott sang. The {word} was sold."
    assert meant(text, word, Orion_Sky=kind) == "Orion Sky"


def test_an_indefinite_noun_is_something_new() -> None:
    assert meant("Orion Sky grew. A company closed.", "company", Orion_Sky="company") == "company"


def test_a_noun_of_another_kind_is_something_new() -> None:
    assert meant("Orion Sky grew. The bridge closed.", "bridge", Orion_Sky="company") == "bridge"


def test_the_last_of_several_is_meant() -> None:
    text = "Orion Sky moved to Oslo. Vega Sky moved to Oslo. The company was sold."
    assert meant(text, "company", Orion_Sky="company", Vega_Sky="company") == "Vega Sky"


def test_what_somebody_owns_is_named_after_the_owner() -> None:
    assert meant("Karl Ott sang. His workshop closed.", "workshop") == "Karl Ott's workshop"


def test_a_name_means_itself() -> None:
    assert meant("Karl Ott sang. Ida Holm danced.", "Holm") == "Ida Holm"


def test_learning_a_kind_twice_is_learning_it_once() -> None:
    discourse = Discourse(TOPIC)
    for kind in ("film", "film", "drama"):
        discourse.learn("Silver Gate", kind)
    assert discourse.types == {"Silver Gate": ["film", "drama"]}


@pytest.mark.parametrize(
    "kind", ["person", "painter", "chemist", "actress", "chairman", "president"]
)
def test_words_for_people(kind: str) -> None:
    assert is_person([kind])


@pytest.mark.parametrize("kind", ["film", "town", "company", "band", "album", "place", "species"])
def test_words_for_other_things(kind: str) -> None:
    assert not is_person([kind])


@pytest.mark.parametrize("kind", ["river", "newspaper", "instrument", "settlement", "continent"])
def test_words_for_things_that_end_like_words_for_people(kind: str) -> None:
    assert not is_person([kind])
