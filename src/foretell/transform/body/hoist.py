"""Loop-invariant elements in scalars: loaded before the loop, and stored after it where the loop changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.body.invariant import check_unconditional, depends, elements, runs, varying
from foretell.transform.heads import check_bounds, check_variables, head_of
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.effects import mentions
from foretell.transform.text.source import Edit, edited, indent_of, is_lone, shifted, step_of

if TYPE_CHECKING:
    from foretell.transform.body.invariant import Element
    from foretell.transform.program import Region
    from foretell.transform.text.source import SourceFunction, SourceLoop

_TYPES = frozenset(("double", "float", "int", "long", "unsigned int", "unsigned long", "short", "char"))


@record
class Scalar:
    """An element that becomes a scalar."""

    element: Element
    name: str
    type: str
    is_stored: bool


def may_hoist(program: Program, loop: SourceLoop) -> bool:
    """Whether an innermost loop has an element without its variable."""
    if program.language != "c" or loop.head is None or any(piece.loop is not None for piece in loop.pieces):
        return False
    return any(not mentions(one.text, loop.head.variable) for one in elements(program, loop))


def hoist(program: Program, function: SourceFunction, loop: SourceLoop) -> Change:
    """Keeps elements that do not depend on an innermost loop in scalars."""
    region = program.region(function, loop)
    check_bounds((loop,), region)
    check_variables(program, function, (loop,), loop)
    scalars = invariant_scalars(program, loop, region)
    if not scalars:
        raise RefusedError(f"line {loop.line}: every element depends on {head_of(loop).variable}")
    check_unconditional(program, loop)
    text = with_scalars(program, loop, scalars)
    names = ", ".join(scalar.element.text for scalar in scalars)
    title = f"keep {names} in a scalar during the loop over {head_of(loop).variable}"
    edits = (Edit(loop.start, loop.end, text),)
    return Change("hoist", title, loop.line, edits, provided=program.provided(function, region))


def invariant_scalars(program: Program, loop: SourceLoop, region: Region) -> list[Scalar]:
    """Elements whose subscripts stay the same; another element of an array that is written must never be this one."""
    every = list(elements(program, loop))
    written = {one.name for one in region.references if one.write and one.subscripts}
    types = {use.name: use.type.name for nest in region.nests for use in nest.arrays if not use.component}
    result: list[Scalar] = []
    for element in every:
        inside = element.text[len(element.array) :]
        steady = not any(mentions(inside, name) for name in varying(region)) and not depends(inside, region)
        others = any(other.array == element.array and other is not element for other in every)
        alone = not others or not _meet(element.array, region)
        kind = types.get(element.array, "")
        if steady and kind in _TYPES and (element.array not in written or alone):
            name = program.unused_name(f"{element.array}_kept", [scalar.name for scalar in result])
            result.append(Scalar(element, name, kind, element.array in written))
    return result


def _meet(array: str, region: Region) -> bool:
    """Whether two references with other subscripts can touch one element of an array while the loop runs."""
    own = [one for one in region.dependences(1) if one.first.name == array]
    return any(one.first.subscripts != one.second.subscripts for one in own)


def loop_text(program: Program, loop: SourceLoop, scalars: list[Scalar]) -> str:
    """The text of a loop with scalars in the place of elements."""
    edits = tuple(
        Edit(start - loop.start, end - loop.start, scalar.name)
        for scalar in scalars
        for start, end in scalar.element.spans
    )
    return edited(program.text[loop.start : loop.end], edits)


def with_scalars(program: Program, loop: SourceLoop, scalars: list[Scalar], directive: str = "") -> str:
    """The loop between loads and stores of the scalars, where it runs at all."""
    indent, step = indent_of(program.text, loop.start), step_of(program.text)
    inside = indent + step
    body = shifted(loop_text(program, loop, scalars), step)
    before = "".join(f"{inside}{one.type} {one.name} = {one.element.text};\n" for one in scalars)
    before += f"{inside}{directive}\n" if directive else ""
    after = "".join(f"\n{inside}{one.element.text} = {one.name};" for one in scalars if one.is_stored)
    text = f"if ({runs(loop)}) {{\n{before}{inside}{body}{after}\n{indent}}}"
    return f"{{ {text} }}" if is_lone(blanked(program.text), loop.start) else text  # an else may follow
