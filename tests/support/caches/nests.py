"""Loop nests of source text, for tests."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from foretell.frontends.analysis import analyse
from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.support.frontends.c import parse_c

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.nest.loopnest import Access, ArrayUse, LoopNest, Loops

#: a product in tiles, with two sizes
TILED = """void tiled(int n, int T, double *restrict C, const double *restrict A, const double *restrict B) {
  for (int ii = 0; ii < n; ii += T)
    for (int kk = 0; kk < n; kk += T)
      for (int i = ii; i < ii + T; i++)
        for (int k = kk; k < kk + T; k++)
          for (int j = 0; j < n; j++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
"""


def analyse_text(files: Mapping[str, str], parameters: Mapping[str, int] | None = None) -> Loops:
    """The nests of a program given as file names and their text."""
    with TemporaryDirectory() as folder:
        paths = []
        for name, text in files.items():
            path = Path(folder) / name
            path.write_text(text)
            paths.append(path)
        c = [path for path in paths if path.suffix == ".c"]
        fortran = [path for path in paths if path.suffix not in (".c", ".h")]
        units: tuple[ir.Unit, ...] = ()
        if c:
            units += tuple(parse_c(c))
        if fortran:
            units += tuple(parse_fortran(fortran))
        return analyse(ir.Program(units), parameters)


def of_c(text: str, parameters: Mapping[str, int] | None = None) -> Loops:
    return analyse_text({"a.c": text}, parameters)


def of_fortran(text: str, name: str = "a.f90") -> Loops:
    return analyse_text({name: text})


def only(loops: Loops) -> LoopNest:
    """The single nest of a program."""
    assert len(loops.nests) == 1, [(nest.function, nest.line) for nest in loops.nests]
    return loops.nests[0]


def array(nest: LoopNest, name: str, component: str = "") -> ArrayUse:
    return next(use for use in nest.arrays if use.name == name and use.component == component)


def offsets(use: ArrayUse) -> dict[tuple[str, ...], tuple[int, int]]:
    """Reads and writes by offset, fastest subscript first."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    for access in use.accesses:
        key = tuple(str(one.offset) for one in reversed(access.subscripts))
        reads, writes = found.get(key, (0, 0))
        found[key] = (reads + access.reads, writes + access.writes)
    return found


def movers(access: Access) -> tuple[str, ...]:
    """What each subscript moves with, fastest first."""
    return tuple(
        " + ".join(name if c == 1 else f"{c}*{name}" for name, c in one.coefficients) or one.index
        for one in reversed(access.subscripts)
    )
