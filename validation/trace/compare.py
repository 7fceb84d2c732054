"""The cost model against measured times of the traced examples: python compare.py [RESULT.json]

Replays traces/ (traces.py made them) and results/ (measure.py did): no compiler and no GPU is needed. Printed are how
often the hard bound is beaten, how far measured times are above it, whether the order of machines is right, how far
relative speeds are off, and what a split by predicted cost would reach of one by measured times.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

import foretell
from foretell import frontends, machines
from foretell.door import Case, prepare
from foretell.uses.split import split

HERE = Path(__file__).parent
MEASURED = HERE / "results" / "xeon-16-h200-2026-11-15.json"
XEON = HERE.parent / "thread-scaling" / "results" / "xeon-16.toml"  # probed before the examples ran there
#: a measured time this much below the bound counts as beating it
SLACK = 0.05
OPTIONS: dict[str, str] = {}


@dataclass(frozen=True)
class Place:
    """Where an example ran: a machine, and how many of its cores."""

    name: str
    machine: str | Path
    threads: int | None
    versions: tuple[str, ...]


PLACES = (
    Place("xeon 1", XEON, 1, ("sequential", "openmp 1")),
    Place("xeon 4", XEON, 4, ("openmp 4",)),
    Place("xeon 16", XEON, 16, ("openmp 16",)),
    Place("h200", "h200", None, ("cuda",)),
)


@dataclass(frozen=True)
class Row:
    """One example at one place."""

    case: str
    place: str
    measured_s: float
    predicted_s: float
    hard_s: float


def main(result: Path | None) -> None:
    """Prints the rows and what follows from them."""
    cases = json.loads(MEASURED.read_text())["cases"]
    loaded = {place.name: machines.load(place.machine) for place in PLACES}
    waits = json.loads(MEASURED.read_text())["regions"]
    for name in loaded:
        if name.startswith("xeon"):
            loaded[name] = loaded[name].with_values({"sync.launch": waits["empty 16"]})
    rows: list[Row] = []
    splits: list[float] = []
    for case in cases:
        name = f"{case['example']}-{'-'.join(case['arguments'])}"
        workload = frontends.read(HERE / "traces" / f"{name}.trace")
        made = {place.name: ready(workload, loaded[place.name], place) for place in PLACES}
        rows += [row(name, place, made[place.name], case["seconds"]) for place in PLACES]
        splits.append(reached([made["xeon 16"], made["h200"]], case["seconds"]))
    for one in rows:
        print(
            f"{one.case:28}{one.place:9}{one.measured_s:.2e} s  cost {one.predicted_s:.2e}  bound {one.hard_s:.2e}"
        )
    summary = summarise(rows, splits)
    print("\n".join(f"{name:34}{value:.3g}" for name, value in summary.items()))
    if result is not None:
        document = {"summary": summary, "rows": [vars(one) for one in rows]}
        result.write_text(json.dumps(document, indent=1) + "\n")


def ready(workload: foretell.Workload, machine: foretell.Machine, place: Place) -> Case:
    """The model with everything in it."""
    parameters = {} if place.threads is None else {"threads": float(place.threads)}
    return prepare(workload, machine, parameters=parameters, model="cost", options=OPTIONS)


def row(name: str, place: Place, case: Case, seconds: dict[str, float]) -> Row:
    """Predicted and measured at one place; of several versions the faster one."""
    found = case.predict()
    hard = found.details["hard_bound_s"]
    assert isinstance(hard, float)
    return Row(name, place.name, min(seconds[version] for version in place.versions), found.time_s, hard)


def reached(cases: list[Case], seconds: dict[str, float]) -> float:
    """The speed of our split of the work over both machines, of what measured times would give."""
    measured = {cases[0].machine.name: seconds["openmp 16"], cases[1].machine.name: seconds["cuda"]}
    found = split(cases, measured=measured)
    assert found.oracle_s is not None
    return found.oracle_s / found.split_s


def summarise(rows: list[Row], splits: list[float]) -> dict[str, float]:
    """The numbers that are asked for."""
    by_case: dict[str, list[Row]] = {}
    for one in rows:
        by_case.setdefault(one.case, []).append(one)
    pairs = [(a, b) for places in by_case.values() for a, b in combinations(places, 2)]
    right = [(a.predicted_s < b.predicted_s) == (a.measured_s < b.measured_s) for a, b in pairs]
    usual = Counter((a.place, b.place, a.measured_s < b.measured_s) for a, b in pairs)
    commonest = sum(max(usual[(*key[:2], True)], usual[(*key[:2], False)]) for key in {k[:2] for k in usual})
    orders = Counter(order(places) for places in by_case.values())
    relative = [
        abs(a.predicted_s / b.predicted_s / (a.measured_s / b.measured_s) - 1)
        for places in by_case.values()
        for a, b in combinations(places, 2)
    ]
    return {
        "cases": len(by_case),
        "bound beaten": sum(one.measured_s < (1 - SLACK) * one.hard_s for one in rows),
        "measured / bound, median": median(one.measured_s / one.hard_s for one in rows),
        "measured / cost, median": median(one.measured_s / one.predicted_s for one in rows),
        "pairs in order": sum(right) / len(right),
        "by always the commonest": commonest / len(pairs),
        "cases in another order": len(by_case) - orders.most_common(1)[0][1],
        "relative speed error, median": median(relative),
        "split of the oracle's speed, median": median(splits),
        "split of the oracle's speed, least": min(splits),
    }


def order(places: list[Row]) -> tuple[str, ...]:
    """The places, fastest first, as measured."""
    return tuple(one.place for one in sorted(places, key=lambda one: one.measured_s))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
