import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from pyoxigraph import Literal, Quad

from mder.errors import GraphError
from mder.graph import draft as module
from mder.graph import vocabulary as v
from mder.graph.draft import STATE, Draft
from mder.graph.knowledge import entity_node, quads
from mder.graph.seal import check
from mder.graph.store import SETS, Graph
from mder.graph.validate import violations
from mder.records import Knowledge
from tests.graph.conftest import MANIFEST
from tests.graph.drafts import change, generation
from tests.graph.sample import CURIE, ENTITIES, KNOWLEDGE, MERGES, MOSCOW

MARIE = v.entity_iri("Marie Curie")
DOCUMENT = v.document_iri(CURIE)
TITLE = Quad(DOCUMENT, v.TITLE, Literal("Another"), DOCUMENT)


def part(sources: frozenset[str], summary: str, *, verified: bool) -> Knowledge:
    """Return what some of the Documents say."""
    triples = (replace(t, verified=verified) for t in KNOWLEDGE.triples if t.source in sources)
    of = {e.name: tuple(s for s in e.documents if s in sources) for e in ENTITIES}
    return Knowledge(
        tuple(r for r in KNOWLEDGE.readings if r.document.source in sources),
        tuple(replace(e, summary=f"{e.name}{summary}", documents=of[e.name]) for e in ENTITIES),
        tuple(triples),
        tuple(link for link in KNOWLEDGE.links if link.source in sources),
        tuple(merge for merge in MERGES if sources.issuperset(merge.sources)),
    )


PARTS = st.builds(
    part,
    st.frozensets(st.sampled_from([CURIE, MOSCOW])),
    st.sampled_from(["", " one", " two"]),
    verified=st.booleans(),
)


@settings(max_examples=8)
@given(st.lists(PARTS, min_size=2, max_size=3))
def test_a_generation_that_was_changed_is_the_one_that_would_have_been_written(
    tmp_path_factory: pytest.TempPathFactory, states: list[Knowledge]
) -> None:
    folder = tmp_path_factory.mktemp("generations")
    path = generation(folder / "0", states[0])
    for number, (before, after) in enumerate(pairwise(states), start=1):
        path = generation(folder / f"{number}", after, path, before)
        changed, once = Graph.open(path), Graph.open(generation(folder / f"{number}once", after))
        assert set(changed.store) == set(once.store) == set(quads(after, MANIFEST))
        assert set(changed.store.named_graphs()) == set(once.store.named_graphs())
        assert changed.statistics() == once.statistics()
        assert violations(changed) == []
        for which in SETS:
            told = {key: vector.tolist() for key, vector in changed.vectors(which).items()}
            assert told == {k: vector.tolist() for k, vector in once.vectors(which).items()}


def test_readers_of_the_one_before_are_not_disturbed(tmp_path: Path) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE)
    graph = Graph.open(base)
    before = set(graph.store)
    generation(tmp_path / "2", part(frozenset({MOSCOW}), "", verified=True), base, KNOWLEDGE)
    assert set(graph.store) == set(Graph.open(base).store) == before
    assert check(base, thorough=True) == graph.manifest


def test_what_does_not_change_is_shared_with_the_one_before(tmp_path: Path) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE)
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    draft.node(MARIE, entity_node(replace(ENTITIES[1], summary="She."), None))
    draft.finish(MANIFEST)
    shared = {path.name for path in (tmp_path / "2").rglob("*") if path.stat().st_nlink == 2}
    assert {f"{which}.0.npy" for which in SETS} < shared
    assert any(name.endswith(".sst") for name in shared)


def test_without_hard_links_there_are_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    base = generation(tmp_path / "1", KNOWLEDGE)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    after = part(frozenset({CURIE}), "", verified=True)
    new = Graph.open(generation(tmp_path / "2", after, base, KNOWLEDGE))
    assert set(new.store) == set(quads(after, MANIFEST))
    assert check(base, thorough=True)


def test_another_disk_gets_copies(tmp_path: Path) -> None:
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk only")
    base = generation(tmp_path / "1", KNOWLEDGE)
    staged = other / tmp_path.name
    try:
        graph = Graph.open(generation(staged, KNOWLEDGE, base, KNOWLEDGE))
        assert set(graph.store) == set(quads(KNOWLEDGE, MANIFEST))
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def test_what_is_written_in_slices_is_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SLICE", 10)
    graph = Graph.open(generation(tmp_path / "1", KNOWLEDGE))
    assert set(graph.store) == set(quads(KNOWLEDGE, MANIFEST))
    assert graph.statistics()["triples"] == 3


@pytest.mark.parametrize("based", [False, True])
def test_a_draft_answers_for_what_it_was_given(tmp_path: Path, *, based: bool) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE) if based else None
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    if not based:
        change(draft, Knowledge((), (), ()), KNOWLEDGE)
    assert draft.merges(MARIE) == {v.merge_iri(MERGES[0])}
    assert draft.has(v.HAS_TYPE, v.type_iri("chemist"))
    assert not draft.has(v.HAS_TYPE, v.type_iri("river"))
    if based:
        draft.node(v.merge_iri(MERGES[0]), [])
        draft.document(CURIE, [])
        assert not draft.merges(MARIE)
        assert not draft.has(v.HAS_RELATIONSHIP, v.relation_iri("WAS_BORN_IN"))


def test_quads_of_another_place_are_refused(tmp_path: Path) -> None:
    draft = Draft.begin(tmp_path, None)
    with pytest.raises(ValueError, match="not of"):
        draft.document(MOSCOW, [TITLE])
    with pytest.raises(ValueError, match="not of"):
        draft.node(MARIE, [Quad(DOCUMENT, v.TITLE, Literal("Another"), v.ENTITIES)])


@pytest.mark.parametrize("based", [False, True])
def test_a_graph_that_breaks_a_rule_is_not_finished(tmp_path: Path, *, based: bool) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE) if based else None
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    titled = [q for q in quads(KNOWLEDGE, MANIFEST) if q.graph_name == DOCUMENT]
    if not based:
        change(draft, Knowledge((), (), ()), replace(KNOWLEDGE, readings=()))
    draft.graph(DOCUMENT, [*titled, TITLE])
    with pytest.raises(GraphError, match=r"the old one stays: .*dcterms:title"):
        draft.finish(MANIFEST)
    assert not (tmp_path / "2" / "seal").exists()


def test_vectors_of_two_embedders_are_not_mixed(tmp_path: Path) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE)
    (tmp_path / "2").mkdir()
    with pytest.raises(ValueError, match="other over vectors of test"):
        Draft.begin(tmp_path / "2", base).finish(structs.replace(MANIFEST, embedder="other"))


def test_the_state_of_the_one_before_comes_along(tmp_path: Path) -> None:
    base = generation(tmp_path / "1", KNOWLEDGE)
    (base / STATE).write_text("what the pipeline knows")
    (tmp_path / "2").mkdir()
    draft = Draft.begin(tmp_path / "2", base)
    (tmp_path / "2" / STATE).write_text("what it knows now")
    draft.finish(MANIFEST)
    assert (base / STATE).read_text() == "what the pipeline knows"
    assert STATE in Graph.open(tmp_path / "2").manifest.files


def test_a_disk_that_fails_is_told_with_what_mends_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraphError, match=r"file: cannot write the graph.*mend its rights"):
        Draft.begin(tmp_path / "file", None)
    with pytest.raises(GraphError, match="cannot write the graph"):
        Draft.begin(tmp_path, tmp_path / "nowhere")
