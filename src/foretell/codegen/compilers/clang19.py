"""Heuristics of clang 19 and older where the newer LLVM that generates the code decides otherwise.

Interleaving: a vector loop is interleaved as often as registers allow. LLVM 19 counts the live values of the scalar
loop (`LoopVectorizationCostModel::calculateRegisterUsage`); newer ones count those of the vector plan, where each row
that is read needs more addresses, and so interleave stencils less. LLVM 19 hoists more of the addresses that differ by
a constant out of the loop, which leaves fewer registers.

The remainder of a loop is vectorised where the loop's own vectors hold 16 elements, by newer versions also where
interleaving gives that many. Elements of an interleave group with gaps are gathered unless the step is a power of two.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.codegen.compilers.flags import has_avx512
from foretell.codegen.compilers.gcc.vectorise import flat_subscript, inner_step, references, targets
from foretell.core.llvm.module import Module
from foretell.core.symbolic.poly import ZERO
from foretell.records import record

if TYPE_CHECKING:
    from foretell.core.llvm.syntax import Instruction
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.nest.statements import Ref
    from foretell.core.symbolic.poly import Poly

#: general registers of x86-64, and vector registers with and without AVX-512 (X86TTIImpl::getNumberOfRegisters)
_GENERAL, _VECTORS, _FEW_VECTORS = 16, 32, 16
#: maximum interleave count (X86TTIImpl::getMaxInterleaveFactor, with AVX)
_MOST = 4
#: cost below which a vector loop is small (the option small-loop-cost of LLVM)
_SMALL = 20
#: elements of a vector from which the remainder is vectorised, too (epilogue-vectorization-minimum-VF)
_ENOUGH = 16
#: element sizes with gather instructions, in bytes
_GATHERED = (4, 8)
#: costs of vector operations other than 1 (X86CostTblEntry of Skylake-AVX512, 256 bits), and operations that are free
_COSTS = {("fdiv", "double"): 8, ("fdiv", "float"): 5, ("sqrt", "double"): 12, ("sqrt", "float"): 6}
_FREE = ("br", "getelementptr")
_FLOATS = ("float", "double")


def switches(nest: LoopNest, lanes: int = 1) -> dict[str, bool]:
    """LLVM switches for the innermost loop in vectors of `lanes` elements."""
    return {
        "enable-epilogue-vectorization": rest_in_vectors(lanes),
        "enable-interleaved-mem-accesses": not gathers_groups(nest),
        # newer versions load only the used part of a group, and then not as a group
        "disable-vector-combine": True,
    }


def rest_in_vectors(lanes: int) -> bool:
    """Whether the remainder of a loop with vectors of `lanes` elements is vectorised."""
    return lanes >= _ENOUGH


def gathers_groups(nest: LoopNest) -> bool:
    """Whether strided elements are gathered: interleave groups with gaps whose step is no power of two, of element
    sizes with gather instructions."""
    variable = nest.loops[-1].variable
    members: dict[tuple[str, int], set[int]] = {}
    for reference, flat, step in _apart(nest):
        if reference.type.size in _GATHERED and reference not in targets(nest):
            first = flat.substitute({variable: ZERO}).integer or 0
            members.setdefault((reference.array, abs(step)), set()).add(first % step)
    return any(step & (step - 1) and len(places) < step for (_, step), places in members.items())


def _apart(nest: LoopNest) -> list[tuple[Ref, Poly, int]]:
    """References with a constant stride above 1 element in the innermost loop, with flat positions and strides."""
    strided = []
    for reference in references(nest):
        flat, step = flat_subscript(nest, reference), inner_step(nest, reference)
        if flat is not None and step is not None and abs(step) > 1:
            strided.append((reference, flat, step))
    return strided


def interleaved(nest: LoopNest, ir: str, cpu: str, newer: int) -> int:
    """Interleave count of the innermost loop of a function, from its IR before vectorisation; that of `newer` versions
    where the loop has several blocks, or where these do not interleave strided accesses: vectorisation may then not pay
    off, and the cost of assembling vectors from elements is not known here."""
    loop = _innermost(ir)
    if loop is None or (newer == 1 and _apart(nest)):
        return newer
    most = loop.registers_allow(_VECTORS if has_avx512(cpu) else _FEW_VECTORS)
    if loop.cost >= _SMALL:
        return most if loop.adds_up else 1
    small = min(most, _power(_SMALL // max(1, loop.cost)))
    return max(small, most if loop.adds_up else 1, *(most // max(1, count) for count in loop.accesses))


@record
class _Line:
    """Instruction of the loop: result ('' for none), opcode, type, operands."""

    name: str
    op: str
    type: str
    takes: tuple[str, ...]


@dataclass(frozen=True)
class _Block:
    """Single-block loop; `outside` are live-in values."""

    lines: tuple[_Line, ...]
    outside: frozenset[str]

    @cached_property
    def cost(self) -> int:
        """Cost of a pass with one vector: a value of the previous iteration is shifted in."""
        counters = sum(line.op == "phi" and line.type not in _FLOATS for line in self.lines)
        costs = (_COSTS.get((line.op, line.type), 1) for line in self.lines if line.op not in _FREE)
        return sum(costs) - counters

    @property
    def accesses(self) -> tuple[int, int]:
        """Number of loads and stores."""
        ops = [line.op for line in self.lines]
        return ops.count("load"), ops.count("store")

    @property
    def adds_up(self) -> bool:
        """Whether the loop has a floating-point reduction: a phi that depends on itself."""
        made = {line.name: line for line in self.lines}
        phis = [line for line in self.lines if line.op == "phi" and line.type in _FLOATS]
        return any(phi.name in made[one].takes for phi in phis for one in phi.takes if one in made)

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        users: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines):
            for name in line.takes:
                users.setdefault(name, []).append(number)
        return users

    @cached_property
    def _scalars(self) -> frozenset[str]:
        """Values that stay scalar in a vector loop: induction variables and addresses."""
        scalars = {line.name for line in self.lines if line.op == "getelementptr"}
        for _ in self.lines:  # whether a value is an induction variable depends on its uses
            more = {line.name for line in self.lines if self._is_counter(line, scalars)}
            if more <= scalars:
                break
            scalars |= more
        return frozenset(scalars)

    def _is_counter(self, line: _Line, scalars: set[str]) -> bool:
        if not re.fullmatch(r"i\d+", line.type) or line.op == "load":
            return False
        users = [self.lines[number] for number in self._users.get(line.name, [])]
        return all(one.op in ("phi", "icmp", "br") or one.name in scalars for one in users)

    def registers_allow(self, vectors: int) -> int:
        """Maximum interleave count by registers: LoopVectorizationPlanner::selectInterleaveCount."""
        general, wide = self._alive
        taken = [name for name in self.outside if name in self._users]
        around = [
            all(self.lines[number].name in self._scalars or self.lines[number].op == "icmp" for number in users)
            for users in (self._users[name] for name in taken)
        ]
        limits = ((_GENERAL, general, sum(around)), (vectors, wide, len(around) - sum(around)))
        return min(_MOST, *(_power((total - outside - 1) // max(1, alive - 1)) for total, alive, outside in limits))

    @cached_property
    def _alive(self) -> tuple[int, int]:
        """Maximum number of live scalars and vectors. A value is live until after its last use; one that only the next
        iteration uses is live to the end."""
        ends = {name: users[-1] + 1 for name, users in self._users.items()}
        alive: list[str] = []
        most = [1, 1]
        for number, line in enumerate(self.lines):
            alive = [name for name in alive if ends[name] != number]
            if line.name not in self._users:
                continue
            scalars = sum(name in self._scalars for name in alive)
            most = [max(most[0], scalars), max(most[1], len(alive) - scalars)]
            alive.append(line.name)
        return most[0], most[1]


def _power(number: int) -> int:
    """Largest power of two not above the number; at least 1."""
    return 1 << max(0, number.bit_length() - 1) if number > 0 else 1


def _innermost(ir: str) -> _Block | None:
    """Single-block loop of the IR; None where there is none, or several."""
    blocks = [block for function in Module(ir).functions.values() for block in function.blocks]
    loops = [block for block in blocks if block.label in block.terminator.labels]
    if len(loops) != 1:
        return None
    names = ("sqrt" if one.callee.startswith("@llvm.sqrt") else one.opcode for one in loops[0].instructions)
    code = zip(loops[0].instructions, names, strict=True)
    lines = tuple(_Line(one.result, name, _type(one), one.names) for one, name in code)
    inside = {line.name for line in lines}
    made = {one.result for block in blocks for one in block.instructions if one.result}
    lines, before = _moved_out(lines)
    return _Block(lines, frozenset(made - inside | before))


def _moved_out(lines: tuple[_Line, ...]) -> tuple[tuple[_Line, ...], frozenset[str]]:
    """Hoists additions of constant distances to addresses that newer versions keep in the loop: where the address in
    the loop has no other use (hoistGEP of LLVM's LICM). Also returns the names of these sums."""
    made = {line.name: line for line in lines if line.name}
    used = Counter(name for line in lines for name in line.takes)
    moved: dict[str, _Line] = {}
    for line in lines:
        near = made.get(line.takes[0]) if line.op == "getelementptr" and len(line.takes) == 1 else None
        if near and near.op == "getelementptr" and used[near.name] == 1 and near.takes[0] not in made:
            moved[near.name] = replace(line, takes=(f"{line.name} before", *near.takes[1:]))
    gone = {line.name: line for line in moved.values()}
    kept = (gone.get(line.name, line) for line in lines if line.name not in moved)
    return tuple(kept), frozenset(line.takes[0] for line in gone.values())


def _type(instruction: Instruction) -> str:
    """Operand type of an instruction: the source type of a conversion; none for a comparison."""
    if instruction.opcode in ("icmp", "fcmp"):
        return ""
    taken = instruction.operands and instruction.opcode not in ("phi", "load", "call")
    return instruction.operands[0].type if taken else instruction.type
