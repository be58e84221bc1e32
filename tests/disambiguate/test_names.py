from hypothesis import given
from hypothesis import strategies as st

from mder.disambiguate.names import Use, collect
from mder.records import Mention, Reading
from tests.samples import date, names_in, person, place, reading

CURIE = reading(
    "Marie Curie",
    "Marie Curie was born in Warsaw. The Sorbonne is not in Warsaw. Curie came to it in 1891.",
    (person("Marie Curie"), "WAS_BORN_IN", place("Warsaw")),
    (Mention("Sorbonne"), "IS_NOT_IN", place("Warsaw")),
    (person("Curie", local=True), "CAME_IN", date("1891")),
    mentions=[Mention("Sorbonne")],
    aliases=[("Marie Curie", "Madame Curie")],
)


def test_every_name_has_its_use_in_its_document() -> None:
    assert {name for _, name in collect([CURIE])} == names_in(CURIE)
    assert {source for source, _ in collect([CURIE])} == {"Marie Curie.md"}


def test_mentions_are_counted_and_their_types_weighed() -> None:
    warsaw = collect([CURIE])["Marie Curie.md", "Warsaw"]
    assert warsaw.count == 2
    assert warsaw.types == {"place": 12}


def test_the_type_named_first_weighs_most_and_each_weighs_something() -> None:
    use = Use()
    use.add(Mention("X", tuple("abcdefgh")), "")
    weights = [use.types[kind] for kind in "abcdefgh"]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > weights[1]
    assert weights[-1] > 0


def test_contexts_are_the_sentences_of_the_evidence_each_once() -> None:
    warsaw = collect([CURIE])["Marie Curie.md", "Warsaw"]
    assert warsaw.contexts == [
        "Marie Curie was born in Warsaw.",
        "The Sorbonne is not in Warsaw.",
    ]


def test_few_contexts_are_kept() -> None:
    use = Use()
    for number in range(100):
        use.add(Mention("X"), f"Sentence {number}.")
    assert use.count == 100
    assert len(use.contexts) < 10


def test_a_name_is_local_as_long_as_every_mention_is() -> None:
    use = Use()
    use.add(person("Anna", local=True), "")
    assert use.local
    use.add(person("Anna"), "")
    use.add(person("Anna", local=True), "")
    assert not use.local


def test_a_title_is_never_local_and_opens_its_contexts() -> None:
    page = reading("Anna", "Anna ran.", (person("Anna", local=True), "SAW", "Rome"))
    anna = collect([page])["Anna.md", "Anna"]
    assert anna.titles
    assert not anna.local
    assert anna.contexts[0] == "Anna ran."


def test_a_title_is_known_with_and_without_what_tells_it_apart() -> None:
    uses = collect([reading("Mercury (planet)", "It is small.")])
    assert {name for _, name in uses} == {"Mercury (planet)", "Mercury"}
    assert [name for (_, name), use in uses.items() if use.titles] == ["Mercury (planet)"]


def test_values_are_told_from_names_unless_a_document_has_them_for_its_title() -> None:
    text = "Orwell wrote of 1984."
    uses = collect([reading("Orwell", text, ("Orwell", "WROTE_OF", date("1984")))])
    assert uses["Orwell.md", "1984"].value
    uses = collect([reading("1984", text, ("Orwell", "WROTE_OF", date("1984")))])
    assert not uses["1984.md", "1984"].value


def test_names_are_stored_as_the_graph_stores_them() -> None:
    page = reading("Cafe\u0301", "A  b.", ("A \n b", "IS_A", "c"))
    assert {name for _, name in collect([page])} == {"Café", "A b", "c"}


@given(st.permutations([CURIE, reading("Radium", "It glows."), reading("Art", "It is long.")]))
def test_the_order_of_readings_does_not_matter(readings: list[Reading]) -> None:
    assert list(collect(readings).items()) == list(collect(readings[::-1]).items())
