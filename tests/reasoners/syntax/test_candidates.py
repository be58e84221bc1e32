import pytest

from mder.reasoners.syntax.candidates import candidates
from mder.reasoners.syntax.passages import passages
from mder.records import Mention
from tests.reasoners.syntax.pages import chunk, stated

TEXT = (
    'Ida Holm (born 3 May 1881) of the University of Halden wrote "Glass Meadow" with two friends, '
    "and sold 1,200 copies in Norway."
)
PAGE = chunk("Ida Holm (poet)", TEXT)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("Ida Holm", ""),
        ("3 May 1881", "date"),
        ("1881", "year"),
        ("University of Halden", "organization"),
        ("Glass Meadow", ""),
        ("two", "number"),
        ("1,200", "number"),
        ("Norway", ""),
    ],
)
def test_names_titles_dates_and_numbers_are_candidates(value: str, kind: str) -> None:
    found = {c.value: c.types for c in candidates(passages((PAGE,)))}
    assert value in found
    assert not kind or kind in found[value]


def test_the_day_of_a_date_is_no_number() -> None:
    numbers = {c.value for c in candidates(passages((PAGE,))) if "number" in c.types}
    assert numbers == {"two", "1,200"}


def test_a_list_is_no_candidate() -> None:
    page = chunk("List of mills in Halden", "The Upper Mill is the oldest.")
    assert {c.value for c in candidates(passages((page,)))} == {"Upper Mill"}


def test_the_ends_of_triples_bring_their_types() -> None:
    sold = stated(PAGE, Mention("Ida Holm", ("person",)), "SOLD", Mention("copies"), TEXT)
    found = {c.value: c for c in candidates(passages((PAGE, sold)))}
    assert "person" in found["Ida Holm"].types
    assert found["copies"].start == TEXT.index("copies")


def test_a_title_is_a_candidate_without_its_qualifier() -> None:
    (titled,) = (c for c in candidates(passages((PAGE,))) if c.titled)
    assert (titled.value, titled.start) == ("Ida Holm", 0)
