"""Compiled code of one function without its loop nests: the facet of objects, executables, assembly, C++, and of C
functions without loops of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from foretell.core.workload import Facet
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.columns.expression import Expression
    from foretell.core.nest.functions import Argument


@record
class CodeArgument:
    """An argument of the call: an integer, a floating-point number, a pointer to an array, to its end (`end`: that of
    the array before), to a std::vector or to a struct of `members`. `value` is the integer, or the number of elements
    of `size` bytes. `contents`: the first integer of an array, and how much further each is than the one before."""

    kind: Literal["integer", "float", "array", "end", "vector", "record"]
    value: Expression
    size: int = 8
    members: tuple[CodeArgument, ...] = ()
    contents: tuple[Expression, Expression] | None = None

    @property
    def names(self) -> frozenset[str]:
        """The parameters in it."""
        own = frozenset(name for one in (self.value, *(self.contents or ())) for name in one.names)
        return own.union(*(member.names for member in self.members))


@dataclass(frozen=True)
class MachineCode(Facet):
    """Assembly of a function and of what it calls. Without `text`, `source` is compiled for the machine. The call has
    `arguments`, or those that the `parameters` of a declaration say."""

    function: str
    arguments: tuple[CodeArgument, ...] = ()
    text: str = ""
    isa: str = ""
    source: str = ""
    parameters: tuple[Argument, ...] = ()
    #: macros that the source was read with, and words that the user gave for parameters: letters, strings, NULL
    macros: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    #: mean iterations of loops in a run of the program: name of the file, line, iterations
    rounds: tuple[tuple[str, int, float], ...] = ()
    #: bytes of arrays by parameter, where data decide which element is accessed
    lengths: tuple[tuple[str, int], ...] = ()

    @property
    def how_given(self) -> str:
        """Arguments have no names in compiled code."""
        return "" if self.parameters else "arguments of compiled code are given in their order: --arg n --arg 'f64[n]'"

    @property
    def symbols(self) -> frozenset[str]:
        """Parameters in the arguments."""
        return self.optional.union(*(argument.names for argument in self.arguments))

    @property
    def optional(self) -> frozenset[str]:
        """Integer parameters of the declaration and of structs behind its pointers: those that no loop needs may stay
        unknown."""
        return frozenset(name for parameter in self.parameters for name in _integers(parameter, parameter.name))


def _integers(parameter: Argument, name: str) -> Iterator[str]:
    """The names of the integers that a parameter brings, as `CallArguments` finds them."""
    if parameter.kind in ("integer", "pointer"):
        yield name
    for _, part in parameter.fields if parameter.kind == "record" else ():
        if part.kind == "integer":
            yield from (f"{name}.{part.name}", f"{name}->{part.name}", part.name)
