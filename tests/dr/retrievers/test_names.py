import pytest

import mder
from dr.retrievers.names import names_in
from mder.graph.store import Graph
from mder.graph.vocabulary import entity_iri

PAGES = {
    "bell.md": "# The Bell and the Sea\n\nThe Bell and the Sea is a novel by Ann Strand.\n",
    "lunde.md": "# Lunde (town)\n\nLunde is a town. It lies on the Otra.\n",
    "person.md": "# Nils Lunde\n\nNils Lunde is a painter. He was born in 1950.\n",
    "night.md": "# Night\n\nNight is a song by Nils Lunde.\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("names")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return mder.build(folder, folder / "kg")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who wrote The Bell and the Sea?", ["The Bell and the Sea"]),
        ("who wrote the bell and the sea", ["the bell and the sea"]),
        ("On which river is Nils Lunde's house?", ["Nils Lunde"]),
        ("On which river is Lunde?", ["Lunde"]),
        ("Night and day, who sang?", []),
        ("Who sang at night?", []),
        ("Who sang Night in 1950?", ["Night"]),
        ("", []),
    ],
)
def test_the_longest_names_are_found(graph: Graph, question: str, names: list[str]) -> None:
    assert [name.text for name in names_in(question, graph)] == names


def test_a_title_is_meant_without_what_tells_it_apart(graph: Graph) -> None:
    (name,) = names_in("On which river is Lunde?", graph)
    assert name.entities == (entity_iri("Lunde (town)").value,)
