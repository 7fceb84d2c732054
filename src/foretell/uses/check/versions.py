"""The two sides of a check: a git version, a folder, a file, or a saved result."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Mapping  # noqa: TC003  # saved results are checked against it
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from foretell import decoding, files
from foretell.errors import InputError
from foretell.files import real, temporary_folder
from foretell.uses.check.configured.configuration import NAME, Configuration, read_configuration
from foretell.uses.check.dependences import HEADERS
from foretell.uses.check.git import Commit, Repository
from foretell.uses.check.outcome import SIGNED, Explained, Failed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.uses.check.outcome import Outcome

_SAVED_BYTES = 256 << 20


@dataclass(frozen=True)
class Version:
    """One side. `root` is its folder, in which names of files are relative; a saved result has `saved` instead. It is
    `asked` for where a user named it."""

    label: str
    root: Path | None = None
    commit: Commit | None = None
    saved: dict[str, dict[str, Outcome]] = field(default_factory=dict)
    asked: bool = False

    def configuration(self, name: str = NAME) -> Configuration | None:
        """What this version itself says is to be compared, if it does."""
        if self.root is None or not (self.root / name).is_file():
            return None
        return read_configuration(self.root / name, f"{name} of {self.label}")


@contextlib.contextmanager
def opened(given: str, below: Path, builds: bool) -> Iterator[Version]:
    """Opens a side: an existing folder, a saved result, else a version of the repository around `below`, whose folder
    is then that of the same name in the version."""
    path = Path(given)
    if path.is_file() and path.suffix == ".json":
        yield Version(given, saved=read_saved(path))
    elif path.is_dir():
        with _buildable(path, builds) as root:
            yield Version(given, root)
    else:
        repository = Repository.around(below, needed=True)
        if repository is None:
            hint = "name a folder or a saved result, or run it in a git repository"
            raise InputError(f"{given}: no such folder, and {below} is in no git repository", hint=hint)
        with written(repository, repository.commit(given), below) as version:
            yield version


@contextlib.contextmanager
def single_file(path: str, name: str) -> Iterator[Version]:
    """A version of one file, which has the same name in both, and of the headers beside it."""
    with temporary_folder() as private:
        root = Path(private)
        target = root / Path(name).name
        target.write_bytes(files.read_bytes(Path(path)))
        for header in sorted(Path(path).parent.glob("*.[hc]*")):
            if header.suffix in HEADERS and header.is_file():
                (root / header.name).write_bytes(files.read_bytes(header))
        _stamp(root)
        yield Version(path, root)


@contextlib.contextmanager
def written(repository: Repository, commit: Commit, below: Path) -> Iterator[Version]:
    """A commit in a private folder; the version's root is the folder that `below` is in the repository."""
    with temporary_folder() as private:
        folder = Path(private)
        repository.write(commit, folder)
        _stamp(folder)
        yield Version(commit.label, folder / repository.folder_of(below), commit)


@contextlib.contextmanager
def _buildable(path: Path, builds: bool) -> Iterator[Path]:
    """The folder, or a copy of it where something is built."""
    if not builds:
        yield real(path)
        return
    with temporary_folder() as private:
        copy = Path(private) / "version"
        shutil.copytree(path, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        yield copy


def _stamp(folder: Path) -> None:
    """Gives every file a time of change that its content decides: compiled units are kept by it."""
    for path in folder.rglob("*"):
        if path.is_file():
            number = int.from_bytes(hashlib.sha256(path.read_bytes()).digest()[:7], "little")
            os.utime(path, ns=(number, number))


def read_saved(path: Path) -> dict[str, dict[str, Any]]:
    """The outcomes of a file that `check --save` wrote: by code, then by machine."""
    text = files.read_text(path, _SAVED_BYTES)
    try:
        document = files.parse_json(text)
        decoding.decoded(_Saved, document, "saved", SIGNED)
    except InputError as error:
        hint = "foretell check --save FILE writes one"
        raise InputError(f"is no saved result: {error.message}", file=path, line=error.line, hint=hint) from None
    outcomes: dict[str, dict[str, Any]] = document["outcomes"]
    return outcomes


@dataclass(frozen=True)
class _Saved:
    """The file of `check --save`: outcomes by code and machine."""

    kind: Literal["foretell check"]
    version: str
    outcomes: Mapping[str, Mapping[str, Explained | Failed]]


def saved_text(outcomes: Mapping[str, Mapping[str, Outcome]], label: str) -> str:
    """The text of a file of outcomes."""
    return json.dumps({"kind": "foretell check", "version": label, "outcomes": outcomes}, sort_keys=True, indent=1)
