"""The numbers of the method, with the paper's values as defaults, kept beside the graph.

One default differs. The paper's chunk threshold of 0.75 suits its embedder; with the default one
here, all-MiniLM-L6-v2, it lies above 94 % of the gaps between sentences of Wikipedia articles, so
that only the bounds on size decide (2 sentences a Chunk in the median). 0.45 lies above 23 % of
them (32 % in the documentation of httpx) and gives Chunks of 5 to 6 sentences, as
``benchmarks/chunk_threshold.py DIR`` measures.
"""

import json
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from mder.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """What a graph is built with.

    :param llm: ``provider/model``, or ``""`` for the syntax Reasoner.
    :param embedder: a sentence-transformers name, ``ollama/<model>`` or ``openai/<model>``;
        ``""`` is the packaged all-MiniLM-L6-v2.
    :param chunk_threshold: cosine of adjacent windows below which a new Chunk begins.
    :param chunk_window: sentences in a window.
    :param chunk_characters: the most characters in a Chunk, unless one sentence is longer.
    :param merge_threshold: cosine of names with types above which a pair is put to the Reasoner.
    :param summary_characters: the most characters in an Entity's summary.
    """

    llm: str = ""
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
    kinds = {f.name: type(f.default) for f in fields(Settings)}
    for key, value in values.items():
        if key not in kinds:
            raise UsageError(f"{path}: unknown setting {key!r}; known: {', '.join(kinds)}")
        kind = kinds[key]
        if not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise UsageError(f"{path}: {key} = {value!r} must be of type {kind.__name__}")
    return Settings(**values)


def save(settings: Settings, path: Path) -> None:
    """Write settings as TOML."""
    # A JSON string is a TOML basic string as well, and so are numbers.
    lines = (f"{key} = {json.dumps(value)}" for key, value in asdict(settings).items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
