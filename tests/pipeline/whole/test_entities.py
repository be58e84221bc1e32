"""What Reduce is told of Entities."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mder.reasoners.base import Portrait
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Reading
from tests.pipeline.whole.sketch import Sketch, Sketches
from tests.samples import Statement, person, place, reading


@dataclass
class Noting(SyntaxReasoner):
    """Notes what it was told of Entities, in the order in which it was."""

    told: dict[str, list[str]] = field(default_factory=dict)

    def reduce(self, portraits: Sequence[Portrait], limit: int) -> tuple[str, ...]:
        self.told |= {entity.name: list(known) for entity, known in portraits}
        return super().reduce(portraits, limit)


def told(*pages: Reading) -> dict[str, list[str]]:
    noting = Noting()
    Sketches(noting).scratch(by_source(pages))
    return noting.told


def told_anew(before: Sequence[Reading], after: Sequence[Reading]) -> dict[str, list[str]]:
    """Return what is told where a graph of some pages becomes one of others."""
    noting = Noting()
    sketches = Sketches(noting)
    sketch: Sketch = sketches.scratch(by_source(before))
    noting.told.clear()
    sketches.change(sketch, by_source(before), by_source(after))
    return noting.told


def by_source(pages: Sequence[Reading]) -> dict[str, Reading]:
    return {page.document.source: page for page in pages}


BORN: Statement = (person("Marie Curie"), "WAS_BORN_IN", place("Warsaw"))
WARSAW = reading("Warsaw", "Warsaw is a city. It is old.")
CURIE = reading("Radium", "Marie Curie was born in Warsaw.", BORN)


def test_what_is_known_are_the_descriptions_at_either_end() -> None:
    page = reading("P", "Marie Curie was born in Warsaw.", BORN)
    known = told(page)
    assert known["Marie Curie"] == known["Warsaw"] == ["Marie Curie was born in Warsaw."]


def test_a_description_is_known_once() -> None:
    text = "Marie Curie was born in Warsaw."
    page = reading("P", text, BORN, (person("Marie Curie"), "KNEW", place("Warsaw")))
    assert told(page)["Warsaw"] == [text]


def test_what_is_not_verified_is_not_known() -> None:
    page = reading("P", "Marie Curie ran. She came from Warsaw.", BORN)
    (triple,) = page.extraction.triples
    doubtful = replace(page.extraction, triples=(replace(triple, verified=False),))
    assert told(replace(page, extraction=doubtful))["Marie Curie"] == ["Marie Curie ran."]


def test_its_own_page_speaks_first() -> None:
    assert told(CURIE, WARSAW)["Warsaw"] == ["Warsaw is a city.", "Marie Curie was born in Warsaw."]


def test_where_no_triple_speaks_the_passages_that_mention_it_do() -> None:
    ann = person("Ann Lee")
    pages = [
        reading("P", f"It rains. Ann Lee came {n} times.", source=str(n), mentions=[ann])
        for n in range(9)
    ]
    known = told(*pages)["Ann Lee"]
    assert known[0] == "Ann Lee came 0 times."
    assert 1 < len(known) < 9


def test_those_of_which_most_is_known_come_first() -> None:
    page = reading("P", "x", ("Cy", "MET", "Bo"), ("Cy", "MET", "Ann"), ("Bo", "SAW", "Cy"))
    assert [name for name in told(page) if name != "P"] == ["Cy", "Bo", "Ann"]


def test_what_a_change_does_not_bear_on_is_not_reduced_again() -> None:
    other = reading("Oslo", "Oslo is cold. Eve Bell ran.", (person("Eve Bell"), "RAN_IN", "Oslo"))
    changed = reading("Warsaw", "Warsaw is large.")
    assert set(told_anew([CURIE, WARSAW, other], [CURIE, changed, other])) == {"Warsaw"}


def test_a_passage_that_reads_otherwise_in_the_same_place_is_told_anew() -> None:
    ann = person("Ann Lee")
    pages = [reading("P", text, mentions=[ann]) for text in ("Ann Lee ran.", "Ann Lee sat.")]
    assert told_anew(pages[:1], pages[1:])["Ann Lee"] == ["Ann Lee sat."]


def test_an_entity_of_which_nothing_is_stated_any_more_is_told_by_its_passages() -> None:
    stating = reading("P", "Ann Lee ran. Bo sat.", (person("Ann Lee"), "RAN_WITH", "Bo"))
    silent = reading("P", "Ann Lee ran. Bo sat.", mentions=[person("Ann Lee")])
    assert told_anew([stating], [silent])["Ann Lee"] == ["Ann Lee ran."]
