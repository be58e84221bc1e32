import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.syntax.answers import answer
from mder.records import Binding, Evidence, EvidenceKind, Kind, QueryTriple, Question, Reply

QUOTES = {
    "born": "Ida was born in Halden.",
    "wrote": "The book is by Ida.",
    "one": "Ida was born on 3 May 1881.",
    "two": "Karl was born on 2 June 1875.",
}
EVIDENCE = tuple(
    Evidence(i, EvidenceKind.TRIPLE, q, "a.md", "A", q, 0, len(q), 1.0) for i, q in QUOTES.items()
)
CHAIN = Question(
    "?", (QueryTriple("X", "WROTE", "book"), QueryTriple("X", "WAS_BORN_IN", "Y")), asks="Y"
)
YES_NO = Question("?", (QueryTriple("Ida", "WAS_BORN_IN", "Halden"),), kind=Kind.YES_NO)


def comparison(order: str) -> Question:
    triples = (QueryTriple("Ida", "WAS_BORN", "X1"), QueryTriple("Karl", "WAS_BORN", "X2"))
    return Question(
        "?", triples, kind=Kind.COMPARISON, options=("Ida", "Karl"), order=order, expects="date"
    )


def compared(order: str, one: str, two: str) -> Reply:
    bindings = {"X1": Binding(one, 1.0, ("one",)), "X2": Binding(two, 1.0, ("two",))}
    return answer(comparison(order), bindings, EVIDENCE)


def test_the_value_comes_first_then_what_supports_it() -> None:
    bindings = {"X": Binding("Ida", 1.0, ("wrote",)), "Y": Binding("Halden", 1.0, ("born",))}
    assert answer(CHAIN, bindings, EVIDENCE) == Reply(
        "Halden. Ida was born in Halden. The book is by Ida.",
        cited=("born", "wrote"),
        value="Halden",
    )


def test_no_name_tells_how_or_why() -> None:
    asked = Question("how did Ida die", (QueryTriple("Ida", "DIED", "X"),), asks="X")
    quote = "Ida died in Halden."
    found = Evidence("died", EvidenceKind.TRIPLE, quote, "a.md", "A", quote, 0, len(quote), 1.0)
    reply = answer(asked, {"X": Binding("Halden", 1.0, ("died",))}, [found])
    assert (reply.value, reply.cited) == (quote, ("died",))


def test_the_qualifier_of_a_title_is_left_out() -> None:
    bindings = {"X": Binding("Ida", 1.0), "Y": Binding("Halden (town)", 1.0, ("born",))}
    assert answer(CHAIN, bindings, EVIDENCE).text.startswith("Halden. ")


def test_a_chain_that_ends_early_is_read_to_its_end() -> None:
    reply = answer(CHAIN, {"X": Binding("Ida", 1.0, ("wrote",))}, EVIDENCE)
    assert (reply.value, reply.cited[0]) == ("Halden", "born")


def test_what_is_neither_bound_nor_read_is_not_answered() -> None:
    reply = answer(CHAIN, {"X": Binding("Ida", 1.0, ("wrote",))}, ())
    assert (reply.answered, reply.guess, reply.cited) == (False, "", ())


def test_a_value_that_is_not_sure_is_a_guess_only() -> None:
    bindings = {"X": Binding("Ida", 1.0), "Y": Binding("Halden (town)", 0.1)}
    reply = answer(CHAIN, bindings, ())
    assert (reply.answered, reply.value, reply.guess) == (False, "", "Halden")


def test_a_relation_that_nothing_tells_of_is_a_guess_only() -> None:
    asked = Question("Where did Ida study?", (QueryTriple("Ida", "STUDIED_IN", "X"),), asks="X")
    reply = answer(asked, {}, EVIDENCE)
    assert not reply.answered
    assert reply.guess


@pytest.mark.parametrize(("value", "said"), [("yes", "Yes"), ("no", "No")])
def test_yes_or_no_is_what_is_stated(value: str, said: str) -> None:
    reply = answer(YES_NO, {"": Binding(value, 1.0, ("born",))}, EVIDENCE)
    assert reply == Reply(f"{said}. Ida was born in Halden.", cited=("born",), value=said)


def test_what_nothing_states_is_neither_yes_nor_no() -> None:
    assert not answer(YES_NO, {}, EVIDENCE).answered


@pytest.mark.parametrize(("order", "chosen"), [("least", "Karl"), ("most", "Ida")])
def test_a_comparison_names_the_option_and_shows_both_values(order: str, chosen: str) -> None:
    reply = compared(order, "3 May 1881", "2 June 1875")
    assert reply.text.startswith(f"{chosen} (Ida: 3 May 1881; Karl: 2 June 1875).")
    assert reply.cited == ("one", "two")


@pytest.mark.parametrize(
    ("one", "two", "said"), [("Norwegian", "norwegian", "Yes"), ("Norwegian", "Danish", "No")]
)
def test_whether_two_agree(one: str, two: str, said: str) -> None:
    assert compared("same", one, two).text.startswith(f"{said} (")


@pytest.mark.parametrize(
    ("one", "two"), [("1881", "1881"), ("early", "1881"), ("30 metres", "soon")]
)
def test_values_that_cannot_be_ordered_settle_nothing(one: str, two: str) -> None:
    assert not compared("least", one, two).answered


def test_one_value_of_two_settles_nothing() -> None:
    for order in ("least", "most", "same"):
        bindings = {"X1": Binding("1881", 1.0, ("one",))}
        assert not answer(comparison(order), bindings, EVIDENCE).answered


def test_a_comparison_goes_by_the_end_of_each_chain() -> None:
    triples = (
        QueryTriple("Glass Meadow", "HAS_DIRECTOR", "X1"),
        QueryTriple("X1", "WAS_BORN", "Y1"),
        QueryTriple("Silver Gate", "HAS_DIRECTOR", "X2"),
        QueryTriple("X2", "WAS_BORN", "Y2"),
    )
    options = ("Glass Meadow", "Silver Gate")
    question = Question("?", triples, kind=Kind.COMPARISON, options=options, order="least")
    bindings = {
        "X1": Binding("Ida", 1.0),
        "Y1": Binding("1881", 1.0, ("one",)),
        "X2": Binding("Karl", 1.0),
        "Y2": Binding("1875", 1.0, ("two",)),
    }
    assert answer(question, bindings, EVIDENCE).text.startswith("Silver Gate (")


_BINDINGS = st.dictionaries(
    st.sampled_from(["", "X", "Y", "X1", "X2"]),
    st.builds(
        Binding,
        st.sampled_from(["Ida", "1881", "yes", "Halden (town)"]),
        st.floats(0, 1),
        st.lists(st.sampled_from([*QUOTES, "gone"]), max_size=3).map(tuple),
    ),
)


@given(
    st.sampled_from([CHAIN, YES_NO, *(comparison(o) for o in ("least", "most", "same", ""))]),
    _BINDINGS,
)
def test_only_evidence_is_cited_and_every_quotation_is_cited(
    question: Question, bindings: dict[str, Binding]
) -> None:
    reply = answer(question, bindings, EVIDENCE)
    assert reply.text
    assert set(reply.cited) <= set(QUOTES)
    assert len(set(reply.cited)) == len(reply.cited)
    if not reply.answered:
        assert not reply.cited
    for name, quote in QUOTES.items():
        assert quote not in reply.text or name in reply.cited
