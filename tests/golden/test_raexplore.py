"""Every Raexplore number of the specification: printed by the paper, or following from its equations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from foretell.core.facets.counts import Counts
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.counters import CountersModel, breakdown, equations
from foretell.models.counters import inputs as run
from tests.support.models.counters import SYNTHETIC, block, profile

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.models.base import Settings

CASES = json.loads((Path(__file__).parent / "raexplore.json").read_text())["cases"]
Case = dict[str, Any]
ARCH = {"BGQ": "blue-gene-q"}

#: the specification's names -> those of the core
TERMS = {
    "instC": "instC", "aIL": "aIL", "ILP": "ILP", "IPC": "IPC", "timeInst": "timeInst", "hitL1": "L1", "aML": "aML",
    "MLP": "MLP", "MPC": "MPC", "timeLat": "timeLat", "timeBW": "timeBW", "timeMem": "timeMem", "lam": "lambda",
    "ov_raw": "overlap_unclamped", "ov": "timeOverlap", "time": "time",
}  # fmt: skip
BASE_TERMS = {
    "instIntC": "int_per_core", "instFPC": "fp_per_core", "aIL": "aIL", "tmin": "timeInst_min", "tmax": "timeInst_max",
    "timeInst": "timeInst", "IPC": "IPC", "ILP": "ILP", "instC": "instC", "aML": "aML", "timeLat": "timeLat",
    "MPC": "MPC", "MLP": "MLP", "api": "accessPerInst", "bwCC": "bwCC", "timeBW": "timeBW", "timeMem": "timeMem",
    "ov": "timeOverlap",
}  # fmt: skip


def settings(options: Case) -> Settings:
    """Default mode with the decisions that the case names; unscaled traffic, threads that add to the parallelism and
    transfers that add to instructions are what the cases were made with."""
    if not options.get("overlap_clamp", True):  # may fall below a bound, which only paper mode allows
        return CountersModel().settings("paper", {"core_ratio": "scaled"})
    traffic = "scaled" if options.get("scale_traffic") else "unscaled"
    return CountersModel().settings("default", {"traffic": traffic, "core_threads": "added", "bandwidth": "added"})


def target_machine(base: Machine, target: Case) -> Machine:
    if "Phi" in target.get("desc", ""):
        return load("xeon-phi-7120p")
    values = {
        "cores.count": target.get("activeCores"),
        "level.L1.size": target["sizeL1_KB"] * 1024 if "sizeL1_KB" in target else None,
        "level.LLC.size": target["sizeLLC_MB"] * 2**20 if "sizeLLC_MB" in target else None,
        "memory.bandwidth": target["BW_GBps"] * 1e9 if "BW_GBps" in target else None,
    }
    return base.with_values({path: value for path, value in values.items() if value is not None})


def synthetic(inputs: Case) -> tuple[breakdown.BlockResult, foretell.Prediction]:
    """One block through the equations, and through the front door."""
    base, target = inputs["base"], inputs["target"]
    events = {name: value for name, value in inputs["profile"].items() if name != "hitsL1p"}
    workload = profile(block(**events), machine=ARCH[base["arch"]], cores=base["activeCores"], tpc=base["TPC"])
    machine = target_machine(load("blue-gene-q"), target)
    chosen = settings(inputs["options"])
    counts = workload.facet(Counts)
    baseline = counts.machine
    assert baseline is not None
    parameters = {"threads": target["activeCores"] * target["TPC"], "threads_per_core": target["TPC"]}
    launch = run.launch(counts, baseline, parameters, Inputs(machine, {}))
    result = breakdown.evaluate(
        "block",
        run.events(counts.blocks[0], baseline, "none", baseline.value("clock.frequency")),
        run.base(counts, baseline, chosen),
        run.target(Inputs(machine, {}), launch, chosen),
        equations.rules(chosen, "none"),
    )
    answer = CountersModel().predict(workload.with_parameters(parameters), machine, chosen)
    return result, answer


def check(actual: float, expected: float, tolerance: dict[str, float]) -> None:
    assert actual == pytest.approx(expected, rel=tolerance.get("rel", 0), abs=tolerance.get("abs", 0)), actual


def table5(inputs: Case) -> float:
    """Through the model: the hit rate that it predicts for so many threads on a core."""
    hits = inputs["hit_rate_1tpc"]
    events = {**SYNTHETIC, "hitsL1": hits * 5e9, "hitsLLC": (1 - hits) * 5e9}
    answer = foretell.predict(profile(block(**events)), "blue-gene-q", parameters={"threads_per_core": inputs["tpc"]})
    rates = answer.details["blocks"][0]["hits"]  # type: ignore[index, call-overload]
    return float(rates["L1"])  # type: ignore[index, call-overload, arg-type]


@pytest.mark.parametrize("case", [c for c in CASES if c["name"].startswith("rax_table5")], ids=lambda c: c["name"])
def test_table_5(case: Case) -> None:
    rate = table5(case["inputs"])
    if "hit_rate" in case["expected"]:
        check(rate, case["expected"]["hit_rate"], case["tolerance"])
    else:  # errors are relative to the prediction
        error = abs(rate - case["inputs"]["measured"]) / rate * 100
        check(error, case["expected"]["error_pct"], case["tolerance"])


@pytest.mark.parametrize("case", [c for c in CASES if "target" in c["inputs"]], ids=lambda c: c["name"])
def test_projection(case: Case) -> None:
    result, answer = synthetic(case["inputs"])
    for name, value in case["expected"].items():
        if name == "sec":
            check(answer.time_s, value, case["tolerance"])
        elif name.startswith("base_"):
            check(result.analysis[BASE_TERMS[name.removeprefix("base_")]], value, case["tolerance"])
        else:
            check(result.terms[TERMS[name]], value, case["tolerance"])


def test_baseline() -> None:
    case = next(c for c in CASES if c["name"] == "rax_synthetic_baseline")
    answer = foretell.predict(profile(block(**SYNTHETIC)), "blue-gene-q")
    found = answer.details["blocks"][0]["baseline"]  # type: ignore[index, call-overload]
    for name, value in case["expected"].items():
        key = BASE_TERMS[name]
        check(found[f"{key}_cycles" if key.startswith("time") else key], value, case["tolerance"])  # type: ignore[index, call-overload, arg-type]


@pytest.mark.parametrize("name", ["bgq", "phi"])
def test_bandwidth_per_core_and_cycle(name: str) -> None:
    case = next(c for c in CASES if c["name"] == f"rax_bwCC_{name}")
    machine = load({"bgq": "blue-gene-q", "phi": "xeon-phi-7120p"}[name])
    events = run.events(block(**SYNTHETIC), machine, "none", machine.value("clock.frequency"))
    counts = Counts((), int(machine.value("cores.count")), 1)
    rules = equations.rules(CountersModel().settings(), "none")
    found = equations.analysis(events, run.base(counts, machine, CountersModel().settings()), rules)["bwCC"]
    check(found, case["expected"]["bwCC_B_per_cycle"], case["tolerance"])
    check(found * machine.value("clock.frequency") / 1e9, case["expected"]["GBps_per_core"], case["tolerance"])


def test_bandwidth_ratio() -> None:
    case = next(c for c in CASES if c["name"] == "rax_bw_ratio")
    bgq, phi = load("blue-gene-q"), load("xeon-phi-7120p")
    per_core = [m.value("memory.bandwidth") / m.value("cores.count") for m in (phi, bgq)]
    check(per_core[0] / per_core[1], case["expected"]["per_core_ratio"], {"rel": 1e-9})
    assert per_core[0] / per_core[1] == pytest.approx(1.7, abs=0.05)  # as printed


def test_every_option_of_fig_20_has_the_same_area() -> None:
    case = next(c for c in CASES if c["name"] == "rax_tradeoff_area")
    assert {cores + llc for cores, llc in case["inputs"]["options"]} == {case["expected"]["area"]}
    bgq = load("blue-gene-q")
    assert bgq.value("cores.count") + bgq.value("level.LLC.size") / 2**20 == case["expected"]["baseline_area"]


def test_scaled_traffic_moves_the_best_of_fig_20() -> None:
    """R-8: unscaled traffic favours the most cores; traffic that follows the LLC favours more cache, where transfers
    add to instructions as in the paper."""
    best = {}
    for traffic in ("scaled", "unscaled"):
        times = {}
        for cores, llc in ((16, 48), (32, 32), (48, 16), (56, 8), (60, 4)):
            machine = load("blue-gene-q").with_values(
                {"cores.count": cores, "level.LLC.size": llc * 2**20, "level.L1.size": 65536, "memory.bandwidth": 84e9}
            )
            answer = foretell.predict(
                profile(block(**SYNTHETIC)), machine, options={"traffic": traffic, "bandwidth": "added"}
            )
            times[cores, llc] = answer.time_s
        best[traffic] = min(times, key=lambda option: times[option])
    assert best == {"unscaled": (60, 4), "scaled": (56, 8)}
