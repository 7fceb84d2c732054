"""The functions that matter to one that is asked for: what it calls, what these call, and so on. The others, also those
that call it, need no analysis, unless one analysis is to serve all functions that are connected."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.analysis.calls.call_graph import Index
    from foretell.frontends.source import ir


def connected(program: ir.Program, index: Index, asked: str, callers: bool) -> frozenset[int]:
    """The identities of the functions that are connected with those of a name, with `callers` also those that call
    them; empty if there is none of the name."""
    functions = [(function, unit) for unit in program.units for function in unit.functions]
    called = defaultdict[int, set[int]](set)
    for function, unit in functions:
        for other in _mentioned(function, unit, index):
            called[id(function)].add(id(other))
            if callers:
                called[id(other)].add(id(function))
    pending = [id(function) for function, _ in functions if _is_called(function, asked)]
    found = set(pending)
    while pending:
        new = called[pending.pop()] - found
        found |= new
        pending += new
    return frozenset(found)


def _mentioned(function: ir.Function, unit: ir.Unit, index: Index) -> Iterator[ir.Function]:
    """The functions that a function calls, or names."""
    facts = index.scanner.sequence(function.body)
    for name in facts.calls | facts.exposed:
        other = index.resolve(name, unit)
        if other is not None:
            yield other


def _is_called(function: ir.Function, name: str) -> bool:
    """Whether a function has a name; Fortran does not tell cases apart."""
    if function.language == "fortran":
        return function.display.lower() == name.lower()
    return function.display == name
