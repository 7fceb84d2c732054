"""The Triton spaces: compiles every configuration on all cores, and writes FOLDER/cases.toml for ../h200/run.cu.

python triton_spaces.py FOLDER [MOST [SPACE…]]     MOST configurations of each space that does not say how many; needs
                                                   Triton, and no GPU
"""

from __future__ import annotations

import importlib.util
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import spaces

LANES = 32
TYPES = {"f16": "*fp16", "f32": "*fp32", "i32": "*i32"}
OPTIONS = ("num_warps", "num_stages")
#: the spaces that were measured first: as many configurations of each as are asked for
FIRST = ("triton_matmul", "triton_softmax", "triton_attention")
Job = tuple[str, dict[str, int]]


def kernel(name: str) -> Any:
    spec = importlib.util.spec_from_file_location("triton_kernels", spaces.DATA / spaces.SPACES[name].source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def compiled(job: Job) -> Any:
    """Machine code and shared memory, as Triton compiles it for these arguments: multiples of 16, aligned arrays."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    name, values = job
    function = kernel(name)
    constants = {key: value for key, value in values.items() if key not in OPTIONS}
    passed = [key for key in function.arg_names if key not in constants]
    types = [TYPES[text[:3]] if "[" in text else "i32" for text in spaces.SPACES[name].arguments]
    signature = dict.fromkeys(constants, "constexpr") | dict(zip(passed, types, strict=True))
    signature = {key: signature[key] for key in function.arg_names}
    attributes = {(place,): [["tt.divisibility", 16]] for place, key in enumerate(function.arg_names) if key in passed}
    source = ASTSource(function, signature, constexprs=constants, attrs=attributes)
    options = {key: values[key] for key in OPTIONS}
    return triton.compile(source, target=GPUTarget("cuda", 90, LANES), options=options)


def attempt(given: tuple[Job, Path]) -> str:
    """The entry of a configuration; its module lies beside it."""
    (name, values), folder = given
    called = spaces.named(name, values)
    try:
        done = compiled((name, values))
    except Exception as error:
        return f"# {called}: {str(error).splitlines()[:1]}\n"
    cubin = done.asm["cubin"]
    (folder / f"{called}.cubin").write_bytes(cubin)
    code = sha256(cubin).hexdigest()[:16]
    launch = {"block": LANES * done.metadata.num_warps, "shared": done.metadata.shared}
    return spaces.entry(name, values, module=called, **launch) + f"# {code}\n"


def main(folder: Path, most: int, *names: str) -> None:
    spaces.SPACES.update((name, spaces.SPACES[name]._replace(most=most)) for name in FIRST)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [name for name in spaces.SPACES if name in names or (not names and name.startswith("triton_"))]
    each = [[(name, values) for values in spaces.configurations(spaces.SPACES[name])] for name in chosen]
    jobs = [job for together in zip_longest(*each) for job in together if job is not None]
    good = 0
    with (
        ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool,
        (folder / "cases.toml").open("w") as cases,
    ):
        for entry in pool.map(attempt, [(job, folder) for job in jobs]):
            print(entry, file=cases, flush=True)  # at once: what is compiled can be measured
            good += not entry.startswith("#")
    print(f"{good} of {len(jobs)} compiled")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else spaces.MOST, *sys.argv[3:])
