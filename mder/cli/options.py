"""Options that several commands take."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Kg: TypeAlias = Annotated[
    Path | None,
    typer.Option("--kg", metavar="DIR", help="The graph's directory [MDER_KG, else .mder]."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on one line.")]
