"""The exploration that benchmarks measure: five code blocks, eight axes, a constraint, up to three objectives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.uses import explore

if TYPE_CHECKING:
    from foretell.uses.explore.study import Study

EVENTS = {
    "time": 1e9, "instInt": 8e9, "instFP": 4e9, "numAccess": 5e9, "hitsL1": 4.7e9, "hitsLLC": 2.5e8,
    "LD": 3e7, "ST": 1e7,
}  # fmt: skip
SPACE = """machine = "blue-gene-q"
[[application]]
code = "five.json"
[names]
cores = "cores.count"
llc_MiB = { path = "level.LLC.size", unit = "MiB" }
[axes]
cores = { from = 8, to = 64, count = 15 }
"clock.frequency" = { from = "1 GHz", to = "3 GHz", count = 9 }
"level.L1.size" = { from = "8 KiB", to = "96 KiB", count = 18 }
llc_MiB = { from = 4, to = 64, count = 16 }
"level.LLC.latency" = { from = "20 cycle", to = "60 cycle", count = 9 }
"memory.bandwidth" = { from = "10 GB/s", to = "200 GB/s", count = 40 }
"memory.latency" = { from = "100 cycle", to = "900 cycle", count = 18 }
threads_per_core = [1, 2, 3, 4]
[objectives]
minimise = OBJECTIVES
constraints = ["cores + llc_MiB <= 96"]
"""
OBJECTIVES = ('["time"]', '["time", "area"]', '["time", "area", "power"]')


def study(objectives: str, file: str = "five.toml", bandwidths: int = 40) -> Study:
    """Writes profile and space file into this folder, and prepares them."""
    regions = [{"name": f"block {n}", "events": {**EVENTS, "time": 1e9 * (1 + 0.1 * n)}} for n in range(5)]
    profile = {"format": "foretell-profile", "version": 1, "name": "five", "machine": "blue-gene-q"}
    Path("five.json").write_text(json.dumps({**profile, "cores": 16, "threads_per_core": 1, "regions": regions}))
    text = SPACE.replace("OBJECTIVES", objectives).replace("count = 40", f"count = {bandwidths}")
    Path(file).write_text(text)
    return explore.prepare_study(file)
