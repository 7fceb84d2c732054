"""Predicts the parallel loops of loops.c with each number of threads, and compares with times of measure.sh.

    python validation/cpu/openmp/compare.py MACHINE.toml ASSEMBLY.s TIMES.csv [TIMES.csv...]

ASSEMBLY.s is the compiler's own. Of several series, the shorter median of each case counts.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from statistics import median

from foretell import machines, predict
from foretell.errors import InputError
from foretell.frontends import SourceOptions, read_sources

LOOPS = Path(__file__).with_name("loops.c")


def measured(files: list[str]) -> dict[tuple[str, str, int], float]:
    """The shortest median of each function, parameters and number of threads."""
    times: dict[tuple[str, str, int], float] = {}
    for file in files:
        with Path(file).open(encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                key = (row["function"], row["parameters"], int(row["threads"]))
                times[key] = min(times.get(key, float("inf")), float(row["median"]))
    return times


def main() -> None:
    """Prints every case, and the errors of each number of threads."""
    machine, assembly, *files = sys.argv[1:]
    loaded, options = machines.load(machine), {"asm": assembly, "flags": "-O3 -march=native -fopenmp"}
    errors: dict[int, list[float]] = {}
    inside = 0
    for (function, text, threads), seconds in measured(files).items():
        sizes = {name: float(value) for name, _, value in (word.partition("=") for word in text.split())}
        code = read_sources([LOOPS], SourceOptions(kernel=function))
        try:
            answer = predict(code, loaded, parameters={**sizes, "threads": threads}, options=options)
        except InputError as error:
            print(f"{function:18} {text:18} {threads:3}  refused: {error.message}")
            continue
        low, high = answer.interval_s
        mark = " " if low <= seconds <= high else "!"
        inside += mark == " "
        error = answer.time_s / seconds - 1
        errors.setdefault(threads, []).append(abs(error))
        print(f"{mark} {function:18} {text:18} {threads:3} {seconds:.3e} s {answer.time_s:.3e} s {error:+7.1%}  "
              f"{answer.bottleneck.resource}")  # fmt: skip
    everything = [error for own in errors.values() for error in own]
    for name, own in [*((f"{threads} threads", own) for threads, own in errors.items()), ("all", everything)]:
        within = sum(error <= 0.2 for error in own) / len(own)
        print(f"{name}: {len(own)} cases, median {median(own):.1%}, within 20 % {within:.0%}")
    print(f"inside the interval: {inside / len(everything):.0%}")


if __name__ == "__main__":
    main()
