"""A run in a passing place, of which nothing is left but what was counted."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mder.pipeline.documents import reader
from mder.pipeline.readings import Readings
from mder.pipeline.run import Run
from mder.records import Reading


class Rehearsal(Run):
    """A run that reads some of what is new, and writes nothing that stays."""

    def __call__(self, files: Sequence[Path], sample: int) -> float:
        """Do what the run would for some of what is new; return the share of it.

        :param sample: the most Documents read; they lie evenly among all.
        """
        found = self._found(files)
        plan = self._plan(found)
        if self._done(plan):
            return 1.0
        step = max(1, -(-len(plan.new) // sample))
        some = frozenset(sorted(plan.new)[::step])
        read_one = reader(self.settings, self.cast, self.embedder, self.clock)
        made: dict[str, Reading] = {}
        for done, (_, document) in enumerate(self._documents(plan, found, some), start=1):
            made[document.source] = read_one(document)
            self.progress("rehearse", done, len(some))
        left = plan.new - made.keys()
        keys = {s: k for s, k in plan.keys.items() if s not in left}
        keys |= {s: plan.before[s] for s in left if s in plan.before}
        kept = Readings(self.journal, keys)
        changed = plan.changed - left
        with TemporaryDirectory() as passing:
            staged = Path(passing)
            base = self._base(changed, keys)
            self._updated(staged, base, changed, keys, lambda s: made[s] if s in made else kept(s))
        return len(made) / len(plan.new) if plan.new else 1.0
