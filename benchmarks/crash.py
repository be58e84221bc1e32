"""What kills do to an index: python -m benchmarks.crash [--trials 200] [--seconds 60] [--quick].

``mder index`` is killed (-9) at random moments, with the syntax Reasoner and with a model server,
and resumed; in each fourth trial what resumes it is killed as well. ``of`` is the number of trials,
``killed`` of how many the run had not ended by then, ``equal`` in how many the graph was in the end
that of a run without a kill, quads and vectors byte for byte, ``asked_twice`` how many prompts were
asked again though their replies had been kept, ``answered`` how often the old graph or the new one
answered a question meanwhile, and ``unanswered`` how often neither did. Then one process indexes,
over and over, what another asks for: ``together`` counts answers, ``generations`` those that they
came from, ``torn`` what came from no whole one. ``--embedder hashing`` leaves the packaged model
out. ``--quick`` makes 8 trials and takes 5 seconds. The last line is JSON.
"""

import argparse
import json
import platform
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.life.killing import AFTER, BEFORE, Trial, staged, trials
from tests.life.together import together
from tests.life.worker import Worker, working

QUICK, QUICK_SECONDS = 8, 5.0
PACKAGES = ("mder-dr", "filelock", "numpy", "onnxruntime", "pyoxigraph", "spacy")


def kill(worker: Worker, folder: Path, count: int, seed: int, *, llm: bool) -> list[Trial]:
    """Make this many trials; what is wrong with one is told on standard error."""
    done: list[Trial] = []
    with staged(worker, folder, llm=llm) as killer:
        for trial in trials(killer, count, seed):
            done.append(trial)
            if trial.wrong or trial.asked_twice or not trial.sound:
                print(f"trial {len(done)}, llm {llm}: {trial}", file=sys.stderr)
    return done


def figures(done: list[Trial]) -> dict[str, int]:
    """Sum up."""
    answers = sum((trial.answers for trial in done), Counter[str]())
    answered = answers[BEFORE] + answers[AFTER]
    return {
        "equal": sum(not trial.wrong for trial in done),
        "of": len(done),
        "killed": sum(trial.killed > 0 for trial in done),
        "asked_twice": sum(trial.asked_twice for trial in done),
        "answered": answered,
        "unanswered": answers.total() - answered,
    }


def main() -> None:
    """Kill, resume and compare; index and ask at once; print the JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--embedder", choices=["packaged", "hashing"], default="packaged")
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK} trials")
    options = parser.parse_args()
    count = QUICK if options.quick else options.trials
    seconds = QUICK_SECONDS if options.quick else options.seconds
    hashing = options.embedder == "hashing"
    with TemporaryDirectory() as temporary, working(hashing=hashing) as worker:
        folder = Path(temporary)
        syntax = kill(worker, folder / "syntax", count - count // 2, options.seed, llm=False)
        llm = kill(worker, folder / "llm", count // 2, options.seed, llm=True)
        seen = together(worker, folder / "together", seconds)
    told = {
        "benchmark": "crash",
        **figures([*syntax, *llm]),
        "syntax": figures(syntax),
        "llm": figures(llm),
        "seconds": seconds,
        "together": seen.answers.total(),
        "generations": len(seen.generations),
        "torn": len(seen.torn) + len(seen.failed),
        "embedder": options.embedder,
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
