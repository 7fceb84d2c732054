"""Optimises IR for a CPU and emits assembly, with the source iterations of one pass of each loop."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.values import FloatRules
from foretell.codegen.load_llvmlite import load_binding
from foretell.core.llvm.module import Module
from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from foretell.codegen.compilers.flags import CodeOptions
    from foretell.core.llvm.syntax import Operand
    from foretell.core.nest.loopnest import LoopNest

TRIPLES = {"x86-64": "x86_64-unknown-linux-gnu", "aarch64": "aarch64-unknown-linux-gnu"}


@record
class Emitted:
    """Assembly text, and the optimised IR it came from. `steps`: for the head of every counted loop in the IR, the
    source iterations of one pass."""

    assembly: str
    optimised: str
    steps: tuple[tuple[str, int], ...]


def emit(
    text: str,
    isa: str,
    cpu: str,
    options: CodeOptions,
    vector_bits: int = 0,
    switches: Mapping[str, bool] = MappingProxyType({}),
) -> Emitted:
    """Generates assembly of a module for a CPU of an instruction set; `vector_bits` 0 is LLVM's own choice. `switches`
    of LLVM precede those that follow from the options."""
    return _emitted(text, isa, cpu, replace(options, ignored=()), vector_bits, tuple(switches.items()))


@lru_cache(maxsize=256)  # versions of a nest that differ in lines and directives alone are the same module
def _emitted(
    text: str, isa: str, cpu: str, options: CodeOptions, vector_bits: int, switches: tuple[tuple[str, bool], ...]
) -> Emitted:
    binding = load_binding()
    for switch, on in {**_switches(isa, options), **dict(switches)}.items():
        binding.set_option("foretell", f"-{switch}={str(on).lower()}")
    machine = _target(isa, cpu, _features(isa, options, vector_bits), min(options.level, 3))
    module = binding.parse_assembly(text)
    module.triple = TRIPLES[isa]
    module.data_layout = str(machine.target_data)
    module.verify()
    tuning = binding.create_pipeline_tuning_options(speed_level=options.level)
    tuning.loop_vectorization = options.vectorise
    tuning.slp_vectorization = options.vectorise
    tuning.loop_interleaving = not options.gcc
    tuning.loop_unrolling = options.unroll
    builder = binding.create_pass_builder(machine, tuning)
    with _messages():
        builder.getModulePassManager().run(module, builder)
    optimised = str(module)
    return Emitted(str(machine.emit_assembly(module)), optimised, loop_steps(optimised))


def _switches(isa: str, options: CodeOptions) -> dict[str, bool]:
    """LLVM switches that imitate a compiler; LLVM switches are global state, so all are set each time."""
    gcc = options.gcc
    return {
        # Vectorises ordered sums; LLVM by default does not on x86-64.
        "force-ordered-reductions": gcc or isa == "aarch64",
        # gcc checks for overlapping arrays before every row.
        "hoist-runtime-checks": not gcc,
        # gcc reloads a neighbour that the previous iteration has loaded.
        "enable-load-pre": not gcc,
        # LLVM speculates that an unknown stride is 1, and vectorises only then.
        "enable-mem-access-versioning": not gcc,
        "enable-epilogue-vectorization": True,
        "enable-interleaved-mem-accesses": True,
        "disable-vector-combine": False,
    }


_WIDTHS = {128: "+prefer-128-bit", 256: "-prefer-128-bit,+prefer-256-bit", 512: "-prefer-128-bit,-prefer-256-bit"}


def _features(isa: str, options: CodeOptions, vector_bits: int) -> str:
    """Target features: the preferred vector width, and whether to gather and scatter."""
    words = [] if options.gathers else ["+prefer-no-gather", "+prefer-no-scatter"]
    words += [_WIDTHS[vector_bits]] if vector_bits else []
    return ",".join(words) if isa == "x86-64" else ""


@lru_cache(maxsize=32)
def _target(isa: str, cpu: str, features: str, level: int) -> Any:
    binding = load_binding()
    if isa not in TRIPLES:
        raise InputError(f"code for {isa} cannot be generated; it can for {', '.join(TRIPLES)}")
    target = binding.Target.from_triple(TRIPLES[isa])
    with _messages() as said:
        machine = target.create_target_machine(cpu=cpu, features=features, opt=level, reloc="pic", codemodel="small")
    if "not a recognized processor" in said[0]:
        raise InputError(
            f"LLVM has no CPU named {cpu!r} for {isa}", hint="target.cpu of the machine, or -march= of the flags"
        )
    machine.set_asm_verbosity(True)
    return machine


@contextmanager
def _messages() -> Iterator[list[str]]:
    """Captures LLVM's standard error: the only place where it reports an unknown CPU, and remarks on loops that it was
    told to vectorise and did not."""
    messages: list[str] = [""]
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield messages
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            messages[0] = file.read().decode(errors="replace")


def loop_steps(text: str) -> tuple[tuple[str, int], ...]:
    """Label and counter step of every block with a counter that controls the back edge.

    A counter is a phi whose next value is itself plus a constant and is compared at the end of the loop.
    """
    counter_steps: dict[str, int] = {}
    for function in Module(text).functions.values():
        code = [instruction for block in function.blocks for instruction in block.instructions]
        compared = {name for instruction in code if instruction.opcode == "icmp" for name in instruction.names}
        adds = {instruction.result: instruction.operands for instruction in code if instruction.opcode == "add"}
        for block in function.blocks:
            steps = [
                abs(int(adds[value][1].text))
                for phi in block.phis
                for value in phi.names
                if _counts(phi.result, value, adds, compared)
            ]
            if steps:
                counter_steps[block.label.strip('"')] = max(steps)
    return tuple(counter_steps.items())


def _counts(phi: str, value: str, adds: Mapping[str, tuple[Operand, ...]], compared: Collection[str]) -> bool:
    """Whether a phi becomes itself plus a constant, and it or its next value is compared."""
    if value not in adds or (value not in compared and phi not in compared):
        return False
    counter, step = adds[value]
    return counter.text == phi and step.text.removeprefix("-").isdigit()


def scalar_code(nest: LoopNest) -> str:
    """Scalar LLVM IR of a nest in SSA form, with loops not rotated, unrolled or vectorised, for processors without an
    LLVM target; the head of the loop at depth d is the block `for{d}.head`."""
    binding = load_binding()
    text = nest_ir(nest, FloatRules(contract=True, checked=False), LoopHints(vectorise=False, unroll=False)).text
    module = binding.parse_assembly(text)
    passes = binding.create_new_module_pass_manager()
    for name in ("sroa", "simplify_cfg", "instruction_combine", "new_gvn", "simplify_cfg", "aggressive_dce"):
        getattr(passes, f"add_{name}_pass")()
    machine = binding.Target.from_triple(TRIPLES["aarch64"]).create_target_machine()
    passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
    return str(module)
