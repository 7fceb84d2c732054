"""Versions of a git repository, read without touching its work tree, index or references."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import running
from foretell.errors import InputError, ToolError
from foretell.files import real, temporary_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

#: a repository may be slow to read; its files go to a folder, not through the output
_LIMITS = running.Limits(300.0)
#: bases that are tried where none is given
_USUAL_BASES = ("main", "master", "origin/main", "origin/master")
#: modes of links and submodules in an index
_LINK, _SUBMODULE = b"120000 ", b"160000 "
#: variables of a surrounding git (a hook's, say) that would point to another index or work tree
#: what git says of repositories that are there but are not opened, and the ways out
_NOT_OPENED = {
    "dubious ownership": "it belongs to another user: git config --global --add safe.directory {folder}",
    "must be run in a work tree": "a bare repository: git worktree add FOLDER, and run it there",
}
_OF_OTHERS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")


@dataclass(frozen=True)
class Commit:
    """A commit with the reference that named it."""

    reference: str
    hash: str

    @property
    def label(self) -> str:
        """REFERENCE (first digits of the hash)."""
        return self.hash[:12] if self.hash.startswith(self.reference) else f"{self.reference} ({self.hash[:12]})"


@dataclass(frozen=True)
class Repository:
    """A repository by the top folder of its work tree."""

    root: Path

    @classmethod
    def around(cls, folder: Path, needed: bool = False) -> Repository | None:
        """The repository that a folder is part of, if any. Where it is needed, one that git does not open for this
        user, or that has no work tree, is an error with the way out."""
        try:
            top = _git(folder, "rev-parse", "--show-toplevel")
        except InputError as error:
            for said, hint in _NOT_OPENED.items():
                if needed and said in error.message:
                    raise InputError(error.message, file=folder, hint=hint.format(folder=real(folder))) from None
            return None
        return cls(Path(os.fsdecode(top).rstrip("\n")))

    def commit(self, reference: str) -> Commit:
        """The commit that a reference names; an error names the reference."""
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
        try:
            return Commit(reference, _git(self.root, *words).decode().strip())
        except (InputError, ValueError):
            hint = "a branch, a tag or a commit; in CI, fetch it first (fetch-depth: 0)"
            raise InputError(f"no version {reference!r} in the repository {self.root}", hint=hint) from None

    def usual_base(self) -> str:
        """The branch to compare with where none is given."""
        for reference in _USUAL_BASES:
            try:
                self.commit(reference)
            except InputError:
                continue
            return reference
        raise InputError(
            f"none of {', '.join(_USUAL_BASES)} is in this repository", hint="name the version: --base REF"
        )

    def write(self, commit: Commit, folder: Path) -> None:
        """Writes all files of a commit into a folder, with an index of its own, and those of submodules whose commits
        are here. Links that lead nowhere, or out of the folder, become files with their target."""
        with temporary_folder() as private:
            environment = {"GIT_INDEX_FILE": str(Path(private) / "index"), "GIT_LFS_SKIP_SMUDGE": "1"}
            _git(self.root, "read-tree", commit.hash, more=environment)
            words = ("-c", "core.symlinks=false", "checkout-index", "--all", "--force", f"--prefix={folder}/")
            _git(self.root, *words, more=environment)
            listed = _git(self.root, "ls-files", "--stage", "-z", more=environment)
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0")]
        for kind, _, name in entries:
            if kind.startswith(_SUBMODULE):
                self._write_submodule(os.fsdecode(name), kind.split()[1].decode(), folder)
        _link(folder, [os.fsdecode(name) for kind, _, name in entries if kind.startswith(_LINK)])

    def _write_submodule(self, name: str, commit: str, folder: Path) -> None:
        """Writes the files of a submodule; none, where it is not checked out here or lacks the commit."""
        inside = Repository.around(self.root / name) if (self.root / name).is_dir() else None
        if inside is not None and real(inside.root) == real(self.root / name):
            with contextlib.suppress(InputError):
                inside.write(inside.commit(commit), folder / name)

    def between(self, base: Commit, head: Commit) -> list[Commit]:
        """The commits after the base up to the head, oldest first, along first parents."""
        words = ("rev-list", "--reverse", "--first-parent", f"{base.hash}..{head.hash}")
        return [Commit(line, line) for line in _git(self.root, *words).decode().split()]

    def title(self, commit: Commit) -> str:
        """The first line of a commit's message."""
        return _git(self.root, "log", "-1", "--format=%s", commit.hash).decode(errors="replace").strip()

    def folder_of(self, folder: Path) -> Path:
        """Where a folder is inside of the repository."""
        return real(folder).relative_to(real(self.root))


def _link(folder: Path, names: Sequence[str]) -> None:
    """Makes links of files that have their targets, where these are in the folder."""
    targets = {folder / name: (folder / name).read_bytes() for name in names}
    for path, target in targets.items():
        path.unlink()
        with contextlib.suppress(OSError, ValueError):  # no name of a file
            path.symlink_to(os.fsdecode(target))
    lost = [path for path in targets if not (path.exists() and real(path).is_relative_to(real(folder)))]
    for path in lost:
        path.unlink(missing_ok=True)
        path.write_bytes(targets[path])


def _git(folder: Path, *words: str, more: dict[str, str] | None = None) -> bytes:
    variables: dict[str, str | None] = {**dict.fromkeys(_OF_OTHERS), "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    command: Sequence[str] = ("git", "-C", str(folder), *words)
    if shutil.which("git") is None:
        raise ToolError("git is not installed: give folders or files as --base and --head")
    if any("\0" in word for word in command):
        raise InputError("git: a name has a null character")
    done = running.run(command, _LIMITS, environment=variables | (more or {}))
    if done.code:
        said = [line for line in done.messages.splitlines() if line.startswith(("fatal: ", "error: "))]
        said = said[:1] or done.messages.strip().splitlines()[-1:] or [f"exit code {done.code}"]
        raise InputError(f"git {words[0]}: {said[0]}")
    return done.output
