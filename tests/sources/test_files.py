import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from mder.errors import UsageError
from mder.sources import discover
from mder.sources.files import shown


def found(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[str]:
    return [p.relative_to(root).as_posix() for p in discover([root], include, exclude)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "b.md",
        "a/z.txt",
        "a/x/deep.md",
        "a/x/page.HTML",
        "c/report.pdf",
        "c/code.py",
        "c/picture.png",
        "c/server.log",
        ".hidden.md",
        ".mder/settings.md",
        "drafts/d.md",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    return tmp_path


def test_folders_are_walked_in_the_order_of_names(tree: Path) -> None:
    assert found(tree) == [
        "a/x/deep.md",
        "a/x/page.HTML",
        "a/z.txt",
        "b.md",
        "c/report.pdf",
        "drafts/d.md",
    ]


@pytest.mark.parametrize(
    ("include", "files"),
    [
        (["*.md"], ["a/x/deep.md", "b.md", "drafts/d.md"]),
        (["**/x/*"], ["a/x/deep.md", "a/x/page.HTML"]),
        (["a/*.txt"], ["a/z.txt"]),
        (["x"], ["a/x/deep.md", "a/x/page.HTML"]),
        (["./a/**"], ["a/x/deep.md", "a/x/page.HTML", "a/z.txt"]),
        (["/*.md"], ["b.md"]),
        (["a/**/*.md", "b.md"], ["a/x/deep.md", "b.md"]),
        (["*.log"], ["c/server.log"]),
        (["none"], []),
    ],
)
def test_include(tree: Path, include: list[str], files: list[str]) -> None:
    assert found(tree, include=include) == files


@pytest.mark.parametrize(
    ("exclude", "files"),
    [
        (["drafts/", "*.pdf", "a/x"], ["a/z.txt", "b.md"]),
        (["**/*.md", "c"], ["a/x/page.HTML", "a/z.txt"]),
        (["*"], []),
    ],
)
def test_exclude(tree: Path, exclude: list[str], files: list[str]) -> None:
    assert found(tree, exclude=exclude) == files


def test_a_named_file_is_always_taken(tree: Path) -> None:
    named = [tree / "c/code.py", tree / ".hidden.md"]
    assert sorted(discover(named, ["*.txt"], ["*"])) == sorted(named)


def test_each_file_comes_once_whatever_names_it(tree: Path) -> None:
    (tree / "link.md").symlink_to(tree / "b.md")
    paths = list(discover([tree, tree / "a", tree / "b.md", tree / "a/z.txt"]))
    assert len(paths) == len(set(map(os.path.realpath, paths))) == 6


def test_the_order_of_the_paths_does_not_matter(tree: Path) -> None:
    one, two = tree / "a", tree / "drafts"
    assert list(discover([one, two])) == list(discover([two, one]))


def test_a_missing_path_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.md: no such file or folder"):
        discover([tmp_path, tmp_path / "gone.md"])


def test_loops_pipes_and_sockets_do_not_hold_it_up(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    here = Path.cwd()
    with socket.socket(socket.AF_UNIX) as unix:
        os.chdir(tmp_path)
        try:
            unix.bind("socket.md")
        finally:
            os.chdir(here)
    # The link to itself comes too, so that it is named as unreadable.
    assert found(tmp_path) == ["a.md", "self.md"]


def test_a_folder_that_cannot_be_opened_comes_itself(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if path.name == "x":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert "a/x" in found(tree)


def test_a_path_is_shown_on_one_line() -> None:
    assert shown(Path("a\nb\udcff.md")) == "a\ufffdb\ufffd.md"
