from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mder.reasoners.llm.mapping import Page, joined, mentions, to_extraction
from mder.reasoners.llm.shapes import Extracted, Thing
from mder.records import Alias, Chunk, Extraction, Mention, Triple
from tests.reasoners import doubles

Fact = tuple[str, str] | tuple[str, str, str]


def thing(name: str, *facts: Fact, kind: str = "") -> Thing:
    return Thing(name, kind, [[*fact, ""][:3] for fact in facts])


def page(text: str, title: str = "Marie Curie", before: str = "", start: int = 0) -> Page:
    chunk = Chunk("curie.md", 0, len(text), text, "en")
    return Page(chunk, text, start, title, before)


def read(text: str, *things: Thing, title: str = "Marie Curie", before: str = "") -> Extraction:
    return to_extraction(page(text, title, before), Extracted(list(things)))


def quoted(text: str, triple: Triple) -> str:
    return text[triple.start : triple.end]


TEXT = "She was shy. In 1898 Curie discovered  Polonium, and named it. It glows."
FOUND = "In 1898 Curie discovered  Polonium, and named it."


@pytest.mark.parametrize(
    ("subject", "obj"),
    [
        ("Curie", "Polonium"),
        ("CURIE", "polonium"),
        ("curie", "Pólonium"),
        ("Curies", "polonium's"),
        ("the Curie", "“Polonium”"),
        ("Marie Curie", "Polonium"),
    ],
)
def test_names_are_known_in_any_case_accents_and_inflection(subject: str, obj: str) -> None:
    (triple,) = read(TEXT, thing(subject, ("discovered", obj))).triples
    assert quoted(TEXT, triple) == FOUND
    assert triple.verified


def test_evidence_is_in_the_chunk_wherever_that_begins() -> None:
    chunk = Chunk("curie.md", 500, 500 + len(TEXT), TEXT, "en")
    reply = Extracted([thing("Curie", ("discovered", "Polonium"))])
    (triple,) = to_extraction(Page(chunk, TEXT, 500, "", ""), reply).triples
    assert (triple.chunk, triple.start, triple.end) == (500, 513, 513 + len(FOUND))
    assert triple.source == "curie.md"


def test_triple_that_no_sentence_states_points_at_its_chunk_unverified() -> None:
    (triple,) = read(TEXT, thing("Marie Curie", ("lived in", "Paris"))).triples
    assert (triple.start, triple.end, triple.verified) == (0, len(TEXT), False)


@pytest.mark.parametrize(("subject", "obj"), [("Curie", "uranium"), ("Becquerel", "Polonium")])
def test_name_that_is_not_there_is_not_verified(subject: str, obj: str) -> None:
    (triple,) = read(TEXT, thing(subject, ("discovered", obj))).triples
    assert not triple.verified


def test_triple_of_which_no_name_is_there_is_left_out() -> None:
    found = read(TEXT, thing("Einstein", ("discovered", "relativity")))
    assert found == Extraction()


def test_title_may_stand_in_for_a_pronoun() -> None:
    (triple,) = read(TEXT, thing("Marie Curie", ("was", "shy"))).triples
    assert triple.verified
    assert quoted(TEXT, triple) == "She was shy."


def test_title_counts_without_its_qualifier() -> None:
    (triple,) = read(TEXT, thing("Curie", ("was", "shy")), title="Curie (physicist)").triples
    assert triple.verified


def test_name_just_before_may_stand_in_for_a_pronoun_and_one_far_off_may_not() -> None:
    text = "Ann Lee ran. It rained. She was shy. Time passed. It was dark. Then she was old."
    found = read(text, thing("Ann Lee", ("was", "shy"), ("was", "old")), title="")
    assert [triple.verified for triple in found.triples] == [True, False]
    assert [quoted(text, triple) for triple in found.triples] == [
        "She was shy.",
        "Then she was old.",
    ]


def test_names_of_the_examples_are_filtered() -> None:
    found = read(
        TEXT, thing("Zorblax Quimby", ("wrote", "Polonium")), thing("Curie", ("is", "shy"))
    )
    assert [triple.subject.name for triple in found.triples] == ["Curie"]
    assert "Zorblax Quimby" not in {mention.name for mention in found.mentions}


@pytest.mark.parametrize("about", ["Zorblax Quimby", "Quennibar Institute"])
def test_echo_of_the_example_gives_nothing(about: str) -> None:
    echo = [
        thing("Zorblax Quimby", ("is a", "glassblower"), ("never joined", "Quennibar Institute")),
        thing("Quennibar Institute", ("also called", "QI")),
    ]
    assert read(f"{TEXT} A glassblower.", *echo).triples == ()
    assert about not in {m.name for m in read(f"{TEXT} A glassblower.", *echo).mentions}


def test_name_of_the_examples_stays_where_the_text_has_it() -> None:
    assert read("Quimby won.", thing("Quimby", ("did", "won"))).triples


def test_words_are_brought_into_the_form_of_the_graph() -> None:
    text = "The jury did not like the Opera."
    (triple,) = read(text, thing("The jury", ("did not like", "the Opera"), kind="Group")).triples
    assert triple.subject == Mention("jury", ("group",), local=True)
    assert triple.object == Mention("Opera")
    assert (triple.predicate, triple.negated) == ("DID_NOT_LIKE", True)


def test_value_has_its_type() -> None:
    (triple,) = read(TEXT, thing("Curie", ("discovered it in", "1898", "Date"))).triples
    assert triple.object == Mention("1898", ("date",))


@pytest.mark.parametrize(
    "broken",
    [
        thing("", ("is", "shy")),
        thing("Curie", ("_", "shy")),
        thing("Curie", ("is", "")),
        thing("Curie", ("is", "the Curie")),
        thing("Curie"),
    ],
)
def test_fact_without_all_its_parts_is_left_out(broken: Thing) -> None:
    assert read(TEXT, broken) == Extraction()


def test_fact_told_twice_is_one() -> None:
    told = thing("Curie", ("discovered", "Polonium"))
    assert len(read(TEXT, told, told).triples) == 1


def test_thing_told_of_in_two_places_is_one_with_all_its_types() -> None:
    found = read(
        TEXT,
        thing("Curie", ("discovered", "Polonium", "element"), kind="person"),
        thing("Curie", ("is", "shy"), kind="chemist"),
        thing("Polonium", ("was named", "1898")),
    )
    assert [(m.name, m.types) for m in found.mentions] == [
        ("Curie", ("person", "chemist")),
        ("Polonium", ("element",)),
        ("shy", ()),
        ("1898", ()),
    ]


UNION = "The European Union (EU) grew."


@pytest.mark.parametrize("relation", ["also called", "also known as"])
def test_another_name_is_an_alias_and_no_triple(relation: str) -> None:
    found = read(UNION, thing("the European Union", (relation, "EU")))
    assert found.aliases == (Alias("curie.md", "European Union", "EU"),)
    assert found.triples == ()
    assert found.mentions == (Mention("European Union"),)


@pytest.mark.parametrize("alias", ["Brussels", "european union", ""])
def test_alias_must_stand_in_the_text_and_be_another(alias: str) -> None:
    assert read(UNION, thing("European Union", ("also called", alias))).aliases == ()


def test_alias_of_a_name_that_is_not_there_is_none() -> None:
    assert read(UNION, thing("Europe Ltd", ("also called", "EU"))).aliases == ()


def test_alias_vouches_for_a_name() -> None:
    text = f"{UNION} It was long ago. The EU hired 60 people."
    found = read(text, thing("European Union", ("also called", "EU"), ("hired", "60 people")))
    (triple,) = found.triples
    assert triple.verified
    assert quoted(text, triple) == "The EU hired 60 people."


def test_foreign_text_read_in_english_points_at_its_chunk() -> None:
    text, english = "Кюри родилась в Варшаве.", "Curie was born in Warsaw."
    foreign = replace(page(text), text=english, start=-1)
    reply = Extracted([thing("Curie", ("was born in", "Warsaw"))])
    (triple,) = to_extraction(foreign, reply).triples
    assert (triple.start, triple.end, triple.verified) == (0, len(text), True)


def test_names_in_any_script_are_found() -> None:
    text = "東京は日本の首都です。人口は多い。"
    (triple,) = read(text, thing("東京", ("は首都", "日本"))).triples
    assert quoted(text, triple) == "東京は日本の首都です。"
    assert triple.verified


def test_mention_is_local_only_where_it_is_everywhere() -> None:
    seen = [Mention("jury", ("group",), local=True), Mention("jury", ("people",))]
    assert mentions(seen) == (Mention("jury", ("group", "people")),)


def test_what_several_pages_gave_is_one() -> None:
    one = Extraction((doubles.triple("a", "B", "c"),), (Mention("a"),), failed=(3,))
    two = Extraction((), (Mention("a", ("x",)),), (Alias("curie.md", "a", "b"),), (3, 9))
    assert joined([one, two]) == Extraction(
        one.triples, (Mention("a", ("x",)),), two.aliases, (3, 9)
    )


WORDS = st.sampled_from(
    ["Curie", "radium", "the", "1898", "Zorblax Quimby", "it", "<", "東京", " ", ""]
)
SAID = st.lists(WORDS, max_size=3).map(" ".join) | st.text(max_size=4)
FACTS = st.lists(st.tuples(SAID, SAID, SAID), max_size=3)


@given(st.lists(WORDS, max_size=9), st.lists(st.tuples(SAID, SAID, FACTS), max_size=3), SAID)
def test_whatever_a_model_says_points_into_its_chunk(
    words: Sequence[str], told: Sequence[tuple[str, str, list[tuple[str, str, str]]]], title: str
) -> None:
    text = ". ".join(words)
    chunk = Chunk("a.md", 7, 7 + len(text), text, "en")
    reply = Extracted([Thing(n, kind, [list(fact) for fact in facts]) for n, kind, facts in told])
    found = to_extraction(Page(chunk, text, 7, title, ""), reply)
    for triple in found.triples:
        assert chunk.start <= triple.start <= triple.end <= chunk.end
        assert triple.subject.name != triple.object.name
        assert triple.predicate
    names = [mention.name for mention in found.mentions]
    assert len(names) == len(set(names))
    assert {t.subject.name for t in found.triples} <= set(names)
    assert all(alias.name in names for alias in found.aliases)


@pytest.mark.parametrize(
    ("before", "verified"),
    [("Then Ann Lee ran.", True), ("Ann Lee ran. It rained. The sun came.", False)],
)
def test_a_pronoun_may_point_back_two_sentences_and_over_the_end_of_a_chunk(
    before: str, verified: bool
) -> None:
    stated = thing("Ann Lee", ("was born in", "York"))
    (triple,) = read("She was born in York.", stated, title="Athletes", before=before).triples
    assert triple.verified is verified
