"""Explorations of small spaces, against every point predicted by itself."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.core.columns.expression import Expression
from foretell.decoding import decoded
from foretell.errors import InputError
from foretell.machines import load
from foretell.uses import explore as use
from foretell.uses.explore import evaluate, objectives, verdicts
from foretell.uses.explore.summary import SIGNED, Accumulator, Points, StoredSummary, decode, encode, histogram_edges
from tests.properties.core.test_pareto import brute_front
from tests.support.explore import GOOD, big, study, write

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.exploration import Exploration

TRADEOFF_MACHINE = """name = "area-64"
base = "sw26010"
source = "rule"
[sources.rule]
kind = "paper"
reference = "Raexplore, Section 6.5"
[cores]
count = 16
per_group = 16
[level.LLC]
size = "16 MiB"
shared_by = 16
"""


def explored(tmp_path: Path, text: str = GOOD) -> Exploration:
    return foretell.explore(write(tmp_path, text))


def by_hand(rows: float, cores: float, bandwidth: float, clock: float) -> tuple[float, float, float, float]:
    """Times, area and power of one design, each from one prediction and the seed's own numbers."""
    machine = load("sw26010").with_values(
        {"cores.count": cores, "cores.per_group": cores, "memory.bandwidth": bandwidth, "clock.frequency": clock}
    )
    add = foretell.predict("example:vector-add", machine, parameters={"rows": rows}).time_s
    bodies = foretell.predict("example:n-body", machine).time_s
    sram = cores * 64 / 1024
    area = cores * 3.06 + sram * 4.24
    return add, bodies, area, cores * 0.89 * clock / 1.45e9 + sram * 1.34


def test_every_design_against_single_predictions(tmp_path: Path) -> None:
    answer = explored(tmp_path)
    grid = list(itertools.product((64, 96, 128), (16e9, 24e9, 32e9, 40e9, 48e9, 56e9, 64e9), (1.2e9, 1.45e9), (1, 2)))
    designs = {}
    for number, (cores, bandwidth, clock, rows) in enumerate(grid):
        if cores * bandwidth / 1e9 <= 6000:
            designs[number] = by_hand(rows, cores, bandwidth, clock)
    assert (answer.points, answer.excluded, answer.infeasible) == (len(grid), len(grid) - len(designs), 0)
    columns = [
        np.array([(add + 3 * bodies) / 4 for add, bodies, _, _ in designs.values()]),
        np.array([area for *_, area, _ in designs.values()]),
        np.array([power for *_, power in designs.values()]),
    ]
    numbers = list(designs)
    expected = {numbers[row] for row in brute_front(columns)}
    assert {design.number for design in answer.front} == expected
    for design in answer.front:
        row = numbers.index(design.number or 0)
        found = [design.objectives[name] for name in ("time", "area", "power")]
        assert found == pytest.approx([column[row] for column in columns], rel=1e-12)
    for position, best in enumerate(answer.best):
        assert best.time_s == pytest.approx(min(design[position] for design in designs.values()), rel=1e-12)
    assert [d.number for d in answer.top] == [
        numbers[row] for row in np.lexsort((numbers, columns[2], columns[1], columns[0]))[:10]
    ]
    assert sum(count for *_, count in answer.histogram) == len(designs)
    for low, high, count in answer.histogram:
        assert count == ((columns[0] >= low) & (columns[0] < high)).sum()
    for entry, column in zip(answer.objectives, columns, strict=True):
        assert (entry.lowest, entry.highest) == pytest.approx((column.min(), column.max()))


def test_the_baseline_is_the_machine_as_it_is(tmp_path: Path) -> None:
    answer = explored(tmp_path)
    assert answer.baseline is not None
    add, bodies, area, power = by_hand(1, 64, 32e9, 1.45e9)
    assert answer.baseline.times_s == {"vector_add": add, "n_body": bodies}
    assert answer.baseline.objectives == pytest.approx({"time": (add + 3 * bodies) / 4, "area": area, "power": power})


def test_another_machine_mode_and_option_reach_the_models(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace('machine = "sw26010"\n', ""))
    with pytest.raises(InputError, match="no machine to start from"):
        foretell.explore(path)
    fast = load("sw26010").with_values({"memory.delta_delay": 10})
    plain = foretell.explore(path, "sw26010")
    assert foretell.explore(path, fast).key != plain.key
    assert foretell.explore(path, "sw26010", mode="paper").key != plain.key
    options = {"mrp_rounding": "none"}
    assert foretell.explore(path, "sw26010", options=options).key != plain.key


def test_seeds_can_be_overridden(tmp_path: Path) -> None:
    text = GOOD + '[coefficients]\ncore_mm2 = 10\n[figures]\npower = "2*cores"\nwaste = "area*time"\n'
    text = text.replace('"power"]', '"power", "waste"]')
    answer = explored(tmp_path, text)
    design = answer.front[0]
    cores = design.parameters["cores.count"]
    assert design.objectives["power"] == 2 * cores
    assert design.objectives["area"] == pytest.approx(cores * 10 + cores / 16 * 4.24)
    assert design.objectives["waste"] == pytest.approx(design.objectives["area"] * design.objectives["time"])
    assert not any("core_mm2" in note for note in answer.assumptions)
    assert any("sram_mm2_per_MiB" in note for note in answer.assumptions)


@pytest.mark.parametrize("name", objectives.seed_names())
def test_every_seed_number_has_a_source(name: str) -> None:
    chosen = objectives.seed(name)
    assert all(source for _, source in chosen.coefficients.values())
    assert {"area", "power", "energy", "cost"} <= set(chosen.figures)


def test_sram_seed_is_within_the_cacti_runs_it_comes_from() -> None:
    """CACTI 7 at 45 nm: 8 MiB 36.2 mm2, 32 MiB 135.6 mm2; at 22 nm 33.7 mm2."""
    per_mib = objectives.seed("big-core").coefficients["sram_mm2_per_MiB"][0]
    assert 32 * per_mib == pytest.approx(135.6, rel=0.001)
    assert 8 * per_mib == pytest.approx(36.2, rel=0.07)
    assert 32 * per_mib * (22 / 45) ** 2 == pytest.approx(33.7, rel=0.05)


def test_shared_and_private_caches_are_counted() -> None:
    machine = load("blue-gene-q")
    numbers = objectives.Numbers(machine, {"cores.count": np.array([16.0, 32.0])})
    totals = objectives._TOTALS
    assert np.ravel(totals["shared_MiB"][0](numbers)).tolist() == [16.0]
    private = (16 + 4) / 1024
    assert np.asarray(totals["cache_MiB"][0](numbers)).tolist() == [16 + 16 * private, 16 + 32 * private]
    assert totals["scratchpad_MiB"][0](numbers) == 0


def test_a_gpu_has_no_seed_for_its_cores(tmp_path: Path) -> None:
    assert load("h100").kind not in objectives.DEFAULT_SEED
    with pytest.raises(InputError, match="'core_mm2'"):
        foretell.explore(write(tmp_path, GOOD), load("sw26010").__class__(**{**vars_of("sw26010"), "kind": "gpu"}))


def vars_of(name: str) -> dict[str, Any]:
    machine = load(name)
    return {field.name: getattr(machine, field.name) for field in dataclasses.fields(machine)}


def test_factors_of_a_code_parameter_and_ranges_with_units(tmp_path: Path) -> None:
    text = GOOD.replace("rows = [1, 2]", "rows = { times = [1, 2] }")
    text = text.replace("bw = { from = 16, to = 64, step = 8 }", 'bw = "16:64:8 GB/s"')
    assert explored(tmp_path, text).front == explored(tmp_path).front
    alike = text.replace('"16:64:8 GB/s"', '["16", "24 GB/s", "32 GB/s", "40 GB/s", "48 GB/s", 56, 64]')
    assert explored(tmp_path, alike).front == explored(tmp_path).front
    spaced = text.replace('"16:64:8 GB/s"', '{ from = "16 GB/s", to = 64, count = 7 }')
    assert [d.number for d in explored(tmp_path, spaced).front] == [d.number for d in explored(tmp_path).front]


def test_a_latency_that_gets_worse_by_more(tmp_path: Path) -> None:
    """Compute-bound code and a longer pipeline: less is better, and nearly linear."""
    text = (
        'machine = "sw26010"\n[[application]]\ncode = "heavy.toml"\n'
        '[axes]\n"pipeline.floating.latency" = { times = [0.5, 1, 2] }\n"cores.groups" = [1]\n'
    )
    kernel = "[offload]\ncores = 1\n[offload.instructions]\nfloating = 1000000\nilp = 1\n"
    write(tmp_path, kernel, "heavy.toml")
    latency, groups = explored(tmp_path, text).verdicts
    assert (latency.better, latency.balance) == ("less", "under-designed")
    assert latency.loss == pytest.approx(1)
    assert latency.gain == pytest.approx(1)
    assert groups.balance == "over-designed"


# -------------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("half", "twice", "expected"),
    [
        (1.038, 0.97, "over-designed"),  # LLC of Blue Gene/Q, mean (Figure 17)
        (1.07, 0.95, "over-designed"),  # … and its worst application
        (1.97, 0.50, "under-designed"),  # cores, LULESH (Figure 14)
        (1.95, 0.73, "leans to under-design"),  # cores, AMG
        (1.6, 0.98, "balanced"),  # bandwidth: halving hurts, doubling does not help (Figure 18)
        (None, None, "no effect known"),
        (1.9, None, "under-designed"),
    ],
)
def test_verdicts_of_the_raexplore_paper(half: float | None, twice: float | None, expected: str) -> None:
    loss = None if half is None else math.log2(half)
    gain = None if twice is None else -math.log2(twice)
    assert verdicts.balance(loss, gain) == expected


def test_a_latency_is_better_when_it_is_less(tmp_path: Path) -> None:
    text = GOOD.replace('"clock.frequency" = ["1.2 GHz", "1.45 GHz"]', '"memory.latency" = { times = [1, 2] }')
    answer = explored(tmp_path, text + '[scaling]\nparameters = ["memory.latency", "bw"]\nfactors = [0.5, 8]\n')
    assert [table.label for table in answer.scaling] == ["memory.latency", "bw"]
    latency = next(item for item in answer.verdicts if item.label == "memory.latency" and item.application == "mean")
    assert latency.loss is not None
    assert latency.loss >= 0
    assert {row.factor for row in answer.scaling[0].rows} == {0.5, 1.0, 2.0, 8.0}


def test_scaling_against_single_predictions(tmp_path: Path) -> None:
    answer = explored(tmp_path)
    table = next(entry for entry in answer.scaling if entry.parameter == "memory.bandwidth")
    for row in table.rows:
        machine = load("sw26010").with_values({"memory.bandwidth": row.value})
        assert row.value == 32e9 * row.factor
        assert row.times_s["vector_add"] == foretell.predict("example:vector-add", machine).time_s
    cores = next(entry for entry in answer.scaling if entry.parameter == "cores.count")
    halved = next(row for row in cores.rows if row.factor == 0.5)
    assert halved.times_s["n_body"] is None  # it asks for 64 cores
    assert halved.mean_s is None
    assert "64 cores asked for" in cores.note


def test_options_of_area_64(tmp_path: Path) -> None:
    """Section 6.5 of the Raexplore paper: a core takes the area of 1 MiB, twice the area of 16 + 16 is 64."""
    machine = write(tmp_path, TRADEOFF_MACHINE, "area-64.toml")
    text = f"""machine = "{machine.name}"
[[application]]
code = "example:vector-add"
[names]
cores = "cores.count"
llc_MiB = {{ path = "level.LLC.size", unit = "MiB" }}
bw = {{ path = "memory.bandwidth", unit = "GB/s" }}
[axes]
cores = [16, 32, 48, 56, 60]
llc_MiB = [4, 8, 16, 32, 48]
[follow]
"cores.per_group" = "cores"
[objectives]
minimise = ["time", "area"]
seed = "raexplore"
constraints = ["cores + llc_MiB <= 64"]
[tradeoff]
between = ["cores", "llc_MiB"]
keep = "area"
total = 64
set = {{ bw = 96 }}
"""
    answer = explored(tmp_path, text)
    assert answer.tradeoff is not None
    mib = 2.0**20
    rows = [(cores, llc / mib) for cores, llc in (row.values for row in answer.tradeoff.rows)]
    assert rows == [(16, 16), (16, 48), (32, 32), (48, 16), (56, 8), (60, 4)]
    assert [row.kept for row in answer.tradeoff.rows] == [32, 64, 64, 64, 64, 64]
    assert [row.is_baseline for row in answer.tradeoff.rows] == [True] + [False] * 5
    assert sum(row.is_best for row in answer.tradeoff.rows) == 1
    tripled = load("sw26010").with_values({"cores.count": 32, "cores.per_group": 32, "memory.bandwidth": 96e9})
    assert answer.tradeoff.rows[2].mean_s == foretell.predict("example:vector-add", tripled).time_s
    assert any("no model depends on level.LLC.size" in note for note in answer.assumptions)
    areas = [design.objectives["area"] for design in answer.front]
    assert max(areas) <= 64


# -------------------------------------------------------------------------------------- summaries


def test_summaries_merge_in_any_order_to_the_same_answer(tmp_path: Path) -> None:
    prepared, _ = study(tmp_path, big(300_000))
    parts = [evaluate.evaluate_block(prepared, block) for block in range(prepared.blocks)]
    assert len(parts) > 3
    whole = None
    rng = np.random.default_rng(0)
    for _ in range(5):
        total = evaluate.empty(prepared)
        nested = evaluate.empty(prepared)
        order = rng.permutation(len(parts))
        for place in order[:2]:
            nested.merge(parts[place])
        for place in order[2:]:
            stored = decoded(StoredSummary, json.loads(json.dumps(encode(parts[place]))), "", SIGNED)
            total.merge(decode(stored, len(prepared.objectives), len(prepared.cases)))
        total.merge(nested.summary())
        found = encode(total.summary())
        whole = whole or found
        assert found == whole


def test_top_and_front_of_ties_go_to_the_lowest_number() -> None:
    flat = Accumulator(2, 1, 3)
    ones = np.ones(1000)
    for first in (1000, 0):
        index = np.arange(first, first + 1000, dtype=np.int64)
        flat.add(Points(index, (ones, ones)), [ones], ones)
    summary = flat.summary()
    assert summary.top.index.tolist() == [0, 1, 2]
    assert summary.front.index.tolist() == [0]
    assert summary.best == ((1.0, 0),)


def test_histogram_bins_hold_their_times() -> None:
    times = np.geomspace(1e-9, 1e3, 500)
    bins = Accumulator(1, 1, 1)
    bins.add(Points(np.arange(500, dtype=np.int64), (times,)), [times], times)
    found = bins.summary().histogram
    assert sum(found.values()) == 500
    for key, count in found.items():
        low, high = histogram_edges(key)
        assert high / low <= 1.126
        assert ((times >= low) & (times < high)).sum() == count


def test_no_constraint_is_looked_at_twice_and_none_is_forgotten(tmp_path: Path) -> None:
    """A constraint over the time is late, one over the area is early; both exclude."""
    text = GOOD.replace('["cores*bw <= 6000"]', '["area <= 300", "time <= 0.001", "energy < 1"]')
    prepared, file = study(tmp_path, text)
    assert [entry.text for entry in prepared.early] == ["area <= 300"]
    assert [entry.text for entry in prepared.late] == ["time <= 0.001", "energy < 1"]
    answer = use.run(prepared, file, use.Job())
    assert answer.points == 84
    assert 0 < answer.excluded < 84
    assert all(d.objectives["area"] <= 300 and d.objectives["time"] <= 0.001 for d in answer.front)


def test_a_figure_that_needs_itself_is_refused(tmp_path: Path) -> None:
    prepared, _ = study(tmp_path, GOOD + '[figures]\nloop = "knot"\nknot = "loop"\n')
    with pytest.raises(InputError, match="defined by itself"):
        prepared.figures.check(Expression("loop"))


def test_python_explores_like_the_command_line(tmp_path: Path) -> None:
    answer = foretell.explore("example:sunway-designs")
    assert answer.points == 3600
    assert len(answer.front) > 10
    with pytest.raises(InputError, match=r"no example space 'sunway-design'.*did you mean 'sunway-designs'"):
        foretell.explore("example:sunway-design")
