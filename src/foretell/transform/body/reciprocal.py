"""Divisions by what stays the same as multiplications with its reciprocal (Codee PWR045)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Op, Set, Store, parts
from foretell.transform.body.invariant import check_unconditional, depends
from foretell.transform.heads import check_bounds, check_variables, head_of
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text import fortran_text
from foretell.transform.text.c_text import blanked
from foretell.transform.text.source import Edit, edited, indent_of, shifted, step_of

if TYPE_CHECKING:
    from foretell.transform.program import Region
    from foretell.transform.text.source import SourceFunction, SourceLoop

_DIVIDED = re.compile(r"(?<!/)/(?![/=*])\s*(?P<divisor>[A-Za-z_]\w*|\d+\.\d*(?:[eE][+-]?\d+)?)(?!\s*[\[(.\w]|\s*->)")
_TYPES = {4: ("float", "real(4)"), 8: ("double", "real(8)")}
_PROVIDED = "the last bits of quotients may differ"


def may_multiply(program: Program, loop: SourceLoop) -> bool:
    """Whether an innermost loop divides at all."""
    inner = any(piece.loop is not None for piece in loop.pieces)
    return not inner and _DIVIDED.search(_body(program, loop)) is not None


def _body(program: Program, loop: SourceLoop) -> str:
    text = program.text[loop.body_start : loop.body_end]
    return blanked(text) if program.language == "c" else re.sub(r"!.*", lambda found: " " * len(found[0]), text)


def reciprocal(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Divides once before an innermost loop, and multiplies in it."""
    region = program.region(function, loop)
    check_bounds((loop,), region)
    check_variables(program, function, (loop,), loop)
    divided = [
        match
        for match in _DIVIDED.finditer(_body(program, loop))
        if _is_floating(program, match["divisor"]) and not depends(match["divisor"], region)
    ]
    names = list(dict.fromkeys(match["divisor"] for match in divided))
    if not names:
        raise RefusedError(f"line {loop.line}: no floating-point divisor is the same for all {head_of(loop).variable}")
    size = _size(region, loop)
    if program.language == "c":
        check_unconditional(program, loop)
    new: dict[str, str] = {}
    for divisor in names:
        new[divisor] = program.unused_name(f"per_{re.sub(r'[^A-Za-z0-9]', '_', divisor)}", new.values())
    offset = loop.body_start - loop.start
    inner = tuple(Edit(offset + one.start(), offset + one.end(), f"* {new[one['divisor']]}") for one in divided)
    body = edited(program.text[loop.start : loop.end], inner)
    edits = (
        _c(program, loop, new, body, size)
        if program.language == "c"
        else _fortran(program, function, loop, new, body, size)
    )
    title = f"multiply by 1/{', 1/'.join(names)} instead of dividing in the loop over {head_of(loop).variable}"
    provided = (*program.provided(function, region), _PROVIDED)
    return Change("reciprocal", title, loop.line, edits, provided=provided)


def _is_floating(program: Program, divisor: str) -> bool:
    """Whether a divisor is a literal, or a name that the text declares as a floating-point number and nothing else."""
    if divisor[0].isdigit():
        return True
    name = re.escape(divisor)
    if program.language == "c":
        kinds = re.findall(
            rf"\b(double|float|int|long|unsigned|size_t)\b[^;(){{}}\[\]*]*?\b{name}\b", blanked(program.text)
        )
        return bool(kinds) and set(kinds) <= {"double", "float"}
    declared = re.findall(rf"^[ \t]*(real|double[ \t]+precision|integer)\b.*\b{name}\b", program.text, re.I | re.M)
    return bool(declared) and not any(kind.lower() == "integer" for kind in declared)


def _size(region: Region, loop: SourceLoop) -> int:
    """Bytes of the quotients; refused where integers are divided too."""
    statements = [one for nest in region.nests for level in nest.levels for one in level]
    values = [one.value for one in statements if isinstance(one, Set | Store)]
    types = {part.type for value in values for part in parts(value) if isinstance(part, Op) and part.op == "/"}
    if len(types) != 1 or next(iter(types)).kind != "float" or next(iter(types)).size not in _TYPES:
        raise RefusedError(f"line {loop.line}: the quotients are not all floating-point numbers of one type")
    return next(iter(types)).size


def _c(program: Program, loop: SourceLoop, new: dict[str, str], body: str, size: int) -> tuple[Edit, ...]:
    indent, step, kind = indent_of(program.text, loop.start), step_of(program.text), _TYPES[size][0]
    before = "".join(f"{indent}{step}{kind} {name} = ({kind})1 / {divisor};\n" for divisor, name in new.items())
    return (Edit(loop.start, loop.end, f"{{\n{before}{indent}{step}{shifted(body, step)}\n{indent}}}"),)


def _fortran(
    program: Program, function: SourceFunction, loop: SourceLoop, new: dict[str, str], body: str, size: int
) -> tuple[Edit, ...]:
    indent, kind = indent_of(program.text, loop.start), _TYPES[size][1]
    before = "".join(f"{name} = 1.0_{size} / {divisor}\n{indent}" for divisor, name in new.items())
    declared = fortran_text.declaration(program.text, function, list(new.values()), kind)
    return Edit(loop.start, loop.end, f"{before}{body}"), declared
