"""Chat models, each behind :class:`mder.models.base.LanguageModel`."""

from mder.errors import UsageError
from mder.models.base import LanguageModel
from mder.models.retry import RetryingModel

PROVIDERS = ("ollama", "openai")


def open_model(name: str) -> LanguageModel:
    """Open the model called ``provider/model``, at the address that the environment names.

    Nothing is sent before the first completion.

    :raises UsageError: when the name has no known provider, or the provider needs a key.
    """
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS or not model:
        forms = ", ".join(f"{known}/<model>" for known in PROVIDERS)
        raise UsageError(f"no language model {name!r}; name it as one of: {forms}")
    return RetryingModel(_backend(provider, model))


def _backend(provider: str, model: str) -> LanguageModel:
    if provider == "ollama":
        from mder.models import ollama

        return ollama.OllamaModel(ollama.connect(), model)
    from mder.models import openai

    return openai.OpenAIModel(openai.connect(), model)
