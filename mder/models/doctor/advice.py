"""What to set, by what an examination found."""

from dataclasses import dataclass

from mder.models.doctor.context import Context
from mder.models.doctor.obedience import Obedience
from mder.models.doctor.speed import Crowd

WANTED = 8192  # tokens that requests for ten things at once may need
_BATCH = 10
_UNASKED = {
    "ollama": "each request asks for what it needs, whatever OLLAMA_CONTEXT_LENGTH says",
}
# Servers at home work on one request at a time unless told otherwise.
_UNMEASURED = {"openai": 4}


@dataclass(frozen=True, slots=True)
class Advice:
    """A value to set, and why.

    :param what: ``jobs``, ``llm_batch`` or ``context``.
    """

    what: str
    value: int
    reason: str


def advise(
    provider: str, obedience: Obedience, context: Context, crowd: Crowd | None
) -> tuple[Advice, ...]:
    """Recommend the option ``--jobs``, the setting ``llm_batch``, and the server's context."""
    jobs, batch = _jobs(provider, crowd), _batch(obedience, context)
    if provider == "gguf":
        # Nobody can set the context there.
        return jobs, batch
    return jobs, batch, _context(provider, context, jobs.value)


def _jobs(provider: str, crowd: Crowd | None) -> Advice:
    if crowd is None:
        value = _UNMEASURED.get(provider, 1)
        server = "servers in a data centre take" if value > 1 else "a server at home takes"
        what = f"{value} at once" if value > 1 else "one request at a time"
        return Advice("jobs", value, f"not measured; {server} {what}")
    if crowd.best == 1:
        return Advice("jobs", 1, "more at once give no more replies")
    reason = f"{crowd.best} at once give {crowd.gain:.1f} times the replies"
    return Advice("jobs", crowd.best, reason)


def _batch(obedience: Obedience, context: Context) -> Advice:
    missed, wrong = obedience.asked - obedience.obeyed, obedience.obeyed - obedience.right
    shares = [
        (_BATCH, "keeps to the form and to the text"),
        (_room(context), f"no more than {context.trusted} tokens are known to be read at a time"),
        (4 if obedience.wrapped else _BATCH, "adds something around the JSON"),
        (4 if wrong else _BATCH, f"misread {wrong} of {obedience.asked} easy texts"),
        (1 if missed else _BATCH, f"broke the form in {missed} of {obedience.asked} replies"),
        (1 if not obedience.right else _BATCH, "misread every easy text"),
    ]
    value, reason = min(shares, key=lambda share: share[0])
    return Advice("llm_batch", value, reason)


def _room(context: Context) -> int:
    if context.trusted >= WANTED:
        return _BATCH
    return 4 if context.trusted >= WANTED // 2 else 2


def _context(provider: str, context: Context, jobs: int) -> Advice:
    value, why = min(context.served, WANTED), "no more was tried"
    if context.served >= WANTED:
        why = "enough for ten things at once"
    elif context.limited:
        why = f"more than {context.served} is refused or cut"
    if provider == "openai":
        # Only this API says nothing of the context, so that whoever starts the server must.
        value = WANTED if context.limited else value
        return Advice("context", value, f"{why}; start with {_flags(value, jobs)}")
    return Advice("context", value, f"{why}; {_UNASKED.get(provider, 'nothing is to be set')}")


def _flags(value: int, jobs: int) -> str:
    # llama-server divides its context by the requests that it takes at once.
    return (
        f"llama-server -c {value * jobs} -np {jobs}, vllm serve --max-model-len {value}, or "
        f"OLLAMA_CONTEXT_LENGTH={value}"
    )
