"""Which models a command means: those named now, and those that a graph was built with."""

from collections.abc import Sequence
from dataclasses import dataclass

from mder.embedders import is_served
from mder.errors import UsageError
from mder.settings import Settings, assigned


@dataclass(frozen=True, slots=True)
class Models:
    """The models named in one command; None leaves what was chosen before.

    :param llm: ``provider/model``, or ``"syntax"`` for none.
    :param small: the same for summarize, translate, disambiguate and enrich.
    :param large: the same for map and reduce.
    :param embedder: name of the embedding model.
    """

    llm: str | None = None
    small: str | None = None
    large: str | None = None
    embedder: str | None = None

    def chosen(self, settings: Settings, assignments: Sequence[str] = ()) -> Settings:
        """Return settings with the models named now, and with what is assigned to them.

        A server is named each time: a settings file that came with somebody's folder sends nothing.
        ``--llm`` speaks for all stages: what was chosen for some of them before is forgotten.

        :param assignments: such as ``llm_reduce=ollama/tiny``.
        :raises UsageError: when a server was chosen before and is not named now.
        """
        before = settings
        if self.llm is not None:
            none = {name: "" for name in settings.__slots__ if name.startswith("llm_")}
            none.pop("llm_batch")
            settings = settings.changed({**none, "llm": "" if self.llm == "syntax" else self.llm})
        given = {"llm_small": self.small, "llm_large": self.large, "embedder": self.embedder}
        settings = settings.changed({k: v for k, v in given.items() if v is not None})
        for assignment in assignments:
            settings = assigned(settings, assignment)
        self._check(before, settings, assignments)
        return settings

    def _check(self, before: Settings, now: Settings, assignments: Sequence[str]) -> None:
        named = {self.llm, self.small, self.large, *(a.partition("=")[2] for a in assignments)}
        for stage, model in now.models.items():
            if model and model not in named:
                flag = f"--llm {model}" if before.llm == model else f"--set llm_{stage}={model}"
                raise UsageError(
                    f"this graph was built with {model} for {stage}; say {flag} again to send "
                    "documents there, or --llm syntax to do without"
                )
        if self.embedder is None and is_served(now.embedder) and now.embedder not in named:
            raise UsageError(
                f"this graph was built with {now.embedder}; say --embedder {now.embedder} "
                "again to send documents there"
            )
