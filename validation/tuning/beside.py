"""Kernel Tuner's strategies on the recorded spaces, in its simulation mode: the same configurations, the same budget.

python beside.py [SPACE…]     needs pip install 'foretell[kernel-tuner]'; prints one line a space and strategy

`foretell validate tuning` shows the same beside its predictions, with fewer seeds. Printed: the share of the optimum
that the best of its first 1, 5 and 16 runs reaches (median of the seeds), and the runs until one is within 5 % of it
(median; empty where that is beyond the budget).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from foretell.core.answers.answers import Refusal
from foretell.integrations import kernel_tuner_replay
from foretell.uses.tuning import replay

SEEDS = 15


def main(spaces: list[str]) -> None:
    print("space,strategy,1,5,16,runs to 5 %")
    for name in spaces or replay.names():
        recorded = replay.read(name, "h200")
        with tempfile.TemporaryDirectory() as folder:
            cache = kernel_tuner_replay.write_cache(recorded, Path(folder) / "cache.json")
            for strategy in kernel_tuner_replay.STRATEGIES:
                found = kernel_tuner_replay.strategy(recorded, cache, strategy, SEEDS)
                if isinstance(found, Refusal):
                    print(f"# {name} {strategy}: {found.reason}", flush=True)
                    continue
                shares = ",".join(f"{share:.3f}" for share in found.top.values())
                print(f"{name},{strategy},{shares},{'' if found.runs is None else f'{found.runs:g}'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
