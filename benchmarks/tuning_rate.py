"""Configurations of recorded tuning spaces that `tune` predicts in a CPU second, beyond compiling.

python -m benchmarks.tuning_rate [CONFIGURATIONS [SPACE …]]      128 of each report space by default, one core

As `foretell tune` does: with lower bounds, the sixteen best kept and then predicted precisely; nothing is kept from
earlier runs. `static` is without these sixteen. Limit: twenty a second in the median of the spaces.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from foretell import machines
from foretell.core.answers.tuning import Variant
from foretell.uses.error_statistics import set_of
from foretell.uses.tuning import replay
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.search import Ledger, Static, carry_out
from foretell.uses.tuning.tuner import REFINED, JournaledBench

_LEAST = 20.0


def measured(name: str, most: int) -> float:
    """Prints a row; returns configurations a CPU second."""
    recorded = replay.read(name, "h200", most)
    bench = KernelBench(
        recorded.space, recorded.configurations, Target(machines.load("h200"), kept=False), keep=REFINED
    )
    ledger = Ledger([Variant(values) for values in recorded.configurations])
    whole = JournaledBench(bench, recorded.space, recorded.configurations, None, None)
    static = 0.0

    def progress(done: int, _total: int, _best: Variant) -> None:
        nonlocal static
        static = bench.spent.seconds if done <= len(ledger.variants) else static

    start = time.monotonic()
    carry_out(Static(len(ledger.variants), REFINED), whole, ledger, progress)
    excluded = sum(variant.excluded for variant in ledger.variants)
    rates = [len(ledger.variants) / seconds for seconds in (static, bench.spent.seconds)]
    shown = [str(len(ledger.variants)), str(excluded), *(f"{rate:.1f}" for rate in rates)]
    print(name, *shown, f"{time.monotonic() - start:.0f} s with compiling", sep=" | ", flush=True)
    return rates[1]


def main(most: int = 128, *names: str) -> int:
    print("space", "configurations", "excluded", "static, a CPU second", "all, a CPU second", sep=" | ")
    rates = [measured(name, most) for name in names or filter(_is_reported, replay.replayable())]
    print(f"{median(rates):.1f} a second in the median (limit {_LEAST:.0f})")
    return int(median(rates) < _LEAST)


def _is_reported(name: str) -> bool:
    return set_of(name) == "report"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 128, *sys.argv[2:]))
