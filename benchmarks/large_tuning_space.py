"""A tuning space of 10,050 configurations predicted to its end: wall seconds beyond compiling, and memory.

python -m benchmarks.large_tuning_space [CONFIGURATIONS]      of the space, spread evenly; all of them by default

The kernel is the reduction of the recorded spaces: 150 codes (BLOCK, ITEMS, V, SHUFFLE) with 67 grids each. The codes
are compiled and disassembled first, into the cache (about five minutes; a second run finds them there). Then all
configurations are predicted by two processes, with lower bounds as `tune` uses them, and without what earlier runs
kept. Limits: ten minutes on two cores for all of them, two GiB for all processes together.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace

from foretell import machines
from foretell.uses.tuning import replay
from foretell.uses.tuning.kernels import KernelBench, Target, compiled, scattered
from foretell.uses.tuning.space import Axis, KernelSpace
from foretell.uses.tuning.tuner import REFINED

_GRIDS = tuple(float(132 * count) for count in range(1, 68))
_LIMIT_S, _CORES, _LIMIT_MIB = 600, 2, 2048


def space() -> KernelSpace:
    recorded = replay.read("reduction", "h200").space
    axes = tuple(Axis("GRID", _GRIDS) if axis.name == "GRID" else axis for axis in recorded.axes)
    return replace(recorded, axes=axes)


def main(most: int | None = None) -> int:
    whole = space()
    every = whole.configurations()
    chosen = scattered(every)[:most]
    bench = KernelBench(whole, chosen, Target(machines.load("h200"), kept=False), workers=_CORES, keep=REFINED)
    start = time.monotonic()
    codes, _ = bench._grouped(range(len(chosen)), bench._target)
    for code in codes:
        compiled(code)
    print(f"{len(codes)} codes compiled in {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    variants = []
    for _, variant in bench.predict(range(len(chosen))):
        variants.append(variant)
        if len(variants) % 1000 == 0:
            print(f"{len(variants)} after {time.monotonic() - start:.0f} s", flush=True)
    seconds = (time.monotonic() - start) / len(chosen) * len(every)
    mebibytes = (_peak(resource.RUSAGE_SELF) + _CORES * _peak(resource.RUSAGE_CHILDREN)) / 1024
    excluded = sum(item.excluded for item in variants)
    failed = sum(bool(item.reason) for item in variants)
    print(f"{len(chosen)} of {len(every)} configurations, {excluded} excluded by bound, {failed} that cannot run")
    print(f"{seconds:.0f} s for all on two cores (limit {_LIMIT_S}); {bench.spent.rate:.1f} a CPU second")
    print(f"{mebibytes:.0f} MiB in all processes at most (limit {_LIMIT_MIB})")
    return int(seconds > _LIMIT_S or mebibytes > _LIMIT_MIB or len(variants) != len(chosen))


def _peak(who: int) -> float:
    """Largest resident size in KiB, of children that of the largest."""
    return resource.getrusage(who).ru_maxrss


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
