"""Selects a part of a program: a function with its callees, or the loops of a line; and names what is selected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest, Loops


def within(loops: Loops, kernel: str) -> tuple[Loops, str]:
    """The nests of FUNCTION and its callees, of FUNCTION:LINE, or of LINE; and FUNCTION or FUNCTION:LINE in the
    source's own spelling."""
    function, _, line = kernel.partition(":")
    if function.isdecimal() and not line:
        function, line = _at_line(loops, int(function))
    function = _known(loops, function)
    inside = reached(loops, function)
    nests = [nest for nest in loops.nests if nest.function in inside]
    if line:
        nests = [n for n in nests if n.function == function and line in {str(loop.line) for loop in n.loops}]
    if not nests:
        names = list(dict.fromkeys(nest.function for nest in loops.nests))
        lines = ", ".join(str(loop.line) for n in loops.nests if n.function == function for loop in n.loops)
        own = f"loops of {function} are in line {lines}"
        hint = own if line and lines else f"functions with loops: {', '.join(names) or 'none'}"
        raise InputError(f"no loops in {kernel!r}{nearest(function, names)}", hint=hint)
    kept = tuple(site for site in loops.calls if site.caller in inside and not line)
    return replace(loops, nests=tuple(nests), calls=kept), f"{function}:{line}" if line else function


def reached(loops: Loops, function: str) -> frozenset[str]:
    """A function and all that it calls, whose loops are separate nests."""
    calls = [site for site in loops.calls if site.treatment == "separate"]
    inside, new = set[str](), {function}
    while new:
        inside |= new
        new = {site.callee for site in calls if site.caller in inside} - inside
    return frozenset(inside)


def roots(loops: Loops) -> tuple[str, ...]:
    """The functions that no other calls; all, where each has a caller."""
    called = {site.callee for site in loops.calls if site.treatment in ("separate", "inlined")}
    callers = [site.caller for site in loops.calls if site.treatment == "separate"]
    functions = dict.fromkeys([*(nest.function for nest in loops.nests), *callers])
    return tuple(name for name in functions if name not in called) or tuple(functions)


def title(loops: Loops, kernel: str | None, stem: str) -> str:
    """What an answer is headed: the function asked for, or the only one; else the file."""
    if kernel is not None:
        return kernel
    first = roots(loops)
    if not first or any(info.starts for info in loops.functions if info.name in first):
        return stem
    return first[0] if len(first) == 1 else f"{stem} ({len(first)} functions)"


def _known(loops: Loops, function: str) -> str:
    """The function in the spelling of the source; Fortran does not tell cases apart."""
    functions = {info.name: info.language for info in loops.functions}
    functions |= {nest.function: nest.language for nest in loops.nests}
    if function in functions:
        return function
    alike = (name for name, language in functions.items() if language == "fortran" and name.lower() == function.lower())
    return next(alike, function)


def _at_line(loops: Loops, line: int) -> tuple[str, str]:
    """The function and the loop of a line: the innermost loop that begins there or around it; the whole function where
    there is none."""
    around = [nest for nest in loops.nests if _first(nest) <= line <= _last(nest)]
    exact = [(n, loop) for n in loops.nests for loop in n.loops if loop.line == line]
    if exact:
        return exact[0][0].function, str(line)
    if around:
        nest = max(around, key=_first)
        return nest.function, str(max(loop.line for loop in nest.loops if loop.line <= line))
    before = [info for info in loops.functions if info.line <= line]
    if not before:
        raise InputError(f"no function and no loop in line {line}")
    function = max(before, key=lambda info: info.line)
    _check_length(Path(function.file), line)
    return function.name, ""


def _check_length(file: Path, line: int) -> None:
    """Refuses a line behind the end of a file; of one that is not there (standard input), nothing is known."""
    if not file.is_file():
        return
    length = len(files.read_text(file).splitlines())
    if line > length:
        raise InputError(f"no line {line}: it has {length}", file=file)


def _first(nest: LoopNest) -> int:
    return min(loop.line for loop in nest.loops) if nest.loops else nest.line


def _last(nest: LoopNest) -> int:
    """The last line of the body."""
    inside = (statement.line for level in nest.levels for statement in level)
    return max((*inside, *(block.line for block in nest.blocks), *(loop.line for loop in nest.loops), nest.line))
