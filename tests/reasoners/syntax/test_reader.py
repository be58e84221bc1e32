import pytest

from mder.reasoners.syntax.passages import passages
from mder.reasoners.syntax.reader import read
from mder.records import Binding, Mention, QueryTriple, Question
from tests.reasoners.syntax.pages import chunk, stated

FILM = chunk(
    "Glass Meadow", "Glass Meadow is a 1931 film. It was directed by Ida Holm in Malung.", 0.7
)
IDA = chunk(
    "Ida Holm", "Ida Holm was a director. She died in Halden in 1960. She loved Bergen.", 0.6
)
OTHER = chunk("Karl Ott", "Karl Ott died in Bergen. He was a friend of Ida Holm.", 0.5)
DIED = stated(
    IDA,
    Mention("Ida Holm", ("person",)),
    "DIED_IN",
    Mention("Halden", ("place",)),
    "She died in Halden in 1960.",
)
LED = stated(
    FILM,
    Mention("Glass Meadow"),
    "WAS_DIRECTED_BY",
    Mention("Ida Holm", ("person",)),
    "It was directed by Ida Holm in Malung.",
)
FOUND = passages((FILM, LED, IDA, DIED, OTHER))
CHAIN = Question(
    "Where did the director of Glass Meadow die?",
    (QueryTriple("Glass Meadow", "HAS_DIRECTOR", "X"), QueryTriple("X", "DIED_IN", "Y")),
    "Y",
    expects="place",
)


def test_the_end_of_a_chain_is_read_from_the_document_it_leads_to() -> None:
    found = read(CHAIN, FOUND, {})
    assert found is not None
    assert found.value == "Halden"
    assert [p.id for p in found.passages] == [DIED.id, LED.id]


def test_the_first_link_of_a_chain_is_read_as_well() -> None:
    asked = Question(
        "Who directed Glass Meadow?", (QueryTriple("X", "DIRECTED", "Glass Meadow"),), "X"
    )
    found = read(asked, FOUND, {})
    assert found is not None
    assert found.value == "Ida Holm"
    assert found.spoken


def test_what_the_question_says_itself_is_no_answer() -> None:
    found = read(CHAIN, passages((chunk("Glass Meadow", "Glass Meadow."),)), {})
    assert found is None or found.value != "Glass Meadow" or found.whole


def test_who_is_named_is_not_who_is_asked_for() -> None:
    asked = Question(
        "Who was the mother of queen Ida Holm?",
        (QueryTriple("Ida Holm", "HAS_MOTHER", "X"),),
        "X",
    )
    page = passages((chunk("Queen Ida", "Queen Ida was a ruler of Halden."),))
    found = read(asked, page, {})
    assert found is not None
    assert found.value != "Queen Ida"


@pytest.mark.parametrize(("thing", "fits"), [("boats", True), ("mills", False)])
def test_a_number_of_something_else_does_not_fit(thing: str, *, fits: bool) -> None:
    asked = Question(
        f"How many {thing} did Ida Holm build?", (QueryTriple("Ida Holm", "BUILT", "X"),), "X"
    )
    found = read(asked, passages((chunk("Ida Holm", "Ida Holm built 40 boats in Halden."),)), {})
    assert found is not None
    assert found.fits == fits
    assert not fits or found.value == "40"


@pytest.mark.parametrize(
    ("question", "relation", "spoken"),
    [
        ("how did Ida Holm die", "DIED", True),
        ("how did Ida Holm travel", "TRAVELLED", False),
        ("how does Ida Holm travel", "TRAVELS", True),
    ],
)
def test_a_sentence_tells_what_happened_only_where_it_speaks_of_it(
    question: str, relation: str, *, spoken: bool
) -> None:
    asked = Question(question, (QueryTriple("Ida Holm", relation, "X"),), "X")
    page = passages((chunk("Ida Holm", "Ida Holm was a director who died of a fever."),))
    found = read(asked, page, {})
    assert found is not None
    assert (found.whole, found.spoken) == (True, spoken)


def test_it_is_told_when_no_sentence_speaks_of_the_relation() -> None:
    asked = Question(
        "Where did Karl Ott study?", (QueryTriple("Karl Ott", "STUDIED_IN", "X"),), "X"
    )
    found = read(asked, FOUND, {})
    assert found is not None
    assert not found.spoken


def test_what_the_graph_bound_is_preferred() -> None:
    asked = Question(
        "What is the place of Ida Holm?", (QueryTriple("Ida Holm", "HAS_PLACE", "X"),), "X"
    )
    page = passages((chunk("Ida Holm", "Ida Holm loved Bergen and Halden."),))
    chosen = {
        value: read(asked, page, {"X": Binding(value, 1.0)}) for value in ("Bergen", "Halden")
    }
    assert {value: found.value for value, found in chosen.items() if found} == {
        "Bergen": "Bergen",
        "Halden": "Halden",
    }


def test_how_something_works_is_told_by_a_whole_sentence() -> None:
    mill = chunk(
        "Water mill", "A mill is a building. A water mill works by a wheel that a river turns."
    )
    asked = Question("how does a water mill work", (QueryTriple("water mill", "WORKS", "X"),), "X")
    found = read(asked, passages((mill, OTHER)), {})
    assert found is not None
    assert (found.whole, found.value) == (True, "A water mill works by a wheel that a river turns.")


def test_nothing_is_read_from_nothing() -> None:
    assert read(CHAIN, (), {}) is None


def test_it_is_surer_of_what_is_told_in_the_words_of_the_question() -> None:
    asked = Question("Where did Ida Holm die?", (QueryTriple("Ida Holm", "DIED_IN", "X"),), "X")
    near, far = read(asked, FOUND, {}), read(asked, passages((OTHER,)), {})
    assert near is not None
    assert far is not None
    assert near.sure > far.sure
