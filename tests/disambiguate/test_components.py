from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.components import Components, Partition

THINGS = range(12)
PAIRS = st.lists(st.tuples(st.sampled_from(THINGS), st.sampled_from(THINGS)), max_size=30)


def partition(components: Components[int]) -> set[frozenset[int]]:
    return {frozenset(members) for members in components.groups().values()}


def naive(pairs: list[tuple[int, int]]) -> set[frozenset[int]]:
    sets = [{thing} for thing in THINGS]
    for left, right in pairs:
        a = next(s for s in sets if left in s)
        b = next(s for s in sets if right in s)
        if a is not b:
            sets.remove(b)
            a |= b
    return {frozenset(s) for s in sets}


def joined(pairs: list[tuple[int, int]]) -> Components[int]:
    components = Components(THINGS)
    for left, right in pairs:
        components.join(left, right)
    return components


@given(PAIRS)
def test_components_are_those_of_the_naive_partition(pairs: list[tuple[int, int]]) -> None:
    assert partition(joined(pairs)) == naive(pairs)


@given(PAIRS, st.randoms(use_true_random=False))
def test_order_and_direction_of_joins_do_not_matter(
    pairs: list[tuple[int, int]], random: Random
) -> None:
    shuffled = [pair[::-1] for pair in pairs]
    random.shuffle(shuffled)
    assert partition(joined(shuffled)) == partition(joined(pairs))


@given(PAIRS)
def test_things_have_one_representative_exactly_if_they_were_joined(
    pairs: list[tuple[int, int]],
) -> None:
    components = joined(pairs)
    for members in naive(pairs):
        assert len({components.find(thing) for thing in members}) == 1
    assert len(components.groups()) == len(naive(pairs))


@given(PAIRS)
def test_a_partition_of_numbers_is_the_same(pairs: list[tuple[int, int]]) -> None:
    numbers = Partition(len(THINGS))
    for left, right in pairs:
        numbers.join(left, right)
    found = {frozenset(t for t in THINGS if numbers.find(t) == root) for root in THINGS}
    assert found - {frozenset()} == naive(pairs)


@given(PAIRS)
def test_a_join_tells_whether_it_joined_anything(pairs: list[tuple[int, int]]) -> None:
    components = Components(THINGS)
    joins = sum(components.join(left, right) for left, right in pairs)
    assert joins == len(THINGS) - len(naive(pairs))


def test_members_keep_the_order_of_addition() -> None:
    components = Components("abcd")
    components.join("d", "a")
    assert list(components.groups().values()) == [["a", "d"], ["b"], ["c"]]


def test_a_thing_that_was_never_added_is_alone() -> None:
    components: Components[str] = Components()
    assert components.find("new") == "new"
    assert components.groups() == {"new": ["new"]}
