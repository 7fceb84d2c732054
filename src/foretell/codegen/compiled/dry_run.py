"""Flags of a source file from a Makefile: what `make -n` says that it would do.

A dry run may still start programs (`$(shell …)`, recipes with `+`), so it is confined: it writes nowhere, has no
network, and has limits.
"""

from __future__ import annotations

import os
import re
import shlex
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import limits, running
from foretell.codegen.compiled.flags import flags_of_others
from foretell.errors import InputError
from foretell.files import real

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMES = ("GNUmakefile", "makefile", "Makefile")
_LIMITS = running.Limits(seconds=20.0, output_bytes=4 << 20, processes=64)
#: commands of C and C++ compilers, with targets before and versions behind their names
_COMPILER = re.compile(r"(?:[\w.-]+-)?(?:g?cc|g\+\+|c\+\+|clang(?:\+\+)?|icx|icpx|mpicc|mpicxx|mpic\+\+)(?:-[\d.]+)?")
#: flags whose folder is relative to the folder in which the compiler runs
_FOLDERS = ("-I", "-isystem", "-iquote", "-include")


@lru_cache(maxsize=16)
def make_flags(file: Path) -> str:
    """The flags with which the Makefile beside a file, or in a folder above it, compiles it."""
    makefile = makefile_of(file)
    for words, folder in _commands(_dry_run(makefile), makefile.parent):
        compiled = [word for word in words[1:] if real(folder / word) == real(file)]
        if _COMPILER.fullmatch(Path(words[0]).name) and compiled:
            flags = [word for word in words[1:] if word not in compiled]
            return shlex.join(_absolute(flags_of_others(flags, makefile), folder))
    raise InputError(
        f"make -n shows no command that compiles {file.name}", file=makefile, hint="--cflags FLAGS gives them"
    )


def makefile_of(file: Path) -> Path:
    """The Makefile beside a file, or in a folder above it."""
    for folder in (real(file).parent, *real(file).parents):
        for name in _NAMES:
            if (folder / name).is_file():
                return folder / name
    raise InputError("--make: there is no Makefile beside it, nor in a folder above", file=file)


@lru_cache(maxsize=4)
def _dry_run(makefile: Path) -> str:
    command = ["make", "--dry-run", "--always-make", "--keep-going", "--no-print-directory", "-f", makefile.name]
    try:
        done = running.run(command, _LIMITS, folder=makefile.parent, confinement=running.Confinement())
    except running.StoppedError as error:
        hint = limits.MORE_TIME if error.limit == "time" else None
        raise InputError(f"make -n exceeded its limit of {error.limit}", file=makefile, hint=hint) from None
    except running.NotStartedError as error:
        raise InputError(f"make did not run: {error.reason}", file=makefile) from None
    if done.code and not done.text.strip():
        said = (done.messages.strip().splitlines() or [done.failure])[0]
        raise InputError(f"make -n: {said}", file=makefile)
    return done.text


def _commands(text: str, folder: Path) -> Iterator[tuple[list[str], Path]]:
    """The single commands of a dry run, each with the folder in which it runs."""
    for line in text.replace("\\\n", " ").splitlines():
        here = folder
        for part in re.split(r"&&|;|\|\|?", line):
            try:
                words = shlex.split(part)
            except ValueError:  # a quotation over several lines
                continue
            words = words[next((k for k, word in enumerate(words) if not re.match(r"\w+=|ccache$", word)), 0) :]
            if words[:1] == ["cd"] and len(words) > 1:
                here = here / words[1]
            elif words:
                yield words, here


def _absolute(flags: Sequence[str], folder: Path) -> Iterator[str]:
    """Flags that mean the same in every folder."""
    before = ""
    for word in flags:
        flag = next((name for name in _FOLDERS if word.startswith(name) and word != name), "")
        if before in _FOLDERS:
            yield os.path.normpath(folder / word)
        else:
            yield f"{flag}{os.path.normpath(folder / word.removeprefix(flag))}" if flag else word
        before = word
