"""The acts on one Chunk: shorten it, translate it, read its triples."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from mder.errors import ModelError, ReplyError
from mder.reasoners.llm.acts import EXTRACT, SUMMARIZE, SUMMARIZE_AND_TRANSLATE, TRANSLATE
from mder.reasoners.llm.batches import NEIGHBOUR, Size
from mder.reasoners.llm.conversation import Conversation, Topic, passing
from mder.reasoners.llm.halving import Shown, Task, ask_whole
from mder.reasoners.llm.mapping import Page, to_extraction
from mder.reasoners.llm.prompt import language_name
from mder.reasoners.llm.shapes import Extracted, Shortened, Written, written
from mder.reasoners.llm.wording import without_examples
from mder.records import Chunk, Extraction

logger = logging.getLogger(__name__)

_BARE = 60  # characters of a text that may well state nothing


@dataclass(frozen=True, slots=True)
class Scene:
    """A Chunk with the texts before and after it."""

    chunk: Chunk
    before: str
    after: str

    @property
    def shown(self) -> str:
        """All that a prompt shows of it."""
        return f"{self.before} {self.chunk.text} {self.after}"


def shorten(talk: Conversation, scene: Scene, to: str, size: Size) -> Chunk:
    """Fill in the summary of a Chunk, and its translation where one is wanted.

    A text that is its own summary is translated by itself.
    """
    chunk = scene.chunk
    own = len(chunk.text) <= (0 if size.single else size.own_summary)
    if own or not chunk.text.strip():
        return replace(chunk, summary=chunk.text)
    wanted = "" if size.single or chunk.language in {"", to} else to
    topic = Topic(f"summary of {place(chunk)}", chunk.source)
    shown = {
        "language": language_name(chunk.language) if chunk.language else "the one it is in",
        "before": scene.before[-NEIGHBOUR:],
        "after": scene.after[:NEIGHBOUR],
        "text": chunk.text,
    }
    try:
        if not wanted:
            brief = Task(SUMMARIZE, topic, partial(_own, scene), _written, chunk.language)
            return replace(chunk, summary=ask_whole(talk, brief, **shown))
        both = Task(
            SUMMARIZE_AND_TRANSLATE, topic, partial(_both, scene), _shortened, chunk.language
        )
        short = ask_whole(talk, both, to=language_name(wanted), **shown)
    except ModelError as error:
        _raise_unless_passing(error)
        return replace(chunk, summary=chunk.text)
    return replace(chunk, summary=short.summary, english=short.translation)


def _own(scene: Scene, _shown: Shown, reply: Written) -> str:
    return without_examples(written(reply), scene.shown)


def _written(parts: Sequence[Written]) -> Written:
    return Written(" ".join(map(written, parts)))


def _shortened(parts: Sequence[Shortened]) -> Shortened:
    summaries = (part.summary.strip() for part in parts)
    translations = (part.translation.strip() for part in parts)
    return Shortened(" ".join(summaries), " ".join(translations))


def _both(scene: Scene, _shown: Shown, reply: Shortened) -> Shortened:
    summary, translation = reply.summary.strip(), reply.translation.strip()
    if not (summary and translation):
        raise ValueError("the summary or its translation is empty")
    without_examples(f"{summary} {translation}", scene.shown)
    return Shortened(summary, translation)


def translate(talk: Conversation, text: str, to: str, source: str) -> str:
    """Return a text in another language, or as it is where that fails.

    :param source: of the Document that it comes from, or ``""``.
    """
    if not text.strip():
        return text
    try:
        return ask_whole(
            talk,
            Task(
                TRANSLATE,
                Topic(f"translation of {text[:40]!r}", source),
                lambda _, reply: without_examples(written(reply), text),
                _written,
            ),
            language=language_name(to),
            text=text,
        )
    except ModelError as error:
        _raise_unless_passing(error)
        return text


def extract(talk: Conversation, page: Page) -> Extraction:
    """Return the triples of a page, or that it failed."""
    topic = Topic(f"triples of {place(page.chunk)}", page.chunk.source)
    task = Task(EXTRACT, topic, partial(_borne_out, page), _extracted, page.language)
    try:
        return ask_whole(
            talk, task, title=page.title, before=page.before[-NEIGHBOUR:], text=page.text
        )
    except ModelError as error:
        _raise_unless_passing(error)
        at = (page.chunk.start,)
        return Extraction(failed=at) if isinstance(error, ReplyError) else Extraction(missed=at)


def _extracted(parts: Sequence[Extracted]) -> Extracted:
    return Extracted([thing for part in parts for thing in part.things])


def _borne_out(page: Page, shown: Shown, reply: Extracted) -> Extraction:
    """Return what the Page bears out of a reply.

    :param shown: the data of the prompt, of the Page or of a part of it.
    :raises ValueError: when that is none of its triples, in a text long enough for some.
    """
    text = shown["text"]
    extraction = to_extraction(replace(page, text=text, before=shown["before"]), reply)
    if not extraction.triples and len(text) > _BARE:
        if any(thing.facts for thing in reply.things):
            raise ValueError("no fact has names of the text; copy them from it letter by letter")
        logger.warning("no triples in %s", place(page.chunk))
    return extraction


def _raise_unless_passing(error: ModelError) -> None:
    """Raise an error after which other requests make no sense."""
    if not passing(error):
        raise error


def place(chunk: Chunk) -> str:
    """Return where a Chunk is, for people."""
    return f"{chunk.source}, characters {chunk.start} to {chunk.end}"
