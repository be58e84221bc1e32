"""The commands of the README run, and print what it shows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# Commands that change the graph run one after the other in a place of their own.
SESSIONS = [block for block in BLOCKS if "$ mder remove" in block]
COMMANDS = [c for block in BLOCKS if block not in SESSIONS for c in COMMAND.findall(block)]
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    run("mder index examples/documents", folder)
    return folder


def run(command: str, folder: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "MDER_KG"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def unscored(text: str) -> str:
    """Mask scores, whose last digit is the processor's."""
    return re.sub(r"\(\d\.\d\d\)", "(score)", text)


def undated(text: str) -> str:
    """Mask times and sizes, and the spaces that they push apart."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:+]+", "(time)", text)
    return re.sub(r"[ ]+", " ", re.sub(r"\d+\.\d [kM]B", "(size)", text))


def test_there_are_commands() -> None:
    assert len(COMMANDS) > 4
    assert SESSIONS
    assert PYTHON


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[c for c, _ in COMMANDS])
def test_command_prints_what_is_shown(
    command: str, shown: str, tmp_path: Path, place: Path
) -> None:
    if command.startswith("mder index"):
        shutil.copytree(place / "examples", tmp_path / "examples")
        place = tmp_path
    assert unscored(run(command, place)) == unscored(shown)


@pytest.mark.parametrize("session", SESSIONS)
def test_commands_in_a_row_print_what_is_shown(session: str, tmp_path: Path, place: Path) -> None:
    folder = shutil.copytree(place, tmp_path / "moved")
    for command, shown in COMMAND.findall(session):
        assert undated(run(command, folder)) == undated(shown)


@pytest.mark.parametrize("code", PYTHON)
def test_python_runs(code: str, place: Path) -> None:
    script = place / "readme.py"
    script.write_text(code, encoding="utf-8")
    assert run(f"{sys.executable} readme.py", place)
