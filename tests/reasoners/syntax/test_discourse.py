import pytest

from mder.reasoners.syntax.discourse import Discourse, is_person
from mder.reasoners.syntax.parser import parse
from mder.reasoners.syntax.phrases import is_named
from mder.records import Mention

TOPIC = Mention("Silver Gate")


def meant(text: str, word: str, topic: Mention = TOPIC, **types: str) -> str | None:
    """Return whom a word of the last sentence means, after the sentences before it were read."""
    discourse = Discourse(topic)
    for name, kind in types.items():
        discourse.learn(name.replace("_", " "), kind)
    (parsed,) = parse([text])
    *_, last = parsed.doc.sents
    for sentence in parsed.doc.sents:
        for token in sentence:
            if sentence == last and token.text == word:
                found = discourse.resolve(token, parsed)
                return found.name if found else None
            if is_named(token, parsed) and token.dep_ != "compound":
                discourse.note(token, parsed)
        discourse.sentence += 1
    raise AssertionError(f"no {word} in {text}")


def test_he_is_the_last_subject() -> None:
    assert meant("Karl Ott met Paul Holm. He sang.", "He") == "Karl Ott"


def test_he_is_no_place() -> None:
    assert meant("Karl Ott sang. Norway was cold. He left.", "He") == "Karl Ott"


def test_it_is_no_person() -> None:
    assert meant("Orion Press grew. Karl Ott sang. It closed.", "It") == "Orion Press"


def test_they_are_a_group() -> None:
    found = meant("The Lanterns sang. Norway was cold. They left.", "They", Lanterns="band")
    assert found == "Lanterns"


def test_a_person_known_as_she_is_not_he() -> None:
    text = "Karl Ott sang. Ida Holm danced. She left. He stayed."
    discourse = Discourse(TOPIC, genders={"Ida Holm": "she"})
    (parsed,) = parse([text])
    for sentence in parsed.doc.sents:
        for token in sentence:
            if token.text == "He":
                found = discourse.resolve(token, parsed)
                assert found is not None
                assert found.name == "Karl Ott"
            if is_named(token, parsed) and token.dep_ != "compound":
                discourse.note(token, parsed)
        discourse.sentence += 1


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
    text = f"Orion grew. Karl Ott sang. The {word} closed."
    assert meant(text, word, Orion=kind) == "Orion"


def test_an_indefinite_noun_is_something_new() -> None:
    assert meant("Orion grew. A company closed.", "company", Orion="company") == "company"


def test_a_noun_of_another_kind_is_something_new() -> None:
    assert meant("Orion grew. The bridge closed.", "bridge", Orion="company") == "bridge"


def test_the_last_of_several_is_meant() -> None:
    text = "Orion grew. Vega grew. The company closed."
    assert meant(text, "company", Orion="company", Vega="company") == "Vega"


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


@pytest.mark.parametrize(
    "kind", ["river", "newspaper", "instrument", "settlement", "continent", "chapter", "computer"]
)
def test_words_for_things_that_end_like_words_for_people(kind: str) -> None:
    assert not is_person([kind])
