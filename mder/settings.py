"""The numbers of the method, with the paper's values as defaults, kept beside the graph.

One default differs. The paper's chunk threshold of 0.75 suits its embedder; with the default one
here, all-MiniLM-L6-v2, it lies above 94 % of the gaps between sentences of Wikipedia articles, so
that only the bounds on size decide (2 sentences a Chunk in the median). 0.45 lies above 23 % of
them (32 % in the documentation of httpx) and gives Chunks of 5 to 6 sentences, as
``benchmarks/chunk_threshold.py DIR`` measures.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from mder.errors import UsageError

STAGES = ("summarize", "translate", "map", "disambiguate", "enrich", "reduce")
_LARGE = frozenset({"map", "reduce"})
# Numbers that change nothing in the graph: of asking, and of what a model may take.
APART = frozenset(
    {
        "top_k",
        "max_evidence",
        "extra",
        "failed_share",
        "price_in",
        "price_out",
        "speed_in",
        "speed_out",
        "requests_per_minute",
        "tokens_per_minute",
    }
)
_ORDERED = (
    ("chunk_min_sentences", "chunk_max_sentences"),
    ("chunk_min_characters", "chunk_characters"),
)
_MAY_BE_NONE = frozenset(
    {
        "extra",
        "chunk_min_characters",
        "merge_rounds",
        "own_summary_characters",
        "requests_per_minute",
        "tokens_per_minute",
    }
)
_COSINES = frozenset({"chunk_threshold", "merge_threshold"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a graph is built with.

    :param llm: ``provider/model``, or ``""`` for the syntax Reasoner.
    :param llm_small: the same for summarize, translate, disambiguate and enrich, where it is
        another one; ``llm_large`` for map and reduce.
    :param llm_map: the same for one stage, as for each of the others; ``"syntax"`` is a choice.
    :param llm_batch: the most things asked for in one request; 1 asks one by one, as the paper.
    :param own_summary_characters: up to which a text is its own summary and no model is asked.
    :param reply_tokens: the most of a reply; small models that ramble are stopped sooner by less.
    :param failed_share: of what a model was asked, above which a run has not done its job.
    :param price_in: money for a million tokens sent; ``price_out`` for a million received.
    :param speed_in: tokens that a model reads a second; ``speed_out`` that it writes; 0 where they
        are to be measured.
    :param requests_per_minute: the most sent to a server; 0 is no limit.
    :param embedder: a sentence-transformers name, ``ollama/<model>`` or ``openai/<model>``;
        ``""`` is the packaged all-MiniLM-L6-v2.
    :param chunk_threshold: cosine of adjacent windows below which a new Chunk begins.
    :param chunk_window: sentences in a window.
    :param chunk_characters: the most characters in a Chunk, unless one sentence is longer.
    :param merge_threshold: cosine of names with types above which a pair is put to the Reasoner.
    :param summary_characters: the most characters in an Entity's summary.
    """

    llm: str = ""
    llm_small: str = ""
    llm_large: str = ""
    llm_summarize: str = ""
    llm_translate: str = ""
    llm_map: str = ""
    llm_disambiguate: str = ""
    llm_enrich: str = ""
    llm_reduce: str = ""
    llm_batch: int = 10
    own_summary_characters: int = 1000
    reply_tokens: int = 4096
    failed_share: float = 0.2
    price_in: float = 0.0
    price_out: float = 0.0
    speed_in: float = 0.0
    speed_out: float = 0.0
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    embedder: str = ""
    language: str = "en"
    chunk_threshold: float = 0.45
    chunk_window: int = 3
    chunk_min_sentences: int = 2
    chunk_max_sentences: int = 20
    chunk_min_characters: int = 200
    chunk_characters: int = 1500
    merge_threshold: float = 0.95
    merge_rounds: int = 10
    summary_characters: int = 1200
    top_k: int = 5
    max_evidence: int = 30
    extra: int = 10

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _COSINES and not -1.0 <= value <= 1.0:
                raise UsageError(f"{field.name} = {value!r} must be a cosine, from -1 to 1")
            if isinstance(field.default, float) and field.name not in _COSINES and not value >= 0:
                raise UsageError(f"{field.name} = {value!r} must not be less than 0")
            least = 0 if field.name in _MAY_BE_NONE else 1
            if isinstance(field.default, int) and value < least:
                raise UsageError(f"{field.name} = {value!r} must be at least {least}")
        for low, high in _ORDERED:
            if getattr(self, low) > getattr(self, high):
                raise UsageError(f"{low} must not be more than {high}")

    @property
    def models(self) -> dict[str, str]:
        """The model of each stage, ``""`` for the syntax Reasoner."""
        chosen = {}
        for stage in STAGES:
            shared = self.llm_large if stage in _LARGE else self.llm_small
            name = getattr(self, f"llm_{stage}") or shared or self.llm
            chosen[stage] = "" if name == "syntax" else name
        return chosen

    def changed(self, values: Mapping[str, object]) -> "Settings":
        """Return settings with other values.

        :raises UsageError: when a name is unknown, or a value is of another type or out of range.
        """
        kinds = {field.name: type(field.default) for field in fields(self)}
        for name, value in values.items():
            if name not in kinds:
                raise UsageError(f"no setting {name!r}; there are: {', '.join(kinds)}")
            kind = kinds[name]
            whole = kind is float and type(value) is int
            if type(value) is not kind and not whole:
                raise UsageError(f"{name} = {value!r} must be of type {kind.__name__}")
        return replace(self, **values)  # type: ignore[arg-type]


def load(path: Path) -> Settings:
    """Read settings from a TOML file; a missing file gives the defaults.

    :raises UsageError: when the file is not TOML, or names an unknown or mistyped setting.
    """
    if not path.is_file():
        return Settings()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}; mend it or delete it") from error
    try:
        return Settings().changed(values)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def assigned(settings: Settings, assignment: str) -> Settings:
    """Return settings with one changed by an assignment such as ``merge_threshold=0.9``.

    :raises UsageError: when the name is unknown, or the value is of another type or out of range.
    """
    name, _, text = assignment.partition("=")
    value: object = text
    if type(getattr(settings, name, "")) is not str:
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise UsageError(f"{name} = {text!r} must be a number") from error
    return settings.changed({name: value})


def save(settings: Settings, path: Path) -> None:
    """Write settings as TOML, whole or not at all."""
    lines = (f"{key} = {_toml(value)}" for key, value in asdict(settings).items())
    draft = path.with_suffix(".new")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(path)


def _toml(value: object) -> str:
    # A JSON string is a TOML basic string as well but for one character, and so are numbers.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
