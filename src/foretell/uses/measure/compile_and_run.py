"""Compiles a function with a generated program around it, and runs it in separate processes."""

from __future__ import annotations

import re
import shlex
import shutil
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import ToolError
from foretell.running import Confinement
from foretell.uses.measure import harness
from foretell.uses.measure.timing import Sample
from foretell.uses.profiling.limited_run import Limits, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.nest.functions import FunctionInfo

#: columns of the program's two output files
_COLUMNS, _SPINS = 9, 2
_COMPILE = Limits(seconds=120.0)
RUN_LIMITS = Limits(seconds=120.0)
#: substitutions that turn a compiler's name into that of the family's compiler of another language
_FAMILIES = {"fortran": (("clang", "flang"), ("gcc", "gfortran")), "c++": (("clang", "clang++"), ("gcc", "g++"))}


@dataclass(frozen=True, slots=True)
class Build:
    """A compiler command and its flags. A Fortran or C++ file is compiled by that compiler of the family."""

    compiler: str
    flags: tuple[str, ...] = ("-O3", "-march=native")

    def command(self, language: str, threads: int) -> list[str]:
        """The start of a command line."""
        words = shlex.split(self._of(language))
        if not words or shutil.which(words[0]) is None:
            raise ToolError(f"no compiler {words[0] if words else self.compiler!r} on this machine")
        return [*words, *self.flags, *(["-fopenmp"] if threads > 1 else [])]

    def _of(self, language: str) -> str:
        """The compiler of a language: gcc-12 gives gfortran-12 for Fortran."""
        words = shlex.split(self.compiler)
        for c, other in _FAMILIES.get(language, ()):
            for place, word in enumerate(words):
                folder, slash, name = word.rpartition("/")
                if c in name and not word.startswith("-"):
                    return shlex.join([*words[:place], f"{folder}{slash}{name.replace(c, other)}", *words[place + 1 :]])
        return self.compiler

    @property
    def label(self) -> str:
        """The compiler as part of a file name."""
        return re.sub(r"[^\w+-]+", "-", self.compiler)


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled program around one function."""

    binary: Path
    threads: int

    def run(
        self, given: Sequence[harness.Argument], seconds: float, limits: Limits = RUN_LIMITS, beyond: bool = False
    ) -> Sample:
        """Runs the program once, for about this many seconds after initialisation; `beyond`: its data are in no
        cache."""
        worker = threading.get_ident()  # sizes of one program may run at the same time
        chunks, alone = (self.binary.with_suffix(f".{worker}.{kind}") for kind in ("chunks", "alone"))
        environment = {
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "active",
            "OMP_DYNAMIC": "false",
            "OMP_PROC_BIND": "true",
            "OMP_PLACES": "cores",
        }
        chunks.unlink(missing_ok=True)
        words = [str(chunks), str(alone), repr(seconds), str(int(beyond)), *harness.command_line(given)]
        run([str(self.binary), *words], limits, environment, Confinement.current().beside(self.binary.parent))
        return Sample(self.threads, _table(chunks, _COLUMNS), _table(alone, _SPINS))


def _table(path: Path, columns: int) -> NDArray[np.float64]:
    """Reads the rows of a file. It is empty if the function ended the program, which looks like success."""
    numbers: NDArray[np.float64] = np.fromfile(path, sep=" ") if path.exists() else np.empty(0)
    if not len(numbers) or len(numbers) % columns:
        raise ToolError("the function ended the program before it was measured")
    return numbers.reshape(-1, columns)


def compiled(
    folder: Path, source: Path, function: FunctionInfo, given: Sequence[harness.Argument], build: Build, threads: int
) -> Program:
    """Compiles the program; a compiler failure is an error with its message."""
    text = harness.program(str(source.resolve()), function.name, function.language, given)
    stem = folder / f"{function.name}-{build.label}-{threads}"
    return linked(stem, text, source, function.language, build.command(function.language, threads), threads)


def linked(stem: Path, text: str, source: Path, language: str, command: Sequence[str], threads: int) -> Program:
    """Compiles the text of a program, and the source beside it where it is in Fortran, with this start of a command."""
    main = stem.with_suffix(".harness.cpp" if language == "c++" else ".harness.c")
    main.write_text(text, encoding="utf-8")
    parts = [str(main)]
    if language == "fortran":
        parts.append(str(stem.with_suffix(".o")))
        run([*command, "-c", "-o", parts[1], str(source)], _COMPILE)
    run([*command, "-w", "-o", str(stem), *parts, "-lm"], _COMPILE)
    return Program(stem, threads)


def own_assembly(folder: Path, source: Path, function: FunctionInfo, build: Build) -> Path:
    """Writes the compiler's assembly of the source for one thread into a folder."""
    target = folder / f"{function.name}-{build.label}.s"
    run([*build.command(function.language, 1), "-S", "-o", str(target), str(source)], _COMPILE)
    return target
