"""Replays measured pairs of versions: does a check tell which version is faster?

The pairs are small edits as pull requests have them (`recorded/differences`), C on an x86-64 CPU and CUDA on an H200.
They were fixed before anything was predicted; a hash of the name decides which half was used for choosing.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import api, files, units
from foretell.core.answers.check import Difference, Differences
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.machines import load
from foretell.uses.check.outcome import executed
from foretell.uses.check.verdicts import verdict_of
from foretell.uses.error_statistics import set_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from foretell.core.machine.machine import Machine
    from foretell.uses.check.outcome import Outcome

_FOLDER = Path(__file__).parents[1] / "recorded" / "differences"
_MACHINES: dict[str, str | Path] = {"c": _FOLDER / "xeon-16.toml", "cuda": "h200"}


def differences(progress: Callable[[str], None] = lambda _: None, only: Collection[str] = ()) -> Differences:
    """Predicts both versions of every pair, or of some, and compares the verdict with the measurement."""
    pairs = files.parse_toml(files.read_text(_FOLDER / "pairs.toml"), "pairs.toml")["pair"]
    times = files.parse_toml(files.read_text(_FOLDER / "times.toml"), "times.toml")["time"]
    points, refused = [], []
    for name, pair in pairs.items():
        if name not in times or (only and name not in only):
            continue
        progress(name)
        try:
            points.append(_point(name, pair, times[name]))
        except InputError as error:
            refused.append((name, error.message))
    if not points:
        raise InputError(f"no pair can be predicted; {refused[0][0]}: {refused[0][1]}")
    return Differences(tuple(points), tuple(refused))


def _point(name: str, pair: dict[str, Any], time: dict[str, Any]) -> Difference:
    base, head = (_outcome(name, pair, side) for side in ("base", "head"))
    told = verdict_of(base, head)
    return Difference(
        pair=name,
        edit=pair["edit"],
        set=set_of(name),
        told=told,
        base_s=base["time_s"],
        head_s=base["time_s"] if told == "same code" else head["time_s"],
        measured_base_s=units.parse_as(time["base"], "s"),
        measured_head_s=units.parse_as(time["head"], "s"),
        disturbed=bool(time.get("disturbed", False)),
    )


@lru_cache(maxsize=4)
def _machine(kind: str) -> Machine:
    return load(_MACHINES[kind])


def _outcome(name: str, pair: dict[str, Any], side: str) -> Outcome:
    kind = name.partition("/")[0]
    machine = _machine(kind)
    if kind == "c":
        file, options = _FOLDER / f"{name}.{side}.c", {"asm": str(_FOLDER / f"{name}.{side}.s.xz")}
        case = api.prepare(file, machine, parameters=pair["sizes"], options=options, kernel=pair["function"])
    else:
        own = {
            key: pair[f"head_{key}"] for key in ("grid", "block", "args") if side == "head" and f"head_{key}" in pair
        }
        shape = {**pair, **own}
        grid, block = (",".join(map(str, shape[key])) for key in ("grid", "block"))
        launch = parse_launch(pair["kernel"], grid, block, tuple(map(str, shape["args"])), 0)
        case = api.prepare(_FOLDER / f"{name}.{side}.sass.xz", machine, launch=launch)
    return executed(case)
