"""Repositories that the environment of a hook names."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError
from foretell.uses.check.git import Repository
from tests.support.repository import Project, project

if TYPE_CHECKING:
    from pathlib import Path


def apart(folder: Path) -> tuple[Project, Path]:
    """A project whose repository is in another folder than its work tree."""
    made, store = project(folder / "project"), folder / "store.git"
    (made.root / ".git").rename(store)
    return made, store


def files_of(repository: Repository, folder: Path) -> set[str]:
    folder.mkdir()
    repository.write(repository.commit("main"), folder)
    return {path.name for path in folder.iterdir()}


def test_the_repository_that_the_environment_names_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, store = apart(tmp_path)
    assert Repository.around(made.root) is None
    monkeypatch.setenv("GIT_WORK_TREE", str(made.root))
    monkeypatch.setenv("GIT_DIR", "store.git")
    monkeypatch.chdir(tmp_path)  # a relative name is one of the folder that the command was called in
    (made.root / "below").mkdir()
    repository = Repository.around(made.root / "below")
    assert repository is not None
    assert repository.folder_of(made.root / "below").as_posix() == "below"
    assert files_of(repository, tmp_path / "written") == {"sum.c", "foretell.toml"}
    assert store.is_dir()


def test_without_a_work_tree_git_takes_the_folder_of_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, store = apart(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(store))
    monkeypatch.chdir(made.root)
    repository = Repository.around(made.root)
    assert repository is not None
    assert repository.root == made.root
    assert files_of(repository, tmp_path / "written") == {"sum.c", "foretell.toml"}


def test_a_folder_outside_of_the_named_work_tree_has_its_own_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooked, other = project(tmp_path / "hooked"), project(tmp_path / "other")
    mark = other.commit("mark")
    monkeypatch.setenv("GIT_DIR", str(hooked.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(hooked.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(hooked.root / ".git" / "index"))
    repository = Repository.around(other.root)
    assert repository is not None
    assert repository.commit("HEAD").hash == mark


def test_a_folder_below_keeps_its_place_where_a_hook_names_the_repository_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = project(tmp_path / "project")
    below = made.root / "below"
    below.mkdir()
    monkeypatch.setenv("GIT_DIR", str(made.root / ".git"))
    monkeypatch.chdir(below)  # git itself would take it for the top of the work tree
    repository = Repository.around(below)
    assert repository is not None
    assert repository.root == made.root


def test_objects_that_a_hook_has_not_accepted_yet_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(tmp_path / "project")
    objects = made.root / ".git" / "objects"
    incoming = objects / "incoming"
    incoming.mkdir()
    monkeypatch.setenv("GIT_DIR", str(made.root / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(incoming))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(objects))
    tree = made.git("rev-parse", "HEAD^{tree}")
    pushed = made.git("commit-tree", tree, "-m", "pushed")
    repository = Repository.around(made.root)
    assert repository is not None
    assert repository.commit(pushed).hash == pushed
    other = project(tmp_path / "other") if monkeypatch.undo() is None else None
    assert other is not None
    monkeypatch.setenv("GIT_DIR", str(made.root / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(incoming))
    own = Repository.around(other.root)
    assert own is not None
    assert not own.variables


def test_a_name_that_is_no_repository_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(tmp_path / "project")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "gone"))
    monkeypatch.setenv("GIT_WORK_TREE", str(made.root))
    assert Repository.around(made.root) is None
    with pytest.raises(InputError, match="not a git repository") as caught:
        Repository.around(made.root, needed=True)
    assert "GIT_DIR" in str(caught.value.hint)
    assert subprocess.run(["git", "--version"], check=True, capture_output=True).returncode == 0
