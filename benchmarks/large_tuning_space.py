"""A tuning space of 10,000 configurations: CPU seconds of prediction beyond compiling, and memory.

python -m benchmarks.large_tuning_space [CONFIGURATIONS]      of the space, spread evenly; all of them by default

The kernel is the reduction of the recorded spaces: 150 codes (BLOCK, ITEMS, V, SHUFFLE) with 67 grids each. Limits: ten
minutes on two cores for all of them, two GiB.
"""

from __future__ import annotations

import resource
import sys
from dataclasses import replace

from foretell import machines
from foretell.uses.tuning import replay
from foretell.uses.tuning.kernels import KernelBench, Target, scattered
from foretell.uses.tuning.space import Axis
from foretell.uses.tuning.tuner import REFINED

_GRIDS = tuple(float(132 * count) for count in range(1, 68))
_LIMIT_S, _CORES, _LIMIT_MIB = 600, 2, 2048


def main(most: int | None = None) -> int:
    recorded = replay.read("reduction", "h200")
    axes = tuple(Axis("GRID", _GRIDS) if axis.name == "GRID" else axis for axis in recorded.space.axes)
    space = replace(recorded.space, axes=axes)
    every = space.configurations()
    chosen = scattered(every)[:most]
    bench = KernelBench(space, chosen, Target(machines.load("h200")), keep=REFINED)
    variants = dict(bench.predict(range(len(chosen))))
    seconds = bench.spent.seconds / len(chosen) * len(every) / _CORES
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    excluded = sum(item.excluded for item in variants.values())
    print(f"{len(every)} configurations, {len(chosen)} tried, {excluded} of these excluded by bound")
    print(f"{bench.spent.rate:.1f} a second and core: {seconds:.0f} s for all on two cores (limit {_LIMIT_S})")
    print(f"{kibibytes / 1024:.0f} MiB (limit {_LIMIT_MIB})")
    return int(seconds > _LIMIT_S or kibibytes / 1024 > _LIMIT_MIB)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
