"""A nest as scalar code with its loops as they are, for processors that LLVM does not know and whose model schedules
the code itself. Values are in registers, nothing is computed twice; loops are not turned, unrolled or vectorised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.values import FloatRules
from foretell.codegen.llvm import load_binding

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest


def scalar_code(nest: LoopNest) -> str:
    """The text of LLVM IR for a nest; the head of the loop at depth d is the block `for{d}.head`."""
    binding = load_binding()
    text = nest_ir(nest, FloatRules(contract=True, checked=False), LoopHints(vectorise=False, unroll=1)).text
    module = binding.parse_assembly(text)
    passes = binding.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_new_gvn_pass()
    passes.add_simplify_cfg_pass()
    passes.add_aggressive_dce_pass()
    machine = binding.Target.from_triple("aarch64-unknown-linux-gnu").create_target_machine()
    passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
    return str(module)
