"""The terms of the graph, and IRIs made from names in any script.

An IRI is a readable slug and a hash of what makes the thing distinct: exactly the key that is
stored as its name, so two names give two IRIs, and one name always the same. A predicate or type
that is an IRI-safe word already is its own slug, without a hash: ``rel:WAS_BORN_IN``.
"""

import base64
import hashlib
import re
import unicodedata
from functools import lru_cache

from pyoxigraph import NamedNode

from mder.names import canonical, escaped
from mder.records import Merge, Section, Triple

MDER = "https://w3id.org/mder-dr/ontology#"
DATA = "https://w3id.org/mder-dr/id/"
DCTERMS = "http://purl.org/dc/terms/"
OWL = "http://www.w3.org/2002/07/owl#"
PROV = "http://www.w3.org/ns/prov#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES = {
    "mder": MDER,
    "doc": DATA + "document/",
    "chunk": DATA + "chunk/",
    "ent": DATA + "entity/",
    "rel": DATA + "relation/",
    "type": DATA + "type/",
    "dcterms": DCTERMS,
    "owl": OWL,
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "xsd": XSD,
}

DOCUMENT = NamedNode(MDER + "Document")
SECTION = NamedNode(MDER + "Section")
CHUNK = NamedNode(MDER + "Chunk")
ENTITY = NamedNode(MDER + "Entity")
ENTITY_TYPE = NamedNode(MDER + "EntityType")
RELATIONSHIP = NamedNode(MDER + "Relationship")
TRIPLE = NamedNode(MDER + "Triple")
MERGE = NamedNode(MDER + "Merge")

BELONGS_TO_DOCUMENT = NamedNode(MDER + "belongsToDocument")
BELONGS_TO_CHUNK = NamedNode(MDER + "belongsToChunk")
HAS_SECTION = NamedNode(MDER + "hasSection")
HAS_NEXT = NamedNode(MDER + "hasNext")
HAS_ENTITY = NamedNode(MDER + "hasEntity")
HAS_SOURCE = NamedNode(MDER + "hasSource")
HAS_RELATIONSHIP = NamedNode(MDER + "hasRelationship")
HAS_TARGET = NamedNode(MDER + "hasTarget")
HAS_TYPE = NamedNode(MDER + "hasType")
HAS_MAIN_TYPE = NamedNode(MDER + "hasMainType")
HOLDS_IN = NamedNode(MDER + "holdsIn")

HAS_URI = NamedNode(MDER + "hasUri")
HAS_DIGEST = NamedNode(MDER + "hasDigest")
HAS_METADATA = NamedNode(MDER + "hasMetadata")
HAS_CONTENT = NamedNode(MDER + "hasContent")
HAS_TRANSLATION = NamedNode(MDER + "hasTranslation")
HAS_SUMMARY = NamedNode(MDER + "hasSummary")
HAS_NAME = NamedNode(MDER + "hasName")
HAS_DESCRIPTION = NamedNode(MDER + "hasDescription")
HAS_START = NamedNode(MDER + "hasStart")
HAS_END = NamedNode(MDER + "hasEnd")
HAS_LEVEL = NamedNode(MDER + "hasLevel")
IS_VERIFIED = NamedNode(MDER + "isVerified")
IS_NEGATED = NamedNode(MDER + "isNegated")
HAS_MERGED_NAME = NamedNode(MDER + "hasMergedName")
HAS_SCORE = NamedNode(MDER + "hasScore")
IS_DECIDED_BY = NamedNode(MDER + "isDecidedBy")
HAS_EVIDENCE = NamedNode(MDER + "hasEvidence")
HAS_CALLS = NamedNode(MDER + "hasCalls")
HAS_TOKENS_IN = NamedNode(MDER + "hasTokensIn")
HAS_TOKENS_OUT = NamedNode(MDER + "hasTokensOut")
HAS_CACHED = NamedNode(MDER + "hasCached")
HAS_FAILED = NamedNode(MDER + "hasFailed")
HAS_SECONDS = NamedNode(MDER + "hasSeconds")

RDF_TYPE = NamedNode(RDF + "type")
LABEL = NamedNode(RDFS + "label")
ALT_LABEL = NamedNode(SKOS + "altLabel")
OBJECT_PROPERTY = NamedNode(OWL + "ObjectProperty")
TITLE = NamedNode(DCTERMS + "title")
LANGUAGE = NamedNode(DCTERMS + "language")
SUBJECT = NamedNode(DCTERMS + "subject")
ATTRIBUTED_TO = NamedNode(PROV + "wasAttributedTo")
SOFTWARE_AGENT = NamedNode(PROV + "SoftwareAgent")
ACTIVITY = NamedNode(PROV + "Activity")
ASSOCIATED_WITH = NamedNode(PROV + "wasAssociatedWith")

ENTITIES = NamedNode(DATA + "graph/entities")
"""The named graph of what belongs to no single Document."""
PROVENANCE = NamedNode(DATA + "graph/provenance")
"""The named graph of what the making cost, which differs from run to run."""

_LONGEST_SLUG = 60  # characters
_UNSAFE_ASCII = re.compile(r"[^A-Za-z0-9_]+")
_HYPHENS = re.compile(r"-{2,}")
_LAST_MARK = "\U000dffff"  # the variation selectors above it may not stand in an IRI


def shortened(value: str) -> str:
    """Return an IRI with its prefix where it has one, anything else as it is."""
    for prefix, iri in PREFIXES.items():
        if value.startswith(iri):
            return f"{prefix}:{value.removeprefix(iri)}"
    return value


def slug(text: str) -> str:
    """Return the letters, marks and digits of a text, with one hyphen for all that is between.

    >>> slug("Paris, Texas"), slug("東京 (都市)")
    ('Paris-Texas', '東京-都市')
    """
    if text.isascii():
        return _UNSAFE_ASCII.sub("-", text)[:_LONGEST_SLUG].strip("-")
    kept = "".join(c if _safe(c) else "-" for c in unicodedata.normalize("NFC", text))
    return _HYPHENS.sub("-", kept)[:_LONGEST_SLUG].strip("-")


def document_iri(source: str) -> NamedNode:
    """Return the IRI of a Document, which is the name of its graph as well."""
    return _document(escaped(source))


def section_iri(source: str, section: Section) -> NamedNode:
    """Return the IRI of a Section of the Document with this source."""
    title = canonical(section.title)
    return _mint("section", title, escaped(source), str(section.start), title)


@lru_cache(maxsize=4096)
def chunk_iri(source: str, start: int) -> NamedNode:
    """Return the IRI of a Chunk; its start tells it from all others of its Document."""
    return _mint("chunk", f"{_stem(source)} {start}", escaped(source), str(start))


def entity_iri(name: str) -> NamedNode:
    """Return the IRI of the Entity with this canonical name."""
    return _entity(canonical(name))


def relation_iri(predicate: str) -> NamedNode:
    """Return the IRI of a Relationship, which is the predicate of its direct edges as well."""
    return _relation(canonical(predicate))


def type_iri(name: str) -> NamedNode:
    """Return the IRI of an EntityType: ``type:spoken_language``."""
    return _type(canonical(name))


def triple_iri(triple: Triple) -> NamedNode:
    """Return the IRI of a Triple: what it states, and where."""
    parts = (triple.subject.name, triple.predicate, triple.object.name)
    names = [canonical(part) for part in parts]
    place = (str(triple.chunk), str(triple.start), str(triple.end))
    return _mint("triple", " ".join(names), escaped(triple.source), *place, *names)


def merge_iri(merge: Merge) -> NamedNode:
    """Return the IRI of a Merge: the two names, and where they are one."""
    names = [canonical(merge.name), canonical(merge.entity)]
    return _mint("merge", " ".join(names), *names, *sorted(map(escaped, merge.sources)))


def agent_iri(name: str) -> NamedNode:
    """Return the IRI of a Reasoner."""
    return _mint("agent", name, canonical(name))


def activity_iri(stage: str, model: str) -> NamedNode:
    """Return the IRI of what a model did in a stage."""
    return _mint("activity", f"{stage} {model}", canonical(stage), canonical(model))


@lru_cache(maxsize=4096)
def _document(source: str) -> NamedNode:
    return _mint("document", _stem(source), source)


@lru_cache(maxsize=65536)
def _entity(name: str) -> NamedNode:
    return _mint("entity", name, name)


@lru_cache(maxsize=4096)
def _relation(predicate: str) -> NamedNode:
    return _word("relation", predicate, predicate)


@lru_cache(maxsize=4096)
def _type(name: str) -> NamedNode:
    # A name with an underscore of its own is hashed, so that "a b" and "a_b" stay two.
    return _word("type", "" if "_" in name else name.replace(" ", "_"), name)


def _word(kind: str, word: str, key: str) -> NamedNode:
    # Hashed IRIs hold a hyphen always and these never, so the two forms cannot meet.
    if word and "-" not in word and slug(word) == word:
        return NamedNode(f"{DATA}{kind}/{word}")
    return _mint(kind, key, key)


def _mint(kind: str, readable: str, *key: str) -> NamedNode:
    # The unit separator stands in no key, for it is not storable.
    digest = hashlib.blake2b("\x1f".join(key).encode(), digest_size=10).digest()
    return NamedNode(f"{DATA}{kind}/{slug(readable)}-{base64.b32encode(digest).decode().lower()}")


def _stem(source: str) -> str:
    return source.rsplit("/", 1)[-1]


def _safe(character: str) -> bool:
    return (
        character.isalnum()
        or character == "_"
        or (unicodedata.category(character)[0] == "M" and character <= _LAST_MARK)
    )
