"""Compiles a function with a generated program around it, and runs it in separate processes."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import ToolError
from foretell.uses.measure import harness
from foretell.uses.measure.timing import Sample
from foretell.uses.profiling.limited_run import Limits, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.nest.loopnest import FunctionInfo

#: columns of the program's two output files
_COLUMNS, _SPINS = 9, 2
_COMPILE = Limits(seconds=120.0)
RUN_LIMITS = Limits(seconds=120.0)
#: substitutions that turn a compiler's name into that of the family's Fortran compiler
_FORTRAN = (("clang", "flang"), ("gcc", "gfortran"))


@dataclass(frozen=True, slots=True)
class Build:
    """A compiler command and its flags. A Fortran file is compiled by the Fortran compiler of the family."""

    compiler: str
    flags: tuple[str, ...] = ("-O3", "-march=native")

    def command(self, language: str, threads: int) -> list[str]:
        """The start of a command line."""
        words = shlex.split(self.compiler if language == "c" else self._fortran)
        if not words or shutil.which(words[0]) is None:
            raise ToolError(f"no compiler {words[0] if words else self.compiler!r} on this machine")
        return [*words, *self.flags, *(["-fopenmp"] if threads > 1 else [])]

    @property
    def _fortran(self) -> str:
        """The Fortran compiler: gcc-12 gives gfortran-12."""
        for c, fortran in _FORTRAN:
            if c in self.compiler:
                return self.compiler.replace(c, fortran)
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
        chunks, alone = self.binary.with_suffix(".chunks"), self.binary.with_suffix(".alone")
        environment = {
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "active",
            "OMP_DYNAMIC": "false",
            "OMP_PROC_BIND": "true",
            "OMP_PLACES": "cores",
        }
        chunks.unlink(missing_ok=True)
        words = [str(chunks), str(alone), repr(seconds), str(int(beyond)), *harness.command_line(given)]
        run([str(self.binary), *words], limits, environment)
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
    language = function.language
    text = harness.program(str(source.resolve()), function.name, language, given)
    stem = folder / f"{function.name}-{build.label}-{threads}"
    main = stem.with_suffix(".harness.c")
    main.write_text(text, encoding="utf-8")
    command = build.command(language, threads)
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
