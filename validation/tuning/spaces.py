"""The tuning spaces: axes, constraints, launches; and their measurement.

python spaces.py count                     how many configurations each space has
python spaces.py build FOLDER [SPACE…]     compiles every configuration with nvcc, on all cores, and writes
                                           FOLDER/cases.toml for ../h200/run.cu
python spaces.py record TIMES.jsonl FOLDER SPACE…   times of a run of run.cu as FOLDER/SPACE.csv
"""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

#: the kernels, the spaces and their times are package data, so that `foretell validate tuning` replays them anywhere
DATA = Path(__file__).parents[2] / "src/foretell/uses/recorded/tuning"
#: at most so many configurations of a space are measured, drawn from those that its constraints allow, where
#: its entry does not say how many
MOST = 410


class Space(NamedTuple):
    """Macros with their values, constraints over them, and the launch: grid, block and arguments."""

    axes: dict[str, tuple[int, ...]]
    constraints: tuple[str, ...]
    grid: tuple[str, ...]
    block: tuple[str, ...]
    arguments: tuple[str, ...]
    source: str = "kernels.cu"
    most: int = MOST
    seed: int = 20261117


def _read(entry: dict[str, Any]) -> Space:
    axes = {name: tuple(values) for name, values in entry["axes"].items()}
    parts = (tuple(entry.get(key, ())) for key in ("constraints", "grid", "block", "args"))
    usual = "triton_kernels.py" if entry.get("triton") else "kernels.cu"
    return Space(axes, *parts, entry.get("source", usual), **entry.get("drawn", {}))


SPACES = {name: _read(entry) for name, entry in tomllib.loads((DATA / "spaces.toml").read_text()).items()}


def configurations(space: Space) -> list[dict[str, int]]:
    """Those that are measured."""
    every = [dict(zip(space.axes, values, strict=True)) for values in itertools.product(*space.axes.values())]
    allowed = [values for values in every if all(evaluate(text, values) for text in space.constraints)]
    return allowed if len(allowed) <= space.most else random.Random(space.seed).sample(allowed, space.most)


def evaluate(expression: str, values: dict[str, int]) -> Any:
    return eval(expression, {"__builtins__": {}, "ceil": math.ceil}, values)  # expressions of our own file


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
            [*command, "-o", str(out), str(DATA / SPACES[space].source)], capture_output=True, text=True
        )
        if done.returncode:
            print(out.stem, done.stderr.splitlines()[:1])
        return done.returncode == 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(compile_one, jobs))
    entries = [entry(space, values) for (space, values), good in zip(jobs, made, strict=True) if good]
    (folder / "cases.toml").write_text("\n".join(entries))
    print(f"{sum(made)} of {len(jobs)} compiled")


def entry(name: str, values: dict[str, int], module: str = "", block: int = 0, shared: int = 0) -> str:
    """A launch; `module` has the kernel if it does not carry the name of the configuration: blocks are then of `block`
    threads with `shared` bytes, and two pointers to scratch memory follow the arguments (Triton)."""
    space, called = SPACES[name], named(name, values)
    grid, threads = ([evaluate(text, values) for text in part] for part in (space.grid, space.block))
    given = [text if "[" in text else str(evaluate(text, values)) for text in space.arguments]
    arguments = ", ".join([f'"{text}"' if "[" in text else text for text in given] + ['"i64:0"'] * (2 if module else 0))
    text = f'[[launch]]\nname = "{called}"\nkernel = "{name if module else called}"\n'
    text += f"grid = {grid}\nblock = {threads or [block]}\n"
    text += f'module = "{module}"\n' * bool(module) + f"shared = {shared}\n" * bool(shared)
    return text + f"args = [{arguments}]\n"


def record(times: Path, folder: Path, spaces: list[str]) -> None:
    """A row for each configuration; without a time where it did not run."""
    lines = [json.loads(line) for line in times.read_text().splitlines()]
    measured = {line["case"]: f"{line['row']['median_s'] * 1e6:.4g}" for line in lines if "row" in line}
    for space in spaces:
        rows = [
            ",".join((*map(str, values.values()), measured.get(named(space, values), "")))
            for values in sorted(configurations(SPACES[space]), key=lambda values: tuple(values.values()))
        ]
        header = ",".join((*SPACES[space].axes, "time_us"))
        (folder / f"{space}.csv").write_text("\n".join([header, *rows]) + "\n")


def main(what: str, *rest: str) -> None:
    if what == "count":
        print(json.dumps({name: len(configurations(space)) for name, space in SPACES.items()}))
    elif what == "record":
        record(Path(rest[0]), Path(rest[1]), list(rest[2:]))
    else:
        build(Path(rest[0]), list(rest[1:]) or [name for name in SPACES if not name.startswith("triton_")])


if __name__ == "__main__":
    main(*sys.argv[1:])
