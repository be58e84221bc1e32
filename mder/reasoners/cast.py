"""Which Reasoner does what in a run of the pipeline."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from mder.reasoners.base import Reasoner


@dataclass(frozen=True, slots=True)
class Cast:
    """The Reasoner of each stage."""

    summarize: Reasoner
    translate: Reasoner
    map: Reasoner
    disambiguate: Reasoner
    enrich: Reasoner
    reduce: Reasoner

    @classmethod
    def of(cls, reasoner: Reasoner) -> "Cast":
        """Give all stages to one Reasoner."""
        return cls(*[reasoner] * len(fields(cls)))

    @property
    def names(self) -> Mapping[str, str]:
        """The name of the Reasoner of each stage."""
        return {f.name: getattr(self, f.name).name for f in fields(self)}

    @property
    def wordings(self) -> Mapping[str, str]:
        """What the results of stages rest on beside the names, where they do."""
        found = {f.name: getattr(self, f.name).wording(f.name) for f in fields(self)}
        return {stage: wording for stage, wording in found.items() if wording}

    @property
    def name(self) -> str:
        """The one name of all, or each stage with its own."""
        names = self.names
        if len(set(names.values())) == 1:
            return self.map.name
        return ", ".join(f"{stage}: {name}" for stage, name in names.items())
