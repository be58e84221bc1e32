"""Local HTTP servers that speak the APIs of Ollama and of OpenAI, for tests without a model.

::

    from tests import stubs

    with stubs.ollama(answer=lambda messages, schema: '{"ok": true}') as url:
        monkeypatch.setenv("OLLAMA_HOST", url)
        ...
    assert url.count("/api/chat") == 1  # also after the server has stopped
    assert url.requests[0].body["options"]["num_ctx"] == 4096

    with stubs.openai(embed=lambda text: [1.0, 0.0], key="sk-test") as url:  # ends in /v1
        monkeypatch.setenv("OPENAI_BASE_URL", url)

Both know the models ``tiny`` and ``tiny-embed``; ``models=`` names others. Nobody listens at
:func:`refused`. Prompts of any length are taken, unless ``truncate=2048`` makes the Ollama cut them
without a word, or ``context=2048`` makes the other refuse them.

``faults=`` says what goes wrong with the first POST requests, one after the other, or is a function
that says it for each :class:`Recorded` request. A fault is one of these, for either API:

==================  ================================================================================
``None``            nothing: the request is answered as it should be
``503``, ``"503"``  that status, with an error of the API that says ``injected 503``
``Status(400, m)``  that status, and the error says ``m``
``RetryAfter(2)``   429 with the header ``Retry-After: 2``; takes an HTTP date, and other statuses
``Reply({})``       200 with that instead of the reply
``Slow(0.2)``       a good reply, after so many seconds
``HANG``            no reply until the client gives up
``CLOSE``           the connection is closed without a reply
``CUT_BODY``        the connection is closed in the middle of the reply
``BAD_UTF8``        bytes in the content that are no UTF-8
``CUT``             the last third of the content is missing
``PROSE``           words and a Markdown fence around the content
``THINK``           ``<think>`` with braces in it, and its end, before the content
``SCHEMA``          the schema itself for a content
``EMPTY``           ``""`` for a content
``NULL``            ``null`` for a content
``Said(f)``         the content is ``f(content, schema)``
==================  ================================================================================
"""

from tests.stubs.faults import (
    BAD_UTF8,
    CLOSE,
    CUT,
    CUT_BODY,
    EMPTY,
    HANG,
    NULL,
    PROSE,
    SCHEMA,
    THINK,
    Fault,
    Faults,
    Reply,
    RetryAfter,
    Said,
    Slow,
    Status,
)
from tests.stubs.ollama_api import ollama
from tests.stubs.openai_api import openai
from tests.stubs.recorded import Recorded, StubUrl, refused

__all__ = [
    "BAD_UTF8",
    "CLOSE",
    "CUT",
    "CUT_BODY",
    "EMPTY",
    "HANG",
    "NULL",
    "PROSE",
    "SCHEMA",
    "THINK",
    "Fault",
    "Faults",
    "Recorded",
    "Reply",
    "RetryAfter",
    "Said",
    "Slow",
    "Status",
    "StubUrl",
    "ollama",
    "openai",
    "refused",
]
