"""What a graph costs with a language model: python -m benchmarks.llm_cost CORPUS [--limit N].

Calls, tokens in and tokens out a passage, all and by stage, as the ledger counts them over the
whole index of the first rows (200) of a JSONL file, against a server that replies what the syntax
Reasoner finds (``benchmarks.server``); and what ``mder index --estimate`` foresaw, over that.
``--batch 1`` asks one by one, as the paper does. ``--quick`` takes 20 rows. The last line is JSON.
"""

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.pace import first_rows
from benchmarks.server import INSTANT, serving
from mder.choice import Models
from mder.library import estimate, index
from mder.models.ledger import Spent

QUICK = 20
PACKAGES = ("mder-dr", "openai", "spacy", "tokenizers")


def per_passage(spent: Spent, passages: int) -> dict[str, float]:
    """Return calls and tokens for one passage."""
    return {
        "calls_per_passage": round(spent.calls / passages, 3),
        "tokens_in_per_passage": round(spent.tokens_in / passages, 1),
        "tokens_out_per_passage": round(spent.tokens_out / passages, 1),
    }


def main() -> None:
    """Estimate, index, and print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int, default=200, help="rows of the file")
    parser.add_argument("--batch", type=int, default=0, help="things asked for in one request")
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} rows")
    options = parser.parse_args()
    models = Models(llm=f"openai/{INSTANT}")
    settings = [f"llm_batch={options.batch}"] if options.batch else []
    with TemporaryDirectory() as temporary, serving() as address:
        os.environ["OPENAI_BASE_URL"] = address
        folder = Path(temporary)
        rows = first_rows(options.corpus, folder, QUICK if options.quick else options.limit)
        kg = folder / "graph"
        foreseen = estimate([rows], kg, models=models, assignments=settings).total
        graph, report = index([rows], kg, models=models, assignments=settings)
    spent = sum(report.spent.values(), Spent())
    passages = report.read
    figures = {
        "benchmark": "llm_cost",
        "passages": passages,
        **per_passage(spent, passages),
        "triples_per_passage": round(int(str(graph.statistics()["triples"])) / passages, 1),
        "stages": {
            stage: per_passage(part, passages) | {"asked": part.asked, "failed": part.failed}
            for stage, part in report.spent.items()
        },
        "estimate_over_ledger": {
            "calls": round(foreseen.calls / spent.calls, 3),
            "tokens_in": round(foreseen.tokens_in / spent.tokens_in, 3),
            "tokens_out": round(foreseen.tokens_out / spent.tokens_out, 3),
        },
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
