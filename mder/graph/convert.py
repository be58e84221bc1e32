"""The border post between records and RDF: paired functions, and nothing else crosses.

What the records leave to order, the graph keeps so: the first type of an Entity is its main type,
and all other types, aliases and sources come back sorted. The types of a Triple's names come back
as those of their Entities. Names are stored in canonical form, see :func:`mder.names.canonical`.
"""

import json
from collections.abc import Callable, Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad

from mder.errors import GraphError
from mder.graph import vocabulary as v
from mder.graph.node import Node
from mder.names import canonical, escaped, storable
from mder.records import (
    Chunk,
    Document,
    Entity,
    Link,
    Mention,
    Merge,
    Section,
    Triple,
)

Look = Callable[[NamedNode], Node]
"""How a reader asks for a neighbour of the node that it reads."""

_DUBLIN_CORE = {
    "author": "creator",
    "creator": "creator",
    "date": "date",
    "description": "description",
    "license": "license",
    "publisher": "publisher",
}


def document_quads(document: Document) -> Iterator[Quad]:
    """Yield a Document with its Sections, without its text, which its Chunks hold."""
    node = v.document_iri(document.source)
    yield Quad(node, v.RDF_TYPE, v.DOCUMENT, node)
    yield Quad(node, v.HAS_URI, Literal(escaped(document.source)), node)
    yield Quad(node, v.TITLE, _text(document.title), node)
    yield Quad(node, v.HAS_DIGEST, _text(document.digest), node)
    if document.language:
        yield Quad(node, v.LANGUAGE, _text(document.language), node)
    if document.metadata:
        pairs = [[storable(key), storable(value)] for key, value in document.metadata]
        yield Quad(node, v.HAS_METADATA, Literal(json.dumps(pairs, ensure_ascii=False)), node)
    for key, value in document.metadata:
        if term := _DUBLIN_CORE.get(key.lower()):
            yield Quad(node, NamedNode(v.DCTERMS + term), _text(value), node)
    for section in document.sections:
        yield from _section_quads(node, document.source, section)


def _section_quads(document: NamedNode, source: str, section: Section) -> Iterator[Quad]:
    node = v.section_iri(source, section)
    yield Quad(document, v.HAS_SECTION, node, document)
    yield Quad(node, v.RDF_TYPE, v.SECTION, document)
    yield Quad(node, v.TITLE, _text(section.title), document)
    yield Quad(node, v.HAS_START, Literal(section.start), document)
    yield Quad(node, v.HAS_LEVEL, Literal(section.level), document)


def to_document(node: Node, look: Look) -> Document:
    """Read a Document; its text is ``""``.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    _expect(node, v.DOCUMENT)
    sections = [_to_section(look(section)) for section in node.links(v.HAS_SECTION)]
    return Document(
        source=node.text(v.HAS_URI),
        title=node.text(v.TITLE),
        text="",
        digest=node.text(v.HAS_DIGEST),
        language=node.text(v.LANGUAGE, ""),
        sections=tuple(sorted(sections, key=lambda section: section.start)),
        metadata=_to_metadata(node),
    )


def _to_section(node: Node) -> Section:
    return Section(node.integer(v.HAS_START), node.integer(v.HAS_LEVEL), node.text(v.TITLE))


def _to_metadata(node: Node) -> tuple[tuple[str, str], ...]:
    value = node.text(v.HAS_METADATA, "[]")
    try:
        return tuple((str(key), str(text)) for key, text in json.loads(value))
    except (TypeError, ValueError) as error:
        raise GraphError(f"{node.iri.value}: metadata {value!r} is no JSON of pairs") from error


def chunk_quads(chunk: Chunk) -> Iterator[Quad]:
    """Yield a Chunk; a summary equal to its text, or a translation to its summary, is left out."""
    node, graph = v.chunk_iri(chunk.source, chunk.start), v.document_iri(chunk.source)
    yield Quad(node, v.RDF_TYPE, v.CHUNK, graph)
    yield Quad(node, v.BELONGS_TO_DOCUMENT, graph, graph)
    yield Quad(node, v.HAS_CONTENT, _text(chunk.text), graph)
    yield Quad(node, v.HAS_START, Literal(chunk.start), graph)
    yield Quad(node, v.HAS_END, Literal(chunk.end), graph)
    if chunk.language:
        yield Quad(node, v.LANGUAGE, _text(chunk.language), graph)
    if chunk.summary != chunk.text:
        yield Quad(node, v.HAS_SUMMARY, _text(chunk.summary), graph)
    if chunk.english != chunk.summary:
        yield Quad(node, v.HAS_TRANSLATION, _text(chunk.english), graph)


def to_chunk(node: Node, look: Look) -> Chunk:
    """Read a Chunk.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    _expect(node, v.CHUNK)
    text = node.text(v.HAS_CONTENT)
    summary = node.text(v.HAS_SUMMARY, text)
    return Chunk(
        source=look(node.link(v.BELONGS_TO_DOCUMENT)).text(v.HAS_URI),
        start=node.integer(v.HAS_START),
        end=node.integer(v.HAS_END),
        text=text,
        language=node.text(v.LANGUAGE, ""),
        summary=summary,
        english=node.text(v.HAS_TRANSLATION, summary),
    )


def next_quad(source: str, start: int, following: int) -> Quad:
    """Return the edge from a Chunk to the next, given where both start."""
    this, after = v.chunk_iri(source, start), v.chunk_iri(source, following)
    return Quad(this, v.HAS_NEXT, after, v.document_iri(source))


def link_quad(link: Link) -> Quad:
    """Return the edge from a Chunk to an Entity that it mentions."""
    chunk, graph = v.chunk_iri(link.source, link.chunk), v.document_iri(link.source)
    return Quad(chunk, v.HAS_ENTITY, v.entity_iri(link.entity), graph)


def triple_quads(node: NamedNode, triple: Triple, agent: NamedNode | None = None) -> Iterator[Quad]:
    """Yield a reified Triple; one that is verified has a direct edge beside it."""
    graph, relation = v.document_iri(triple.source), v.relation_iri(triple.predicate)
    source, target = v.entity_iri(triple.subject.name), v.entity_iri(triple.object.name)
    if triple.verified:
        yield Quad(source, relation, target, graph)
    yield Quad(node, v.RDF_TYPE, v.TRIPLE, graph)
    yield Quad(node, v.HAS_SOURCE, source, graph)
    yield Quad(node, v.HAS_RELATIONSHIP, relation, graph)
    yield Quad(node, v.HAS_TARGET, target, graph)
    yield Quad(node, v.BELONGS_TO_CHUNK, v.chunk_iri(triple.source, triple.chunk), graph)
    yield Quad(node, v.HAS_START, Literal(triple.start), graph)
    yield Quad(node, v.HAS_END, Literal(triple.end), graph)
    yield Quad(node, v.IS_VERIFIED, Literal(triple.verified), graph)
    yield Quad(node, v.IS_NEGATED, Literal(triple.negated), graph)
    if triple.description:
        yield Quad(node, v.HAS_DESCRIPTION, _text(triple.description), graph)
    if agent is not None:
        yield Quad(node, v.ATTRIBUTED_TO, agent, graph)


def to_triple(node: Node, look: Look) -> Triple:
    """Read a Triple.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    _expect(node, v.TRIPLE)
    chunk = look(node.link(v.BELONGS_TO_CHUNK))
    return Triple(
        subject=to_mention(look(node.link(v.HAS_SOURCE)), look),
        predicate=look(node.link(v.HAS_RELATIONSHIP)).text(v.HAS_NAME),
        object=to_mention(look(node.link(v.HAS_TARGET)), look),
        source=look(chunk.link(v.BELONGS_TO_DOCUMENT)).text(v.HAS_URI),
        chunk=chunk.integer(v.HAS_START),
        start=node.integer(v.HAS_START),
        end=node.integer(v.HAS_END),
        verified=node.flag(v.IS_VERIFIED),
        negated=node.flag(v.IS_NEGATED),
        description=node.text(v.HAS_DESCRIPTION, ""),
    )


def entity_quads(entity: Entity, agent: NamedNode | None = None) -> Iterator[Quad]:
    """Yield an Entity, without the Documents that are about it: see :func:`subject_quad`."""
    node = v.entity_iri(entity.name)
    yield Quad(node, v.RDF_TYPE, v.ENTITY, v.ENTITIES)
    yield Quad(node, v.HAS_NAME, _name(entity.name), v.ENTITIES)
    yield Quad(node, v.LABEL, _name(entity.name), v.ENTITIES)
    for name in entity.types[:1]:
        yield Quad(node, v.HAS_MAIN_TYPE, v.type_iri(name), v.ENTITIES)
    for name in entity.types:
        yield Quad(node, v.HAS_TYPE, v.type_iri(name), v.ENTITIES)
    for alias in entity.aliases:
        yield Quad(node, v.ALT_LABEL, _name(alias), v.ENTITIES)
    if entity.summary:
        yield Quad(node, v.HAS_SUMMARY, _text(entity.summary), v.ENTITIES)
    if agent is not None:
        yield Quad(node, v.ATTRIBUTED_TO, agent, v.ENTITIES)


def subject_quad(source: str, entity: str) -> Quad:
    """Return the edge from a Document to the Entity that it is about."""
    document = v.document_iri(source)
    return Quad(document, v.SUBJECT, v.entity_iri(entity), document)


def to_entity(node: Node, documents: Iterable[NamedNode], look: Look) -> Entity:
    """Read an Entity, given the Documents that are about it.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    mention = to_mention(node, look)
    return Entity(
        name=mention.name,
        types=mention.types,
        aliases=node.texts(v.ALT_LABEL),
        summary=node.text(v.HAS_SUMMARY, ""),
        documents=tuple(sorted(look(document).text(v.HAS_URI) for document in documents)),
    )


def to_mention(node: Node, look: Look) -> Mention:
    """Read the name and the types of an Entity.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    _expect(node, v.ENTITY)
    main = node.links(v.HAS_MAIN_TYPE)
    others = (kind for kind in node.links(v.HAS_TYPE) if kind not in main)
    names = [look(kind).text(v.HAS_NAME) for kind in main]
    names += sorted(look(kind).text(v.HAS_NAME) for kind in others)
    return Mention(node.text(v.HAS_NAME), tuple(names))


def merge_quads(merge: Merge) -> Iterator[Quad]:
    """Yield a Merge."""
    node = v.merge_iri(merge)
    yield Quad(node, v.RDF_TYPE, v.MERGE, v.ENTITIES)
    yield Quad(node, v.HAS_ENTITY, v.entity_iri(merge.entity), v.ENTITIES)
    yield Quad(node, v.HAS_MERGED_NAME, _name(merge.name), v.ENTITIES)
    yield Quad(node, v.HAS_SCORE, Literal(float(merge.score)), v.ENTITIES)
    yield Quad(node, v.IS_DECIDED_BY, _text(merge.decided_by), v.ENTITIES)
    yield Quad(node, v.HAS_EVIDENCE, _text(merge.evidence), v.ENTITIES)
    for source in merge.sources:
        yield Quad(node, v.HOLDS_IN, v.document_iri(source), v.ENTITIES)


def to_merge(node: Node, look: Look) -> Merge:
    """Read a Merge.

    :raises GraphError: naming the node and the value that is not as expected.
    """
    _expect(node, v.MERGE)
    return Merge(
        entity=look(node.link(v.HAS_ENTITY)).text(v.HAS_NAME),
        name=node.text(v.HAS_MERGED_NAME),
        score=node.real(v.HAS_SCORE),
        decided_by=node.text(v.IS_DECIDED_BY),
        evidence=node.text(v.HAS_EVIDENCE),
        sources=tuple(sorted(look(link).text(v.HAS_URI) for link in node.links(v.HOLDS_IN))),
    )


def relationship_quads(predicate: str) -> Iterator[Quad]:
    """Yield a Relationship, which is the property of its direct edges as well."""
    node = v.relation_iri(predicate)
    yield Quad(node, v.RDF_TYPE, v.RELATIONSHIP, v.ENTITIES)
    yield Quad(node, v.RDF_TYPE, v.OBJECT_PROPERTY, v.ENTITIES)
    yield Quad(node, v.HAS_NAME, _name(predicate), v.ENTITIES)
    yield Quad(node, v.LABEL, _name(predicate.replace("_", " ").lower()), v.ENTITIES)


def type_quads(name: str) -> Iterator[Quad]:
    """Yield an EntityType."""
    node = v.type_iri(name)
    yield Quad(node, v.RDF_TYPE, v.ENTITY_TYPE, v.ENTITIES)
    yield Quad(node, v.HAS_NAME, _name(name), v.ENTITIES)
    yield Quad(node, v.LABEL, _name(name), v.ENTITIES)


def _expect(node: Node, kind: NamedNode) -> None:
    if not node.is_a(kind, v.RDF_TYPE):
        raise GraphError(f"no {kind.value.removeprefix(v.MDER)} in this graph: {node.iri.value}")


def _name(name: str) -> Literal:
    return Literal(canonical(name))


def _text(text: str) -> Literal:
    return Literal(storable(text))
