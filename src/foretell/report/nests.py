"""Formats loop nests as a readable tree, as plain data, and as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.core.nest.loopnest import Loops
from foretell.core.symbolic.poly import ONE, symbol

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import RenderableType
    from rich.tree import Tree

    from foretell.core.answers.description import Description, NestFacts
    from foretell.core.nest.loopnest import Access, ArrayUse, Loop, LoopNest, Subscript
    from foretell.core.symbolic.poly import Poly

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
    workload = item.workload
    loops = workload.facet(Loops)
    return {
        "name": workload.name,
        "origin": workload.origin,
        "input_hash": workload.input_hash,
        "parameters": sorted(loops.symbols),
        "nests": [_nest(nest, facts) for nest, facts in zip(loops.nests, item.facts, strict=True)],
        "functions": [
            {
                "name": item.name,
                "file": item.file,
                "line": item.line,
                "language": item.language,
                "parameters": list(item.parameters),
                "loops": item.loops,
                "reliable": item.reliable,
                "reason": item.reason,
            }
            for item in loops.functions
        ],
        "calls": [
            {
                "caller": item.caller,
                "callee": item.callee,
                "file": item.file,
                "line": item.line,
                "count": count(item.count),
                "arguments": dict(item.arguments),
                "treatment": item.treatment,
            }
            for item in loops.calls
        ],
        "messages": [
            {
                "function": item.function,
                "caller": item.caller,
                "file": item.file,
                "line": item.line,
                "count": count(item.count),
                "bytes_B": None if item.bytes is None else count(item.bytes),
            }
            for item in loops.messages
        ],
        "globals": dict(loops.globals),
        "scalars": dict(loops.scalars),
        "summary": {
            **loops.summary(),
            "nests": len(loops.nests),
            "files": len({item.file for item in loops.functions} | {nest.file for nest in loops.nests}),
            "lines": loops.lines,
            "loops_seen": loops.loops_seen,
            "loops_kept": loops.loops_kept,
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


def count(value: Poly) -> int | float | str:
    """Returns a number for a constant, else the expression as text."""
    constant = value.constant
    if constant is None:
        return str(value)
    return int(constant) if constant == int(constant) else float(constant)


# ---------------------------------------------------------------------------------------------- the tree


def _add_nest(root: Tree, nest: LoopNest, facts: NestFacts) -> None:
    from rich.text import Text

    head = Text(f"line {nest.line}: ")
    head.append(nest.status, style=_STYLES[nest.status])
    head.append(f", {count(nest.trips)} iterations" if nest.loops else "")
    branch = root.add(head)
    if nest.reason:
        branch.add(Text(nest.reason, style="red"))
    for note in nest.assumptions:
        branch.add(Text(f"assumed, line {note.line}: {note.text}", style="yellow"))
    verdicts = {loop.variable: loop.verdict for loop in facts.loops}
    for loop in nest.loops:
        branch = branch.add(Text(f"{_loop_line(loop)}  {verdicts.get(loop.variable, '')}".rstrip()))
    operations = nest.operations()
    if operations:
        branch.add(Text("per iteration: " + ", ".join(f"{_short(n)} {kind}" for kind, n in operations.items())))
    for array in nest.arrays:
        branch.add(Text(_array_line(nest, array) + _touched(array, facts)))


def _loop_line(loop: Loop) -> str:
    step = "" if loop.step == ONE else f" by {loop.step}"
    directives = "".join(f"  [{d.dialect} {' '.join(d.words)}]" for d in loop.directives)
    return f"{loop.variable} = {loop.lower} … {loop.upper}{step}{directives}"


def _array_line(nest: LoopNest, array: ArrayUse) -> str:
    name = array.name + (f".{array.component}" if array.component else "")
    inner = [access for access in array.accesses if nest.blocks[access.block].depth == len(nest.loops)]
    shown = " ".join(dict.fromkeys(f"[{_subscripts(access)}]" for access in inner[:12]))
    more = " …" if len(inner) > 12 else ""
    return f"{name} ({array.type.name}): {array.reads} read, {array.writes} written  {shown}{more}"


def _touched(array: ArrayUse, facts: NestFacts) -> str:
    label = array.label
    if facts.elements is None or facts.lines is None or label not in facts.elements:
        return ""
    return f"  {facts.elements[label]} different elements, {facts.lines[label]} lines"


def _structure_lines(loops: Loops) -> list[str]:
    """Lists calls outside nests, and messages; inlined calls are part of the nests above."""
    calls = [
        f"call {item.caller} -> {item.callee}, line {item.line}: {count(item.count)} times ({item.treatment})"
        for item in loops.calls
        if item.treatment in ("separate", "unknown")
    ]
    messages = [
        f"message {item.function} in {item.caller}, line {item.line}: {count(item.count)} times, "
        + ("unknown size" if item.bytes is None else f"{count(item.bytes)} bytes")
        for item in loops.messages
    ]
    lost = [f"{item.name}, line {item.line}: {item.reason}" for item in loops.functions if not item.reliable]
    return [*calls, *messages, *lost]


def _subscripts(access: Access) -> str:
    return ", ".join(_subscript(one) for one in access.subscripts)


def _subscript(one: Subscript) -> str:
    total = one.offset
    for name, coefficient in one.coefficients:
        total = total + coefficient * symbol(name)
    return str(total)


def _summary_line(loops: Loops) -> str:
    counts = ", ".join(f"{number} {status}" for status, number in loops.summary().items() if number)
    needs = ", ".join(sorted(loops.symbols))
    return f"{len(loops.nests)} nests: {counts or 'none'}" + (f"; parameters: {needs}" if needs else "")


def _short(value: Fraction) -> str:
    return f"{float(value):g}"


# ---------------------------------------------------------------------------------------------- plain data


def _nest(nest: LoopNest, facts: NestFacts) -> dict[str, Any]:
    return {
        "file": nest.file,
        "line": nest.line,
        "function": nest.function,
        "language": nest.language,
        "status": nest.status,
        "reason": nest.reason,
        "assumptions": [{"line": note.line, "text": note.text} for note in nest.assumptions],
        "remarks": [{"line": note.line, "text": note.text} for note in nest.remarks],
        "parameters": list(nest.parameters),
        "loops": [_loop(loop) for loop in nest.loops],
        "arrays": [_array(nest, array) for array in nest.arrays],
        "flops": {kind: float(value) for kind, value in nest.operations().items()},
        "flops_total": {kind: count(value) for kind, value in nest.total_operations().items()},
        "trips": count(nest.trips),
        "verdicts": [{"variable": one.variable, "verdict": one.verdict, "reason": one.reason} for one in facts.loops],
        "dependences": [
            {
                "array": one.array,
                "kind": one.kind,
                "distance": list(one.distance),
                "source_line": one.source_line,
                "sink_line": one.sink_line,
            }
            for one in facts.dependences
        ],
        "distinct_elements": None if facts.elements is None else dict(facts.elements),
        "distinct_lines": None if facts.lines is None else dict(facts.lines),
    }


def _loop(loop: Loop) -> dict[str, Any]:
    return {
        "variable": loop.variable,
        "lower": count(loop.lower),
        "upper": count(loop.upper),
        "step": count(loop.step),
        "line": loop.line,
        "trips": count(loop.trips),
        "implied": loop.implied,
        "directives": [
            {"dialect": d.dialect, "words": list(d.words), "clauses": [list(c) for c in d.clauses], "line": d.line}
            for d in loop.directives
        ],
    }


def _array(nest: LoopNest, array: ArrayUse) -> dict[str, Any]:
    return {
        "name": array.name,
        "component": array.component,
        "type": array.type.name,
        "element_B": array.type.size,
        "reads": array.reads,
        "writes": array.writes,
        "accesses": [
            {
                "subscripts": [_subscript(one) for one in access.subscripts],
                "indirect": any(bool(one.index) for one in access.subscripts),
                "reads": access.reads,
                "writes": access.writes,
                "depth": nest.blocks[access.block].depth,
                "executions": count(nest.blocks[access.block].executions),
            }
            for access in array.accesses
        ],
    }
