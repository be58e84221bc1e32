"""A graph brought up to date is the one made from scratch."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mder.graph.store import Graph
from mder.reasoners.base import Reasoner
from mder.reasoners.syntax import SyntaxReasoner
from mder.records import Reading
from mder.settings import Settings
from tests.disambiguate.readings import Judge, Lot, edited, pages, some_words
from tests.pipeline.whole.sketch import Sketch, Sketches
from tests.pipeline.whole.world import World, lines, vectors, words
from tests.samples import reading

SOURCES = ("a.md", "b.md", "c.md", "d.md", "e.md")
History = list[dict[str, Reading]]


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Return states of a set of Documents, each the one before with some changes."""
    words, some = draw(some_words()), draw(st.sets(st.sampled_from(SOURCES), min_size=1))
    states = [{source: draw(pages(words)) for source in sorted(some)}]
    for _ in range(draw(st.integers(1, 3))):
        now = dict(states[-1])
        for source in sorted(draw(st.sets(st.sampled_from(SOURCES), min_size=1, max_size=2))):
            change = draw(st.sampled_from(["edit", "edit", "new", "gone"]))
            if change == "gone":
                now.pop(source, None)
            elif change == "edit" and source in now:
                now[source] = draw(edited(now[source], words))
            else:
                now[source] = draw(pages(words))
        states.append(now)
    return [{source: page.reading(source) for source, page in now.items()} for now in states]


REASONERS = st.sampled_from([SyntaxReasoner(), Judge(same_=True), Lot()])
THRESHOLDS = st.sampled_from([0.5, 0.7, 0.95])


def state_of(sketch: Sketch, sources: set[str]) -> dict[str, object]:
    """Return what can be asked of a state."""
    state = sketch.state
    names = {source: state.senses.names(source) for source in sources}
    entities = sorted({entity for found in names.values() for entity in found.values()})
    return {
        "names": names,
        "entities": [state.entities.get(name) for name in entities],
        "facts": [state.facts.of(name) for name in entities],
        "links": list(state.facts.links(entities)),
        "spellings": [(s, state.entities.meant(s)) for s, *_ in state.entities.spellings()],
        "labels": sorted(vector for _, vector in state.senses.labels()),
        "holding": sorted(state.facts.holding([("", "")])),
        "senses": state.senses.count(),
    }


# Two pages choose a homonym elsewhere by their words; one goes, or is about other things.
HOMONYMS = {
    page.document.source: page
    for page in (
        reading("Mercury (planet)", "Nothing here.", source="a.md"),
        reading("Mercury (planet)", "A planet near the sun.", source="b.md"),
        reading("Mercury (element)", "Liquid.", source="c.md"),
        reading("Diary", "Then Mercury rose near the planet.", source="d.md"),
    )
}
GONE = {source: page for source, page in HOMONYMS.items() if source != "b.md"}
RENAMED = HOMONYMS | {"b.md": reading("Venus", "A planet near the sun.", source="b.md")}


@given(histories(), REASONERS, THRESHOLDS)
@example([HOMONYMS, GONE, HOMONYMS, RENAMED], SyntaxReasoner(), 0.95)
def test_whatever_changes(states: History, reasoner: Reasoner, threshold: float) -> None:
    sketches = Sketches(reasoner, Settings(merge_threshold=threshold))
    sketch = sketches.scratch(states[0])
    for before, now in pairwise(states):
        sketches.change(sketch, before, now)
        wanted = sketches.scratch(now)
        assert sketch.nodes == wanted.nodes
        assert sketch.documents == wanted.documents
        assert sketch.sets == wanted.sets
        assert sketch.words == wanted.words
        assert state_of(sketch, set(now)) == state_of(wanted, set(now))


def compare(one: Graph, other: Graph) -> None:
    assert lines(one) == lines(other)
    assert vectors(one) == vectors(other)
    assert words(one) == words(other)
    assert one.statistics() == other.statistics()


@settings(max_examples=10)
@given(histories(), REASONERS, THRESHOLDS)
def test_it_is_on_disk_as_well(states: History, reasoner: Reasoner, threshold: float) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder), reasoner, Settings(merge_threshold=threshold))
        graph = world.scratch(states[0])
        for before, now in pairwise(states):
            graph = world.changed(graph, before, now)
            compare(graph, world.scratch(now))
