"""The tuning spaces: axes, constraints, launches; and their measurement.

python spaces.py count                     how many configurations each space has
python spaces.py build FOLDER [SPACE…]     compiles every configuration with nvcc, on all cores, and writes
                                           FOLDER/cases.toml for ../h200/run.cu
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
#: at most so many configurations of a space are measured, drawn from those that its constraints allow
MOST = 410


class Space(NamedTuple):
    """Macros with their values, a constraint over them, and the launch: grid, block and arguments."""

    axes: dict[str, tuple[int, ...]]
    allowed: str
    grid: tuple[str, ...]
    block: tuple[str, ...]
    arguments: tuple[str, ...]


SPACES = {
    "gemm": Space(
        {"BM": (32, 64, 128), "BN": (32, 64, 128), "BK": (8, 16, 32), "TM": (2, 4, 8), "TN": (2, 4, 8),
         "PAD": (0, 1, 4), "UNROLL": (1, 4, 8)},
        "64 <= BM//TM*(BN//TN) <= 512",
        ("2048//BN", "2048//BM"),
        ("BM//TM*(BN//TN)",),
        ("f32[4194304]", "f32[4194304]", "f32[4194304]", "2048"),
    ),
    "convolution": Space(
        {"BX": (16, 32, 64, 128), "BY": (1, 2, 4, 8, 16), "TX": (1, 2, 4, 8), "TY": (1, 2, 4, 8), "PAD": (0, 1),
         "UNROLL": (1, 17), "F": (17,)},
        "64 <= BX*BY <= 1024 and (BX*TX+16+PAD)*(BY*TY+16)*4 <= 48*1024",
        ("-(-4096//(BX*TX))", "-(-4096//(BY*TY))"),
        ("BX", "BY"),
        ("f32[16777216]", "f32[289]", "f32[16777216]", "4096", "4096"),
    ),
    "stencil": Space(
        {"BX": (16, 32, 64, 128), "BY": (2, 4, 8, 16), "TX": (1, 2, 4), "TY": (1, 2, 4, 8), "STEPS": (1, 2, 3, 4),
         "PAD": (0, 1)},
        "64 <= BX*BY <= 1024 and 8*(BX*TX+PAD)*BY*TY <= 48*1024 and BY*TY > 2*STEPS+1 and BX*TX > 2*STEPS+1",
        ("-(-4096//(BX*TX-2*STEPS))", "-(-4096//(BY*TY-2*STEPS))"),
        ("BX", "BY"),
        ("f32[16777216]", "f32[16777216]", "4096"),
    ),
    "reduction": Space(
        {"BLOCK": (64, 128, 256, 512, 1024), "ITEMS": (1, 2, 4, 8, 16), "V": (1, 2, 4), "SHUFFLE": (0, 1),
         "GRID": (132, 264, 528, 1056, 2112)},
        "True",
        ("GRID",),
        ("BLOCK",),
        ("f32[67108864]", "f32[1]", "67108864//V"),
    ),
    "transpose": Space(
        {"TILE": (16, 32, 64), "COLUMNS": (8, 16, 32, 64), "ROWS": (2, 4, 8, 16, 32), "PAD": (0, 1, 2),
         "BLOCKS": (1, 2, 4), "UNROLL": (1, 4)},
        "32 <= COLUMNS*ROWS <= 1024 and COLUMNS <= TILE and ROWS <= TILE",
        ("8192//TILE//BLOCKS", "8192//TILE"),
        ("COLUMNS", "ROWS"),
        ("f32[67108864]", "f32[67108864]", "8192"),
    ),
    "spmv": Space(
        {"BLOCK": (32, 64, 128, 256, 512, 1024), "LANES": (1, 2, 4, 8, 16, 32), "ROWS": (1, 2, 4, 8),
         "UNROLL": (1, 2, 4)},
        "True",
        ("-(-524288*LANES//(ROWS*BLOCK))",),
        ("BLOCK",),
        ("i32[524289]@offsets(24)", "i32[12582960]@random(0,524288)", "f32[12582960]", "f32[524288]", "f32[524288]",
         "524288"),
    ),
    "nbody": Space(
        {"BLOCK": (64, 128, 256, 512), "EACH": (1, 2, 4, 8), "TILE": (64, 128, 256, 512, 1024),
         "UNROLL": (1, 2, 4, 8, 16)},
        "True",
        ("65536//(BLOCK*EACH)",),
        ("BLOCK",),
        ("f32x4[65536]", "f32x4[65536]", "65536"),
    ),
    "histogram": Space(
        {"BLOCK": (64, 128, 256, 512, 1024), "ITEMS": (1, 2, 4, 8), "COPIES": (1, 2, 4, 8, 16), "PAD": (0, 1),
         "GRID": (132, 528, 2112)},
        "True",
        ("GRID",),
        ("BLOCK",),
        ("i32[33554432]@random(0,256)", "i32[256]", "33554432"),
    ),
}  # fmt: skip


def configurations(space: Space) -> list[dict[str, int]]:
    """Those that are measured."""
    every = [dict(zip(space.axes, values, strict=True)) for values in itertools.product(*space.axes.values())]
    allowed = [one for one in every if evaluate(space.allowed, one)]
    return allowed if len(allowed) <= MOST else random.Random(20261117).sample(allowed, MOST)


def evaluate(expression: str, values: dict[str, int]) -> Any:
    return eval(expression, {"__builtins__": {}}, values)  # expressions of this file


def named(space: str, values: dict[str, int]) -> str:
    return "_".join((space, *map(str, values.values())))


def build(folder: Path, spaces: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(space, values) for space in spaces for values in configurations(SPACES[space])]

    def compile_one(job: tuple[str, dict[str, int]]) -> bool:
        space, values = job
        out = folder / f"{named(space, values)}.cubin"
        macros = [f"-D{name}={value}" for name, value in values.items()]
        command = [
            "nvcc",
            "-cubin",
            "-O3",
            "-lineinfo",
            "-arch=sm_90",
            f"-DSPACE_{space}",
            f"-DNAME={out.stem}",
            *macros,
        ]
        done = subprocess.run(
            [*command, *macros, "-o", str(out), str(HERE / "kernels.cu")], capture_output=True, text=True
        )
        if done.returncode:
            print(out.stem, done.stderr.splitlines()[:1])
        return done.returncode == 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(compile_one, jobs))
    entries = [entry(space, values) for (space, values), good in zip(jobs, made, strict=True) if good]
    (folder / "cases.toml").write_text("\n".join(entries))
    print(f"{sum(made)} of {len(jobs)} compiled")


def entry(name: str, values: dict[str, int]) -> str:
    space, called = SPACES[name], named(name, values)
    grid, block = ([evaluate(text, values) for text in part] for part in (space.grid, space.block))
    given = [text if "[" in text else str(evaluate(text, values)) for text in space.arguments]
    arguments = ", ".join(f'"{text}"' if "[" in text else text for text in given)
    return f'[[launch]]\nname = "{called}"\nkernel = "{called}"\ngrid = {grid}\nblock = {block}\nargs = [{arguments}]\n'


def main(what: str, *rest: str) -> None:
    if what == "count":
        print(json.dumps({name: len(configurations(space)) for name, space in SPACES.items()}))
    else:
        build(Path(rest[0]), list(rest[1:]) or list(SPACES))


if __name__ == "__main__":
    main(*sys.argv[1:])
