"""How long a prompt a model really reads: a word at its beginning, asked for at its end."""

from collections.abc import Callable
from dataclasses import dataclass

from mder.errors import ModelError, ReplyError
from mder.models.base import Completion
from mder.models.doctor.interview import Interview

SMALLEST = 2048  # tokens; nobody can work with less
_KEPT = 0.85  # of a prompt; less was cut, for counting is not that inexact
_SLOWER = 1.3  # than in proportion, for twice the tokens
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
# Common words, which are one token each to nearly every model.
_FILLER = (
    "time year people way day man thing woman life child world school state family student group "
    "country problem hand part place case week company system program question work government "
    "number night point home water room mother area money story"
).split()
_SHORT = 3 * len(_FILLER)


@dataclass(frozen=True, slots=True)
class Probe:
    """One long prompt.

    :param size: tokens that prompt and reply have room in.
    :param tokens: of the prompt, as the server counts them; 0 where it does not.
    :param cut: whether the server counts far fewer than were sent.
    :param recalled: whether the reply has the word.
    """

    size: int
    tokens: int
    seconds: float
    cut: bool
    recalled: bool


@dataclass(frozen=True, slots=True)
class Context:
    """How long prompts may be, in tokens with the reply.

    :param accepted: the longest that was neither refused nor cut, as far as the server tells.
    :param recalled: the longest of these whose beginning the model knew at the end. A small model
        may forget what it has read, so that this may be less though nothing was cut.
    :param short: whether the model found the word in a short prompt: it understands the question.
    :param counted: whether the server counts tokens; where not, only recalling shows a cut.
    :param limited: whether a longer one was refused or cut.
    :param ended: why there were no longer ones; ``""`` where none was asked for.
    """

    accepted: int
    recalled: int
    short: bool
    counted: bool
    limited: bool
    ended: str
    probes: tuple[Probe, ...]

    @property
    def trusted(self) -> int:
        """Tokens of which the model knows the first as well as the last, as far as it shows."""
        return self.recalled or self.accepted

    @property
    def served(self) -> int:
        """Tokens that the server passes on whole, whatever the model makes of them."""
        return self.accepted if self.counted else self.trusted

    @property
    def too_small(self) -> bool:
        """Whether it is known to be smaller than anything that is of use."""
        unseen = self.short and not self.counted
        return (self.recalled if unseen else self.accepted) < SMALLEST


@dataclass(frozen=True, slots=True)
class Ruler:
    """How this server counts: tokens of the prompt without filler, and for each word of it.

    :param counted: whether it counts at all.
    """

    base: float = 64.0
    word: float = 1.0
    counted: bool = False
    recalled: bool = False

    def words(self, size: int) -> int:
        """Return how many words fill so many tokens, less what the reply and errors need."""
        return max(0, int((size - size // 32 - 64 - self.base) / self.word))

    def tokens(self, words: int) -> float:
        """Return how many tokens a prompt with so many words has."""
        return self.base + self.word * words


def calibrate(interview: Interview) -> Ruler:
    """Measure with two short prompts, of which the first finds out whether anyone is there.

    :raises ModelError: when not.
    """
    try:
        bare, _ = _recall(interview, 0)
        some, recalled = _recall(interview, _SHORT)
    except ReplyError:
        return Ruler()
    word = (some.tokens_in - bare.tokens_in) / _SHORT
    # A server that counts only what it has not in its cache cannot be measured with.
    if not bare.tokens_in or word < 0.5:
        return Ruler(recalled=recalled)
    return Ruler(bare.tokens_in, word, counted=True, recalled=recalled)


def _recall(interview: Interview, words: int) -> tuple[Completion, bool]:
    word = interview.word()
    filler = " ".join(_filler(interview, words))
    prompt = (
        f"The secret word is {word}.\n\n{filler}\n\nWhat is the secret word that stands at the "
        'beginning of this text? Answer with a JSON object that has it under the key "word".'
    )
    reply = interview.ask(prompt, _SCHEMA)
    return reply, word in reply.text.casefold()


def _filler(interview: Interview, words: int) -> list[str]:
    # The same mixture at any length, so that a short prompt tells how a long one will be counted.
    mixed = interview.chance.sample(_FILLER, len(_FILLER))
    return [mixed[i % len(mixed)] for i in range(words)]


def examine_context(
    interview: Interview,
    ruler: Ruler,
    limit: int,
    patience: float,
    progress: Callable[[str], None],
) -> Context:
    """Send ever longer prompts, up to a limit in tokens.

    :param patience: seconds that one of them may be expected to take, above the smallest.
    """
    probes: list[Probe] = []
    limited, ended = False, ""
    for size in _sizes(max(limit, SMALLEST)):
        ended = _too_slow(probes, size, patience)
        if ended:
            break
        progress(f"sends {size} tokens")
        try:
            probes.append(_probe(interview, ruler, size))
        except ModelError as error:
            limited, ended = True, f"{size}: {error}"
            break
        if probes[-1].cut:
            limited, ended = True, f"{size}: cut in silence to {probes[-1].tokens} tokens"
            break
    whole = [probe for probe in probes if not probe.cut]
    return Context(
        accepted=max((probe.size for probe in whole), default=0),
        recalled=max((probe.size for probe in whole if probe.recalled), default=0),
        short=ruler.recalled,
        counted=ruler.counted,
        limited=limited,
        ended=ended,
        probes=tuple(probes),
    )


def _sizes(limit: int) -> list[int]:
    sizes = [1024]
    while sizes[-1] * 2 < limit:
        sizes.append(sizes[-1] * 2)
    return [size for size in sizes if size < limit] + [limit]


def _too_slow(probes: list[Probe], size: int, patience: float) -> str:
    if size <= SMALLEST or not probes:
        return ""
    last = probes[-1]
    seconds = last.seconds * size / last.size * _SLOWER
    return f"{size}: not tried, for it would take {seconds:.0f} s" if seconds > patience else ""


def _probe(interview: Interview, ruler: Ruler, size: int) -> Probe:
    words = ruler.words(size)
    reply, recalled = _recall(interview, words)
    cut = ruler.counted and 0 < reply.tokens_in < _KEPT * ruler.tokens(words)
    return Probe(size, reply.tokens_in, reply.seconds, cut, recalled)
