import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.relations import (
    content,
    contradicts,
    is_kinship,
    kinship,
    overlap,
    stem,
)

_PREDICATES = st.lists(
    st.sampled_from(
        "HAS IS WAS BORN DIED IN OF MOTHER SON DIRECTED BY FOUNDER WIFE THE X 3".split()
    ),
    min_size=1,
    max_size=5,
).map("_".join)


@pytest.mark.parametrize(
    "words",
    [
        ["directed", "director", "directing", "directs"],
        ["composer", "composed", "composes"],
        ["founder", "founded", "founders"],
        ["married", "marries", "marry"],
        ["owner", "owned", "owns"],
    ],
)
def test_forms_of_one_word_have_one_stem(words: list[str]) -> None:
    assert len({stem(word) for word in words}) == 1


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_stem_begins_its_word(word: str) -> None:
    assert word.startswith(stem(word))
    assert stem(word)


@pytest.mark.parametrize(
    ("asked", "stated"),
    [
        ("HAS_DIRECTOR", "DIRECTED_BY"),
        ("WAS_BORN_IN", "WAS_BORN_IN"),
        ("HAS_FOUNDER", "WAS_FOUNDED_BY"),
    ],
)
def test_the_same_relation_in_other_words_overlaps_whole(asked: str, stated: str) -> None:
    assert overlap(asked, stated) == 1.0


def test_what_is_stated_besides_takes_away() -> None:
    assert overlap("HAS_DIRECTOR", "HAS_DIRECTOR_OF_MUSIC") < 1.0


def test_words_without_meaning_do_not_overlap() -> None:
    assert overlap("WAS_IN", "WAS_IN") == 0.0
    assert overlap("WAS_BORN_IN", "WAS_BUILT_IN") == 0.0


@given(_PREDICATES, _PREDICATES)
def test_an_overlap_is_a_share(asked: str, stated: str) -> None:
    assert 0.0 <= overlap(asked, stated) <= 1.0
    assert (overlap(asked, stated) > 0) == bool(content(asked) & content(stated))


@given(_PREDICATES)
def test_a_relation_states_itself_whole(predicate: str) -> None:
    assert overlap(predicate, predicate) == (1.0 if content(predicate) else 0.0)
    assert not contradicts(predicate, predicate) or {"BORN", "DIED"} <= set(predicate.split("_"))


def test_birth_is_not_death() -> None:
    assert contradicts("WAS_BORN_IN", "DIED_IN")
    assert contradicts("DIED", "WAS_BORN_ON")
    assert not contradicts("WAS_BORN", "WAS_BORN_ON")
    assert not contradicts("LIVED_IN", "DIED_IN")


@pytest.mark.parametrize(
    "predicate",
    """HAS_FATHER HAS_MOTHER HAS_PARENT HAS_SON HAS_DAUGHTER HAS_CHILD HAS_CHILDREN HAS_WIFE
    HAS_HUSBAND HAS_SPOUSE MARRIED WAS_MARRIED_TO IS_SON_OF IS_DAUGHTER_OF HAS_BROTHER
    IS_SISTER_OF""".split(),
)
def test_family_is_known(predicate: str) -> None:
    assert is_kinship(predicate)


@pytest.mark.parametrize("predicate", ["DIRECTED_BY", "WAS_BORN_IN", "HAS_MEMBER", "IS_SONG_OF"])
def test_other_relations_are_no_family(predicate: str) -> None:
    assert not is_kinship(predicate)
    assert kinship(predicate, "HAS_SON", along=True) == 0.0


@pytest.mark.parametrize(
    ("asked", "stated", "along"),
    [
        ("HAS_FATHER", "HAS_FATHER", True),
        ("HAS_FATHER", "IS_SON_OF", True),
        ("HAS_FATHER", "HAS_DAUGHTER", False),
        ("HAS_CHILD", "IS_SON_OF", False),
        ("HAS_CHILD", "HAS_SON", True),
        ("HAS_HUSBAND", "MARRIED", True),
        ("HAS_HUSBAND", "MARRIED", False),
        ("HAS_SIBLING", "HAS_BROTHER", False),
    ],
)
def test_a_family_relation_is_stated_by_its_like_and_its_converse(
    asked: str, stated: str, *, along: bool
) -> None:
    assert kinship(asked, stated, along=along) > 0


@pytest.mark.parametrize(
    ("asked", "stated", "along"),
    [
        ("HAS_FATHER", "IS_SON_OF", False),
        ("HAS_FATHER", "HAS_SON", True),
        ("HAS_FATHER", "MARRIED", True),
        ("HAS_WIFE", "HAS_DAUGHTER", True),
        ("HAS_MOTHER", "DIRECTED_BY", True),
    ],
)
def test_another_relation_or_direction_speaks_against(
    asked: str, stated: str, *, along: bool
) -> None:
    assert kinship(asked, stated, along=along) < 0
