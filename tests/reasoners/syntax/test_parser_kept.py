"""What is kept of a long Document is not parsed again, and reads as if it were."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from mder.chunk import chunk
from mder.journal import Journal
from mder.reasoners.syntax import SyntaxReasoner, parser
from mder.reasoners.syntax.extract import extract
from mder.reasoners.syntax.parser import parse
from mder.records import Chunk
from tests.doubles import HashingEmbedder
from tests.reasoners.doubles import Shelf
from tests.reasoners.syntax.reading import SOURCE, chunks, document
from tests.samples import CURIE, MOSCOW, TRADE, WARSAW

if TYPE_CHECKING:
    from spacy.tokens import Doc

ANN, SHE, BEN = "Ann Lee wrote Dust in 1901.", "She was born in Lindby.", "Ben met her there."
CHANGED = "Then Ann Lee moved to Norbury. "
PARAGRAPHS = st.lists(
    st.sampled_from([ANN, SHE, BEN, "", "Who?", "Ann (born 300 BC) ran.", *WARSAW.split("\n\n")])
    | st.text(max_size=40),
    max_size=6,
)


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A place for the parses of Documents of any length."""
    monkeypatch.setattr(parser, "_LEAST_KEPT", 0)
    return Shelf()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the texts that went through the model since."""
    seen: list[str] = []
    nlp = parser.load()
    pipe = nlp.pipe

    def watched(docs: "Iterable[Doc]") -> "Iterator[Doc]":
        given = list(docs)
        seen.extend(doc.text.strip() for doc in given)
        return iter(pipe(given))

    monkeypatch.setattr(nlp, "pipe", watched)
    return seen


def fields(doc: "Doc") -> tuple[object, ...]:
    """Return all that rules may ask of a parse."""
    names = "ORTH SPACY LOWER NORM SHAPE TAG POS LEMMA MORPH DEP HEAD SENT_START ENT_IOB ENT_TYPE"
    return (
        doc.to_array([*names.split()]).tolist(),
        [[t.i for t in token.children] for token in doc],
        [(token.text, token.lemma_, token.dep_, str(token.morph)) for token in doc],
        [(token.left_edge.i, token.right_edge.i, token.is_stop, token.like_num) for token in doc],
        *([(s.start, s.end, s.label_) for s in spans] for spans in (doc.sents, doc.ents)),
        [(s.start, s.end) for s in doc.noun_chunks],
    )


def read(texts: Iterable[str], shelf: Shelf, source: str = SOURCE) -> list[tuple[object, ...]]:
    return [fields(p.doc) for p in parse(texts, ("Who?",), source, shelf)]


def changed(text: str) -> str:
    """Put a sentence into the middle of a text, before a sentence or a paragraph."""
    middle = len(text) // 2
    at = next((text.index(m, middle) + len(m) for m in (". ", "\n\n") if m in text[middle:]), 0)
    return text[:at] + CHANGED + text[at:]


def cut(text: str) -> tuple[Chunk, ...]:
    return chunk(document(text), HashingEmbedder())


def test_only_paragraphs_that_changed_are_parsed_again(shelf: Shelf, parsed: list[str]) -> None:
    read([ANN, SHE, BEN], shelf)
    assert parsed == [ANN, SHE, BEN]
    parsed.clear()
    read([BEN, ANN, CHANGED, SHE], shelf)
    assert parsed == [CHANGED.strip()]


def test_a_paragraph_that_stands_twice_is_parsed_once(shelf: Shelf, parsed: list[str]) -> None:
    twice = read([ANN, SHE, ANN], shelf)
    assert parsed == [ANN, SHE]
    assert twice[0] == twice[2] != twice[1]


def test_a_name_by_which_another_token_stands_in_is_parsed_anew(
    shelf: Shelf, parsed: list[str]
) -> None:
    text = "Ann wrote Who Goes Home? in 1951."
    list(parse([text], (), SOURCE, shelf))
    list(parse([text], ("Who Goes Home?",), SOURCE, shelf))
    assert len(parsed) == 2


@examples(max_examples=25)
@given(PARAGRAPHS, PARAGRAPHS)
def test_what_is_kept_reads_as_if_it_were_parsed(before: list[str], after: list[str]) -> None:
    shelf = Shelf()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser, "_LEAST_KEPT", 0)
        read(before, shelf)
        assert read(after, shelf) == read(after, Shelf())
        assert read(after, shelf) == read(after, Shelf())


def test_another_process_reads_words_that_it_never_saw(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Zorvax quibbled the Frumptious (FRM) snorkwheels of Blintown on 3 May 1907."
    whole = read([text], shelf)
    nlp = parser.load.__wrapped__()
    assert "snorkwheels" not in nlp.vocab.strings
    monkeypatch.setattr(parser, "load", lambda: nlp)
    monkeypatch.setattr(nlp, "pipe", iter)
    assert read([text], shelf) == whole


def test_what_a_document_no_longer_has_is_dropped(shelf: Shelf, parsed: list[str]) -> None:
    read([ANN, SHE], shelf)
    read([SHE], shelf)
    parsed.clear()
    read([ANN, SHE], shelf)
    assert parsed == [ANN]


def test_nothing_is_written_where_nothing_changed(shelf: Shelf) -> None:
    for _ in range(3):
        read([ANN, SHE], shelf)
    assert shelf.times == 1


def test_documents_do_not_share(shelf: Shelf, parsed: list[str]) -> None:
    read([ANN], shelf)
    read([ANN], shelf, "another.md")
    assert parsed == [ANN, ANN]


def test_a_short_document_is_not_kept_and_one_that_became_short_no_longer() -> None:
    shelf = Shelf()
    read([ANN] * 3, shelf)
    assert shelf.times == 0
    read([ANN, *[SHE] * 400], shelf)
    (long,) = shelf.kept.values()
    read([ANN], shelf)
    (short,) = shelf.kept.values()
    assert len(short) < len(long)
    assert shelf.times == 2


def test_parses_by_another_version_of_the_parser_are_left(
    shelf: Shelf, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read([ANN], shelf)
    monkeypatch.setattr(parser, "_version", lambda: "another")
    read([ANN], shelf)
    assert parsed == [ANN, ANN]


def test_damaged_parses_are_made_again(shelf: Shelf) -> None:
    whole = read([ANN, SHE], shelf)
    ((place, kept),) = shelf.kept.items()
    shelf.kept[place] = kept[: len(kept) // 2]
    assert read([ANN, SHE], shelf) == whole
    assert shelf.kept[place] == kept


def test_the_reasoner_keeps_what_it_parses_in_the_journal(
    shelf: Shelf, parsed: list[str], tmp_path: Path
) -> None:
    text = f"{ANN}\n\n{SHE}"
    for _ in range(2):
        with Journal(tmp_path / "journal.sqlite") as journal:
            reasoner = SyntaxReasoner(parses=journal)
            found = reasoner.extract(document(text), chunks(text))
        assert found == extract(document(text), chunks(text), shelf)
    assert parsed == [ANN, SHE] * 2
    assert found.triples


@pytest.mark.parametrize("text", [CURIE, MOSCOW, TRADE, WARSAW, f"{ANN}\n\n{SHE} {BEN}"])
def test_a_changed_sample_states_what_it_would_afresh(shelf: Shelf, text: str) -> None:
    extract(document(text), cut(text), shelf)
    after = changed(text)
    assert extract(document(after), cut(after), shelf) == extract(document(after), cut(after))


@pytest.mark.parametrize("name", ["Academy_Awards", "Anatomy"])
def test_a_changed_document_states_what_it_would_afresh(
    data: Path, parsed: list[str], name: str
) -> None:
    before = (data / "docs" / "wikipedia_en" / f"{name}.txt").read_text(encoding="utf-8")
    after, shelf = changed(before), Shelf()
    extract(document(before, name), cut(before), shelf)
    whole = len(parsed)
    parsed.clear()
    found = extract(document(after, name), cut(after), shelf)
    assert len(parsed) < whole / 20
    assert found.triples
    assert found == extract(document(after, name), cut(after))
