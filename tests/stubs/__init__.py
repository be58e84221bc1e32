"""Local HTTP servers that speak the APIs of Ollama and of OpenAI, for tests without a model.

::

    from tests import stubs

    with stubs.ollama(answer=lambda messages, schema: '{"ok": true}') as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        ...
    assert url.count("/api/chat") == 1  # also after the server has stopped
    assert url.requests[0].body["options"]["num_ctx"] == 8192

    with stubs.openai(embed=lambda text: [1.0, 0.0], key="sk-test") as url:  # ends in /v1
        monkeypatch.setenv("OPENAI_BASE_URL", url)

Both know the models ``tiny`` and ``tiny-embed``; ``models=`` names others. ``faults=(503, 500)``
are the statuses that the first POST requests get. Nobody listens at :func:`refused`.
"""

from tests.stubs.ollama_api import ollama
from tests.stubs.openai_api import openai
from tests.stubs.server import Recorded, StubUrl, refused

__all__ = ["Recorded", "StubUrl", "ollama", "openai", "refused"]
