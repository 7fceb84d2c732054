"""How threads share loops: which loops together (collapse), in which portions (schedule), who touches pages first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.heads import check_bounds, check_variables, head_of, names
from foretell.transform.program import ALL_CORES, Change, Program, RefusedError
from foretell.transform.text.source import Edit, line_before

if TYPE_CHECKING:
    from foretell.transform.text.source import SourceFunction, SourceLoop

MARK = {"c": "#pragma omp parallel for", "fortran": "!$omp parallel do"}
_FLAG = "-fopenmp"
_DIRECTIVE = re.compile(r"(?:#\s*pragma\s+omp|!\$omp)(?P<words>[^\n]*\b(?:for|do)\b[^\n]*)\n\s*\Z", re.IGNORECASE)


def divided(program: Program, function: SourceFunction, loop: SourceLoop, loops: int) -> str:
    """The directive that divides the iterations of the outer loops of a nest; refused where one depends on another."""
    region = program.region(function, loop)
    if any(one.directives for nest in region.nests for one in nest.loops):
        raise RefusedError("a loop of this nest has a directive already")
    band = loop.band()[:loops]
    for order in (band, band[::-1]):  # no bound depends on another loop of them
        check_bounds(order, region)
    check_variables(program, function, tuple(loop.walk()), loop)
    for dependence in region.dependences(loops):
        if any(set(vector) != {"="} for vector in dependence.vectors):
            raise RefusedError(f"{dependence.text} goes from one iteration to another")
    return f"{MARK[program.language]}{_private(program, loop)}"


def _private(program: Program, loop: SourceLoop) -> str:
    outside = sorted({head_of(one).variable for one in loop.walk() if not head_of(one).type} - {head_of(loop).variable})
    return f" private({', '.join(outside)})" if outside and program.language == "c" else ""


def parallelise(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Divides the iterations of a loop between threads by an OpenMP directive (Codee PWR050)."""
    directive = divided(program, function, loop, 1)
    edit = line_before(program.text, loop.start, directive)
    title = f"divide the loop over {head_of(loop).variable} between threads"
    provided = program.provided(function, program.region(function, loop))
    return Change("parallelise", title, loop.line, (edit,), _FLAG, ALL_CORES, provided)


def other_threads(threads: int) -> Change:
    """Runs with another number of threads."""
    return Change("threads", f"run on {threads} thread{'s' if threads > 1 else ''}", 1, threads=threads)


def collapse(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Divides the iterations of two nested loops together between threads."""
    directive = divided(program, function, loop, 2)
    edit = line_before(program.text, loop.start, f"{directive} collapse(2)")
    title = f"divide the loops over {names(loop.band()[:2])} together between threads"
    provided = program.provided(function, program.region(function, loop))
    return Change("collapse", title, loop.line, (edit,), _FLAG, ALL_CORES, provided)


#: what is said of a change whose gain is not predicted
_NEARNESS = "the model does not know how far the pages of another memory domain are: the gain is that of the threads"


def first_touch(program: Program, function: SourceFunction, loop: SourceLoop, domains: int) -> Change:
    """Divides a loop that sets arrays for the first time as the loops that use them are divided; refused where memory
    has one domain."""
    if domains == 1:
        raise RefusedError(f"line {loop.line}: the machine has one memory domain, all pages are equally near")
    region = program.region(function, loop)
    written = {one.name for one in region.references if one.write and one.subscripts}
    read = {one.name for one in region.references if not one.write and one.subscripts}
    users = [
        nest
        for nest in program.nests
        if any(one.directives for one in nest.loops) and written & {use.label for use in nest.arrays}
    ]
    if read or not written or not users:
        raise RefusedError(f"line {loop.line}: no array is only set here and used by a loop that threads share")
    directive = divided(program, function, loop, 1)
    edit = line_before(program.text, loop.start, directive)
    listed = ", ".join(sorted(written))
    title = f"set {listed} by the threads that use it, so that its pages lie near them"
    provided = (*program.provided(function, region), _NEARNESS)
    return Change("first_touch", title, loop.line, (edit,), _FLAG, ALL_CORES, provided)


def directive_before(program: Program, loop: SourceLoop) -> re.Match[str] | None:
    """The directive that divides this loop, in the text before it."""
    line_start = program.text.rfind("\n", 0, loop.start)
    return _DIRECTIVE.search(program.text[: loop.start], max(0, program.text.rfind("\n", 0, max(0, line_start))))


def schedule(program: Program, loop: SourceLoop) -> Change:
    """Deals the iterations of a divided loop out one by one, so that uneven ones even out."""
    found = directive_before(program, loop)
    if found is None:
        raise RefusedError(f"line {loop.line}: no directive divides the loop between threads")
    if "schedule" in found["words"].lower():
        raise RefusedError(f"line {loop.line}: the directive has a schedule already")
    variable = loop.head.variable if loop.head is not None else ""
    inner = [one.head for one in loop.walk() if one is not loop and one.head is not None]
    if not any(re.search(rf"\b{re.escape(variable)}\b", f"{one.lower} {one.limit}") for one in inner):
        raise RefusedError(f"line {loop.line}: every iteration has the same work")
    end = found.end("words")
    title = f"deal the iterations over {variable} out one by one (schedule(static, 1))"
    return Change("schedule", title, loop.line, (Edit(end, end, " schedule(static, 1)"),), threads=ALL_CORES)
