"""Versions of a git repository, read without touching its work tree, index or references."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping  # noqa: TC003  # of a field
from dataclasses import dataclass, field
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
#: what git says of repositories that are there but are not opened, and the ways out
_NOT_OPENED = {
    "dubious ownership": "it belongs to another user: git config --global --add safe.directory {folder}",
    "must be run in a work tree": "a bare repository: git worktree add FOLDER, and run it there",
    "not a git repository: '": "GIT_DIR names it: unset GIT_DIR, or set it to the repository",
}
#: variables of a surrounding git (a hook's, say): the repository that it names, where new objects of that one are until
#: a hook accepts them, and what would point to another index
_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
_OBJECTS = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")
_OF_OTHERS = (*_PLACES, *_OBJECTS, "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")


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
    """A repository by the top folder of its work tree, and the variables of git that it is found with: none where it
    is found by the folder alone."""

    root: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def around(cls, folder: Path, needed: bool = False) -> Repository | None:
        """The repository that a folder is part of, if any: that of GIT_DIR where the folder is in its work tree. Where
        it is needed, one that git does not open for this user, or that has no work tree, is an error with the way
        out."""
        try:
            return cls._named_around(folder) or cls(_top(folder), _objects_of(folder))
        except InputError as error:
            for said, hint in _NOT_OPENED.items():
                if needed and said in error.message:
                    raise InputError(error.message, file=folder, hint=hint.format(folder=real(folder))) from None
            return None

    @classmethod
    def _named_around(cls, folder: Path) -> Repository | None:
        """The repository that the environment names, if the folder is in its work tree. Without GIT_WORK_TREE git takes
        whatever folder it is called in for the work tree, so only a repository that knows its own counts then, and the
        one around the folder goes first."""
        places = {name: str(Path.cwd() / os.environ[name]) for name in _PLACES if os.environ.get(name)}
        if "GIT_DIR" not in places:
            return None
        if "GIT_WORK_TREE" not in places and _found_by_folder(folder):
            return None
        objects = {name: os.environ[name] for name in _OBJECTS if name in os.environ}
        top = _top(Path.cwd(), places)
        places.setdefault("GIT_WORK_TREE", str(top))
        return cls(top, {**places, **objects}) if real(folder).is_relative_to(real(top)) else None

    def commit(self, reference: str) -> Commit:
        """The commit that a reference names; an error names the reference."""
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
        try:
            return Commit(reference, self._git(*words).decode().strip())
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
            self._git("read-tree", commit.hash, more=environment)
            words = ("-c", "core.symlinks=false", "checkout-index", "--all", "--force", f"--prefix={folder}/")
            self._git(*words, more=environment)
            listed = self._git("ls-files", "--stage", "-z", more=environment)
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
        return [Commit(line, line) for line in self._git(*words).decode().split()]

    def title(self, commit: Commit) -> str:
        """The first line of a commit's message."""
        return self._git("log", "-1", "--format=%s", commit.hash).decode(errors="replace").strip()

    def folder_of(self, folder: Path) -> Path:
        """Where a folder is inside of the repository."""
        return real(folder).relative_to(real(self.root))

    def _git(self, *words: str, more: Mapping[str, str] | None = None) -> bytes:
        return _git(self.root, *words, more={**self.variables, **(more or {})})


def _top(folder: Path, variables: Mapping[str, str] | None = None) -> Path:
    """The top folder of the work tree that a folder is in."""
    return Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel", more=variables)).rstrip("\n"))


def _found_by_folder(folder: Path) -> bool:
    try:
        return bool(_top(folder))
    except InputError:
        return False


def _objects_of(folder: Path) -> dict[str, str]:
    """Where new objects of the repository around a folder are, if the environment is that of a hook of it."""
    given = {name: os.environ[name] for name in _OBJECTS if name in os.environ}
    if not given or "GIT_DIR" not in os.environ:
        return {}
    own = Path(os.fsdecode(_git(folder, "rev-parse", "--absolute-git-dir")).rstrip("\n"))
    return given if real(own) == real(Path.cwd() / os.environ["GIT_DIR"]) else {}


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


def _git(folder: Path, *words: str, more: Mapping[str, str] | None = None) -> bytes:
    variables: dict[str, str | None] = {**dict.fromkeys(_OF_OTHERS), "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    command: Sequence[str] = ("git", "-C", str(folder), *words)
    if shutil.which("git") is None:
        raise ToolError("git is not installed: give folders or files as --base and --head")
    if any("\0" in word for word in command):
        raise InputError("git: a name has a null character")
    done = running.run(command, _LIMITS, environment={**variables, **(more or {})})
    if done.code:
        said = [line for line in done.messages.splitlines() if line.startswith(("fatal: ", "error: "))]
        said = said[:1] or done.messages.strip().splitlines()[-1:] or [f"exit code {done.code}"]
        raise InputError(f"git {words[0]}: {said[0]}")
    return done.output
