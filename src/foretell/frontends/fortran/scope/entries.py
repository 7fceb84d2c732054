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
    places = [_place(statements, name) for name, _, _ in entries]
    behind = [place for place in places if place and isinstance(statements[place - 1], ir.Jump)]
    yield statements[: behind[0]] if behind else statements
    for place in places:
        end = next((one for one in behind if one > place), len(statements))
        yield statements[place:end]


def _place(statements: Statements, name: str) -> int:
    wanted = label(name)
    return next((at for at, one in enumerate(statements) if isinstance(one, ir.Label) and one.name == wanted), 0)


def procedure(host: ir.Function, body: Statements, entry: Entry, variables: Mapping[str, ir.Variable]) -> ir.Function:
    """The procedure of an ENTRY: the host's variables, its own arguments."""
    name, arguments, line = entry
    own = [variables[one] for one in arguments if one in variables]
    parameters = tuple(replace(one, storage="parameter", by_reference=True) for one in own)
    taken = {one.id for one in parameters}
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
