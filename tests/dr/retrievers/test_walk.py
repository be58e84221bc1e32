from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from dr.retrievers.walk import Reached, Walk
from mder.graph.store import Graph
from mder.graph.vocabulary import chunk_iri, entity_iri
from mder.records import Chunk, Document, Entity, Link, Mention, Reading, Triple
from tests.graphs import Knowledge, write

# Ann and Bob share a page, Bob and Cid another one; a Triple relates Cid to Dora, who has her own.
PAGES = {"1": ("Ann", "Bob"), "2": ("Bob", "Cid"), "3": ("Cid",), "4": ("Dora",)}


def chunk(page: str) -> str:
    return chunk_iri(page, 0).value


def entity(name: str) -> str:
    return entity_iri(name).value


def made(
    folder: Path,
    pages: Mapping[str, Iterable[str]],
    entities: Iterable[Entity],
    triples: Iterable[Triple] = (),
) -> Graph:
    """Return the graph of pages of one Chunk with the names that it mentions."""
    readings = [
        Reading(Document(page, page, page, page, "en"), (Chunk(page, 0, 1, page, "en"),))
        for page in pages
    ]
    links = [Link(page, 0, name) for page, names in pages.items() for name in names]
    told = Knowledge(tuple(readings), tuple(entities), tuple(triples), tuple(links))
    return Graph.open(write(folder / "kg", told))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    names = sorted({name for found in PAGES.values() for name in found})
    pages = (Entity(page, (), (), "", (page,)) for page in PAGES)
    knows = Triple(Mention("Cid"), "KNOWS", Mention("Dora"), "3", 0, 0, 1, description="So.")
    folder = tmp_path_factory.mktemp("chain")
    return made(folder, PAGES, [*map(Entity, names), *pages], [knows])


@pytest.mark.parametrize(("hops", "pages"), [(0, {"2"}), (1, {"2", "3"}), (2, {"2", "3", "4"})])
def test_each_hop_leads_over_a_triple_or_a_common_chunk(
    chain: Graph, hops: int, pages: set[str]
) -> None:
    reached = Walk(chain, hops, hub=50, most=50).begun({chunk("1"): 1.0})
    assert reached.came.keys() == set(map(chunk, pages))


def test_the_way_begins_at_the_hit_and_names_each_entity(chain: Graph) -> None:
    paths = Walk(chain, 2, hub=50, most=50).begun({chunk("1"): 1.0}).paths
    assert paths[chunk("2")] == (chunk("1"), entity("Bob"))
    assert paths[chunk("4")] == (chunk("1"), *map(entity, ("Bob", "Cid", "Dora")))


def test_what_comes_is_shared_out_and_gets_less_with_the_way(chain: Graph) -> None:
    walk = Walk(chain, 2, hub=50, most=50)
    found = walk.begun({chunk("1"): 1.0}).strongest(9)
    assert list(found) == [chunk("2"), chunk("3"), chunk("4")]
    twice = walk.begun({chunk("1"): 2.0}).strongest(9)
    assert twice == {iri: pytest.approx(2 * strength) for iri, strength in found.items()}


def test_nothing_comes_back_to_where_it_began(chain: Graph) -> None:
    came = Walk(chain, 2, hub=50, most=50).begun({chunk("1"): 1.0, chunk("2"): 1.0}).came
    assert came[chunk("1")].keys() == {chunk("2")}
    assert came[chunk("2")].keys() == {chunk("1")}
    # Cid was come to from the second page already, and is gone on from once.
    assert came[chunk("3")].keys() == {chunk("2")}


def test_most_of_what_comes_to_an_entity_goes_to_its_own_page(tmp_path: Path) -> None:
    pages = {"hit": ["Eve"], "Eve": [], "other": ["Eve"]}
    graph = made(tmp_path, pages, [Entity(page, (), (), "", (page,)) for page in pages])
    found = Walk(graph, 0, hub=50, most=50).begun({chunk("hit"): 1.0}).strongest(9)
    assert found == {chunk("Eve"): pytest.approx(0.8), chunk("other"): pytest.approx(0.1)}


def test_a_hub_leads_nowhere(chain: Graph) -> None:
    # Bob has two Chunks, Ann has one.
    reached = Walk(chain, 2, hub=1, most=50).begun({chunk("1"): 1.0})
    assert reached.came == {}


def test_no_more_entities_are_gone_on_from_than_the_limit(chain: Graph) -> None:
    # Of Ann and Bob, to whom as much came, Ann is first by her IRI.
    reached = Walk(chain, 2, hub=50, most=1).begun({chunk("1"): 1.0})
    assert chunk("4") not in reached.came


def test_a_value_or_a_common_word_leads_nowhere_but_to_its_own_page(tmp_path: Path) -> None:
    pages = {"hit": ["1951", "town", "radium"], "other": ["1951", "town"], "radium": []}
    entities = [Entity("1951", ("date",)), Entity("town")]
    entities += [Entity(page, (), (), "", (page,)) for page in pages]
    reached = Walk(made(tmp_path, pages, entities), 0, hub=50, most=50).begun({chunk("hit"): 1.0})
    assert reached.came.keys() == {chunk("radium")}


def test_a_hit_that_counts_nothing_has_a_way_all_the_same(chain: Graph) -> None:
    reached = Walk(chain, 1, hub=50, most=50).begun({chunk("1"): 0.0})
    assert reached.paths.keys() == reached.came.keys() == set(map(chunk, "23"))


def test_the_way_kept_is_the_one_by_which_most_came() -> None:
    reached = Reached()
    for strength, way in ((0.1, "a"), (0.3, "b"), (0.3, "c"), (0.2, "d")):
        reached.spread(["node"], {"hit": strength}, (way,))
    assert reached.paths == {"node": ("b",)}
    assert reached.strongest(9) == {"node": pytest.approx(0.9)}
    reached.spread(["other"], {"hit": 5.0}, ("e",))
    assert list(reached.strongest(1)) == ["other"]
    assert list(reached.strongest(1, but={"other"})) == ["node"]
