"""Small spaces of designs around the SW26010, written as a user writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.uses.explore.space_file import read_space
from foretell.uses.explore.study import Study, prepare_study

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.uses.explore.specification import SpaceFile

GOOD = """machine = "sw26010"
[[application]]
code = "example:vector-add"
[[application]]
code = "example:n-body"
weight = 3
[names]
cores = "cores.count"
bw = { path = "memory.bandwidth", unit = "GB/s" }
[axes]
cores = [64, 96, 128]
bw = { from = 16, to = 64, step = 8 }
"clock.frequency" = ["1.2 GHz", "1.45 GHz"]
rows = [1, 2]
[follow]
"cores.per_group" = "cores"
[objectives]
minimise = ["time", "area", "power"]
constraints = ["cores*bw <= 6000"]
"""


def write(folder: Path, text: str = GOOD, name: str = "space.toml") -> Path:
    """A space file in a folder."""
    path = folder / name
    path.write_text(text)
    return path


def study(folder: Path, text: str = GOOD) -> tuple[Study, SpaceFile]:
    """A prepared study and the file it came from."""
    file = read_space(write(folder, text))
    return prepare_study(file), file


def big(points: int, objectives: str = '["time", "area", "power"]') -> str:
    """A space of several blocks, sampled."""
    return f"""machine = "sw26010"
[[application]]
code = "example:vector-add"
[names]
cores = "cores.count"
[axes]
cores = {{ from = 8, to = 128 }}
"memory.bandwidth" = {{ from = "16 GB/s", to = "128 GB/s", scale = "log" }}
"clock.frequency" = {{ from = "1 GHz", to = "2 GHz" }}
rows = [1, 2]
[follow]
"cores.per_group" = "cores"
[sample]
method = "sobol"
points = {points}
seed = 3
[objectives]
minimise = {objectives}
constraints = ["cores <= 120"]
"""
