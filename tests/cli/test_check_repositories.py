"""`foretell check` in repositories that are not as usual: whose, which way out, which names files had."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.cli import refused, run
from tests.support.repository import CONFIGURATION, SUM, Project, project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    made = project(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def test_a_repository_of_another_user_says_how_git_opens_it(
    repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container that runs as another user than the one who checked it out. Folders need no repository."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for words in ((), ("--base", "main"), ("--base", "main", "--head", ".")):
        said = refused("check", *words)
        assert "dubious ownership" in said
        assert f"git config --global --add safe.directory {repository.root}" in said
    result = run("check", "--jobs", "0", ".", ".")
    assert result.code == 0, result.err


def test_a_bare_repository_wants_a_work_tree(
    repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(repository.root), str(bare)], check=True)
    (bare / "foretell.toml").write_text(CONFIGURATION)
    monkeypatch.chdir(bare)
    assert "git worktree add FOLDER" in refused("check", "--base", "main", "--head", "main")


def test_pointers_of_large_files_are_named(repository: Project) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    repository.commit("store it elsewhere", sum_c=pointer)
    result = run("check", "--jobs", "0")
    assert "sum.c: is a pointer of Git LFS, not the file itself" in " ".join((result.out + result.err).split())


def test_a_range_is_searched_under_the_names_that_each_commit_has(repository: Project) -> None:
    repository.commit("notes", notes_md="one")
    culprit = repository.commit("simplify the sum", sum_c=SUM)
    repository.git("mv", "sum.c", "total.c")
    repository.commit("rename", foretell_toml=CONFIGURATION.replace("sum.c", "total.c"))
    result = run("check", "--jobs", "0", "--bisect", "10%", "--format", "json")
    assert result.json()["first"] == culprit, result.err


def test_reasons_name_files_of_the_version_and_ways_out_of_this_file(
    repository: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The private folder of a version is another one each time; options of other commands are no way out."""
    monkeypatch.setenv("FORETELL_CC", "")
    searching = 'extern "C" void find(const int *p, int key, int *at)\n{\n    int i = 0;\n'
    searching += "    while (p[i] != key)\n        i++;\n    *at = i;\n}\n"
    table = '[code.find]\nfile = "find.cpp"\nfunction = "find"\nflags = "-O2"\nargs = ["i32[1000]", 1000, "i32[1]"]\n'
    missing = '#include "absent.h"\nvoid lost(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0; }\n'
    lost = '[code.lost]\nfile = "lost.cpp"\nfunction = "lost"\nargs = [10, "f32[10]"]\n'
    made = f'machines = ["zen4"]\n{table}{lost}'
    repository.commit("search", find_cpp=searching, lost_cpp=missing, foretell_toml=made)
    document = run("check", "--jobs", "0", "--base", "HEAD", "--head", "HEAD", "--format", "json").json()
    reasons = {entry["code"]: entry["reason"] for entry in document["not_compared"]}
    assert 'say it in its table: trip = { "text of the line" = N }' in reasons["find"]
    assert "absent.h" in reasons["lost"]
    assert "foretell-" not in reasons["lost"]
    told = made.replace('"i32[1]"]\n', '"i32[1]"]\ntrip = { "while (p[i]" = 100 }\n')
    repository.commit("say it", foretell_toml=told)
    document = run("check", "--jobs", "0", "--base", "HEAD", "--head", "HEAD", "--format", "json").json()
    assert [change["code"] for change in document["changes"]] == ["find"]
