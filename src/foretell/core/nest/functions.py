"""Functions of a source and their parameters, as the calling convention passes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.nest.statements import ElementType


@record
class Argument:
    """A parameter as the calling convention sees it: an integer, a floating-point number, a pointer to elements, to
    row pointers (with a field where these point to row pointers again), to a struct (with the offsets of its fields) or
    to gfortran's description of an array of so many dimensions (`rank`), or something else. `size` is that of the
    number, or of an element."""

    name: str
    kind: Literal["integer", "float", "pointer", "rows", "record", "described", "other"]
    size: int = 8
    fields: tuple[tuple[int, Argument], ...] = ()
    rank: int = 0


@record
class FunctionInfo:
    """A function of the source: where it stands, what it takes, and whether what was read of it can be relied on."""

    name: str
    file: str
    line: int
    language: str
    parameters: tuple[str, ...]
    loops: int
    #: False: unreliable because of an error or a construct that could not be lowered, given in `reason`
    reliable: bool = True
    reason: str = ""
    #: parameters that are arrays or pointers, with their element type
    arrays: tuple[tuple[str, ElementType], ...] = ()
    arguments: tuple[Argument, ...] = ()
    #: where the program starts: main, or Fortran's PROGRAM
    starts: bool = False
    #: the source file that is compiled: not `file`, where that is included
    unit: str = ""
    #: other files that parts of the body stand in
    included: tuple[str, ...] = ()
    #: its name in compiled code, where that is another one
    symbol: str = ""
