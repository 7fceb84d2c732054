"""Generates the code of a nest, or uses the user's own: its loops, and the source iterations in a pass of each."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from foretell.codegen.assembly.induction import elements_per_pass, moves_by_registers
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.loops import AsmLoop, find_loops
from foretell.codegen.compilers import clang19
from foretell.codegen.compilers.flags import has_avx512, widest_vectors
from foretell.codegen.compilers.gcc import vectorise
from foretell.codegen.compilers.gcc.full_unroll import written_out
from foretell.codegen.compilers.gcc.rewrite import as_gcc, called_anew, with_counters_in_memory
from foretell.codegen.compilers.gcc.strided import elementwise_accesses, tuning, vector_bytes
from foretell.codegen.compilers.gcc.unroll_and_jam import jam_factor
from foretell.codegen.compilers.host import resolved
from foretell.codegen.emit import emit
from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import float_sums, may_overlap, pairs_to_check, scalar_types
from foretell.codegen.ir.values import FloatRules
from foretell.codegen.load_llvmlite import version
from foretell.core.nest.statements import Store
from foretell.errors import InputError, UnsupportedError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.listing import Function
    from foretell.codegen.compilers.flags import CodeOptions
    from foretell.core.nest.loopnest import LoopNest

_FLOPS = frozenset({"add", "mul", "div", "sqrt"})
#: maximum loops whose counters and pointers fit the registers after unroll and jam: in gcc 12's code of jammed matrix
#: products, those of two loops stay in registers and those of three do not (`_IN_MEMORY` of `compilers/gcc/rewrite`)
_FEW_LOOPS = 2
#: maximum pairs of arrays with alias checks before a vector loop (gcc's parameter vect-max-version-for-alias-checks)
_MOST_CHECKS = 10
#: minimum vector bits with masked loads
_WITH_MASKS = 256
#: functions that gcc leaves to the library without -ffast-math (finite values only)
CALLED_BY_GCC = frozenset({"fmin", "fmax", "round"})
#: CPUs for which gcc (12 and 13) prefers 256-bit vectors over wider ones; for others it uses the widest
_NARROW_WORDS = """
    skylake-avx512 cascadelake cooperlake cannonlake icelake-client icelake-server tigerlake rocketlake sapphirerapids
    emeraldrapids graniterapids
"""
_GCC_NARROW = frozenset(_NARROW_WORDS.split())


@record
class UserAssembly:
    """Compiler output, and the selection of a loop: by function, by source line (where there is debug information), or
    by the label of the loop's first block. The largest innermost loop by default. `parameters`: those of the function,
    if the nest is its whole body."""

    text: str
    name: str = "assembly"
    function: str = ""
    line: int = 0
    loop: str = ""
    parameters: tuple[str, ...] = ()


@record
class Code:
    """Loops that execute the innermost source loop: the main one first, then those of the remainder. `elements`: source
    iterations of one pass of each; `jam`: iterations of an outer loop done together; `around`: the loops around the
    main one, from the inside out. `arguments`: pointer and integer parameters of the function ('array 0', 'size n');
    None where unknown."""

    loops: tuple[AsmLoop, ...]
    elements: tuple[int, ...]
    around: tuple[AsmLoop, ...]
    made_by: str
    assumptions: tuple[str, ...] = ()
    jam: int = 1
    arguments: tuple[str, ...] | None = None


@lru_cache(maxsize=256)
def generated(nest: LoopNest, isa: str, cpu: str, options: CodeOptions) -> Code:
    """Code that LLVM generates for a nest, imitating the compiler that the options name."""
    name = options.cpu or cpu
    options = resolved(options, name)
    options = replace(options, overlapping=options.overlapping or may_overlap(nest))
    bits = _vector_bits(options, name, isa)
    kept = nest
    if options.gcc:
        options = replace(options, gathers=options.gathers and vectorise.picks(nest))
        kept = vectorise.as_sums(nest)
        kept = written_out(kept) if options.level >= 3 else kept
    code = _generated(kept, isa, name, options, bits)
    times = _folded(nest, len(nest.loops) - len(kept.loops))
    return replace(code, elements=tuple(times * elements for elements in code.elements))


def _generated(nest: LoopNest, isa: str, cpu: str, options: CodeOptions, bits: int) -> Code:
    hints = _hints(nest, options, bits, cpu)
    if hints.vectorise and options.gcc and (together := vectorise.group_lanes(nest, bits)):
        grouped = replace(hints, vectorise=False, lanes=together, outside=0, apart=True)
        code = _compiled(nest, isa, cpu, options, bits, grouped)
        if max(instruction.bytes for instruction, _ in code.loops[0].instructions()) >= bits // 8:
            return code
    if options.gcc and options.level >= 3 and not options.overlapping:
        hints = replace(hints, lanes=jam_factor(nest))
    if not options.gcc and options.older and hints.vectorise and isa == "x86-64":
        return _by_older_clang(nest, cpu, options, bits, hints)
    return _compiled(nest, isa, cpu, options, bits, hints)


def _by_older_clang(nest: LoopNest, cpu: str, options: CodeOptions, bits: int, hints: LoopHints) -> Code:
    """Code with the interleave count and the remainder loop of older versions."""
    isa, switches = "x86-64", clang19.switches(nest)
    code = _compiled(nest, isa, cpu, options, bits, hints, switches)
    width = max(instruction.bytes for instruction, _ in code.loops[0].instructions())
    lanes = width // max((use.type.size // (1 + (use.type.kind == "complex")) for use in nest.arrays), default=width)
    if lanes < 2:
        return code
    scalar = nest_ir(nest, _rules(nest, options, hints), hints).text
    plain = emit(scalar, isa, cpu, replace(options, vectorise=False, unroll=False), bits)
    beside = clang19.interleaved(nest, plain.optimised, cpu, max(1, code.elements[0] // lanes))
    if beside * lanes != code.elements[0]:
        hints = replace(hints, interleave=beside)
    elif not clang19.rest_in_vectors(lanes):
        return code
    return _compiled(nest, isa, cpu, options, bits, hints, clang19.switches(nest, lanes))


def _rules(nest: LoopNest, options: CodeOptions, hints: LoopHints) -> FloatRules:
    return FloatRules(
        fast=options.fast_math,
        contract=options.contract and not hints.separate,
        within=options.contract and not options.gcc and not options.fast_math,
        checked=nest.language == "c" and options.checked,
        number_wins=nest.language == "c",
        signed_zeros=options.gcc and not options.fast_math,
        library=CALLED_BY_GCC if options.gcc and not options.fast_math else frozenset(),
    )


def _compiled(
    nest: LoopNest,
    isa: str,
    cpu: str,
    options: CodeOptions,
    bits: int,
    hints: LoopHints,
    switches: Mapping[str, bool] = MappingProxyType({}),
) -> Code:
    masked = options.gcc and hints.vectorise and bits >= _WITH_MASKS
    module = nest_ir(nest, replace(_rules(nest, options, hints), masked=masked), hints)
    if hints.single:
        switches = {**switches, "enable-interleaved-mem-accesses": False}
    out = emit(module.text, isa, cpu, options, bits, switches)
    function = _listed(out.assembly, isa)
    if options.gcc and isa == "x86-64":
        again = vectorise.compares_again(nest) if masked and has_avx512(cpu) and not options.fast_math else 0
        groups = vectorise.permuted(nest, bits // 8)
        function = as_gcc(function, vectorise.pointers(nest), groups, together=hints.outside == 0, compares=again)
        if hints.vectorise and hints.lanes > 1 and len(nest.loops) > _FEW_LOOPS:
            function = with_counters_in_memory(function)
    if isa == "x86-64":
        function = called_anew(function, module.starts)
    trees = find_loops(function)
    if not trees:
        message = "no loop is left of this nest: it is unrolled fully, or stores nothing"
        raise UnsupportedError(message, file=nest.file, line=nest.line)
    target = f"{'march' if isa == 'x86-64' else 'mcpu'}={cpu}"  # for Arm, -march is an architecture
    flags = f"{options.called} -O{options.level} -{target}{' -ffast-math' if options.fast_math else ''}"
    steps = {name: step * (1 if hints.outside else hints.lanes) for name, step in out.steps}
    jam = hints.lanes if hints.outside else 1
    code = _code(nest, trees, steps, f"LLVM {version()}, as {flags}", jam)
    return replace(code, arguments=module.whole)


@lru_cache(maxsize=64)  # versions of a nest that differ in lines and directives alone have the same code
def _listed(assembly: str, isa: str) -> Function:
    return read_listing(assembly, isa, "generated assembly")[0]


def given(nest: LoopNest, isa: str, assembly: UserAssembly) -> Code:
    """User's own code for a nest."""
    functions = read_listing(assembly.text, isa, assembly.name)
    function = _chosen(functions, assembly, nest)
    trees = find_loops(function)
    innermost = [loop for tree in trees for loop in tree.walk() if not loop.inner]
    if not innermost:
        raise _without_loop(function, assembly)
    if vectorise.has_unknown_steps(nest):  # without gcc's versions for unit strides (-fversion-loops-for-strides)
        innermost = [loop for loop in innermost if moves_by_registers(loop.path())] or innermost
    strides, stored = _byte_strides(nest), _bytes_stored(nest)
    known = {loop.head: elements_per_pass(loop.path(), strides, stored) for loop in innermost}
    steps = {head: step or 1 for head, step in known.items()}
    main = _main(innermost, steps, assembly, nest)
    around = _chain(trees, main)[1:]
    others = [loop for loop in innermost if loop is not main and steps[loop.head] < steps[main.head]]
    others = [loop for loop in others if _chain(trees, loop)[1:] == around]
    unclear = f"how many iterations a pass of {main.label} does is not clear from its addresses: one is assumed"
    jam = _jammed(nest, [instruction for instruction, _ in main.instructions()], steps[main.head])
    loops = (main, *sorted(others, key=lambda loop: -steps[loop.head]))
    return Code(
        loops,
        tuple(steps[loop.head] for loop in loops),
        tuple(around),
        assembly.name,
        () if known[main.head] else (unclear,),
        jam,
        _taken(nest, assembly.parameters) if function.name == nest.function else None,
    )


def _taken(nest: LoopNest, parameters: tuple[str, ...]) -> tuple[str, ...] | None:
    """Parameters of a function in general registers: its arrays and integers; None where there are others."""
    arrays = [use.name for use in nest.arrays]
    floats = {name for name, kind in scalar_types(nest).items() if kind.kind == "float"}
    named = [name for name in parameters if name not in floats]
    sizes = {*nest.parameters, *nest.address_parameters}
    if not named or not all(name in sizes or name in arrays for name in named):
        return None
    return tuple(f"array {arrays.index(name)}" if name in arrays else f"size {name}" for name in named)


def _without_loop(function: Function, assembly: UserAssembly) -> InputError:
    """Error for a function without a loop: often a copy or a fill that became a call."""
    jumps = (
        instruction
        for block in function.blocks
        for instruction in block.instructions
        if instruction.kind in ("call", "jump")
    )
    for instruction in jumps:
        if match := re.search(r"\b(mem(?:cpy|set|move))\b", instruction.text):
            return UnsupportedError(f"the compiler made a call of {match[1]} of the loop", file=assembly.name)
    return InputError(f"function {function.name} has no loop", file=assembly.name)


def _hints(nest: LoopNest, options: CodeOptions, bits: int, cpu: str) -> LoopHints:
    """Loop metadata that imitates the compiler; for clang, LLVM's own decisions are used."""
    hints = LoopHints(vectorise=options.vectorise, unroll=options.unroll, apart=not options.overlapping)
    return _hints_of_gcc(nest, options, hints, bits, cpu) if options.gcc else hints


def _hints_of_gcc(nest: LoopNest, options: CodeOptions, hints: LoopHints, bits: int, cpu: str) -> LoopHints:
    """Loop metadata for gcc, which does not interleave. An ordered sum gets no vector width: LLVM would take that as
    permission to reorder."""
    hints = replace(hints, interleave=1)
    if options.overlapping and pairs_to_check(nest) > _MOST_CHECKS:
        return replace(hints, vectorise=False)
    in_memory = vectorise.stores_in_place(nest)
    adds = bool(float_sums(nest)) or (in_memory and vectorise.sums_in_place(nest))
    if options.overlapping and in_memory:
        return replace(hints, vectorise=False, separate=adds and options.no_chains)
    if adds:
        how = vectorise.sum_in_order(nest) if not options.fast_math else "vectors"
        separate = how == "products" or options.no_chains
        return replace(hints, vectorise=hints.vectorise and how == "vectors", separate=separate)
    if options.older and nest.language == "c" and options.checked and vectorise.takes_roots(nest):
        return replace(hints, vectorise=False)
    return _in_vectors_of_gcc(nest, options, hints, bits, cpu)


def _in_vectors_of_gcc(nest: LoopNest, options: CodeOptions, hints: LoopHints, bits: int, cpu: str) -> LoopHints:
    """Loop metadata with as many iterations per pass as gcc's vectors hold of the smallest elements, where LLVM would
    choose otherwise: mixed sizes, indexed, or elementwise accesses."""
    masked = vectorise.only_sometimes(nest)
    scalar = "access" in masked and bits < _WITH_MASKS
    scalar |= "arithmetic" in masked and not has_avx512(cpu) and not options.fast_math
    if scalar or (vectorise.picks(nest) and not vectorise.can_pick(nest, scatters=options.gathers and has_avx512(cpu))):
        return replace(hints, vectorise=False)
    costs = tuning(cpu, options.untuned)
    width = vector_bytes(nest, bits // 8, costs)
    if width is None:
        picked = bits // 8 // vectorise.smallest_size(nest) if vectorise.picks(nest) else None
        return replace(hints, vector_width=vectorise.inner_lanes(nest, bits) if picked is None else picked)
    if not width or not all(map(vectorise.is_straight, nest.levels[-1])):
        return replace(hints, vectorise=False)
    return replace(
        hints, vector_width=width // vectorise.smallest_size(nest), single=elementwise_accesses(nest, width, costs)
    )


def _vector_bits(options: CodeOptions, cpu: str, isa: str) -> int:
    if not options.gcc or isa != "x86-64":
        return options.vector_bits or (512 if options.gcc else 0)
    wanted = options.vector_bits or (256 if cpu in _GCC_NARROW else 512)
    return min(wanted, widest_vectors(cpu))


def _code(nest: LoopNest, trees: tuple[AsmLoop, ...], steps: dict[str, int], made_by: str, jam: int) -> Code:
    innermost = [loop for tree in trees for loop in tree.walk() if not loop.inner]
    deepest = max(len(_chain(trees, loop)) for loop in innermost)
    innermost = [loop for loop in innermost if len(_chain(trees, loop)) == deepest]
    folded = _folded(nest, len(nest.loops) - deepest)
    elements = {loop.head: max(1, steps.get(loop.origin, 1)) * folded for loop in innermost}
    # Of several unswitched versions of a loop, one for each value of a condition, the longest represents all.
    ordered = sorted(innermost, key=lambda loop: (-elements[loop.head], -len(loop.instructions())))
    notes = [f"a loop at {loop.label} has no counter: one iteration per pass is assumed" for loop in ordered
             if loop.origin not in steps]  # fmt: skip
    return Code(
        tuple(ordered),
        tuple(elements[loop.head] for loop in ordered),
        tuple(_chain(trees, ordered[0])[1:]),
        made_by,
        tuple(notes),
        jam,
    )


def _folded(nest: LoopNest, missing: int) -> int:
    """Iterations of inner loops that the compiler fully unrolled: those with constant trip counts."""
    folded = nest.loops[len(nest.loops) - missing :] if missing > 0 else ()
    for loop in folded:
        if loop.trips.integer is None:
            message = f"the compiler turned the loop over {loop.variable} into something else"
            raise UnsupportedError(message, file=nest.file, line=loop.line)
    return prod(loop.trips.integer or 0 for loop in folded)


def _chain(trees: tuple[AsmLoop, ...], wanted: AsmLoop) -> list[AsmLoop]:
    """A loop and those around it, from the inside out."""
    for tree in trees:
        if tree is wanted:
            return [tree]
        if wanted.head in tree.blocks:
            return [*_chain(tree.inner, wanted), tree]
    return []


def _byte_strides(nest: LoopNest) -> set[int]:
    """Byte strides of the accesses of the innermost loop, where constant."""
    variable, step = nest.loops[-1].variable, nest.loops[-1].step.integer or 1
    strides = set()
    for use in nest.arrays:
        for access in use.accesses:
            elements = 0
            for subscript, dim in zip(access.subscripts, use.dims, strict=True):
                if dim.stride is not None and variable in (coefficients := dict(subscript.coefficients)):
                    elements += (coefficients[variable] * dim.stride).integer or 0
            strides.add(abs(elements * use.type.size * step))
    return strides - {0}


def _bytes_stored(nest: LoopNest) -> int:
    """Bytes that an iteration of the innermost loop stores; 0 where that is conditional."""
    inside = nest.levels[-1] if nest.levels and all(map(vectorise.is_straight, nest.levels[-1])) else ()
    return sum(statement.target.type.size for statement in inside if isinstance(statement, Store))


def _jammed(nest: LoopNest, instructions: list[Instruction], elements: int) -> int:
    """Unroll-and-jam factor of a pass, derived from its arithmetic, as addresses do not show it. 1 where the arithmetic
    is not an integer multiple of the source's, or is conditional."""
    inner = [block for block in nest.blocks if block.depth == len(nest.loops)]
    if len(nest.loops) == 1 or any(block.conditions for block in inner):
        return 1
    work = {"add": 1, "multiply": 1, "fma": 2, "divide": 1, "sqrt": 1}
    done = sum(
        work.get(instruction.kind, 0) * instruction.lanes
        for instruction in instructions
        if instruction.element.startswith("f")
    )
    asked = sum(float(count) for kind, count in nest.operations().items() if kind in _FLOPS) * elements
    times = round(done / asked) if asked else 1
    return times if times > 1 and abs(done / asked - times) < 0.01 else 1


def _chosen(functions: tuple[Function, ...], assembly: UserAssembly, nest: LoopNest) -> Function:
    name = assembly.function or nest.function
    names = (name,) if assembly.function else (name, f"{name}_", f"_{name}")
    named = [function for function in functions if function.name in names]
    if assembly.function and named:
        return named[0]
    candidates = named or [function for function in functions if assembly.function or find_loops(function)]
    if assembly.function or len(candidates) > 1:
        listed = ", ".join(function.name for function in candidates[:8])
        raise InputError(f"no function {name} in the assembly", file=assembly.name, hint=f"there are: {listed}")
    return (candidates or list(functions))[0]


def _main(innermost: list[AsmLoop], steps: dict[int, int], assembly: UserAssembly, nest: LoopNest) -> AsmLoop:
    """Selected loop; of several, the one with most source iterations per pass."""
    if assembly.loop:
        if named := [loop for loop in innermost if loop.label == assembly.loop]:
            return named[0]
        listed = ", ".join(loop.label for loop in innermost)
        raise InputError(f"no innermost loop {assembly.loop}", file=assembly.name, hint=f"there are: {listed}")
    line = assembly.line or nest.line
    lines = {loop.head: {instruction.source_line for instruction, _ in loop.instructions()} for loop in innermost}
    last = max((statement.line for statement in nest.levels[-1]), default=nest.line) if nest.levels else nest.line
    at = [loop for loop in innermost if any(line <= own <= max(line, last) for own in lines[loop.head])]
    if assembly.line and not at:
        raise InputError(f"no innermost loop comes from line {assembly.line}", file=assembly.name)
    accesses = [access for array in nest.arrays for access in array.accesses]
    writes = any(access.writes and nest.blocks[access.block].depth == len(nest.loops) for access in accesses)
    # Of a function with several nests, prefer loops that store to memory, or do not, as this nest does.
    alike = [
        loop for loop in at or innermost if any(instruction.stores for instruction, _ in loop.instructions()) == writes
    ]
    return max(alike or at or innermost, key=lambda loop: (steps[loop.head], len(loop.instructions())))
