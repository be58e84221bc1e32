import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad, RdfFormat, parse, serialize

from mder.graph import vocabulary as v
from mder.names import canonical, escaped
from mder.records import Mention, Merge, Triple

ANY_TEXT = st.text(st.characters())
# Texts that differ in little, and in what IRIs and hashes could mistake.
LIKELY_TO_CLASH = st.text("aA-_ .,()<>\x1f\x00é\ud800/#", max_size=6)
MINTS = [v.entity_iri, v.relation_iri, v.type_iri, v.document_iri]


@pytest.mark.parametrize("mint", MINTS)
@given(text=ANY_TEXT)
def test_any_text_gives_an_iri_that_survives_being_written(mint: object, text: str) -> None:
    assert callable(mint)
    node = mint(text)
    quad = Quad(node, node, node, node)
    written = serialize([quad], format=RdfFormat.N_QUADS)
    assert written is not None
    assert [q.subject for q in parse(written, RdfFormat.N_QUADS)] == [node]


@given(one=LIKELY_TO_CLASH, other=LIKELY_TO_CLASH)
def test_two_iris_are_one_exactly_where_the_names_are(one: str, other: str) -> None:
    same = canonical(one) == canonical(other)
    for mint in (v.entity_iri, v.relation_iri, v.type_iri):
        assert (mint(one) == mint(other)) == same
    assert (v.document_iri(one) == v.document_iri(other)) == (escaped(one) == escaped(other))


@given(LIKELY_TO_CLASH, LIKELY_TO_CLASH, LIKELY_TO_CLASH, LIKELY_TO_CLASH)
def test_parts_of_a_key_do_not_run_together(a: str, b: str, c: str, d: str) -> None:
    same = (canonical(a), canonical(b)) == (canonical(c), canonical(d))
    one, other = (v.merge_iri(Merge(y, x, 1.0, "", "")) for x, y in ((a, b), (c, d)))
    assert (one == other) == same
    triples = (Triple(Mention(x), y, Mention(""), "s", 0, 0, 1) for x, y in ((a, b), (c, d)))
    assert len({v.triple_iri(triple) for triple in triples}) == (1 if same else 2)


def test_iris_can_be_read_in_any_script() -> None:
    assert v.entity_iri("Paris, Texas").value.startswith(v.DATA + "entity/Paris-Texas-")
    assert v.entity_iri("東京").value.startswith(v.DATA + "entity/東京-")
    assert v.entity_iri("हिन्दी").value.startswith(v.DATA + "entity/हिन्दी-")
    assert v.relation_iri("WAS_BORN_IN") == NamedNode(v.DATA + "relation/WAS_BORN_IN")
    assert v.type_iri("spoken language") == NamedNode(v.DATA + "type/spoken_language")


def test_equivalent_spellings_of_unicode_are_one_name() -> None:
    assert v.entity_iri("Irène") == v.entity_iri("Ire\N{COMBINING GRAVE ACCENT}ne")


def test_long_names_give_short_iris_that_differ() -> None:
    one, other = v.entity_iri("x" * 100_000), v.entity_iri("x" * 99_999)
    assert one != other
    assert len(one.value) < 150


def test_every_character_may_stand_in_a_name() -> None:
    for start in range(0, 0x110000, 64):
        text = "a" + "".join(map(chr, range(start, start + 64))).replace("\n", "")
        v.entity_iri(text)
        v.document_iri(text)
