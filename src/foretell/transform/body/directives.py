"""Directives on innermost loops: vectors where the compiler does not dare (Codee PWR053), stores past the caches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.body.hoist import invariant_scalars, loop_text, with_scalars
from foretell.transform.body.invariant import check_unconditional, elements
from foretell.transform.heads import check_bounds, check_variables, head_of
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.sums import REORDERED
from foretell.transform.text.c_text import blanked
from foretell.transform.text.source import Edit, indent_of, line_before, step_of

if TYPE_CHECKING:
    from foretell.transform.body.hoist import Scalar
    from foretell.transform.program import Region
    from foretell.transform.text.source import Language, SourceFunction, SourceLoop

_SIMD = {"c": "#pragma omp simd", "fortran": "!$omp simd"}
_FLAGS = "-fopenmp-simd"
#: `s += …` and `s = s + …`; the rest must not mention s
_ADDS = r"(?<![\w.\]])(?P<name>{name})\s*(?:(?P<op>[+-])=|=\s*(?P=name)\s*(?P<op2>[+-])(?!=))(?P<rest>[^;\n]*)"
#: `s = … + s`: behind products alone, so that what is added is all that is before
_ADDS_LAST = r"(?<![\w.\]])(?P<name>{name})\s*=(?!=)[^;=+\-/?<>&|\n]*\+\s*(?P=name)\s*(?=;|$)"


def is_innermost(loop: SourceLoop) -> bool:
    return not any(piece.loop is not None for piece in loop.pieces)


def vectorise(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Tells the compiler that iterations of an innermost loop may run in vectors, and which scalars are sums. A sum in
    an element that stays the same becomes one in a scalar."""
    region = program.region(function, loop)
    check_bounds((loop,), region)
    check_variables(program, function, (loop,), loop)
    steady = (
        [one for one in invariant_scalars(program, loop, region) if one.is_stored] if program.language == "c" else []
    )
    sums, kept = _sums(program, loop, region, steady)
    provided = program.provided(function, region)
    if sums:
        provided = (*provided, REORDERED)
    elif not provided and not _is_conditional(program, loop):
        raise RefusedError(f"line {loop.line}: nothing keeps the compiler from vectorising the loop")
    clause = f" reduction(+:{', '.join(sums)})" if sums else ""
    edit = _directive(program, loop, clause)
    if kept:
        check_unconditional(program, loop)
        edit = Edit(loop.start, loop.end, with_scalars(program, loop, kept, f"{_SIMD['c']}{clause}"))
    shown = ", ".join({one.name: one.element.text for one in kept}.get(name, name) for name in sums)
    title = f"vectorise the loop over {head_of(loop).variable}{f', a sum in {shown}' if sums else ''}"
    return Change("vectorise", title, loop.line, (edit,), _FLAGS, provided=provided)


def _sums(program: Program, loop: SourceLoop, region: Region, steady: list[Scalar]) -> tuple[list[str], list[Scalar]]:
    """Scalars that the iterations add to, and those of them that are elements now; refused where anything else goes
    from one iteration to the next."""
    by_array = {one.element.array: one for one in steady}
    text = loop_text(program, loop, steady)
    sums: dict[str, Scalar | None] = {}
    for dependence in region.dependences(1):
        if not any(vector[0] == "<" for vector in dependence.vectors):
            continue
        name = dependence.first.name.split("#")[0]
        element = by_array.get(name) if dependence.first.subscripts else None
        added = element.name if element is not None else name
        if (dependence.first.subscripts and element is None) or not _is_sum(text, added, program.language):
            raise RefusedError(f"{dependence.text} goes from one iteration to the next")
        sums[added] = element
    return list(sums), [one for one in sums.values() if one is not None]


def _is_conditional(program: Program, loop: SourceLoop) -> bool:
    return re.search(r"\bif\b|\?", program.text[loop.body_start : loop.body_end]) is not None


def _is_sum(text: str, name: str, language: Language) -> bool:
    """Whether a scalar is only added to: every mention of it is in a statement that adds."""
    plain = blanked(text) if language == "c" else re.sub(r"!.*", "", text)
    flags = re.NOFLAG if language == "c" else re.IGNORECASE
    adds = list(re.finditer(_ADDS.format(name=re.escape(name)), plain, flags))
    if any(one["op2"] and re.search(r"[?<>=&|]", one["rest"]) for one in adds):
        return False  # s + a ? b : c is no sum
    expected = sum(2 if one["op2"] else 1 for one in adds)
    last = list(re.finditer(_ADDS_LAST.format(name=re.escape(name)), plain, flags))
    expected += 2 * len(last)
    return bool(adds or last) and len(re.findall(rf"(?<![\w.]){re.escape(name)}\b", plain, flags)) == expected


def _directive(program: Program, loop: SourceLoop, clause: str) -> Edit:
    return line_before(program.text, loop.start, f"{_SIMD[program.language]}{clause}")


def stream(program: Program, function: SourceFunction, loop: SourceLoop, compiler: str) -> Change:
    """Stores arrays that the loop only writes past the caches: their lines are not read first."""
    region = program.region(function, loop)
    check_bounds((loop,), region)
    names = _only_written(region, loop)
    if not names:
        raise RefusedError(f"line {loop.line}: no array is only written, one element after the other")
    if compiler != "clang" or program.language != "c":
        known = "gcc reads the clause nontemporal and ignores it" if compiler == "gcc" else "no clang is given"
        raise RefusedError(f"line {loop.line}: {', '.join(names)} could bypass the caches, but {known} (--cc clang)")
    for dependence in region.dependences(1):
        if any(vector[0] == "<" for vector in dependence.vectors):
            raise RefusedError(f"{dependence.text} goes from one iteration to the next")
    listed = ", ".join(names)
    title = f"store {listed} past the caches in the loop over {head_of(loop).variable}"
    edits = (_directive(program, loop, f" nontemporal({listed})"),)
    return Change("stream", title, loop.line, edits, _FLAGS, provided=program.provided(function, region))


def _only_written(region: Region, loop: SourceLoop) -> list[str]:
    """Arrays that no statement of the nests reads, whose elements follow each other in memory."""
    read = {one.name for one in region.references if not one.write}
    variable = head_of(loop).variable
    result = []
    for one in region.references:
        if one.write and one.subscripts and one.name not in read:
            split = one.subscripts[-1].coefficients((variable,))
            if split is not None and variable in split[0] and split[0][variable].integer == 1:
                result.append(one.name)
    return sorted(set(result))


#: what is said of a change whose gain is not predicted. Measured with gcc 13 on a Xeon (Golden Cove): tables
#: of 32 kB to 128 MB gathered from or added to, 8 to 32 iterations ahead: 0.26 to 1.1 times as fast (once 1.4)
_OVERLAPPED = "the model lets gathers of different iterations overlap: it has no latency that a prefetch would hide"


def prefetch(program: Program, function: SourceFunction, loop: SourceLoop, ahead: int) -> Change:
    """Asks for elements whose subscript is data some iterations before they are needed."""
    if program.language != "c":
        raise RefusedError("Fortran has no prefetch of its own")
    program.region(function, loop)  # refuses what cannot be read
    head = head_of(loop)
    if head.step != 1 or not head.upward:
        raise RefusedError(f"line {loop.line}: only loops that go up by 1 are looked ahead in")
    gathered = [one for one in elements(program, loop) if one.text.count("[") > 1 and _is_gather(one.text)]
    if not gathered:
        raise RefusedError(f"line {loop.line}: no subscript is an element of another array")
    last = head.limit if head.relation == "<=" else f"{head.limit} - 1"
    later = f"({head.variable} + {ahead} <= {last} ? {head.variable} + {ahead} : {head.variable})"
    body = program.text[loop.body_start : loop.body_end]
    start = len(body) - len(body.lstrip())
    inner = indent_of(program.text, loop.body_start + start) or step_of(program.text)
    asks = "".join(f"__builtin_prefetch(&{_moved(one.text, head.variable, later)});\n{inner}" for one in gathered)
    text = f"{{\n{inner}{asks}{body.strip()}\n{indent_of(program.text, loop.start)}}}"
    braced = program.text[loop.body_start - 1] == "{"
    edit = Edit(loop.body_start - braced, loop.body_end + braced, text)
    names = ", ".join(dict.fromkeys(one.array for one in gathered))
    return Change("prefetch", f"prefetch {names} {ahead} iterations ahead", loop.line, (edit,), provided=(_OVERLAPPED,))


def _is_gather(text: str) -> bool:
    return re.search(r"\[[^\[\]]*\w\[", text) is not None


def _moved(text: str, variable: str, later: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(variable)}\b", later, text)
