"""Generated code that runs: nests through LLVM's just-in-time compiler, with numpy arrays."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell.codegen.ir.nest import LoopHints, nest_ir
from foretell.codegen.ir.scalars import scalar_types
from foretell.codegen.ir.values import FloatRules
from foretell.codegen.load_llvmlite import load_binding
from tests.support.caches.nests import of_c

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from foretell.core.nest.loopnest import LoopNest

KERNELS = Path(__file__).parents[2] / "data" / "asm" / "kernels.c"

_C_TYPES = {
    ("float", 4): ctypes.c_float,
    ("float", 8): ctypes.c_double,
    ("int", 1): ctypes.c_int8,
    ("int", 2): ctypes.c_int16,
    ("int", 4): ctypes.c_int32,
    ("int", 8): ctypes.c_int64,
    ("uint", 1): ctypes.c_uint8,
    ("uint", 4): ctypes.c_uint32,
    ("uint", 8): ctypes.c_uint64,
}


@cache
def kernel(name: str) -> LoopNest:
    """The nest of one of the kernels."""
    return next(nest for nest in of_c(KERNELS.read_text()).nests if nest.function == name)


def kernel_names() -> list[str]:
    return [nest.function for nest in of_c(KERNELS.read_text()).nests]


def run(
    nest: LoopNest,
    arrays: dict[str, NDArray[Any]],
    sizes: dict[str, int],
    scalars: dict[str, float] | None = None,
    rules: FloatRules | None = None,
    hints: LoopHints | None = None,
) -> dict[str, float]:
    """Runs the generated code on arrays (changed in place); gives the scalars that outlive the loops."""
    made = nest_ir(nest, rules or FloatRules(checked=False), hints or LoopHints())
    binding = load_binding()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(made.text)
    engine = binding.create_mcjit_compiler(module, binding.Target.from_default_triple().create_target_machine(opt=2))
    engine.finalize_object()
    kinds: list[Any] = []
    values: list[Any] = []
    results: dict[str, Any] = {}
    types = scalar_types(nest)
    for argument in made.arguments:
        what, _, name = argument.partition(" ")
        if what == "array":
            use = nest.arrays[int(name)]
            kinds.append(ctypes.c_void_p)
            values.append(arrays[use.name].ctypes.data)
        elif what == "size":
            kinds.append(ctypes.c_int64)
            values.append(sizes[name])
        elif what == "scalar":
            kinds.append(_C_TYPES[types[name].kind, types[name].size])
            given = (scalars or {}).get(name, 0)
            values.append(given if types[name].kind == "float" else int(given))
        else:
            place = _C_TYPES[types[name].kind, types[name].size]()
            results[name] = place
            kinds.append(ctypes.c_void_p)
            values.append(ctypes.addressof(place))
    function = ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address("nest"))
    function(*values)
    return {name: place.value for name, place in results.items()}


def numbers(count: int, seed: int = 1, kind: type = np.float64) -> NDArray[Any]:
    """Numbers between 1 and 2."""
    return (1 + np.random.default_rng(seed).random(count)).astype(kind)
