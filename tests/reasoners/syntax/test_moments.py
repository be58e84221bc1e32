import pytest

from mder.reasoners.syntax.moments import moment
from mder.reasoners.syntax.passages import passages
from tests.reasoners.syntax.pages import chunk


@pytest.mark.parametrize(
    ("predicate", "text", "date"),
    [
        ("WAS_BORN", "Ida (3 May 1881 – 2 June 1960) was a poet.", "3 May 1881"),
        ("DIED", "Ida (3 May 1881 – 2 June 1960) was a poet.", "2 June 1960"),
        ("WAS_BORN", "Ida (born May 3, 1981) is a poet.", "May 3, 1981"),
        ("WAS_BORN", "Ida is a poet. She was born in Halden on 3 May 1881.", "3 May 1881"),
        ("DIED", "Ida was a poet. She died in 1960 in Halden.", "1960"),
        ("WAS_RELEASED", "Glass Meadow is a 1931 film, released in Sweden in 1932.", "1932"),
        ("CAME_OUT", "Glass Meadow is a 1931 film.", "1931"),
    ],
)
def test_the_date_of_an_event_is_read(predicate: str, text: str, date: str) -> None:
    told = moment(predicate, passages((chunk("Ida", text),)))
    assert told is not None
    assert told[0] == date


@pytest.mark.parametrize("predicate", ["DIED", "WAS_RELEASED"])
def test_what_is_not_dated_has_no_date(predicate: str) -> None:
    assert moment(predicate, passages((chunk("Ida", "Ida lives in Halden."),))) is None


def test_who_was_born_has_not_died() -> None:
    assert moment("DIED", passages((chunk("Ida", "Ida (born 3 May 1981) is a poet."),))) is None


def test_a_number_of_three_digits_is_no_year_of_an_event() -> None:
    assert (
        moment("CAME", passages((chunk("Case", "Holm v. Ott, 429 R. 190, was a case."),))) is None
    )
