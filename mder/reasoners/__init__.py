"""Who reads and writes: ``syntax``, built in, or a language model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mder.models.base import LanguageModel
from mder.models.ledger import Ledger
from mder.models.replies import NoReplies, Replies
from mder.reasoners.base import Reasoner
from mder.reasoners.cast import Cast
from mder.reasoners.parses import NOWHERE, Parses

if TYPE_CHECKING:
    from mder.reasoners.llm.conversation import Each


@dataclass(frozen=True, slots=True)
class Terms:
    """How language models are asked, and where what was parsed is kept.

    :param each: a function like ``map`` that may send several requests at once.
    :param in_flight: the most requests at once.
    :param batch: the most things asked for in one request.
    :param own_summary: characters up to which a text is its own summary.
    """

    ledger: Ledger = field(default_factory=Ledger)
    replies: Replies = field(default_factory=NoReplies)
    each: "Each" = map
    in_flight: int = 1
    batch: int = 10
    own_summary: int = 1000
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    reply_tokens: int = 4096
    parses: Parses = NOWHERE


def open_reasoner(
    llm: str = "",
    language: str = "en",
    known: Callable[[str], bool] | None = None,
    terms: Terms | None = None,
) -> Reasoner:
    """Return the Reasoner of this name.

    :param llm: ``provider/model``, or ``""`` for the built-in syntax Reasoner.
    :param language: the index language, ISO 639-1.
    :param known: says whether a string is a name in the graph, for questions.
    :raises UsageError: when the name has no known provider, or the provider needs a key.
    """
    terms = terms or Terms()
    if not llm:
        from mder.reasoners.syntax import SyntaxReasoner

        return SyntaxReasoner(known, terms.parses)
    from mder.models import open_model

    model = open_model(
        llm,
        in_flight=terms.in_flight,
        requests_per_minute=terms.requests_per_minute,
        tokens_per_minute=terms.tokens_per_minute,
        reply_tokens=terms.reply_tokens,
        stopped=terms.ledger.stopped,
    )
    return llm_reasoner(model, language, terms)


def llm_reasoner(model: LanguageModel, language: str, terms: Terms) -> Reasoner:
    """Return the Reasoner over a LanguageModel that is open."""
    from mder.reasoners.llm import LlmReasoner
    from mder.reasoners.llm.batches import Size
    from mder.reasoners.llm.conversation import Conversation

    talk = Conversation(model, terms.ledger, terms.replies, terms.each)
    return LlmReasoner(talk, language, Size(terms.batch, terms.own_summary))


def check_models(models: Mapping[str, str]) -> None:
    """Open every model once; nothing is sent.

    :raises UsageError: when a name has no known provider, or the provider needs a key.
    """
    for name in dict.fromkeys(models.values()):
        open_reasoner(name)


def open_cast(models: Mapping[str, str], language: str, terms: Terms) -> Cast:
    """Return the Reasoner of each stage; stages of one model share it.

    :param models: names as for :func:`open_reasoner`, by stage.
    :raises UsageError: when a name has no known provider, or the provider needs a key.
    """
    names = dict.fromkeys(models.values())
    opened = {name: open_reasoner(name, language, terms=terms) for name in names}
    return Cast(**{stage: opened[name] for stage, name in models.items()})


def rehearsed_cast(models: Mapping[str, str], language: str, terms: Terms) -> Cast:
    """Return the Reasoner of each stage, with models that are only thought of.

    :raises UsageError: when a name has no known provider, or the provider needs a key.
    """
    from mder.models import open_model
    from mder.reasoners.llm.rehearsal import RehearsedModel

    syntax = open_reasoner()
    opened = {"": syntax}
    for name in dict.fromkeys(filter(None, models.values())):
        model = open_model(name, reply_tokens=terms.reply_tokens)
        opened[name] = llm_reasoner(RehearsedModel(model, syntax), language, terms)
    return Cast(**{stage: opened[name] for stage, name in models.items()})
