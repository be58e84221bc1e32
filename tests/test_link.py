from collections import defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mder.link import (
    NameTable,
    folded,
    head,
    heads,
    link,
    matters,
    spellings,
    within,
    words_of,
)
from mder.names import normalise
from mder.records import Chunk, Document, Entity, Link, Reading
from tests.samples import reading


def table_of(entities: Sequence[Entity]) -> NameTable:
    table: dict[str, list[str]] = defaultdict(list)
    for entity in entities:
        for spelling in spellings(entity):
            table[spelling].append(entity.name)
    return NameTable.of(table)


def linked(
    text: str,
    *entities: Entity | str,
    names: dict[str, str] | None = None,
    pages: dict[str, str] | None = None,
) -> list[str]:
    """Return the Entities that a text of one Chunk is linked to."""
    known = [Entity(e) if isinstance(e, str) else e for e in entities]
    about = {name: words_of(page) for name, page in (pages or {}).items()}
    found = link(reading("Page", text), names or {}, table_of(known), about)
    return [each.entity for each in found]


def test_a_known_name_leads_to_its_entity() -> None:
    assert linked("She met Marie Curie there.", "Marie Curie", "Pierre Curie") == ["Marie Curie"]


def test_an_alias_leads_to_its_entity() -> None:
    union = Entity("European Union", aliases=("EU bloc",))
    assert linked("The EU bloc grew.", union) == ["European Union"]


def test_the_longest_name_counts() -> None:
    assert linked("In New York City it rains.", "New York", "New York City") == ["New York City"]


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie's notebooks are kept.",
        "Marie Curie’s notebooks are kept.",
        "All of it was Marie Curie's.",
        "So said (Marie Curie).",
        "“Marie Curie”, they wrote.",
        "MARIE CURIE WON.",
        "It was Marie Curie.",
    ],
)
def test_a_name_is_found_in_whatever_stands_around_it(text: str) -> None:
    assert linked(text, "Marie Curie") == ["Marie Curie"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("J.R.R. Tolkien wrote.", "J. R. R. Tolkien"),
        ("Jean Paul Sartre wrote.", "Jean-Paul Sartre"),
        ("O’Brien Bros failed.", "O'Brien Bros."),
        ("В городе Нижний Новгород.", "Нижний Новгород"),
    ],
)
def test_spellings_of_a_name_are_folded(text: str, name: str) -> None:
    assert linked(text, name) == [name]


def test_a_name_is_no_part_of_a_word() -> None:
    assert not linked("The New Yorkers came.", "New York")


def test_each_entity_is_linked_once_a_chunk_in_the_order_of_names() -> None:
    text = "Ann Lee met Bob Lee. Bob Lee met Ann Lee."
    assert linked(text, "Bob Lee", "Ann Lee") == ["Ann Lee", "Bob Lee"]


def test_a_single_word_is_linked_where_a_page_is_about_it() -> None:
    night = Entity("Night", documents=("night.md",))
    assert linked("Night falls.", night, pages={"Night": "A book."}) == ["Night"]
    assert not linked("Night falls.", "Night")


def test_a_single_word_is_linked_where_its_own_document_means_an_entity_by_it() -> None:
    assert linked("Night falls.", "Night", names={"Night": "Night"}) == ["Night"]


def test_what_the_document_means_goes_before_what_others_mean() -> None:
    assert linked("Ann Lee ran.", "Ann Lee", names={"Ann Lee": "Ann Lee (singer)"}) == [
        "Ann Lee (singer)"
    ]


def test_a_common_noun_is_linked_in_its_own_document_only() -> None:
    jury = Entity("jury (Trial)", aliases=("the jury",))
    assert not linked("Then the jury left.", jury)
    assert linked("Then the jury left.", jury, names={"the jury": "jury (Trial)"}) == [jury.name]


def test_values_are_not_looked_for() -> None:
    assert not linked("On 7 May 1990 it rained.", Entity("7 May 1990", ("date",)))


def test_a_homonym_is_chosen_by_the_words_of_its_page() -> None:
    planet = Entity("Mercury (planet)", aliases=("Mercury",), documents=("p",))
    metal = Entity("Mercury (element)", aliases=("Mercury",), documents=("e",))
    pages = {planet.name: "A planet near the sun.", metal.name: "A liquid metal."}
    assert linked("Mercury is near the sun.", planet, metal, pages=pages) == [planet.name]
    assert linked("Mercury is liquid.", planet, metal, pages=pages) == [metal.name]


def test_links_are_made_chunk_by_chunk() -> None:
    text = "Ann Lee ran. Bob Lee ran."
    chunks = tuple(Chunk("d", a, b, text[a:b]) for a, b in ((0, 12), (13, 25)))
    page = Reading(Document("d", "Run", text, "0"), chunks)
    found = list(link(page, {}, table_of([Entity("Ann Lee"), Entity("Bob Lee")]), {}))
    assert found == [Link("d", 0, "Ann Lee"), Link("d", 13, "Bob Lee")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("東京は日本の首都です。", "東京"),
        ("C++ is older than Rust.", "C++"),
        ("A .NET program.", ".NET"),
    ],
)
def test_names_in_any_script_and_with_symbols_are_found(text: str, name: str) -> None:
    assert linked(text, Entity(name, documents=("d",)), names={name: name}) == [name]


@pytest.mark.parametrize(
    ("entity", "known"),
    [
        (
            Entity("Marie Curie", aliases=("Mrs Curie", "the chemist")),
            "marie curie|mrs curie",
        ),
        (Entity("7 May 1990", ("date",)), ""),
        (Entity("1984", ("date",), documents=("1984.md",)), "1984"),
        (Entity("the jury"), ""),
        (Entity("radium", documents=("radium.md",)), "radium"),
        (Entity("Mercury (planet)"), "mercury planet|mercury"),
        (Entity("Москва", aliases=("МОСКВА",)), "москва"),
    ],
)
def test_spellings_are_those_of_no_value_and_no_common_phrase(entity: Entity, known: str) -> None:
    assert "|".join(spellings(entity)) == known


@pytest.mark.parametrize(
    ("spelling", "about", "told"),
    [
        ("night", True, True),
        ("night", False, False),
        ("new york", False, True),
        ("東京", False, True),
    ],
)
def test_a_single_word_matters_where_a_page_is_about_it(
    spelling: str, about: bool, told: bool
) -> None:
    assert matters(spelling, about=about) == told


WORDS = st.lists(st.sampled_from("Ann Lee Bob the ran New York night".split()), max_size=12)


@given(WORDS, st.lists(WORDS.filter(bool).map(" ".join), max_size=6, unique=True))
def test_links_lead_to_known_entities_whose_name_stands_in_the_text(
    words: Sequence[str], names: list[str]
) -> None:
    text = " ".join(words)
    for name in linked(text, *names):
        assert name in names
        assert f" {name.casefold()} " in f" {text.casefold()} "


@pytest.mark.parametrize("name", ["Jean-Paul Sartre", "X-Men Origins", "Marie Skłodowska-Curie"])
def test_a_name_with_a_hyphen_is_found_as_well(name: str) -> None:
    page = reading("Page", f"They spoke of {name} there.")
    found = link(page, {}, table_of([Entity(name)]), {})
    assert [one.entity for one in found] == [name]


# Letters and marks of many scripts, and what stands in and around words.
PIECES = st.sampled_from(
    [
        *"aAbZ1ßſſİŉ_ -.,'’ʼ+#·()&́ \u200d\n",
        *"яЖσΣς東京アｱﾊﾞ한ᄒ글ก๑עب٣ﷺﬁ①ⅷ",
        "'s",
        "’s.",
        "J. R.",
        "Jean-Paul",
        "C++",
        ".NET",
        "Curie",
        "of the",
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@st.composite
def texts_with_names(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Return the texts of Chunks, and names, most of which are parts of them."""
    texts = draw(st.lists(TEXTS, min_size=1, max_size=2))
    parts = st.builds(
        lambda text, at, size: text[at : at + size],
        st.sampled_from(texts),
        st.integers(0, 12),
        st.integers(1, 12),
    )
    return texts, draw(st.lists(parts | TEXTS, max_size=6))


def page_of(texts: Sequence[str]) -> Reading:
    whole, chunks = "", []
    for text in texts:
        chunks.append(Chunk("d", len(whole), len(whole) + len(text), text))
        whole += text
    return Reading(Document("d", "Page", whole, "0"), tuple(chunks))


@given(texts_with_names(), st.booleans())
@example((["_'s"], ["_"]), True)
@example((["A _'s b"], ["a s b"]), False)
@example((["ｱﾒﾘｶ"], ["アメリカ"]), True)
@example((["Foo-ｱ"], ["Foo ア"]), True)
def test_what_is_found_in_a_document_can_be_known_from_its_folded_words_and_heads(
    given: tuple[list[str], list[str]], about: bool
) -> None:
    texts, names = given
    page, words = page_of(texts), folded(page_of(texts))
    for name in map(normalise, names):
        table = NameTable.of({name: [name]})
        pages = {name: {"page"}} if about else {}
        if list(link(page, {}, table, pages)):
            assert matters(name, about=about)
            assert within(name) in words
            assert head(name) in heads(page)


@given(texts_with_names())
def test_of_all_spellings_those_with_the_heads_of_a_document_are_enough(
    given: tuple[list[str], list[str]],
) -> None:
    texts, names = given
    page = page_of(texts)
    known = {normalise(name): [name] for name in names}
    pages = {name: words_of(name) for name in names}
    some = {name: meant for name, meant in known.items() if head(name) in heads(page)}
    found = [list(link(page, {}, NameTable.of(table), pages)) for table in (known, some)]
    assert found[0] == found[1]
