"""Replays recorded spaces on all cores of a machine: `foretell validate tuning` with as many configurations as fit.

python many_cores.py FILE SECONDS [PROCESSES [SPACE…]]     needs nvcc, nvdisasm and, for some, Triton

Configurations are taken in the order of their hash, so that those that are done when the time is over are a random
sample of each space. The best sixteen are then predicted precisely, as `tune` does. FILE gets one JSON object a space.
"""

from __future__ import annotations

import json
import math
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, replace
from itertools import chain, zip_longest
from pathlib import Path

from foretell import machines
from foretell.core.answers.tuning import Variant
from foretell.errors import ForetellError
from foretell.uses.tuning import replay
from foretell.uses.tuning.kernels import Code, KernelBench, Target, compiled, disassemble, predicted
from foretell.uses.tuning.tuner import REFINED

#: codes of a task: the disassembler takes most of its time to start
TOGETHER = 6
BUDGET = 16

Done = dict[int, Variant]


def codes_of(recorded: replay.Recorded, *, precise: bool, numbers: list[int]) -> list[Code]:
    target = Target(machines.load("h200"), kept=False, precise=precise)
    bench = KernelBench(recorded.space, recorded.configurations, target)
    return bench._grouped(numbers, target)[0]


def work(codes: list[Code]) -> tuple[float, list[tuple[int, Variant]]]:
    """Compiles, disassembles and predicts codes; the CPU seconds of predictions."""
    problems = [compiled(code) for code in codes]
    disassemble(codes, problems)
    spent, found = 0.0, []
    for code, problem in zip(codes, problems, strict=True):
        numbers = [number for number, _, _ in code.launches]
        if problem:
            found += [(number, Variant({}, reason=problem, invalidity="compile")) for number in numbers]
            continue
        seconds, variants, _ = predicted(code)
        spent += seconds
        found += zip(numbers, variants, strict=True)
    return spent, found


def first_pass(
    pool: ProcessPoolExecutor, processes: int, spaces: dict[str, replay.Recorded], until: float
) -> dict[str, Done]:
    """Predicts configurations of all spaces in turn until the time is over."""
    parts: list[list[tuple[str, list[Code]]]] = []
    for name, recorded in spaces.items():
        codes = codes_of(recorded, precise=False, numbers=list(range(len(recorded.configurations))))
        parts.append([(name, codes[k : k + TOGETHER]) for k in range(0, len(codes), TOGETHER)])
    tasks = iter([task for task in chain(*zip_longest(*parts)) if task])
    done: dict[str, Done] = {name: {} for name in spaces}
    running: dict[Future[tuple[float, list[tuple[int, Variant]]]], str] = {}
    while True:
        while len(running) < 2 * processes and time.time() < until and (task := next(tasks, None)):
            running[pool.submit(work, task[1])] = task[0]
        if not running:
            return done
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            name = running.pop(future)
            _spent[name] = _spent.get(name, 0.0) + future.result()[0]
            done[name] |= dict(future.result()[1])


_spent: dict[str, float] = {}


def second_pass(pool: ProcessPoolExecutor, spaces: dict[str, replay.Recorded], done: dict[str, Done]) -> None:
    """Predicts the best ones of each space precisely."""
    running = {}
    for name, recorded in spaces.items():
        able = sorted((variant.time_s, number) for number, variant in done[name].items() if not variant.reason)
        for _, number in able[:REFINED]:
            running[pool.submit(work, codes_of(recorded, precise=True, numbers=[number]))] = name
    for future, name in running.items():
        done[name] |= dict(future.result()[1])


def main(file: str, seconds: str, processes: str = "16", *names: str) -> None:
    start = time.time()
    spaces = {name: replay.read(name, "h200") for name in names or replay.replayable()}
    with ProcessPoolExecutor(int(processes)) as pool, Path(file).open("w") as out:
        done = first_pass(pool, int(processes), spaces, start + float(seconds))
        print(f"{time.time() - start:.0f} s: {sum(map(len, done.values()))} predicted quickly", flush=True)
        second_pass(pool, spaces, done)
        print(f"{time.time() - start:.0f} s: all done", flush=True)
        for name, recorded in spaces.items():
            numbers = sorted(done[name])
            variants = [replace(done[name][n], parameters=recorded.configurations[n]) for n in numbers]
            part = replay.Recorded(
                recorded.space,
                tuple(recorded.configurations[n] for n in numbers),
                tuple(recorded.seconds[n] for n in numbers),
            )
            try:
                rate = len(numbers) / _spent[name] if _spent.get(name) else 0.0
                found = replay._compared(name, part, variants, BUDGET, rate)
                row = asdict(found)
            except ForetellError as error:
                row = {"name": name, "problem": str(error)}
            row["times"] = [
                [n, variant.time_s if math.isfinite(variant.time_s) else None, variant.reason]
                for n, variant in zip(numbers, variants, strict=True)
            ]
            out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
