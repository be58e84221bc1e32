from pathlib import Path

import pytest

from dr.evaluate.plots import draw, require
from mder.errors import MissingPackageError
from tests.dr.evaluate.test_figures import FAILED, GOOD, POOR


def test_plots_are_the_same_to_the_last_byte_each_time(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        draw({"good": GOOD, "poor": POOR}, 0, folder)
    names = ["results.png", "results.svg"]
    first, second = ([(folder / name).read_bytes() for name in names] for folder in folders)
    assert first == second
    assert first[0].startswith(b"\x89PNG")
    assert b"<svg" in first[1]


def test_where_nothing_was_measured_there_is_no_plot(tmp_path: Path) -> None:
    draw({"dr": [FAILED]}, 0, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_line_that_installs_it_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require()
    monkeypatch.setattr("dr.evaluate.plots.find_spec", lambda _name: None)
    with pytest.raises(MissingPackageError, match=r"pip install 'mder-dr\[eval\]'"):
        require()
