"""Rewrites LLVM's vector loops as gcc's by inserting instructions: each reference to a row has its own pointer, and
those that do not fit the registers are reloaded in every pass; a vector to be widened is loaded whole, and its upper
half extracted; narrowed halves are joined before they are stored; and in-vector permutes use vpermil, which fewer ports
execute than a shuffle of a vector with itself. Of strided (interleaved) accesses, whole vectors including the gaps are
loaded, and each member of the group is extracted by two-source permutes; LLVM loads halves and single elements, and
merges them by blends and shuffles, which more ports can execute."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly import x86

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
#: instructions that combine elements of several vectors
_JOINS = frozenset({"blend", "permute", "shuffle", "shuffle_two"})
_NEIGHBOURS = re.compile(r"vh(add|sub)p([sd]) (.*), (%ymm\d+)")
#: broadcast from memory: as a load, or as an embedded operand
_SPREAD = re.compile(
    r"(?P<name>vbroadcasts[sd]|v\w+(?=.*\{1to)) (?P<from>[^%{]*\([^)]*\))"
    r"(?:\{1to\d+\}, (?P<other>%ymm\d+))?, (?P<to>%ymm\d+)"
)
#: registers that current compilers use for nothing else: loaded vectors, and intermediate permutes
_LOADED, _PERMUTED = 30, 29


def as_gcc(
    function: Function, pointers: int, groups: tuple[int, int] = (0, 0), together: bool = False, compares: int = 0
) -> Function:
    """Rewrites an x86-64 function as gcc would generate it. `pointers`: address registers that its references need;
    `groups`: loads and permutes of strided groups; `together`: groups are kept whole; `compares`: comparisons to
    duplicate."""
    blocks = list(function.blocks)
    for number, block in enumerate(blocks):
        if _is_vector_loop(number, block):
            block = _without_broadcasts(block) if together else block
            blocks[number] = _compared(_with_more(block, max(0, pointers - _REGISTERS), groups), compares)
    return replace(function, blocks=tuple(blocks))


def with_counters_in_memory(function: Function) -> Function:
    """Function with the spill code that gcc executes before each entry of a jammed loop for lack of registers."""
    loops = {number for number, block in enumerate(function.blocks) if _is_vector_loop(number, block)}
    blocks = list(function.blocks)
    for number, block in enumerate(blocks):
        if number not in loops and loops & set(block.successors):
            more = tuple(_parsed(line, block.instructions[0]) for line in _IN_MEMORY)
            blocks[number] = replace(block, instructions=more + block.instructions)
    return replace(function, blocks=tuple(blocks))


def called_anew(function: Function, places: tuple[int, ...]) -> Function:
    """Function with its caller's work: floating-point arguments are passed, and those at these positions, the initial
    values of sums, do not depend on the results of the previous call."""
    first, *others = function.blocks
    lines = [f"vxorps %xmm{place}, %xmm{place}, %xmm{place}" for place in places if place < _GIVEN]
    given = tuple(_parsed(line, first.instructions[0]) for line in lines)
    return replace(function, blocks=(replace(first, instructions=given + first.instructions), *others))


def _is_vector_loop(number: int, block: Block) -> bool:
    return number in block.successors and any(instruction.lanes > 1 for instruction in block.instructions)


def _with_more(block: Block, reloads: int, groups: tuple[int, int]) -> Block:
    """Block with pointer reloads before the first accesses, vectors widened in halves, and gcc's permutes."""
    block = _with_permutes(block, *groups) if any(groups) else block
    made: list[Instruction] = []
    halves, widest = 0, max(instruction.bytes for instruction in block.instructions)
    for instruction in _joining(block.instructions, widest):
        if reloads and instruction.memory is not None and instruction.memory.index:
            reloads -= 1
            made.append(_parsed(_POINTER.format(8 * reloads), instruction))
        widening = _WIDENING.fullmatch(instruction.text)
        if (
            instruction.loads
            and widening
            and 2 * instruction.moved == instruction.bytes
            and instruction.bytes in _HALVES
        ):
            # every second load takes the upper half of the vector loaded before
            words = widening.groupdict() | dict(
                zip(("whole", "half", "extract"), _HALVES[instruction.bytes], strict=True)
            )
            made += [_parsed(line.format(**words), instruction) for line in (_UPPER if halves % 2 else _LOWER)]
            halves += 1
        else:
            made.append(_permuted(instruction) if instruction.bytes == widest else instruction)
    return replace(block, instructions=tuple(made))


def _compared(block: Block, times: int) -> Block:
    """Block with this many comparisons duplicated, into a mask that nothing else uses."""
    made: list[Instruction] = []
    for instruction in block.instructions:
        made.append(instruction)
        match = _COMPARES.fullmatch(instruction.text)
        if match and times:
            times -= 1
            made.append(_parsed(f"{match['what']}, %k7", instruction))
    return replace(block, instructions=tuple(made))


def _joining(instructions: tuple[Instruction, ...], widest: int) -> list[Instruction]:
    """Joins narrowed halves of a vector before they are stored: LLVM stores each separately."""
    narrowed = {
        name for instruction in instructions if _NARROWS.fullmatch(instruction.text) for name in instruction.writes
    }
    made: list[Instruction] = []
    first = ""
    for instruction in instructions:
        match = _HALF_STORED.fullmatch(instruction.text)
        if not match or widest not in _HALVES or not narrowed & instruction.reads or 2 * instruction.moved != widest:
            made.append(instruction)
        elif not first:
            first = match["from"]
        else:
            whole, _, extract = _HALVES[widest]
            join = extract.replace("extract", "insert")
            made.append(_parsed(f"{join} $1, {match['from']}, %{whole}{first[4:]}, %{whole}31", instruction))
            made.append(_parsed(f"vmovups %{whole}31, {match['to']}", instruction))
            first = ""
    return made


def _permuted(instruction: Instruction) -> Instruction:
    """Replaces a shuffle of a vector with itself by vpermil."""
    match = _ITSELF.fullmatch(instruction.text)
    if not match:
        return instruction
    text = f"vpermilp{match['kind'] or 'd'} {match['places'] or '$0'}, {match['of']}, {match['to']}"
    return _parsed(text, instruction)


def _with_permutes(block: Block, loads: int, permutes: int) -> Block:
    """Vector loop with this many loads and permutes in place of LLVM's shuffle network. Elements that LLVM reorders
    only after computing are in order already."""
    instructions = [part for instruction in block.instructions for part in _plain(instruction)]
    network, results = _network(instructions)
    if not results or not permutes:
        return block
    width = next(
        name for name in ("zmm", "ymm", "xmm") if any(f"%{name}" in instruction.text for instruction in instructions)
    )
    loaded, permuted = f"%{width}{_LOADED}", f"%{width}{_PERMUTED}"
    address = _address(next(instructions[index] for index in sorted(network) if instructions[index].loads))
    lines = [f"vmovups {address}, {loaded}"] * loads
    permute = "vunpcklpd {0}, {0}, {1}" if width == "xmm" else "vpermpd $0, {0}, {1}"
    lines += [permute.format(loaded, permuted)] * max(0, permutes - len(results))
    rewritten: list[Instruction] = []
    for index, instruction in enumerate(instructions):
        if index == min(network):
            rewritten += [_parsed(line, instruction) for line in lines]
        source, target = ("", "", *re.findall(r"%[xyz]mm\d+", instruction.text))[-2:]
        if index in results:
            target = f"%{width}{target[4:]}"
            moves = permute if sorted(results).index(index) < permutes else "vmovaps {0}, {1}"
            rewritten.append(_parsed(moves.format(permuted, target), instruction))
        elif instruction.kind in _JOINS and index not in network and source:
            rewritten.append(_parsed(f"vmovaps {source}, {target}", instruction))
        elif index not in network:
            rewritten.append(instruction)
    return replace(block, instructions=tuple(rewritten))


def _without_broadcasts(block: Block) -> Block:
    """Vector loop whose results are kept as groups, with each broadcast from memory replaced by a permute of a vector
    that is loaded once: LLVM loads each such element separately."""
    lanes = max(instruction.lanes for instruction in block.instructions)
    kept: list[Instruction] = []
    spread = 0
    for instruction in block.instructions:
        match = _SPREAD.fullmatch(instruction.text)
        if not match:
            kept.append(instruction)
            continue
        if spread % lanes == 0:
            kept.append(_parsed(f"vmovups {match['from']}, %ymm{_LOADED}", instruction))
        spread += 1
        target = f"%ymm{_PERMUTED}" if match["other"] else match["to"]
        kept.append(_parsed(f"vpermpd $0, %ymm{_LOADED}, {target}", instruction))
        if match["other"]:
            kept.append(_parsed(f"{match['name']} {target}, {match['other']}, {match['to']}", instruction))
    return replace(block, instructions=tuple(kept))


def _plain(instruction: Instruction) -> list[Instruction]:
    """Expands a horizontal sum or difference into its two operands and the operation on them."""
    match = _NEIGHBOURS.fullmatch(instruction.text)
    if not match:
        return [instruction]
    kind, which, operands, target = match.groups()
    members = [f"vshufp{which} ${places}, {operands}, %ymm{to}" for places, to in ((136, 28), (221, 27))]
    return [_parsed(text, instruction) for text in (*members, f"v{kind}p{which} %ymm27, %ymm28, {target}")]


def _parsed(text: str, beside: Instruction) -> Instruction:
    """Parses an instruction at the source line of another one."""
    return x86.parse(text, beside.line, "att", beside.source_line)


def _network(made: list[Instruction]) -> tuple[set[int], set[int]]:
    """Indices of the instructions that shuffle loaded elements, and of those among them whose results others use."""
    source: dict[str, int] = {}  # register: instruction that defined it, by loads and joins alone
    changing = {name for instruction in made for name in instruction.writes}
    network: set[int] = set()
    results: set[int] = set()
    for index, instruction in enumerate(made):
        vectors = {name for name in instruction.reads if name.startswith("zmm")} & changing
        joins = instruction.kind in _JOINS and bool(vectors) and vectors <= set(source)
        if joins:
            network |= {index} | {source[name] for name in vectors}
        else:
            results |= {source[name] for name in vectors & set(source)}
        for name in instruction.writes:
            source.pop(name, None)
            if joins or (instruction.kind == "move" and instruction.loads and not vectors):
                source[name] = index
    return network, {index for index in results & network if made[index].kind in _JOINS}


def _address(instruction: Instruction) -> str:
    """Memory operand of a load, as written."""
    start = instruction.text.index("(")
    first = max(instruction.text.rfind(" ", 0, start), instruction.text.rfind(",", 0, start))
    return instruction.text[first + 1 : instruction.text.index(")") + 1]
