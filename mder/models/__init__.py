"""Chat models, each behind :class:`mder.models.base.LanguageModel`."""

from threading import Event

from mder.errors import UsageError
from mder.models.base import LanguageModel
from mder.models.pace import Pace
from mder.models.retry import RetryingModel

# Providers, and what follows each in a name.
PROVIDERS = {"ollama": "<model>", "openai": "<model>", "gguf": "<file>"}


def open_model(
    name: str,
    *,
    in_flight: int = 1,
    requests_per_minute: int = 0,
    tokens_per_minute: int = 0,
    reply_tokens: int = 4096,
    stopped: Event | None = None,
) -> LanguageModel:
    """Open the model called ``provider/model``, at the address that the environment names.

    Nothing is sent, and no file of weights loaded, before the first completion. The limits hold for
    all threads together.

    :param in_flight: the most requests at once; further ones wait.
    :param requests_per_minute: 0 is no limit; requests that are tried again count.
    :param tokens_per_minute: of prompts and replies; 0 is no limit.
    :param reply_tokens: the most tokens of a reply; a longer one is cut, and is of no use then.
    :param stopped: once it is set, nothing is waited for or sent: completions raise BudgetError.
    :raises UsageError: when the name has no known provider, the provider needs a key, or there is
        no such file.
    :raises ModelError: when the file holds no GGUF.
    :raises MissingPackageError: when the provider needs a package that is not installed.
    """
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS or not model:
        forms = ", ".join(f"{known}/{rest}" for known, rest in PROVIDERS.items())
        raise UsageError(f"no language model {name!r}; name it as one of: {forms}")
    pace = Pace(in_flight, requests_per_minute, tokens_per_minute, stopped=stopped)
    backend = _backend(provider, model, reply_tokens, in_flight)
    return RetryingModel(backend, pace=pace)


def _backend(provider: str, model: str, reply_tokens: int, in_flight: int) -> LanguageModel:
    if provider == "ollama":
        from mder.models import ollama

        return ollama.OllamaModel(ollama.connect(), model, num_predict=reply_tokens)
    if provider == "gguf":
        from mder.models import gguf

        slots = max(1, min(in_flight, gguf.MOST_SLOTS))
        return gguf.GgufModel(gguf.find_weights(model), slots=slots, max_tokens=reply_tokens)
    from mder.models import openai

    return openai.OpenAIModel(openai.connect(), model, max_tokens=reply_tokens)
