"""How wide intervals must be by cause: quantile regression over the tuning half of the suite `styles`.

    python validation/cpu/suite-styles/fit_intervals.py predict RECORDING.toml ASSEMBLY DUMP
    python validation/cpu/suite-styles/fit_intervals.py fit MISSED DUMP...

`predict` writes a line for each case: times and the parts of each nest of which `NestTime.interval` makes its ends.
`fit` chooses the factors of `nest_time.UNCERTAIN`, and how much of what is in doubt beside counts, so that the interval
score (Gneiting and Raftery 2007: the width, and 2 / MISSED times what a case lies outside, both as logarithms) is
least over undisturbed cases; functions with several cases count less for each. How often factors hold for functions
that they were not fitted to is printed: each quarter of the functions is left out in turn.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from evaluate import STYLES, predict, shared

from foretell import files, machines, units
from foretell.models.cpu import times
from foretell.models.cpu.nest_time import UNCERTAIN
from foretell.uses.error_statistics import set_of

_PARTS = ("count", "core", "less", "more", "moving", "irregular", "barriers", "exposed", "steered")
_CORES = ("core", "latency", "ports", "throughput", "instead")
_LOW = [*np.arange(0.1, 0.8, 0.1), *np.arange(0.8, 0.99, 0.01)]
_HIGH = [*np.arange(1.02, 1.4, 0.02), 1.45, 1.5, 1.6, 1.7, 1.8, 2.0, 2.2, 2.5, 3.0, 4.0]
_DOUBT = list(np.arange(0.2, 1.5, 0.1))
#: errors beyond this factor (e^1.2) count as it: some calls ended early, and did not do what was predicted
_FARTHEST = 1.2


def write(recording: Path, assembly: Path, dump: Path) -> None:
    """Writes every case of the tuning half."""
    document = files.parse_toml(files.read_text(recording), recording)
    machine = machines.load(recording.parent / document["defaults"]["machine"])
    if "one after the other" not in document["title"]:
        machine = shared(machine)
    nests: list[dict[str, object]] = []
    points = times.Times.points

    def noting(self: times.Times, count: int, certain: bool) -> object:
        if not nests:  # the answer's own; the ends of means that are not given come after it
            nests[:] = [_parts(nest) for nest in self.nests if float(np.max(nest.count))]
        return points(self, count, certain)

    times.Times.points = noting
    with dump.open("w") as lines:
        for name, entry in document["case"].items():
            if set_of(entry["kernel"]) != "tuning" or (STYLES / entry["workload"].split(":")[1]).suffix == ".f90":
                continue
            nests.clear()
            measured = units.parse_as(entry["measured"], "s")
            answer = predict({**document["defaults"], **entry}, machine, assembly)
            own = {"name": name, "kernel": entry["kernel"], "measured": measured, "nests": list(nests)}
            lines.write(json.dumps({**answer, **own, "disturbed": bool(entry.get("disturbed"))}) + "\n")


def _parts(nest: object) -> dict[str, object]:
    values = {name: getattr(nest, name, None) for name in _PARTS}
    core = nest.core
    values |= {"core": nest.core_seconds, "less": core.less, "more": core.more, "steered": core.steered}
    own = {name: float(np.max(value)) for name, value in values.items()}
    return {**own, "kind": core.certainty, "assumed": nest.lengths_assumed, "probed": nest.overlap_probed}


class Cases:
    """Cases with the parts of their nests as columns."""

    def __init__(self, rows: list[dict]) -> None:
        self.rows = rows
        of = [(place, nest) for place, row in enumerate(rows) for nest in row["nests"]]
        self._row = np.array([place for place, _ in of])
        self._parts = {name: np.array([nest[name] for _, nest in of]) for name in _PARTS}
        self._kind = np.array([_CORES.index(nest["kind"]) for _, nest in of])
        self._assumed, self._probed = (np.array([nest[name] for _, nest in of]) for name in ("assumed", "probed"))
        self.measured, self.time = (np.log([row[name] for row in rows]) for name in ("measured", "time"))
        alike = Counter(row["kernel"] for row in rows)
        self.weight = np.array([alike[row["kernel"]] ** -0.5 for row in rows])
        self.part = np.array([hashlib.md5(row["kernel"].encode()).digest()[0] % 4 for row in rows])

    def ends(self, factors: dict[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
        """The logarithms of the ends of all intervals, as `NestTime.interval` makes them."""
        p, core = self._parts, self._parts["core"]
        plain = np.array([factors[kind] for kind in _CORES]).T[:, self._kind]
        least, most = plain + p["steered"] * (np.array(factors["steered"])[:, None] - plain)
        less, more = factors["doubt"][0] * p["less"], factors["doubt"][1] * p["more"]
        in_core = np.maximum(core - np.hypot(core * (1 - least), less), least * (core - less))
        in_core_most = core + np.hypot(core * (most - 1), more)
        lines = [np.where(self._assumed, factors["assumed"][end], factors["irregular"][end]) for end in (0, 1)]
        moved = [
            p["moving"] * factors["transfers"][end] + p["irregular"] * (lines[end] - factors["transfers"][end])
            for end in (0, 1)
        ]
        waits = [p["barriers"] * factors["regions"][end] for end in (0, 1)]
        low = np.maximum(in_core, moved[0]) + waits[0]
        none = in_core_most + moved[1] + waits[1]
        high = np.maximum(in_core_most, moved[1]) + waits[1] + p["exposed"] * factors["exposed"][1]
        low = np.where(self._probed, low + p["exposed"] * factors["exposed"][0], low)
        high = np.where(self._probed, np.minimum(high, none), none)
        both = [np.bincount(self._row, end * p["count"], len(self.rows)) for end in (low, high)]
        return np.log(np.maximum(both[0], 1e-30)), np.log(both[1])

    def score(self, factors: dict[str, tuple[float, float]], chosen: np.ndarray, missed: float) -> float:
        low, high = self.ends(factors)
        error = np.clip(self.measured - self.time, -_FARTHEST, _FARTHEST) + self.time
        outside = np.maximum(low - error, 0) + np.maximum(error - high, 0)
        return float(((high - low + 2 / missed * outside) * self.weight)[chosen].sum())

    def fitted(self, chosen: np.ndarray, missed: float) -> dict[str, tuple[float, float]]:
        """The factors with the least score: each end in turn, until none changes."""
        best = {**UNCERTAIN, "doubt": (1.0, 1.0)}
        least, before = self.score(best, chosen, missed), float("inf")
        while least < before:
            before = least
            for name in best:
                for end, grid in enumerate((_DOUBT, _DOUBT) if name == "doubt" else (_LOW, _HIGH)):
                    for value in grid:
                        pair = (value, best[name][1]) if end == 0 else (best[name][0], value)
                        tried = {**best, name: pair}
                        if (score := self.score(tried, chosen, missed)) < least - 1e-9:
                            least, best = score, tried
        return best

    def told(self, title: str, low: np.ndarray, high: np.ndarray) -> None:
        inside = np.mean((low <= self.measured) & (self.measured <= high))
        print(f"{title}: {len(self.rows)} cases, {inside:.1%} inside, ends {np.exp(np.median(high - low)):.2f} apart")


def fit(missed: float, dumps: list[Path]) -> None:
    """Prints the present factors' share inside, that of factors fitted to other functions, and the fitted factors."""
    rows = [json.loads(line) for dump in dumps for line in dump.read_text().splitlines()]
    cases = Cases([row for row in rows if "time" in row and row["nests"] and not row["disturbed"]])
    cases.told("now", *cases.ends({**UNCERTAIN, "doubt": (1.0, 1.0)}))
    low, high = np.zeros(len(cases.rows)), np.zeros(len(cases.rows))
    for part in range(4):
        ends = cases.ends(cases.fitted(cases.part != part, missed))
        low, high = (np.where(cases.part == part, own, old) for own, old in zip(ends, (low, high), strict=True))
    cases.told("functions left out", low, high)
    best = cases.fitted(np.full(len(cases.rows), True), missed)
    cases.told("all", *cases.ends(best))
    print({name: tuple(round(float(end), 2) for end in pair) for name, pair in best.items()})


if __name__ == "__main__":
    if sys.argv[1] == "predict":
        write(Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        fit(float(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
