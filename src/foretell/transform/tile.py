"""Loop tiling: chosen loops of a perfect nest run in blocks, which are outside all of it (Codee PWR040)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from foretell.transform.heads import check_variables, check_width, head_of, names, written
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.sums import check_order
from foretell.transform.text import fortran_text
from foretell.transform.text.effects import mentions
from foretell.transform.text.source import Edit, Head, edited, indent_of, shifted, step_of

if TYPE_CHECKING:
    from foretell.transform.directions import Ordered, Vector
    from foretell.transform.program import Region
    from foretell.transform.text.source import Language, SourceFunction, SourceLoop

_INTEGERS = r"(?:unsigned|signed|long|short|int|size_t|ptrdiff_t|u?int\d+_t)"


def tile(
    program: Program, function: SourceFunction, loop: SourceLoop, chosen: tuple[int, ...], sizes: tuple[int, ...]
) -> Change:
    """Tiles loops of a perfect nest, given by their number from the outermost on, with these sizes."""
    band = loop.band()[: max(chosen) + 1]
    region = program.region(function, loop)
    tiled = [band[at] for at in chosen]
    check_variables(program, function, band, loop)
    _check_heads(band, tiled, region)
    conditions = check_order(region, len(band), partial(_reversed, chosen, len(band)))
    title = f"tile {names(tiled)} by {' × '.join(map(str, sizes))}"
    edits = _edits(program, function, loop, tiled, sizes)
    check_width(edits[0].text, program.language, loop.line)
    return Change("tile", title, loop.line, edits, provided=(*program.provided(function, region), *conditions))


def _reversed(chosen: tuple[int, ...], band: int, _: Ordered, vector: Vector) -> str:
    """Why not: no tiled loop may have the later reference in an earlier tile."""
    kept = len(vector) == band and all(vector[at] != ">" for at in chosen)
    return "" if kept else "would be reversed between tiles"


def _check_heads(band: tuple[SourceLoop, ...], tiled: list[SourceLoop], region: Region) -> None:
    changed = {one.name.split("#")[0] for one in region.references if one.write}
    variables = {head_of(one).variable for one in band}
    for loop in tiled:
        head = head_of(loop)
        if head.step != 1 or not head.upward:
            raise RefusedError(f"line {loop.line}: only loops that go up by 1 are tiled")
        for text in (head.lower, head.limit):
            if name := next(
                (name for name in sorted(variables | changed) if mentions(text, name, region.language)), ""
            ):
                raise RefusedError(f"line {loop.line}: the bound {text} depends on {name}")


def _edits(
    program: Program, function: SourceFunction, loop: SourceLoop, tiled: list[SourceLoop], sizes: tuple[int, ...]
) -> tuple[Edit, ...]:
    text, language = program.text, program.language
    indent, heads, inner, declared = indent_of(text, loop.start), [], [], []
    for one, size in zip(tiled, sizes, strict=True):
        head = head_of(one)
        name = program.unused_name(f"{head.variable}_tile")
        declared.append(name)
        heads.append(written(replace(head, variable=name, step=size, type=_type(program, function, one)), language))
        inner.append(
            Edit(one.head_start - loop.start, one.head_end - loop.start, _point_head(head, name, size, language))
        )
    body = edited(text[loop.start : loop.end], tuple(inner))
    step = step_of(text)
    for around in reversed(heads):
        opening, closing = (f"for ({around})", "") if language == "c" else (f"do {around}", f"\n{indent}end do")
        body = f"{opening}\n{indent}{step}{shifted(body, step)}{closing}"
    edits = (Edit(loop.start, loop.end, body),)
    return edits if language == "c" else (*edits, fortran_text.declaration(text, function, declared))


def _type(program: Program, function: SourceFunction, loop: SourceLoop) -> str:
    """The type of a tile's variable: that of the loop's, declared in its head or before."""
    head = head_of(loop)
    if head.type or program.language == "fortran":
        return head.type
    before = program.text[function.parameters_start : loop.start]
    found = re.findall(
        rf"\b({_INTEGERS}(?:\s+{_INTEGERS})*)\s(?:[^,;(){{}}]*,)*\s*{re.escape(head.variable)}\b", before
    )
    if not found:
        raise RefusedError(f"line {loop.line}: the type of {head.variable} is not declared in the function")
    return str(found[-1])


def _point_head(head: Head, tile_name: str, size: int, language: Language) -> str:
    """The head of a loop inside its tile."""
    if language == "fortran":
        last = f"min({tile_name} + {size - 1}, {head.limit})"
        return written(replace(head, lower=tile_name, limit=last), language)
    end = f"{tile_name} + {size if head.relation == '<' else size - 1}"
    last = f"({end} < {head.limit} ? {end} : {head.limit})"
    return written(replace(head, lower=tile_name, limit=last), language)
