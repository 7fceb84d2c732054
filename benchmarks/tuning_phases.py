"""Where a configuration of a recorded tuning space takes its time: milliseconds of CPU by phase, compiled before.

python -m benchmarks.tuning_phases [CONFIGURATIONS [SPACE …]]      seven of each CUDA space by default

`execute`: sampled blocks with their requests; `count`: blocks that are only counted; `decode`: instructions given to
the functional core; `memory`: data that requests share; `timing`: the emulated multiprocessor; `tables`: costs of
instructions; `read`: machine code to a workload; `other`: the rest. Limit: twenty a second in the median.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

from foretell import frontends, machines
from foretell.characterize.gpu import functional
from foretell.models.gpu import block_sampling, launched, ordinary_numbers, timing
from foretell.models.saake import machine_code
from foretell.uses.tuning import replay
from foretell.uses.tuning.kernels import KernelBench, Target, compiled, disassemble, predicted

if TYPE_CHECKING:
    from collections.abc import Callable

_LEAST = 20.0
_spent: dict[str, float] = defaultdict(float)
_inner: list[float] = []


def _timed(place: Any, name: str, phase: str) -> None:
    """Counts the time of a function to a phase, without that of others that it calls."""
    whole: Callable[..., Any] = getattr(place, name)

    def measured(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        _inner.append(0.0)
        try:
            return whole(*args, **options)
        finally:
            took = time.process_time() - start
            _spent[phase] += took - _inner.pop()
            if _inner:
                _inner[-1] += took

    setattr(place, name, measured)


def _instrument() -> None:
    for module in (block_sampling, machine_code, ordinary_numbers):
        _timed(module, "execute", "execute")
    _timed(functional.Runner, "count", "count")
    _timed(functional, "program_of", "decode")
    _timed(launched, "traffic", "memory")
    _timed(timing.Core, "__init__", "timing")
    _timed(timing.Core, "run", "timing")
    _timed(launched, "op_tables", "tables")
    _timed(frontends.Reader, "workload", "read")


def main(most: int = 7, *names: str) -> int:
    import gc

    gc.disable()
    _instrument()
    phases = ("read", "decode", "execute", "count", "memory", "tables", "timing")
    print("space", "all", "a second", *phases, "other", sep=" | ")
    rates = []
    cuda = [name for name in replay.names() if not name.startswith("triton")]
    for name in names or cuda:
        recorded = replay.read(name, "h200", most)
        target = Target(machines.load("h200"), kept=False)
        bench = KernelBench(recorded.space, recorded.configurations, target)
        codes, _ = bench._grouped(range(len(recorded.configurations)), target)
        problems = [compiled(code) for code in codes]
        disassemble(codes, problems)
        _spent.clear()
        start = time.process_time()
        count = sum(len(predicted(code)[1]) for code in codes)
        whole = (time.process_time() - start) / count
        parts = [_spent[phase] / count for phase in phases]
        rates.append(1 / whole)
        shown = [f"{1e3 * value:.0f}" for value in (*parts, whole - sum(parts))]
        print(name, f"{1e3 * whole:.0f}", f"{1 / whole:.1f}", *shown, sep=" | ", flush=True)
    print(f"{median(rates):.1f} a second in the median (limit {_LEAST:.0f})")
    return int(median(rates) < _LEAST)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2]), *sys.argv[2:]))
