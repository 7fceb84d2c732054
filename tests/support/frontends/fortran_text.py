"""Short ways from Fortran source to lowered text, for tests."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from foretell.frontends.fortran import parse_fortran
from tests.support.frontends import ir_text

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.frontends.source import ir


def lower(folder: Path, source: str, suffix: str = ".f90") -> ir.Unit:
    """One source text as a unit."""
    path = folder / f"source{suffix}"
    path.write_text(textwrap.dedent(source))
    return parse_fortran([path])[0]


def body(folder: Path, statements: str, declarations: str = "") -> str:
    """The lowered text of some statements in a subroutine with the usual variables."""
    head = """subroutine s(a, b, c, u, v, n, m, x, y, l)
      integer, intent(in) :: n, m
      real(8) :: a(n), b(n), c(n), u(n, m), v(0:n+1, m), x, y
      logical :: l(n)
      integer :: i, j, k
    """
    source = textwrap.dedent(head) + textwrap.dedent(declarations) + textwrap.dedent(statements) + "\nend subroutine\n"
    unit = lower(folder, source)
    assert not unit.functions[0].errors, unit.functions[0].errors
    return ir_text.statement_text(unit.functions[0].body)
