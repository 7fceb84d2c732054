"""The variables of one function (or of the file level) and their unique identifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Container

Storage = Literal["local", "parameter", "global", "static", "constant"]


class Scope:
    """Declaration index → variable. A second variable of the same name is «i#2»; temporaries are «t%1», «t%2»."""

    def __init__(self, outer: Container[str] = (), functions: Container[str] = ()) -> None:
        #: names that are not free: of this scope, and, not copied, of the file and of functions
        self._taken: set[str] = set()
        self._outer, self._functions = outer, functions
        self._variables: dict[int, ir.Variable] = {}
        self._temporaries: list[ir.Variable] = []
        #: variables whose address is taken: a call may modify them
        self.exposed: set[str] = set()

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._taken or identifier in self._outer or identifier in self._functions

    def declare(
        self, declaration: int, name: str, kind: ir.Type, storage: Storage, line: int, prefix: str = ""
    ) -> ir.Variable:
        """A new variable for a declaration. `prefix` is put before its identifier only."""
        if declaration in self._variables:  # lowered again, in a copy of a fall-through case
            return self._variables[declaration]
        identifier, number = prefix + name, 1
        while identifier in self:
            number += 1
            identifier = f"{prefix}{name}#{number}"
        self._taken.add(identifier)
        self._variables[declaration] = ir.Variable(identifier, name, kind, storage, line)
        return self._variables[declaration]

    def update(self, declaration: int, **changes: Any) -> None:
        """Replaces fields of a variable."""
        self._variables[declaration] = replace(self._variables[declaration], **changes)

    def find(self, declaration: int) -> ir.Variable | None:
        return self._variables.get(declaration)

    def temporary(self, kind: ir.Type, line: int) -> ir.Name:
        """A fresh local variable for an intermediate value."""
        identifier = f"t%{len(self._temporaries) + 1}"
        self._temporaries.append(ir.Variable(identifier, identifier, kind, "local", line))
        return ir.Name(identifier, kind)

    def variables(self) -> tuple[ir.Variable, ...]:
        """All variables in declaration order, then the temporaries."""
        return (*self._variables.values(), *self._temporaries)
