import pytest

from mder.reasoners.syntax.comparing import compare
from mder.reasoners.syntax.origins import origins, same_origin
from mder.reasoners.syntax.passages import passages
from mder.reasoners.syntax.sides import passages_about, read_bindings
from mder.records import Binding, Kind, QueryTriple, Question
from tests.reasoners.syntax.pages import chunk

FILMS = passages(
    (
        chunk("Glass Meadow (film)", "Glass Meadow is a 1931 film directed by Ida Holm."),
        chunk("Silver Gate", "Silver Gate is a 1950 Danish film. It was directed by Karl Ott."),
        chunk("Ida Holm", "Ida Holm (3 May 1901 – 2 June 1960) was a Norwegian director."),
        chunk("Karl Ott", "Karl Ott (born 1890) was a director from Bergen, Norway."),
    )
)
OPTIONS = ("Glass Meadow", "Silver Gate")


def question(last: str, expects: str, order: str, asks: str = "") -> Question:
    triples = tuple(
        triple
        for number, option in enumerate(OPTIONS, start=1)
        for triple in (
            QueryTriple(option, "HAS_DIRECTOR", f"X{number}"),
            QueryTriple(f"X{number}", last, f"Y{number}"),
        )
    )
    return Question("?", triples, asks, Kind.COMPARISON, expects, OPTIONS, order)


def test_a_chain_is_read_from_document_to_document() -> None:
    read = read_bindings(question("WAS_BORN", "date", "least"), FILMS, {})
    assert {slot: b.value for slot, b in read.items()} == {
        "X1": "Ida Holm",
        "Y1": "3 May 1901",
        "X2": "Karl Ott",
        "Y2": "1890",
    }
    assert read["Y1"].evidence == ("chunk:Ida Holm",)


@pytest.mark.parametrize(("order", "chosen"), [("least", "Silver Gate"), ("most", "Glass Meadow")])
def test_options_are_chosen_by_what_was_read(order: str, chosen: str) -> None:
    asked = question("WAS_BORN", "date", order)
    found = compare(asked, read_bindings(asked, FILMS, {}))
    assert found is not None
    assert found.outcome == chosen


def test_an_adjective_and_a_country_are_one_origin() -> None:
    asked = question("HAS_NATIONALITY", "nationality", "same")
    found = compare(asked, read_bindings(asked, FILMS, {}))
    assert found is not None
    assert found.outcome == "Yes"
    assert "Norwegian" in found.shown
    assert "Norway" in found.shown


def test_what_was_bound_stays_where_sentences_do_not_tell_more_surely() -> None:
    asked = question("WAS_BORN_IN", "city", "same")
    bound = {"Y1": Binding("Halden", 1.0), "Y2": Binding("Bergen", 1.0)}
    read = read_bindings(asked, FILMS, bound)
    assert (read["Y1"].value, read["Y2"].value) == ("Halden", "Bergen")


def test_a_number_is_the_one_beside_what_is_counted() -> None:
    found = passages(
        (
            chunk("Holmia", "Holmia is a genus of 37 species, described in 1802 by two men."),
            chunk("Ottia", "Ottia has four species."),
        )
    )
    triples = (
        QueryTriple("Holmia", "HAS_SPECIES", "X1"),
        QueryTriple("Ottia", "HAS_SPECIES", "X2"),
    )
    asked = Question("?", triples, "", Kind.COMPARISON, "number", ("Holmia", "Ottia"), "most")
    read = read_bindings(asked, found, {})
    assert (read["X1"].value, read["X2"].value) == ("37", "4")


def test_a_name_finds_the_document_with_the_title_most_like_it() -> None:
    assert {p.title for p in passages_about("Glass Meadow", FILMS)} == {"Glass Meadow (film)"}
    assert {p.title for p in passages_about("Ida M. Holm", FILMS)} == {"Ida Holm"}
    assert passages_about("Nobody", FILMS) == []


def test_the_widest_place_comes_first() -> None:
    found = passages((chunk("Brek", "Brek lies in Halden, Ostfold, Norway."),))
    assert [name for name, _ in origins(found)] == ["Norway", "Ostfold", "Halden"]


def test_a_country_and_its_adjective_are_one() -> None:
    assert same_origin("Norwegian", "Norway")
    assert same_origin("American", "United States")
