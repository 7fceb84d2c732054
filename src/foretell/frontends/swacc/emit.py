"""Emits the source of a chosen variant: the original text with other tile clauses and unroll directives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.facets.offload import Offload
from foretell.errors import InputError
from foretell.files import read_text
from foretell.frontends.swacc.algebra import name
from foretell.frontends.swacc.clauses import is_parallel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.workload import Workload

_TILE = re.compile(r"[ \t]*,?[ \t]*\btile[ \t]*\([^)]*\)", re.IGNORECASE)
_UNROLL = re.compile(r"^\s*(#\s*pragma\s+unroll|!\$foretell\s+unroll)\b", re.IGNORECASE)


def variant_source(workload: Workload, parameters: Mapping[str, float]) -> str:
    """The source file of an annotated kernel with these tile sizes and unroll factors."""
    offload = workload.find(Offload)
    path = Path(workload.origin)
    if offload is None or not offload.bodies or not path.is_file():
        raise InputError(f"{workload.name} is not one annotated source file: there is nothing to rewrite")
    nests = [body.nest for body in offload.bodies]
    lines = read_text(path).splitlines()
    chosen = {**workload.parameters, **parameters}
    _tile(lines, nests, chosen)
    inserted: dict[int, str] = {}
    for loop in {nest.loops[-1].line: nest.loops[-1] for nest in nests}.values():
        _unroll(lines, loop, int(chosen[f"unroll_{name(loop.variable)}"]), nests[0].language, inserted)
    for line in sorted(inserted, reverse=True):
        lines.insert(line - 1, inserted[line])
    return "\n".join(line for line in lines if line != _GONE) + "\n"


_GONE = "\0"


def _tile(lines: list[str], nests: list[LoopNest], chosen: Mapping[str, float]) -> None:
    """Puts all tiles into one clause of the directive that makes the loop parallel."""
    loops = {loop.line: loop for nest in nests for loop in nest.loops}
    for loop in loops.values():
        for directive in loop.directives:
            if directive.dialect == "acc":
                for at in _lines_of(lines, directive.line):
                    lines[at] = _TILE.sub("", lines[at])
    parallel = next(loop for loop in loops.values() if is_parallel(loop))
    sizes = [
        f"{loop.variable}:{int(size)}"
        for loop in loops.values()
        if (size := chosen.get(f"tile_{name(loop.variable)}", 0.0)) > (1 if loop is parallel else 0)
    ]
    if sizes:
        directive = next(d for d in parallel.directives if {"parallel", "kernels"} & set(d.words))
        last = _lines_of(lines, directive.line)[-1]
        lines[last] = f"{lines[last].rstrip()} tile({', '.join(sizes)})"


def _lines_of(lines: list[str], first: int) -> list[int]:
    """The lines of a directive, continued by a backslash (C) or an ampersand (Fortran)."""
    at = first - 1
    found = [at]
    while lines[at].rstrip().endswith(("\\", "&")) and at + 1 < len(lines):
        at += 1
        found.append(at)
    return found


def _unroll(lines: list[str], loop: Loop, factor: int, language: str, inserted: dict[int, str]) -> None:
    """Inserts a directive before the loop, none for a factor of one; an existing one is removed."""
    at = loop.line - 2
    while at >= 0 and lines[at].lstrip().startswith(("#", "!$")):
        if _UNROLL.match(lines[at]):
            lines[at] = _GONE
        at -= 1
    if factor > 1:
        indent = re.match(r"\s*", lines[loop.line - 1])
        words = f"#pragma unroll({factor})" if language == "c" else f"!$foretell unroll({factor})"
        inserted[loop.line] = (indent[0] if indent else "") + words
