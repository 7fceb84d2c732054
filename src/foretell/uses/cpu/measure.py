"""Compiles a function with a program around it, runs it in processes of its own, and makes one time of the chunks.

Which chunks count is fixed beforehand, the same for every case: those in whose looks before and after every thread had
its core for itself, as far as the machine file says that it has one. The looks tell the clock as well: a time is so
many cycles, at the clock of the machine by itself (validation/README.md has the rule).
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import ToolError
from foretell.machines.probe.method import fastest_group, undisturbed
from foretell.uses.cpu import harness, looks
from foretell.uses.running import Limits, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from foretell.core.loopnest import FunctionInfo
    from foretell.core.machine import Machine

#: a chunk that is longer cannot be told from an interrupted one by its length
_LONG = 1e-3
_FEW = 32
#: looks that are further apart do not tell what was between them: strangers stay for less than that
_APART = 1e-2
#: how much slower the clock, or more crowded the core may be than the machine file says
_TOLERANCE = 0.1
#: chunks that have to count in a visit, or it says nothing: as many as every run has
_LEAST = 3
#: visits that have to say the same as all together, and how nearly the same, before a time has settled
_AGREEING, _AGREED = 2, 0.03
#: columns of a program's two files
_COLUMNS, _SPINS = 7, 2
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

    def run(self, given: Sequence[harness.Argument], seconds: float, limits: Limits = RUN_LIMITS) -> Visit:
        """One run of the program, of about so many seconds after it has made its data."""
        chunks, alone = self.binary.with_suffix(".chunks"), self.binary.with_suffix(".alone")
        environment = {
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "active",
            "OMP_DYNAMIC": "false",
            "OMP_PROC_BIND": "true",
            "OMP_PLACES": "cores",
        }
        words = [str(chunks), str(alone), repr(seconds), *harness.command_line(given)]
        run([str(self.binary), *words], limits, environment)
        return Visit(self.threads, _table(chunks, _COLUMNS), _table(alone, _SPINS))


def _table(path: Path, columns: int) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = np.fromfile(path, sep=" ")
    return numbers.reshape(-1, columns)


@dataclass(frozen=True, slots=True)
class Visit:
    """What one run wrote. Rows of `chunks`: elapsed and processor seconds of one call, whether a thread was pushed off
    its core, chain and wide spin of the look before, and of the one after. `first_looks`: those of one thread."""

    threads: int
    chunks: NDArray[np.float64]
    first_looks: NDArray[np.float64]

    @property
    def looks_of_one(self) -> NDArray[np.float64]:
        """Chain and wide spin of all looks at which there was one thread."""
        return (
            np.concatenate([self.first_looks, self.chunks[:, 5:7]]) if self.threads == 1 else self.first_looks
        )

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of every chunk; where a thread was pushed off its core, processor time, which stands still while
        another program runs."""
        elapsed, processor, pushed = self.chunks[:, :3].T
        times: NDArray[np.float64] = np.where(pushed > 0, np.minimum(elapsed, processor), elapsed)
        return times

    def usable(self, usual: float) -> NDArray[np.bool_]:
        """Which chunks may count at all: no thread was pushed off its core. Long ones may all have been."""
        kept: NDArray[np.bool_] = (self.chunks[:, 2] == 0) | (usual >= _LONG)
        return kept

    def counting(self, usual: float, best: looks.Alone, machine: Machine) -> NDArray[np.float64]:
        """The times of the chunks that count, at the clock of the machine by itself. `usual`: the length of most."""
        kept, times = self.usable(usual), self.times
        if usual < _APART:
            both = [
                looks.beside(self.chunks[:, chain], self.chunks[:, wide], best, machine, self.threads)
                for chain, wide in ((3, 4), (5, 6))
            ]
            for look in both:
                kept &= (look.clock <= 1 + _TOLERANCE) & (look.crowd <= 1 + _TOLERANCE)
            times = times / np.mean([look.clock for look in both], axis=0)
        return times[kept]


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of one call, from how many chunks, and whether that is what the machine does by itself: two visits said
    the same while nobody else was there."""

    seconds: float
    chunks: int
    settled: bool


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


def alone(visits: Sequence[Visit]) -> looks.Alone:
    """The look of one thread that has its core for itself, from all visits to programs of one compiler and flags."""
    spins = np.concatenate([visit.looks_of_one for visit in visits])
    return looks.alone(spins[:, 0], spins[:, 1])


def one_time(visits: Sequence[Visit], best: looks.Alone, machine: Machine) -> Timing:
    """The time of one call, from the chunks that count in several visits.

    Where there are none, from all chunks: visits are apart in time; what slows a whole one makes a group of its own,
    and the fastest group counts.
    """
    usual = float(np.median(np.concatenate([visit.chunks[:, 0] for visit in visits])))
    counting = [times for visit in visits if len(times := visit.counting(usual, best, machine)) >= _LEAST]
    if counting:
        together = np.concatenate(counting)
        value = _fastest(together)
        agreeing = sum(abs(_fastest(times) - value) <= _AGREED * value for times in counting)
        return Timing(value, len(together), settled=agreeing >= _AGREEING)
    times = np.concatenate([visit.times[visit.usable(usual)] for visit in visits])
    if len(times) < _LEAST:
        times = np.concatenate([visit.times for visit in visits])
    return Timing(_fastest(times), len(times), settled=False)


def _fastest(times: NDArray[np.float64]) -> float:
    """Of times that were not interrupted, the fastest dense group, or the lower decile of a few."""
    times = times[undisturbed(times)]
    return fastest_group(times) if len(times) >= _FEW else float(np.quantile(times, 0.1))
