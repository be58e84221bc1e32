"""Options that several commands take."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Kg: TypeAlias = Annotated[
    Path | None,
    typer.Option("--kg", metavar="DIR", help="The graph's directory [MDER_KG, else .mder]."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on one line.")]

Llm: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="PROVIDER/MODEL",
        help="ollama/…, openai/…, gguf/FILE or syntax, the default: no LLM.",
    ),
]
LlmSmall: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="PROVIDER/MODEL", help="The one to summarize, translate, disambiguate, enrich."
    ),
]
LlmLarge: TypeAlias = Annotated[
    str | None, typer.Option(metavar="PROVIDER/MODEL", help="The one to map and reduce.")
]
Embedder: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A sentence-transformers name, ollama/… or openai/…"),
]
Setting: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as merge_threshold=0.9."),
]
Jobs: TypeAlias = Annotated[int, typer.Option(min=1, help="Documents and requests at a time.")]
Keep: TypeAlias = Annotated[
    int, typer.Option(min=1, metavar="N", help="Generations left, with the new one.")
]
MaxTokens: TypeAlias = Annotated[
    int, typer.Option(min=0, help="The most that models may take; 0 is no limit.")
]
MaxCost: TypeAlias = Annotated[
    float, typer.Option(min=0, help="The same in money, by the settings price_in, price_out.")
]
