"""The critical path of one iteration of an innermost loop: the longest dependency chain, which cannot be overlapped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from foretell.core.facets.trace import Chain, Operations
from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.instrument.library import ARITHMETIC

if TYPE_CHECKING:
    from collections.abc import Iterable

    from foretell.core.llvm.syntax import Instruction
    from foretell.frontends.trace.cfg import Loop
    from foretell.frontends.trace.instrument.loop_scalars import Uses

#: latencies in cycles by kind, typical of most processors, to compare chains (the machine's own are used later)
_WEIGHTS = {"add": 4, "multiply": 4, "compare": 4, "divide": 14, "sqrt": 18, "function": 60, "load": 5, "integer": 1}
_FREE = frozenset({"phi", "getelementptr", "bitcast", "freeze", "trunc", "zext", "sext", "fneg", "fpext"})

_Path = tuple[float, Counter[str]]


def longest(ends: Iterable[str], starts: frozenset[str], loop: Loop, uses: Uses) -> Chain:
    """The longest chain from one of the values `starts` to one of the values `ends`, inside one iteration."""
    known: dict[str, _Path | None] = {}
    paths = [path for end in ends if (path := _to(end, starts, loop, uses, known)) is not None]
    kinds = max(paths, key=lambda path: path[0], default=(0.0, Counter[str]()))[1]
    operations = {kind: kinds[kind] for kind in ("add", "multiply", "divide", "sqrt", "compare", "function")}
    return Chain(Operations(**operations), kinds["integer"], kinds["load"])


def _to(end: str, starts: frozenset[str], loop: Loop, uses: Uses, known: dict[str, _Path | None]) -> _Path | None:
    """The longest chain that ends in a value, or None; uses an explicit stack, as chains can be long."""
    stack = [end]
    while stack:
        name = stack[-1]
        before = [] if name in starts else _before(name, loop, uses)
        waiting = [operand for operand in before if operand not in known]
        if waiting and name not in known:
            known[name] = None  # a cycle through an inner loop leads back here: not a chain of this iteration
            stack += waiting
            continue
        stack.pop()
        if name in starts:
            known[name] = (0.0, Counter())
        elif before:
            known[name] = _longer(uses.definition[name], [known.get(operand) for operand in before])
        else:
            known.setdefault(name, None)
    return known[end]


def _before(name: str, loop: Loop, uses: Uses) -> list[str]:
    defined = uses.definition.get(name)
    if defined is None or not uses.inside(defined, loop):
        return []
    at_header = defined.opcode == "phi" and uses.block[id(defined)] == loop.header
    return [] if at_header else [operand.text for operand in defined.operands if operand.is_local]


def _longer(instruction: Instruction, before: list[_Path | None]) -> _Path | None:
    reached = [path for path in before if path is not None]
    if not reached:
        return None
    weight, kinds = max(reached, key=lambda path: path[0])
    kind = _kind(instruction)
    return (weight + _WEIGHTS[kind], kinds + Counter({kind: 1})) if kind else (weight, kinds)


def _kind(instruction: Instruction) -> str:
    """The kind of an instruction on a chain; empty for one without latency."""
    if instruction.opcode in ARITHMETIC:
        return ARITHMETIC[instruction.opcode]
    if instruction.opcode == "fcmp":
        return "compare"
    if instruction.opcode in ("call", "invoke"):
        kind = library.arithmetic(instruction.callee[1:])
        return {"fma": "multiply", "move": "", None: "integer"}.get(kind, kind or "")
    if instruction.opcode == "load":
        return "load"
    return "" if instruction.opcode in _FREE else "integer"
