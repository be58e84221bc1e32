from pathlib import Path

import mder
from mder.graph.sentences import sentences_of, topics

TEXT = "# Halden\n\nHalden is a town in Norway. Ida Holm is the mayor of Halden.\n"


def test_sentences_come_in_order_with_what_they_state(tmp_path: Path) -> None:
    (tmp_path / "halden.md").write_text(TEXT, encoding="utf-8")
    graph = mder.build(tmp_path / "halden.md", tmp_path / "kg")
    (source,) = graph.manifest.documents
    (chunk,) = graph.chunks_in(source)
    first, second = sentences_of(graph, chunk)
    assert first.start < second.start
    assert "Norway" in map(graph.name_of, first.entities)
    assert "Ida Holm" in map(graph.name_of, second.entities)
    assert {graph.triple(iri).start for iri in second.triples} == {second.start}
    assert list(map(graph.name_of, topics(graph, chunk))) == ["Halden"]
    assert graph.title_of(chunk) == "Halden"
