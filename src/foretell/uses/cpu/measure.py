"""Compiles a function with a program around it, runs it in processes of its own, and makes one time of the chunks."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import ToolError
from foretell.machines.probe.method import fastest_group, undisturbed
from foretell.uses.cpu import harness
from foretell.uses.running import Limits, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.loopnest import FunctionInfo

#: a chunk that is longer cannot be told from an interrupted one by its length
_LONG = 1e-3
_FEW = 32
_COMPILE = Limits(seconds=120.0)
RUN_LIMITS = Limits(seconds=120.0)
#: of a compiler's name, what makes it that of the family's Fortran compiler
_FORTRAN = (("clang", "flang"), ("gcc", "gfortran"))


@dataclass(frozen=True, slots=True)
class Build:
    """A compiler, as a command line starts with it, and its flags. A Fortran file is compiled by the Fortran compiler
    of the family."""

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
        """gcc-12 belongs to gfortran-12."""
        for c, fortran in _FORTRAN:
            if c in self.compiler:
                return self.compiler.replace(c, fortran)
        return self.compiler

    @property
    def label(self) -> str:
        """The compiler as part of a file's name."""
        return re.sub(r"[^\w+-]+", "-", self.compiler)


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled program around one function."""

    binary: Path
    threads: int

    def run(
        self, given: Sequence[harness.Argument], seconds: float, limits: Limits = RUN_LIMITS
    ) -> NDArray[np.float64]:
        """Rows of elapsed seconds, processor seconds and disturbance of one call, chunk by chunk."""
        chunks = self.binary.with_suffix(".chunks")
        chunks.unlink(missing_ok=True)
        environment = {
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "active",
            "OMP_DYNAMIC": "false",
            "OMP_PROC_BIND": "true",
        }
        run([str(self.binary), str(chunks), repr(seconds), *harness.command_line(given)], limits, environment)
        rows: NDArray[np.float64] = np.loadtxt(chunks, ndmin=2)
        return rows


def compiled(
    folder: Path,
    source: Path,
    function: FunctionInfo,
    given: Sequence[harness.Argument],
    build: Build,
    threads: int,
) -> Program:
    """The program; a compiler that fails is an error with its message."""
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
    """What the compiler makes of the source for one thread, as assembly in a folder."""
    target = folder / f"{function.name}-{build.label}.s"
    run([*build.command(function.language, 1), "-S", "-o", str(target), str(source)], _COMPILE)
    return target


def one_time(rounds: Sequence[NDArray[np.float64]]) -> tuple[float, int]:
    """The time of one call, from rounds of (elapsed, processor time, disturbed), and how many chunks it comes from.

    Of calls that are long, all may be disturbed on a busy machine: then the processor time counts, which stands still
    while another program runs. Rounds are apart in time; what slows a whole round (somebody else on the same core)
    makes a group of its own, and the fastest group counts.
    """
    rows = np.concatenate(rounds)
    wall, processor, disturbed = rows[:, 0], rows[:, 1], rows[:, 2] > 0
    values = (
        wall[~disturbed]
        if np.median(wall) < _LONG
        else np.where(disturbed, np.minimum(wall, processor), wall)
    )
    if len(values) < max(5, len(wall) // 50):
        values = np.minimum(wall, processor)
    values = values[undisturbed(values)]
    if len(values) < _FEW:
        return float(np.quantile(values, 0.1)), len(values)
    return fastest_group(values), len(values)
