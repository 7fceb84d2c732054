"""Rewrites LLVM's vector loops as gcc's by inserting instructions: each reference to a row has its own pointer, and
those that do not fit the registers are reloaded in every pass; a vector to be widened is loaded whole, and its upper
half extracted; narrowed halves are joined before they are stored; and in-vector permutes use vpermil, which fewer ports
execute than a shuffle of a vector with itself."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.compilers.gcc.interleaved import parsed, with_permutes, without_broadcasts

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Block, Function

#: available address registers: the 16 general registers of x86-64 without the stack pointer, the common offset of all
#: pointers, the loop's end, and the register for reloaded pointers
_REGISTERS = 16 - 4
#: floating-point arguments passed in registers (System V ABI for x86-64, Section 3.2.3)
_GIVEN = 8
#: reload into a register that current compilers use for nothing else
_POINTER = "movq {}(%rsp), %r31"
#: spill code beside jammed rows in three loops or more: counters and bounds that stay in memory (as counted in products
#: of gcc 12: seven loads, two stores and an update); outside the function's own variables in the red zone, the 128
#: bytes below the stack pointer (System V ABI for x86-64, Section 3.2.2)
_IN_MEMORY = (
    *("movq -1032(%rsp), %r31",) * 7,
    "movq %r31, -1040(%rsp)",
    "movq %r31, -1048(%rsp)",
    "addq %r31, -1056(%rsp)",
)
#: a widening load; replacement of a pair of them: the whole vector, its lower half, and the upper one
_WIDENING = re.compile(r"(?P<name>vcvt\w+|vpmov[sz]x\w+) (?P<from>.*\)), (?P<to>%\w+)")
_LOWER = ("vmovups {from}, %{whole}30", "{name} %{half}30, {to}")
_UPPER = ("{extract} $1, %{whole}30, %{half}31", "{name} %{half}31, {to}")
#: by vector bytes: names of the registers and of their halves, and the instruction that extracts the upper half
_HALVES = {32: ("ymm", "xmm", "vextractf128"), 64: ("zmm", "ymm", "vextractf32x8")}
#: a vector comparison
_COMPARES = re.compile(r"(?P<what>v(?:cmp\w*p[sd]|pcmpu?\w+|ptestn?m\w) .*), %k\d")
#: narrowing conversions, and the store of half a vector
_NARROWS = re.compile(r"v(?:cvtt?pd2(?:ps|u?dq)|pmovu?s?(?:wb|d[bw]|q[dbw]))[xyz]? %\w+, %\w+")
_HALF_STORED = re.compile(r"vmov\w+ (?P<from>%[xy]mm\d+), (?P<to>[^%]*\(.*\))")
#: a shuffle of a vector with itself
_ITSELF = re.compile(
    r"(?:vshufp(?P<kind>[sd]) (?P<places>\$\d+), (?P<twice>%\w+), |vmovddup )"
    r"(?P<of>(?(twice)(?P=twice)|%\w+)), (?P<to>%\w+)"
)


def as_gcc(
    function: Function, pointers: int, groups: tuple[int, int] = (0, 0), together: bool = False, compares: int = 0
) -> Function:
    """Rewrites an x86-64 function as gcc would generate it. `pointers`: address registers that its references need;
    `groups`: loads and permutes of strided groups; `together`: groups are kept whole; `compares`: comparisons to
    duplicate."""
    blocks = list(function.blocks)
    for number, block in enumerate(blocks):
        if _is_vector_loop(number, block):
            block = without_broadcasts(block) if together else block
            blocks[number] = _compared(_with_more(block, max(0, pointers - _REGISTERS), groups), compares)
    return replace(function, blocks=tuple(blocks))


def with_counters_in_memory(function: Function) -> Function:
    """Function with the spill code that gcc executes before each entry of a jammed loop for lack of registers."""
    loops = {number for number, block in enumerate(function.blocks) if _is_vector_loop(number, block)}
    blocks = list(function.blocks)
    for number, block in enumerate(blocks):
        if number not in loops and loops & set(block.successors):
            more = tuple(parsed(line, block.instructions[0]) for line in _IN_MEMORY)
            blocks[number] = replace(block, instructions=more + block.instructions)
    return replace(function, blocks=tuple(blocks))


def called_anew(function: Function, places: tuple[int, ...]) -> Function:
    """Function with its caller's work: floating-point arguments are passed, and those at these positions, the initial
    values of sums, do not depend on the results of the previous call."""
    first, *others = function.blocks
    lines = [f"vxorps %xmm{place}, %xmm{place}, %xmm{place}" for place in places if place < _GIVEN]
    given = tuple(parsed(line, first.instructions[0]) for line in lines)
    return replace(function, blocks=(replace(first, instructions=given + first.instructions), *others))


def _is_vector_loop(number: int, block: Block) -> bool:
    return number in block.successors and any(one.lanes > 1 for one in block.instructions)


def _with_more(block: Block, reloads: int, groups: tuple[int, int]) -> Block:
    """Block with pointer reloads before the first accesses, vectors widened in halves, and gcc's permutes."""
    block = with_permutes(block, *groups) if any(groups) else block
    made: list[Instruction] = []
    halves, widest = 0, max(one.bytes for one in block.instructions)
    for one in _joining(block.instructions, widest):
        if reloads and one.memory is not None and one.memory.index:
            reloads -= 1
            made.append(parsed(_POINTER.format(8 * reloads), one))
        widening = _WIDENING.fullmatch(one.text)
        if one.loads and widening and 2 * one.moved == one.bytes and one.bytes in _HALVES:
            # every second load takes the upper half of the vector loaded before
            words = widening.groupdict() | dict(zip(("whole", "half", "extract"), _HALVES[one.bytes], strict=True))
            made += [parsed(line.format(**words), one) for line in (_UPPER if halves % 2 else _LOWER)]
            halves += 1
        else:
            made.append(_permuted(one) if one.bytes == widest else one)
    return replace(block, instructions=tuple(made))


def _compared(block: Block, times: int) -> Block:
    """Block with this many comparisons duplicated, into a mask that nothing else uses."""
    made: list[Instruction] = []
    for one in block.instructions:
        made.append(one)
        found = _COMPARES.fullmatch(one.text)
        if found and times:
            times -= 1
            made.append(parsed(f"{found['what']}, %k7", one))
    return replace(block, instructions=tuple(made))


def _joining(instructions: tuple[Instruction, ...], widest: int) -> list[Instruction]:
    """Joins narrowed halves of a vector before they are stored: LLVM stores each separately."""
    narrowed = {name for one in instructions if _NARROWS.fullmatch(one.text) for name in one.writes}
    made: list[Instruction] = []
    first = ""
    for one in instructions:
        found = _HALF_STORED.fullmatch(one.text)
        if not found or widest not in _HALVES or not narrowed & one.reads or 2 * one.moved != widest:
            made.append(one)
        elif not first:
            first = found["from"]
        else:
            whole, _, extract = _HALVES[widest]
            join = extract.replace("extract", "insert")
            made.append(parsed(f"{join} $1, {found['from']}, %{whole}{first[4:]}, %{whole}31", one))
            made.append(parsed(f"vmovups %{whole}31, {found['to']}", one))
            first = ""
    return made


def _permuted(one: Instruction) -> Instruction:
    """Replaces a shuffle of a vector with itself by vpermil."""
    found = _ITSELF.fullmatch(one.text)
    if not found:
        return one
    text = f"vpermilp{found['kind'] or 'd'} {found['places'] or '$0'}, {found['of']}, {found['to']}"
    return parsed(text, one)
