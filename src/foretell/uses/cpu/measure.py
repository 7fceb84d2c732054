"""Compiles a function with a program around it, runs it in a process of its own, and makes one time of the chunks."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foretell.errors import ToolError
from foretell.machines.probe.method import fastest_group, undisturbed
from foretell.uses.cpu import harness
from foretell.uses.running import Limits, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.core.loopnest import FunctionInfo

#: a chunk that is longer cannot be told from an interrupted one by its length
_LONG = 1e-3
_FEW = 32
_COMPILE = Limits(seconds=120.0)
RUN_LIMITS = Limits(seconds=120.0)
_FORTRAN = {"gcc": "gfortran", "clang": "flang"}


@dataclass(frozen=True, slots=True)
class Build:
    """A compiler with its flags; a Fortran file is compiled by the Fortran compiler of the family."""

    compiler: str
    flags: tuple[str, ...] = ("-O3", "-march=native")

    def command(self, language: str, threads: int) -> list[str]:
        """The start of a command line."""
        name = self.compiler if language == "c" else _FORTRAN.get(self.compiler, self.compiler)
        if shutil.which(name) is None:
            raise ToolError(f"no compiler {name!r} on this machine")
        return [name, *self.flags, *(["-fopenmp"] if threads > 1 else [])]


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of one call, from how many chunks, and the assembly of what ran."""

    seconds: float
    chunks: int
    kept: int
    assembly: str


def measure(
    source: Path,
    function: FunctionInfo,
    given: Sequence[harness.Argument],
    build: Build,
    *,
    threads: int = 1,
    seconds: float = 0.5,
    limits: Limits = RUN_LIMITS,
) -> Measured:
    """One call of the function, measured here."""
    with tempfile.TemporaryDirectory(prefix="foretell-") as name:
        folder = Path(name)
        binary, assembly = _compile(folder, source, function, given, build, threads, seconds)
        chunks = folder / "chunks"
        environment = {
            "OMP_NUM_THREADS": str(threads),
            "OMP_WAIT_POLICY": "active",
            "OMP_DYNAMIC": "false",
            "OMP_PROC_BIND": "true",
        }
        run([str(binary), str(chunks)], limits, environment)
        rows = np.loadtxt(chunks, ndmin=2)
    value, kept = one_time(rows)
    return Measured(value, len(rows), kept, assembly)


def _compile(
    folder: Path,
    source: Path,
    function: FunctionInfo,
    given: Sequence[harness.Argument],
    build: Build,
    threads: int,
    seconds: float,
) -> tuple[Path, str]:
    """The program, and the assembly of the source file by itself."""
    language = function.language
    text = harness.program(str(source.resolve()), function.name, language, tuple(given), seconds)
    (folder / "harness.c").write_text(text, encoding="utf-8")
    binary, assembly = folder / "program", folder / "source.s"
    command = build.command(language, threads)
    run([*command, "-S", "-o", str(assembly), str(source)], _COMPILE)
    parts = [str(folder / "harness.c")]
    if language == "fortran":
        run([*command, "-c", "-o", str(folder / "source.o"), str(source)], _COMPILE)
        parts.append(str(folder / "source.o"))
    run([*command, "-w", "-o", str(binary), *parts, "-lm"], _COMPILE)
    return binary, assembly.read_text(encoding="utf-8", errors="replace")


def one_time(rows: NDArray[np.float64]) -> tuple[float, int]:
    """The time of one call, from rows of (elapsed, processor time, disturbed), and how many chunks it comes from.

    Of calls that are long, all may be disturbed on a busy machine: then the processor time counts, which stands still
    while another program runs.
    """
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
        return float(np.quantile(values, 0.25)), len(values)
    return fastest_group(values), len(values)
