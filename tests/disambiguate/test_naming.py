from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.across import Group
from mder.disambiguate.names import Name, Use
from mder.disambiguate.naming import entity, entity_names, full_names, proper_name, types_of
from mder.names import canonical


def use(
    count: int = 1,
    *,
    local: bool = False,
    titles: bool = False,
    types: dict[str, int] | None = None,
) -> Use:
    return Use(Counter(types or {}), count, local, titles)


def group(**uses: Use) -> Group:
    return Group([("a", name.replace("_", " ")) for name in uses], list(uses.values()))


def test_a_title_is_the_proper_name_with_what_tells_it_apart() -> None:
    titled = Group([("a", "Mercury"), ("a", "Mercury (planet)")], [use(9, titles=True)] * 2)
    assert proper_name(titled) == "Mercury (planet)"


def test_the_most_used_of_the_fullest_names_is_proper() -> None:
    assert proper_name(group(Curie=use(9), Marie_Curie=use(2), Maria_Curie=use(1))) == "Marie Curie"


def test_a_name_with_capitals_goes_before_one_without() -> None:
    assert proper_name(group(polish=use(9), Polish=use(1))) == "Polish"
    assert proper_name(group(radium=use(1))) == "radium"


def test_a_phrase_too_long_for_a_name_is_a_last_resort() -> None:
    long, longer = "x" * 90, "y" * 95
    assert proper_name(group(**{long: use(5), "Short": use(1)})) == "Short"
    assert proper_name(group(**{long: use(1), longer: use(5)})) == long


TITLES = {"a": "Trial (1990)", "b": "Dance"}


def named(groups: dict[Name, Group]) -> list[str]:
    names = entity_names(groups, TITLES)
    return [names[key] for key in groups]


def lone(source: str, name: str, usage: Use) -> tuple[Name, Group]:
    return (source, name), Group([(source, name)], [usage])


def test_common_nouns_are_told_apart_by_their_documents() -> None:
    juries = [lone(source, "jury", use(local=True)) for source in "ab"]
    assert named(dict(juries)) == ["jury (Trial)", "jury (Dance)"]


def test_titles_that_are_stored_alike_tell_nothing_apart() -> None:
    juries = {(s, "jury"): Group([(s, "jury")], [use(local=True)]) for s in "ab"}
    names = entity_names(juries, {"a": "Cafe\u0301", "b": "Caf\u00e9"})
    assert sorted(names.values()) == ["jury (Café)", "jury (Café) 2"]


def test_what_tells_apart_is_the_title_of_a_document_that_has_the_name() -> None:
    groups = {("a", "radium"): Group([("a", "element"), ("b", "radium ore")], [use(1), use(2)])}
    groups[("b", "Radium Ore")] = Group([("b", "Radium Ore")], [use(titles=True)])
    names = entity_names(groups, {"a": "A page", "b": "B page"})
    assert names["a", "radium"] == "radium ore (B page)"


def test_full_names_are_those_that_may_be_proper() -> None:
    assert full_names(["Curie", "Marie Curie", "physicist"]) == ["Marie Curie", "physicist"]
    assert full_names(["Curie", "W" * 99]) == ["Curie"]
    assert full_names(["W" * 99, "word " * 30]) == ["W" * 99, "word " * 30]


NAMES = st.sampled_from(["Anna", "anna", "Anna Lee", "anna lee", "W" * 85, "w " * 60, "the Lee"])


@given(st.dictionaries(NAMES, st.integers(1, 3), min_size=1))
def test_the_proper_name_is_a_full_one(counts: dict[str, int]) -> None:
    known = Group([("a", name) for name in counts], [use(count) for count in counts.values()])
    assert proper_name(known) in full_names(list(counts))


def test_homonyms_are_told_apart_by_their_kinds() -> None:
    city = lone("a", "Florence", use(3, types={"place": 18}))
    nurse = lone("b", "Florence", use(3, types={"person": 18}))
    assert named(dict([city, nurse])) == ["Florence", "Florence (person)"]


def test_a_title_keeps_its_name_before_others() -> None:
    other = lone("a", "Dance", use(9, types={"person": 54}))
    page = lone("b", "Dance", use(1, titles=True))
    assert named(dict([other, page])) == ["Dance (person)", "Dance"]


def test_a_value_that_shares_its_name_tells_what_it_is() -> None:
    book = lone("b", "1984", use(1, titles=True))
    year = lone("a", "1984", use(1, types={"date": 6}))
    names = named(dict([book, year]))
    assert names[0] == "1984"
    assert "2" not in names[1].replace("1984", "")


WORDS = st.sampled_from(["Anna", "anna", "jury", "Jury", "1990", "Anna (Dance)", "jury (Trial)"])
USES = st.builds(
    use,
    st.integers(1, 3),
    local=st.booleans(),
    titles=st.booleans(),
    types=st.dictionaries(st.sampled_from(["person", "place", "date"]), st.integers(1, 30)),
)
GROUPS = st.dictionaries(st.tuples(st.sampled_from("ab"), WORDS), USES, min_size=1)


@given(GROUPS)
def test_names_are_distinct_as_the_graph_keys_them(uses: dict[Name, Use]) -> None:
    names = entity_names({key: Group([key], [usage]) for key, usage in uses.items()}, TITLES)
    assert set(names) == set(uses)
    assert len({canonical(name) for name in names.values()}) == len(uses)


@given(GROUPS, st.randoms(use_true_random=False))
def test_the_order_of_groups_does_not_matter(uses: dict[Name, Use], random: Random) -> None:
    groups = {key: Group([key], [usage]) for key, usage in uses.items()}
    shuffled = list(groups.items())
    random.shuffle(shuffled)
    assert entity_names(dict(shuffled), TITLES) == entity_names(groups, TITLES)


def test_the_other_names_are_aliases_and_titles_name_the_documents() -> None:
    names: list[Name] = [("b", "Curie"), ("a", "Marie Curie"), ("b", "M. Curie")]
    found = entity("Marie Curie", Group(names, [use(), use(titles=True), use()]))
    assert found.aliases == ("Curie", "M. Curie")
    assert found.documents == ("a",)
    assert found.summary == ""


@pytest.mark.parametrize("most", [8])
def test_types_are_the_best_supported_first_and_not_many(most: int) -> None:
    weights = {f"type{n}": n for n in range(1, 30)}
    types = types_of(Group([("a", "X")], [use(types=weights)]))
    assert types[0] == "type29"
    assert len(types) == most
