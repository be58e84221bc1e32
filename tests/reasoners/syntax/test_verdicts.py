import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.verdicts import shared_names, verdict
from mder.records import Candidate

IN_OSLO = "They met Karl Ott in Oslo."
IN_BERN = "They met Paul Reber in Bern."


def same(
    left: str, right: str, kinds: tuple[str, str] = ("", ""), contexts: tuple[str, str] = ("", "")
) -> bool:
    pair = [
        Candidate(name, tuple(filter(None, (kind,))), context, f"{context}.md")
        for name, kind, context in zip((left, right), kinds, contexts, strict=True)
    ]
    forth, back = verdict(pair[0], pair[1]), verdict(pair[1], pair[0])
    assert forth.same == back.same
    assert forth.reason
    return forth.same


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Clara Venn", "Clara Venn"),
        ("Clara Venn", "CLARA VENN"),
        ("Sørli Hus", "Sørli-Hus"),
        ("Émile Roux", "Emile Roux"),
        ("Orion Press", "Orion Press Ltd"),
        ("Orion Press, Inc.", "Orion Press"),
        ("World Glass Union", "WGU"),
        ("Ott Karl", "Karl Ott"),
        ("atlas seller", "atlas sellers"),
        ("Night Fall", "Nightfall"),
    ],
)
def test_spellings_of_one_name(left: str, right: str) -> None:
    assert same(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Clara Venn", "Clara Holm"),
        ("Lantern 4", "Lantern 5"),
        ("Lantern", "Lantern 2"),
        ("North Halden", "South Halden"),
        ("Ida Ott", "Karl Ott"),
        ("Venns", "Venn"),
        ("Orion Press", "Orion Books"),
    ],
)
def test_names_that_only_look_alike(left: str, right: str) -> None:
    assert not same(left, right)


def test_a_person_is_no_place() -> None:
    assert not same("Halden", "Halden", ("person", "place"))


def test_types_that_do_not_exclude_each_other_do_not_matter() -> None:
    assert same("Silver Gate", "Silver Gate", ("film", "organization"))


def test_a_person_has_no_acronym() -> None:
    assert not same("Karl Otto Lind", "KOL", ("person", "person"))


@pytest.mark.parametrize(
    "names", [("John F. Lund", "John Frederik Lund"), ("J. Lund", "John Lund")]
)
def test_initials_need_company_that_both_keep(names: tuple[str, str]) -> None:
    assert same(*names, ("person", "person"), (IN_OSLO, IN_OSLO))
    assert not same(*names, ("person", "person"), (IN_OSLO, IN_BERN))


def test_a_given_name_alone_needs_company_that_both_keep() -> None:
    assert same("Anna", "Anna", ("person", "person"), (IN_OSLO, IN_OSLO))
    assert not same("Anna", "Anna", ("person", "person"), (IN_OSLO, IN_BERN))


def test_company_is_the_names_in_both_contexts() -> None:
    left = Candidate("Anna", (), "Yesterday Anna met Karl Ott and Paul Holm in Oslo.")
    right = Candidate("Anna", (), "Anna left Oslo with Karl Ott.")
    assert shared_names(left, right) == ["Karl Ott", "Oslo"]


def test_ones_own_name_is_no_company() -> None:
    text = "There they met Anna Ott."
    one = Candidate("Anna Ott", (), text)
    assert shared_names(one, one) == []


_NAMES = st.lists(st.sampled_from("Ann Lee 4 Halden of The J. WGU press".split()), min_size=1).map(
    " ".join
) | st.text(min_size=1, max_size=20)


@given(_NAMES, _NAMES, st.sampled_from([("", ""), ("person", ""), ("place", "person")]))
def test_the_order_of_a_pair_does_not_matter(left: str, right: str, kinds: tuple[str, str]) -> None:
    assert isinstance(same(left, right, kinds, (IN_OSLO, IN_BERN)), bool)


@given(_NAMES)
def test_a_name_means_itself_where_it_is_no_short_name_of_a_person(name: str) -> None:
    assert same(name, name, ("place", "place"))
