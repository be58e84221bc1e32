"""Examines a language model, through nothing but the seam: what it can do, and what to set."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mder.errors import ModelError
from mder.models.base import LanguageModel
from mder.models.doctor.advice import Advice, advise
from mder.models.doctor.context import SMALLEST, Context, calibrate, examine_context
from mder.models.doctor.interview import Interview
from mder.models.doctor.obedience import Obedience, examine_obedience
from mder.models.doctor.speed import Crowd, Speed, Together, examine_crowd, examine_speed


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found out of a model; None where it did not come to that.

    :param absent: why the model cannot be reached, and what mends it.
    :param thoughtful: replies that show thoughts of the model, of so many ``replies``.
    :param crowd: None also where nothing can be sent at the same time.
    """

    model: str
    requests: int = 0
    replies: int = 0
    absent: str = ""
    obedience: Obedience | None = None
    context: Context | None = None
    thoughtful: int = 0
    speed: Speed | None = None
    crowd: Crowd | None = None
    advice: tuple[Advice, ...] = ()

    @property
    def unusable(self) -> str:
        """Why no graph can be built with this model; ``""`` where one can."""
        if self.absent:
            return self.absent
        if self.obedience and not self.obedience.obeyed:
            return f"{self.model} never keeps to a JSON schema: {self.obedience.faults[0]}"
        if self.context and self.context.too_small:
            limit = self.context.ended or "it forgets the beginning of longer prompts"
            return f"{self.model} has a context below {SMALLEST} tokens: {limit}"
        return ""


def examine(
    model: LanguageModel,
    context: int = 8192,
    *,
    together: Together | None = None,
    progress: Callable[[str], None] = lambda _: None,
    patience: float = 120.0,
    clock: Callable[[], float] = time.perf_counter,
    chance: random.Random | None = None,
) -> Examination:
    """Ask a model for several things, and tell from its replies what it is good for.

    :param context: tokens of the longest prompt to try, with its reply.
    :param together: a ``map`` that calls at the same time; without it, nobody learns how many
        requests at once help.
    :param progress: told what is being tried.
    :param patience: seconds that one longer prompt may be expected to take.
    """
    interview = Interview(model, clock, chance)
    progress("asks whether anyone is there")
    try:
        ruler = calibrate(interview)
    except ModelError as error:
        return Examination(model.name, interview.requests, absent=str(error))
    obedience = examine_obedience(interview, progress)
    read = examine_context(interview, ruler, context, patience, progress)
    found = Examination(
        model.name, obedience=obedience, context=read, speed=examine_speed(interview.replies)
    )
    if not found.unusable:
        crowd = examine_crowd(interview, together, patience, progress) if together else None
        provider = model.name.partition("/")[0]
        found = replace(found, crowd=crowd, advice=advise(provider, obedience, read, crowd))
    return replace(
        found,
        requests=interview.requests,
        replies=len(interview.replies),
        thoughtful=interview.thoughtful(),
    )
