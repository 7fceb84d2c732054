"""Finds a compiler of this machine for an instruction set."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache

from foretell.errors import InputError

#: asked in this order where the user names none
_USUAL = ("gcc", "clang", "cc")
_ARCHITECTURES = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "aarch64", "arm64": "aarch64"}
#: the value of `cc` for code that is generated instead
NONE = "none"
_SECONDS = 10


@dataclass(frozen=True)
class Compiler:
    """A command, the first line of its --version, and its target."""

    command: tuple[str, ...]
    version: str
    isa: str

    @property
    def gcc(self) -> bool:
        return "clang" not in self.version.lower()


def named_compiler(name: str) -> Compiler:
    """The compiler that the user named; an error where it does not run."""
    try:
        words = tuple(shlex.split(name))
    except ValueError as error:
        raise InputError(f"--cc {name!r}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise InputError(f"--cc {name}: no such compiler here", hint="name one that is installed, or --cc none")
    found = _asked(words)
    if found is None:
        raise InputError(f"--cc {name}: it does not say what it compiles for (-dumpmachine)")
    return found


def usual_compiler(isa: str) -> Compiler | None:
    """The compiler of the environment (CC), else the first of the usual ones, if it compiles for the instruction
    set."""
    given = os.environ.get("CC", "")
    names = (given, *_USUAL) if given else _USUAL
    for name in names:
        words = tuple(name.split())
        if words and shutil.which(words[0]) is not None:
            found = _asked(words)
            if found is not None and found.isa == isa:
                return found
    return None


@lru_cache(maxsize=16)
def _asked(words: tuple[str, ...]) -> Compiler | None:
    target, version = _said((*words, "-dumpmachine")), _said((*words, "--version"))
    isa = _ARCHITECTURES.get(re.split("-", target.strip())[0].lower())
    return Compiler(words, version.splitlines()[0], isa) if isa and version else None


def _said(command: tuple[str, ...]) -> str:
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout
