"""How far the interval must reach by cause, so that functions which the factors were not chosen with lie inside.

    python validation/cpu/suite-styles/intervals.py RECORDING.toml PREDICTIONS.json [RECORDING.toml PREDICTIONS.json...]

PREDICTIONS is what `evaluate.py` kept (CACHE) of the tuning half. For each cause, the narrowest factors that hold a
share of all other functions are tried on each function that was left out. What is in doubt beside (`CoreTime.less`)
is kept.
"""

from __future__ import annotations

import json
import sys
from math import hypot
from pathlib import Path
from statistics import median

from foretell import files, units
from foretell.models.cpu.nest_time import UNCERTAIN
from foretell.uses.error_statistics import set_of

#: the kind of uncertainty of a bottleneck in the core
_KINDS = {"latency": "latency", "ports": "ports", "issue": "throughput", "loads": "throughput", "stores": "throughput"}
_SHARES = (0.93, 0.95, 0.97)
_PAIRS = [(low / 100, high / 100) for low in range(70, 99) for high in range(106, 192, 2)]
_GRID = sorted(_PAIRS, key=lambda pair: pair[1] / pair[0])

Case = tuple[str, float, float, float, float]  # function, measured, predicted, and what is in doubt below and above


def cases(recording: Path, kept: Path) -> list[tuple[str, Case]]:
    """Cases of the tuning half in caches that the core bounds, with the kind of their uncertainty."""
    entries = files.parse_toml(files.read_text(recording), recording)["case"]
    found = []
    for name, answer in json.loads(kept.read_text()).items():
        entry = entries.get(name.partition(" ")[2])
        if entry is None or "time" not in answer or set_of(entry["kernel"]) != "tuning" or "(memory)" in name:
            continue
        if kind := _KINDS.get(answer["bound"]):
            time, (low, high) = answer["time"], answer["interval"]
            least, most = UNCERTAIN[kind]
            less = max(0.0, (time - low) ** 2 - ((1 - least) * time) ** 2) ** 0.5
            more = max(0.0, (high - time) ** 2 - ((most - 1) * time) ** 2) ** 0.5
            found.append((kind, (entry["kernel"], units.parse_as(entry["measured"], "s"), time, less, more)))
    return found


def ends(case: Case, low: float, high: float) -> tuple[float, float]:
    """The interval of a case with these factors."""
    _, _, time, less, more = case
    return time - hypot((1 - low) * time, less), time + hypot((high - 1) * time, more)


def inside(case: Case, low: float, high: float) -> bool:
    """Whether the measured time lies in it."""
    least, most = ends(case, low, high)
    return least <= case[1] <= most


def narrowest(some: list[Case], share: float) -> tuple[float, float]:
    """The factors nearest to each other that hold a share of the cases."""
    wanted = share * len(some)
    return next((pair for pair in _GRID if sum(inside(case, *pair) for case in some) >= wanted), _GRID[-1])


def left_out(some: list[Case], share: float) -> tuple[float, float]:
    """The share of cases inside, each with factors of other functions alone, and the median ratio of their ends."""
    held, widths = 0, []
    for function in {case[0] for case in some}:
        factors = narrowest([case for case in some if case[0] != function], share)
        for case in (case for case in some if case[0] == function):
            least, most = ends(case, *factors)
            held += least <= case[1] <= most
            widths.append(most / least if least > 0 else float("inf"))
    return held / len(some), median(widths)


def main() -> None:
    """Prints a line for each cause and share."""
    arguments = [Path(name) for name in sys.argv[1:]]
    every = [one for pair in zip(arguments[::2], arguments[1::2], strict=True) for one in cases(*pair)]
    for kind in dict.fromkeys(_KINDS.values()):
        some = [case for name, case in every if name == kind]
        for share in _SHARES if some else ():
            held, width = left_out(some, share)
            low, high = narrowest(some, share)
            print(
                f"{kind:10} {len(some):3} cases of {len({case[0] for case in some})} functions  share {share:.2f}: "
                f"{low:.2f} to {high:.2f}, left out {held:.1%} inside, ends {width:.2f} apart"
            )


if __name__ == "__main__":
    main()
