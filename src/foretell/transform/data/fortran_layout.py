"""Layouts of Fortran's arrays: longer columns (`pad`), and one array for each member of a derived type (`aos_to_soa`,
Codee PWR016).

Fortran's columns lie one behind the other, so the first extent grows. A whole array, a section `a(:, j)` or an element
that a call may take for the start of an array counts on the layout: such arrays stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.data.pad import LINE_BYTES
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.effects import mentions
from foretell.transform.text.fortran_declarations import (
    LAYOUTS,
    fortran_arrays,
    fortran_members,
    fortran_uses,
    statement_word,
)
from foretell.transform.text.fortran_text import logical_lines
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.transform.text.fortran_declarations import FortranArray, FortranUse
    from foretell.transform.text.source import SourceFunction

#: what may stand before a bracket around an element: intrinsic functions of numbers, and words of statements
_VALUES = frozenset(
    ("", "abs", "sqrt", "exp", "log", "sin", "cos", "tan", "min", "max", "mod", "sign", "real", "dble", "int", "if",
     "while", "merge", "atan", "atan2", "tanh")
)  # fmt: skip
_WHOLE = frozenset(("deallocate", "allocated"))
_RECORD = re.compile(r"type\s*\(\s*(?P<name>\w+)\s*\)\Z", re.IGNORECASE)
_FIXED = re.compile(r"\b(?:pointer|target|parameter|dimension|codimension|bind|volatile)\b", re.IGNORECASE)


def padded_columns(program: Program) -> list[str]:
    """Names of arrays of this text, no arguments, that the nests access and that have two or more extents."""
    used = {use.name for nest in program.nests for use in nest.arrays if use.storage != "parameter"}
    return [one.name for one in fortran_arrays(program.text) if len(one.extents) > 1 and one.name in used]


def pad_columns(program: Program, names: tuple[str, ...]) -> Change:
    """Lengthens the columns of arrays by a line; refused where another use of one counts on its layout."""
    sizes = {use.name: use.type.size for nest in program.nests for use in nest.arrays}
    arrays = [_declared(program, name) for name in names]
    ends = [_first_extent(program, array) for array in arrays]
    more = [max(1, LINE_BYTES // sizes[name]) for name in names]
    edits = tuple(Edit(end, end, f" + {count}") for end, count in zip(ends, more, strict=True))
    title = f"pad the columns of {', '.join(names)} by {LINE_BYTES} bytes"
    return Change("pad", title, arrays[0].line, edits, provided=_shared(program, arrays))


def _shared(program: Program, arrays: Sequence[FortranArray]) -> tuple[str, ...]:
    """The condition on arrays of modules: other files may use them."""
    inside = [(one.start, one.end) for one in program.functions]
    outside = [array.name for array in arrays if not any(start <= array.start < end for start, end in inside)]
    return (f"no other file uses {', '.join(outside)}",) if outside else ()


def _declared(program: Program, name: str) -> FortranArray:
    """The one declaration of an array whose layout may change."""
    every = [one for one in fortran_arrays(program.text) if one.name == name]
    array = every[0]
    if len(every) > 1:
        raise RefusedError(f"line {every[1].line}: {name} is declared again")
    if found := _FIXED.search(array.attributes):
        raise RefusedError(f"line {array.line}: {name} is declared as {found[0].lower()}")
    if array.has_initialiser:
        raise RefusedError(f"line {array.line}: {name} has an initial value, which follows its layout")
    return array


def _first_extent(program: Program, array: FortranArray) -> int:
    """Where the first extent ends: in the declaration, or in the one statement that allocates the array."""
    extents = array.extents
    allocations = [use for use in _checked_elements(program, array) if use.around[:1] == ("allocate",)]
    if any(program.text[slice(*span)].strip() == ":" for span in extents):
        if len(allocations) != 1:
            raise RefusedError(f"line {array.line}: {array.name} is allocated in {len(allocations)} places")
        extents = allocations[0].subscripts
    return extents[0][1]


def _checked_elements(program: Program, array: FortranArray) -> Iterator[FortranUse]:
    """The uses of an array, all of them single elements, or its allocation."""
    known = {use.name for nest in program.nests for use in nest.arrays} | _VALUES
    for use in fortran_uses(program.text, array.name):
        if use.start == array.start or (use.around[:1] and use.around[0] in _WHOLE):
            continue
        word = statement_word(program.text, use.start)
        if word in LAYOUTS:
            raise RefusedError(f"line {use.line}: {word} counts on the layout of {array.name}")
        if word and not use.subscripts:
            continue  # its type, or that it is saved
        if len(use.subscripts) != len(array.extents) or any(
            ":" in program.text[slice(*span)] for span in use.subscripts
        ):
            raise RefusedError(
                f"line {use.line} uses {array.name} as a whole, or a section of it: its layout must stay"
            )
        if use.around != ("allocate",) and (callers := [word for word in use.around if word not in known]):
            raise RefusedError(f"line {use.line}: {callers[0]} may take {array.name} for the start of an array")
        yield use


def fortran_records(program: Program) -> Iterator[tuple[SourceFunction | None, str]]:
    """Arrays of derived types that the nests access; with the unit whose argument an array is."""
    used = {use.name: use.storage for nest in program.nests for use in nest.arrays if use.component}
    for array in fortran_arrays(program.text):
        kind = _RECORD.match(array.type)
        if array.name in used and kind and fortran_members(program.text, kind["name"]):
            units = [one for one in program.functions if one.start <= array.start < one.end]
            yield (units[0] if used[array.name] == "parameter" and units else None), array.name


def fortran_soa(program: Program, unit: SourceFunction | None, name: str) -> Change:
    """Divides an array of a derived type into arrays of its members; refused where a use needs the type."""
    array = _declared(program, name)
    kind = _RECORD.match(array.type)
    members = fortran_members(program.text, kind["name"]) if kind else {}
    if array.statement is None or len(array.extents) != 1:
        raise RefusedError(f"line {array.line}: {name} is not declared alone, with one extent")
    if taken := [member for member in members if mentions(program.text, f"{name}_{member}", "fortran")]:
        raise RefusedError(f"line {array.line}: {name}_{taken[0]} is a name already")
    if unit is not None:
        _check_calls(program, unit, name)
    uses = [use for use in fortran_uses(program.text, name) if use.start != array.start]
    edits = [_declarations(program, array, members)]
    edits += [_member_edit(program, unit, use, name, members) for use in uses]
    listed = ", ".join(f"{name}_{member}" for member in members)
    provided = _shared(program, [array])
    provided += (f"callers of {unit.name} pass {listed} instead of {name}",) if unit is not None else ()
    title = f"one array for each member of {name} ({', '.join(members)})"
    return Change("aos_to_soa", title, array.line, tuple(edits), provided=provided)


def _check_calls(program: Program, unit: SourceFunction, name: str) -> None:
    for line in logical_lines(program.text):
        own = line.start <= unit.parameters_start <= line.end or re.match(r"end\b", line.text, re.IGNORECASE)
        if not own and mentions(line.text, unit.name, "fortran"):
            raise RefusedError(
                f"line {line.line} uses {unit.name}, whose argument {name} is an array of a derived type"
            )


def _declarations(program: Program, array: FortranArray, members: Mapping[str, str]) -> Edit:
    """A declaration for each member, with the attributes of the array."""
    start, end = array.statement or (array.start, array.start)
    extent = program.text[slice(*array.extents[0])].strip()
    words = f", {array.attributes}" if array.attributes else ""
    indent = program.text[program.text.rfind("\n", 0, start) + 1 : start]
    lines = (f"{kind}{words} :: {array.name}_{member}({extent})" for member, kind in members.items())
    return Edit(start, end, f"\n{indent}".join(lines))


def _member_edit(
    program: Program, unit: SourceFunction | None, use: FortranUse, name: str, members: Mapping[str, str]
) -> Edit:
    """`p(i)%x` becomes `p_x(i)`; in lists of arguments and allocations, `p` becomes all of its members."""
    inside = program.text[slice(*use.subscripts[0])].strip() if len(use.subscripts) == 1 else ""
    if use.member in members and inside and ":" not in inside:
        return Edit(use.start, use.end, f"{name}_{use.member}({inside})")
    argument = unit is not None and use.around == (unit.name,)
    if not use.member and (argument or use.around[:1] in (("allocate",), ("deallocate",))):
        subscript = f"({inside})" if inside else ""
        parts = [f"{name}_{member}{subscript}" for member in members]
        return Edit(use.start, use.end, ", &\n    ".join(parts))  # a line has 132 letters at most
    raise RefusedError(f"line {use.line} uses {name} other than by {name}(…)%member")
