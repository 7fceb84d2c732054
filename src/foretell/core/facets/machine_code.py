"""Compiled code of one function without its loop nests: the facet of objects, executables, assembly and C++."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from foretell.core.workload import Facet
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.columns.expression import Expression


@record
class CodeArgument:
    """An argument of the call: an integer, a floating-point number, a pointer to an array, to its end (`end`: that of
    the array before), to a std::vector or to a struct of `members`. `value` is the integer, or the number of elements
    of `size` bytes."""

    kind: Literal["integer", "float", "array", "end", "vector", "record"]
    value: Expression
    size: int = 8
    members: tuple[CodeArgument, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The parameters in it."""
        return frozenset(self.value.names).union(*(member.names for member in self.members))


@dataclass(frozen=True)
class MachineCode(Facet):
    """Assembly of a function and of what it calls. Without `text`, `source` is compiled for the machine."""

    function: str
    arguments: tuple[CodeArgument, ...] = ()
    text: str = ""
    isa: str = ""
    source: str = ""

    @property
    def how_given(self) -> str:
        """Arguments have no names in compiled code."""
        return "arguments of compiled code are given in their order: --arg n --arg 'f64[n]'"

    @property
    def symbols(self) -> frozenset[str]:
        """Parameters in the arguments."""
        return frozenset().union(*(argument.names for argument in self.arguments))
