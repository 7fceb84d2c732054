"""Lowering C snippets in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.c import Setting, parse_program
from foretell.frontends.source import ir
from tests.support.frontends.ir_text import function_text, statement_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


def parse_c(
    files: Sequence[Path], *, includes: Sequence[Path] = (), defines: Mapping[str, str] | None = None
) -> tuple[ir.Unit, ...]:
    """Each file as a unit, all with the same settings."""
    setting = Setting(tuple(includes), tuple((defines or {}).items()))
    return parse_program([(file, setting) for file in files])


def lower(folder: Path, source: str, name: str = "test.c") -> ir.Unit:
    """A snippet as a unit."""
    path = folder / name
    path.write_text(source)
    (unit,) = parse_c([path])
    return unit


def body(unit: ir.Unit, name: str = "f") -> str:
    """The statements of a function as text."""
    return statement_text(function(unit, name).body)


def function(unit: ir.Unit, name: str = "f") -> ir.Function:
    return next(function for function in unit.functions if function.name == name)


def text(unit: ir.Unit, name: str = "f") -> str:
    return function_text(function(unit, name))


def statements(body: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    """All statements, at every depth."""
    for statement in body:
        yield statement
        for part in ("body", "then", "other"):
            yield from statements(getattr(statement, part, ()))
        if isinstance(statement, ir.While):
            yield from statements(statement.step)
        if isinstance(statement, ir.Switch):
            for _, case in statement.cases:
                yield from statements(case)


def loops_accounted(unit: ir.Unit) -> int:
    """Loops in the IR, and those that an Opaque says it holds."""
    count = 0
    for function in unit.functions:
        for statement in statements(function.body):
            if isinstance(statement, ir.While) or (isinstance(statement, ir.Loop) and not statement.implied):
                count += 1
            elif isinstance(statement, ir.Opaque):
                count += statement.loops
    return count
