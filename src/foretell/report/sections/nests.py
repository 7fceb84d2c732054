"""Formats loop nests as a readable tree, as plain data, and as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.core.nest.loopnest import Loops
from foretell.core.symbolic.poly import ONE, symbol
from foretell.report.plain import count, only, plain, without

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from foretell.core.answers.description import Description, NestFacts
    from foretell.core.nest.directive import Directive
    from foretell.core.nest.loopnest import ArrayUse, Loop, LoopNest, Subscript
    from foretell.core.symbolic.poly import Poly

#: assumptions of a nest that the tree shows
_SHOWN = 24
#: longer expressions are not shown in the tree
_MOST_LETTERS = 240
_STYLES = {"exact": "green", "assumed": "yellow", "bound": "yellow", "refused": "red"}


def tree(item: Description) -> RenderableType:
    """Returns a tree of functions, nests, loops, operations and arrays."""
    from rich.console import Group
    from rich.text import Text
    from rich.tree import Tree

    loops = item.workload.facet(Loops)
    roots: dict[tuple[str, str], Tree] = {}
    for nest, facts in zip(loops.nests, item.facts, strict=True):
        key = (nest.file, nest.function)
        if key not in roots:
            roots[key] = Tree(Text(f"{nest.function}  {nest.file}", style="bold"), guide_style="dim")
        _add_nest(roots[key], nest, facts)
    return Group(*roots.values(), *map(Text, _structure_lines(loops)), Text(_summary_line(loops)))


def document(item: Description) -> dict[str, Any]:
    """Returns all analysis results for JSON; counts are numbers, or expressions in the parameters."""
    loops = item.workload.facet(Loops)
    return {
        **only(item.workload, "name", "origin", "input_hash"),
        "parameters": sorted(loops.symbols),
        "nests": [_nest(nest, facts) for nest, facts in zip(loops.nests, item.facts, strict=True)],
        "functions": [without(function, "arrays") for function in loops.functions],
        "calls": [
            {
                **only(call, "caller", "callee", "file", "line", "count"),
                "arguments": dict(call.arguments),
                "treatment": call.treatment,
            }
            for call in loops.calls
        ],
        "messages": [
            {**only(message, "function", "caller", "file", "line", "count"), "bytes_B": plain(message.bytes)}
            for message in loops.messages
        ],
        "globals": dict(loops.globals),
        "scalars": dict(loops.scalars),
        "summary": {
            **loops.summary(),
            "nests": len(loops.nests),
            "files": len({entry.file for entry in loops.functions} | {nest.file for nest in loops.nests}),
            **only(loops, "lines", "loops_seen", "loops_kept"),
            "seconds": item.seconds,
        },
    }


def rows(item: Description) -> list[dict[str, object]]:
    """Returns one row per nest."""
    return [
        {
            "file": nest.file,
            "line": nest.line,
            "function": nest.function,
            "status": nest.status,
            "loops": " ".join(nest.variables),
            "trips": count(nest.trips),
            **{f"{kind} per iteration": float(value) for kind, value in nest.operations().items()},
            "reads per iteration": sum(array.reads for array in nest.arrays),
            "writes per iteration": sum(array.writes for array in nest.arrays),
            "reason": nest.reason,
        }
        for nest in item.workload.facet(Loops).nests
    ]


# ---------------------------------------------------------------------------------------------- the tree


def _shown(value: Poly) -> int | float | str:
    """A count for reading; only JSON and CSV have very long ones."""
    full = count(value)
    if isinstance(full, str) and len(full) > _MOST_LETTERS:
        return f"(an expression of {len(value.terms)} terms in {', '.join(sorted(value.symbols()))}: --format json)"
    return full


def _operations(nest: LoopNest) -> str:
    """Operations of an iteration. A fused multiply-add is counted as its addition and its multiplication; how many are
    fused stands behind."""
    counts = {kind: float(count) for kind, count in nest.operations().items()}
    fused = counts.pop("fma", 0.0)
    listed = ", ".join(f"{count:g} {kind}" for kind, count in counts.items())
    return f"{listed} ({fused:g} mul and add fused: fma)" if fused else listed


def _add_nest(root: Tree, nest: LoopNest, facts: NestFacts) -> None:
    from rich.text import Text

    head = Text(f"line {nest.line}: ")
    head.append(nest.status, style=_STYLES[nest.status])
    head.append(f", {_shown(nest.trips)} iterations" if nest.loops else "")
    branch = root.add(head)
    if nest.reason:
        branch.add(Text(nest.reason, style="red"))
    for note in nest.assumptions[:_SHOWN]:
        branch.add(Text(f"assumed, line {note.line}: {note.text}", style="yellow"))
    if len(nest.assumptions) > _SHOWN:
        more = len(nest.assumptions) - _SHOWN
        branch.add(Text(f"and {more} more assumptions (--format json lists all)", style="yellow"))
    verdicts = {loop.variable: loop.verdict for loop in facts.loops}
    for loop in nest.loops:
        branch = branch.add(Text(f"{_loop_line(loop)}  {verdicts.get(loop.variable, '')}".rstrip()))
    if nest.operations():
        branch.add(Text(f"per iteration: {_operations(nest)}"))
    for array in nest.arrays:
        branch.add(Text(_array_line(nest, array) + _touched(array, facts)))


def _directive(directive: Directive) -> str:
    clauses = (f"{name}({text})" if text else name for name, text in directive.clauses)
    return " ".join((directive.dialect, *directive.words, *clauses))


def _loop_line(loop: Loop) -> str:
    step = "" if loop.step == ONE else f" by {loop.step}"
    directives = "".join(f"  [{_directive(d)}]" for d in loop.directives)
    return f"{loop.variable} = {loop.lower} … {loop.upper}{step}{directives}"


def _array_line(nest: LoopNest, array: ArrayUse) -> str:
    name = array.name + (f".{array.component}" if array.component else "")
    inner = [access for access in array.accesses if nest.blocks[access.block].depth == len(nest.loops)]
    shown = " ".join(dict.fromkeys(f"[{', '.join(map(_subscript, access.subscripts))}]" for access in inner[:12]))
    more = " …" if len(inner) > 12 else ""
    return f"{name} ({array.type.name}): {array.reads} read, {array.writes} written  {shown}{more}"


def _touched(array: ArrayUse, facts: NestFacts) -> str:
    if facts.elements is None or facts.lines is None or array.label not in facts.elements:
        return ""
    return f"  {facts.elements[array.label]} different elements, {facts.lines[array.label]} lines"


def _structure_lines(loops: Loops) -> list[str]:
    """Lists calls outside nests, and messages; inlined calls are part of the nests above."""
    calls = [
        f"call {item.caller} -> {item.callee}, line {item.line}: {_shown(item.count)} times ({item.treatment})"
        for item in loops.calls
        if item.treatment in ("separate", "unknown")
    ]
    messages = [
        f"message {item.function} in {item.caller}, line {item.line}: {_shown(item.count)} times, "
        + ("unknown size" if item.bytes is None else f"{_shown(item.bytes)} bytes")
        for item in loops.messages
    ]
    lost = [f"{item.name}, line {item.line}: {item.reason}" for item in loops.functions if not item.reliable]
    return [*calls, *messages, *lost]


def _subscript(subscript: Subscript) -> str:
    return str(sum((factor * symbol(name) for name, factor in subscript.coefficients), subscript.offset))


def _summary_line(loops: Loops) -> str:
    counts = ", ".join(f"{number} {status}" for status, number in loops.summary().items() if number)
    needs = ", ".join(sorted(loops.symbols))
    return f"{len(loops.nests)} nests: {counts or 'none'}" + (f"; parameters: {needs}" if needs else "")


# ---------------------------------------------------------------------------------------------- plain data


def _nest(nest: LoopNest, facts: NestFacts) -> dict[str, Any]:
    return {
        **only(nest, "file", "line", "function", "language", "status", "reason", "assumptions", "remarks"),
        "parameters": list(nest.parameters),
        "loops": [_loop(loop) for loop in nest.loops],
        "arrays": [_array(nest, array) for array in nest.arrays],
        "flops": {kind: float(value) for kind, value in nest.operations().items()},
        "flops_total": plain(nest.total_operations()),
        "trips": count(nest.trips),
        "verdicts": plain(facts.loops),
        "dependences": plain(facts.dependences),
        "distinct_elements": plain(facts.elements),
        "distinct_lines": plain(facts.lines),
    }


def _loop(loop: Loop) -> dict[str, Any]:
    return only(loop, "variable", "lower", "upper", "step", "line", "trips", "implied", "directives")


def _array(nest: LoopNest, array: ArrayUse) -> dict[str, Any]:
    return {
        **only(array, "name", "component"),
        "type": array.type.name,
        "element_B": array.type.size,
        **only(array, "reads", "writes"),
        "accesses": [
            {
                "subscripts": [_subscript(subscript) for subscript in access.subscripts],
                "indirect": any(bool(subscript.index) for subscript in access.subscripts),
                **only(access, "reads", "writes"),
                **only(nest.blocks[access.block], "depth", "executions"),
            }
            for access in array.accesses
        ],
    }
