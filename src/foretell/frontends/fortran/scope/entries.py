"""ENTRY: a procedure that begins inside another one, with its own arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Entry = tuple[str, tuple[str, ...], int]
Statements = tuple[ir.Stmt, ...]


def label(name: str) -> str:
    """The label of an ENTRY statement."""
    return f"entry {name}"


def split(statements: Statements, entries: Sequence[Entry]) -> Iterator[Statements]:
    """The statements executed from the top (control falls through a reachable ENTRY), then from each ENTRY on."""
    positions = {s.name: number for number, s in reversed([*enumerate(statements)]) if isinstance(s, ir.Label)}
    starts = [positions.get(label(name), 0) for name, _, _ in entries]
    unreachable = [start for start in starts if start and isinstance(statements[start - 1], ir.Jump)]
    yield statements[: unreachable[0]] if unreachable else statements
    for start in starts:
        end = next((other for other in unreachable if other > start), len(statements))
        yield statements[start:end]


def procedure(host: ir.Function, body: Statements, entry: Entry, variables: Mapping[str, ir.Variable]) -> ir.Function:
    """The procedure of an ENTRY: the host's variables, its own arguments."""
    name, arguments, line = entry
    own = [variables[argument] for argument in arguments if argument in variables]
    parameters = tuple(replace(variable, storage="parameter", by_reference=True) for variable in own)
    taken = {variable.id for variable in parameters}
    inside = (*host.parameters, *host.locals)
    return replace(
        host,
        name=name,
        display=name,
        parameters=parameters,
        locals=tuple(
            replace(v, storage="local") if v.storage == "parameter" else v for v in inside if v.id not in taken
        ),
        body=body,
        line=line,
        link_names=(f"{name}_",),
    )
