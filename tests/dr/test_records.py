from dataclasses import FrozenInstanceError, replace

import pytest

from dr.records import Answer, Hop
from mder.records import Binding, Evidence, EvidenceKind, QueryTriple, Question

ASKED = QueryTriple("Silver Gate", "HAS_DIRECTOR", "X")
PIECE = Evidence("1", EvidenceKind.CHUNK, "text", "a.md", "A", "text", 0, 4, 1.0)


def test_a_hop_without_a_choice_has_failed() -> None:
    hop = Hop(ASKED, ASKED)
    assert hop.failed
    assert not replace(hop, chosen=Binding("Clara Venn", 1.0)).failed


def test_sources_are_named_once_in_the_order_of_their_use() -> None:
    pieces = tuple(replace(PIECE, source=source) for source in ("b.md", "a.md", "", "b.md"))
    answer = Answer("?", "A.", answered=True, decomposition=Question("?", ()), evidence=pieces)
    assert answer.sources == ("b.md", "a.md")


def test_records_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Hop(ASKED, ASKED).chosen = None  # type: ignore[misc]
