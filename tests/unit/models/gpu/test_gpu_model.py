"""Kernels on four sub-cores with caches, from recorded listings to predictions and explanations."""

from __future__ import annotations

import itertools
import math
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.api import predict, prepare
from foretell.characterize.gpu.functional import execute
from foretell.characterize.gpu.memory import FirstLevel, traffic
from foretell.core.gpu.warps import Warps
from foretell.core.machine.machine import Source
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu import attribution, launched, reference
from foretell.models.gpu.block_sampling import sampled
from foretell.models.gpu.cache_levels import L2
from foretell.models.gpu.l1_carveout import l1_bytes
from foretell.models.gpu.multiprocessor import memory_rate
from foretell.models.gpu.occupancy import occupancy
from foretell.uses.why import why

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction
    from foretell.core.workload import Workload

MIB = 1 << 20
COPY = ("copy_f32x4", "65536", "256", [*["f32x4[16777216]"] * 2, "16777216"])


def _listing(kernel: str) -> Path:
    return Path(str(resources.files("foretell") / "uses" / "recorded" / "gpu" / f"{kernel}.sass.xz"))


def _workload(case: tuple[str, str, str, list[str]]) -> Workload:
    return read_workload(_listing(case[0]), parse_launch(*case))


def _predict(case: tuple[str, str, str, list[str]], **options: str) -> Prediction:
    return predict(_workload(case), "h200", options=options)


def _recorded(name: str) -> Workload:
    """A launch of the recorded cases, by its name."""
    cases = tomllib.loads(_listing("").with_name("cases.toml").read_text())["launch"]
    (case,) = (case for case in cases if case["name"] == name)
    sizes = [",".join(map(str, case[key])) for key in ("grid", "block")]
    return _workload((case["kernel"], sizes[0], sizes[1], [str(argument) for argument in case["args"]]))


def test_a_large_copy_runs_at_the_speed_of_memory() -> None:
    prediction = _predict(COPY)
    moved = 2 * 16 * 16777216
    assert prediction.model == "gpu"
    assert prediction.bottleneck.resource == "memory"
    assert prediction.time_s == pytest.approx(moved / load("h200").value("memory.copy_bandwidth"), rel=0.1)
    assert prediction.details["memory_read_B"] == pytest.approx(moved / 2, rel=0.001)
    assert prediction.details["memory_written_B"] == pytest.approx(moved / 2, rel=0.001)


def test_what_fits_into_l2_stays_there_when_it_is_warm() -> None:
    small = ("copy_f32x4", "1024", "256", [*["f32x4[262144]"] * 2, "262144"])
    assert _predict(small).details["memory_read_B"] == 0
    assert _predict(small, start="cold").details["memory_read_B"] == pytest.approx(4 * MIB)
    assert _predict(small, start="cold").time_s > _predict(small).time_s


def test_a_chain_of_fused_operations_takes_its_latency() -> None:
    """One warp on each multiprocessor: every operation waits four cycles for the one before."""
    workload = _recorded("fma_f32_chain/one-warp")
    prediction = predict(workload, "h200")
    execution, _ = sampled(workload.facet(Warps))
    text = workload.facet(Warps).kernel.instructions
    chain = sum(text[place].opcode == "FFMA" for place in execution.trace)
    cycles = prediction.details["cycles"]
    assert isinstance(cycles, float)
    assert 4 * chain <= cycles <= 5.5 * chain
    assert max(prediction.bounds, key=lambda bound: bound.time_s).resource == "fma"
    assert prediction.bottleneck.limit == "latency"


@pytest.mark.parametrize("name", ["fma_f32/full", "matmul_tiled_16/2048", "sum_loop/DRAM"])
def test_loops_cut_short_take_as_long_as_whole_ones(name: str) -> None:
    workload = _recorded(name)
    folded = predict(workload, "h200")
    whole = predict(workload, "h200", options={"fold": "no"})
    assert whole.details["loops_folded"] is False
    assert folded.time_s == pytest.approx(whole.time_s, rel=0.005)


def test_a_long_loop_is_cut_short() -> None:
    assert predict(_recorded("fma_f32/full"), "h200").details["loops_folded"] is True


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("memory.read_bandwidth", "sum_loop/DRAM"),
        ("level.L2.bandwidth", "sum_loop/L2"),
        ("scratchpad.bandwidth", "matmul_tiled_16/1024"),
        ("clock.frequency", "fma_f32/full"),
    ],
)
def test_a_faster_machine_is_not_slower(path: str, name: str) -> None:
    workload, machine = _recorded(name), load("h200")
    times = [
        predict(workload, machine.with_values({path: machine.value(path) * factor})).time_s
        for factor in (0.7, 1.0, 1.4, 2.0)
    ]
    assert all(later <= earlier * 1.002 for earlier, later in itertools.pairwise(times))
    assert times[-1] < times[0] * 0.8


def test_predicting_twice_gives_the_same() -> None:
    workload = _recorded("stencil2d_shared/L2")
    first = predict(workload, "h200")
    predict(workload, "h100")
    launched._core.cache_clear()
    launched._traffic.cache_clear()
    sampled.cache_clear()
    assert predict(workload, "h200") == first


def test_code_of_another_architecture_is_said_to_be_so() -> None:
    workload = _recorded("sum_loop/L2")
    assert not any("sm_90" in line for line in predict(workload, "h100").assumptions)
    said = [line for line in predict(workload, "l40").assumptions if "sm_90" in line]
    assert said == ["the code is of sm_90; on l40 (sm_89) the same instructions are assumed"]


def test_paper_mode_is_algorithm_1() -> None:
    case = prepare(_recorded("sum_loop/L2"), "h200", mode="paper")
    assert case.predict().model == "saake"
    assert case.model.listing(case.workload, case.machine, case.settings) == ()
    assert case.model.sensitivities(case.workload, case.machine, case.settings) == ()


def test_a_kernel_of_unequal_blocks_is_sampled_more() -> None:
    prediction = predict(_recorded("triangle/8192"), "h200")
    assert any("unequal" in note for note in prediction.assumptions)


def test_counts_are_those_that_were_measured() -> None:
    """Nsight Compute: instructions 688128 and sectors 393216 of triad_f32 on 4096 blocks."""
    counters = predict(_recorded("triad_f32/L2"), "h200").details["counters"]
    assert isinstance(counters, dict)
    assert counters["instructions"] == 688128
    assert counters["global_sectors"] == counters["l2_sectors"] == 393216


@pytest.mark.parametrize("name", ["wmma_peak/full", "atomics_spread/L2", "spilled/full", "barriers/64"])
def test_other_units_and_requests(name: str) -> None:
    """Matrix units, atomics, local memory, barriers: the resource that the kernel is about is busy."""
    expected = {"wmma_peak": "tensor", "atomics_spread": "L2", "spilled": "L1", "barriers": "shared"}
    used = predict(_recorded(name), "h200").details["utilization"]
    assert isinstance(used, dict)
    assert used[expected[name.partition("/")[0]]]


def test_a_sweep_has_a_point_for_every_value() -> None:
    case = prepare(_recorded("sum_loop/L2"), "h200")
    columns = {"level.L2.bandwidth": np.array([4e12, 8e12]), "occupancy.warps": np.array([64.0, 64.0])}
    times = case.model.sweep(case.workload, case.machine, case.settings, columns)
    assert times[1] < times[0]
    few = case.model.sweep(case.workload, case.machine, case.settings, {"occupancy.warps": np.array([1.0])})
    assert np.isinf(few[0])


# ------------------------------------------------------------------------------------------ memory


@pytest.mark.parametrize(
    "case",
    [
        ("copy_f32", "40", "64", [*["f32[2560]"] * 2, "2560"]),
        ("stencil2d_global", "3,10", "32,8", [*["f32[7680]"] * 2, "96", "80"]),
        ("matmul_tiled_16", "6,5", "16,16", ["f32[7680]", "f32[9216]", "f32[7680]", "96"]),
        ("transpose_padded", "3,3", "32,8", [*["f32[9216]"] * 2, "96"]),
    ],
)
def test_different_sectors_of_a_launch_against_every_block(case: tuple[str, str, str, list[str]]) -> None:
    """All blocks executed, and their 64-byte pieces counted one by one."""
    facet = _workload(case).facet(Warps)
    kernel, launch = facet.kernel, facet.launch
    execution, _ = sampled(facet)
    l1 = FirstLevel(size=65536, ways=8, outstanding=512, throttled=0.45, first_wave=0.83, later_waves=0.197)
    found = traffic(kernel, launch, execution, multiprocessors=2, resident=2, l1=l1)
    every = execute(kernel, launch, tuple(range(launch.blocks)))
    lines = np.concatenate([every.record.block_lines(block) for block in range(launch.blocks)])
    halves = [np.unique(lines[lines >> half & 3 != 0] >> 4).size for half in (0, 2)]
    assert sum(group.launch for group in found.groups) / 2 == pytest.approx(sum(halves), rel=0.06)


def test_what_l2_keeps() -> None:
    l2 = replace(L2.of(load("h200"), 1.0), size=60)
    assert l2.kept(60) == 1
    assert l2.kept(60 * 33 / 32) == pytest.approx(0.5)
    assert l2.kept(64) == 0
    assert replace(l2, size=0).kept(1) == 0


def test_memory_is_slower_where_reads_and_writes_mix() -> None:
    machine = load("h200")
    cycle = machine.value("clock.frequency")
    assert memory_rate(machine, 0) == pytest.approx(machine.value("memory.read_bandwidth") / cycle)
    assert memory_rate(machine, 1 / 3) == pytest.approx(machine.value("memory.bandwidth") / cycle, rel=0.005)
    assert memory_rate(machine, 1 / 2) == pytest.approx(machine.value("memory.copy_bandwidth") / cycle)
    assert memory_rate(machine, 1) == pytest.approx(machine.value("memory.write_bandwidth") / cycle)


def test_shared_memory_takes_of_l1() -> None:
    machine = load("h200")
    shown = {  # KiB of shared memory by KiB of a block and blocks, as Nsight Compute shows it (validation/h200)
        (0, 2): 8, (0, 4): 16, (0, 8): 32, (0, 16): 32, (0, 32): 32, (0.5, 32): 64, (2, 8): 64, (2, 16): 100,
        (4, 8): 100, (8, 8): 132, (16, 8): 164, (33, 6): 228, (300, 1): 256,
    }  # fmt: skip
    for (size, blocks), kib in shown.items():
        assert l1_bytes(machine, size * 1024, blocks) == (256 - kib) * 1024
    assert l1_bytes(load("titan-x-pascal"), 0, 1) == 0


@pytest.mark.parametrize(("name", "largest"), [("l40", 100), ("rtx-4090", 100), ("a100", 164), ("h100", 228)])
def test_shared_memory_takes_no_more_than_the_largest_carveout(name: str, largest: int) -> None:
    """CUDA C++ Programming Guide: 100 KiB of 128 for compute capability 8.9, 164 of 192 for 8.0, 228 of 256 for 9.0."""
    machine = load(name)
    assert machine.value("scratchpad.size") == machine.numbers("carveout.sizes")[-1] == largest * 1024
    assert l1_bytes(machine, (largest - 1) * 1024, 1) == machine.value("level.L1.size") - largest * 1024
    assert l1_bytes(load("l40"), 12 * 1024, 4) == 28 * 1024


# ------------------------------------------------------------------------------------------ what is not known


def test_a_machine_without_a_probe_takes_numbers_of_the_h200_and_says_so() -> None:
    workload = _recorded("gather_f32/random-L2")
    known, assumed = predict(workload, "h200"), predict(workload, "a100")
    assert _own_ratio(known) == pytest.approx(_width(known))
    assert not any("of the H200" in line for line in known.assumptions)
    (line,) = (line for line in assumed.assumptions if "numbers of the H200 for a100" in line)
    assert "queue.*" in line
    assert "sync.block_start" in line  # of these its own file says that some are the H200's
    assert "level.L2.core_bandwidth" in line
    assert "level.L2.*" not in line
    assert "carveout.sizes" not in line
    assert assumed.interval_s is not None
    low, high = assumed.interval_s
    assert low < assumed.time_s < high
    assert high / low < reference.FACTOR**2 * 1.05 * _width(assumed)
    assert high / low > _width(assumed)


def _own_ratio(found: Prediction) -> float:
    """The ratio of the ends of the interval."""
    assert found.interval_s is not None
    low, high = found.interval_s
    return high / low


def _width(found: Prediction) -> float:
    """What the uncertainties of the launch and the model make of that: they add in quadrature."""
    parts = found.details["uncertainty"]
    assert isinstance(parts, dict)
    return math.exp(2 * math.hypot(*map(float, parts.values())))  # type: ignore[arg-type]


def test_a_clock_that_was_not_measured_widens_the_interval() -> None:
    """An H200 with the clock of a data sheet is as fast, and less certain, by 1.22 (boost by base clock) in
    quadrature."""
    known = load("h200")
    clock = replace(known["clock.frequency"], source=Source("datasheet", "a data sheet"))
    other = replace(known, quantities={**known.quantities, "clock.frequency": clock})
    own, unknown = (predict(_workload(COPY), machine) for machine in (known, other))
    assert unknown.time_s == own.time_s
    assert math.log(_own_ratio(unknown)) / 2 == pytest.approx(
        math.hypot(math.log(_own_ratio(own)) / 2, math.log(1.22)), rel=1e-9
    )


def test_a_number_of_its_own_is_no_assumption() -> None:
    machine = load("a100")
    whole, assumed = reference.with_reference(machine)
    own = machine.with_values({path: whole.value(path) for path in assumed if path in reference.PATHS})
    assert reference.with_reference(own)[1] == ("atomic.slices", "memory.latency_spread")
    assert reference.with_reference(whole)[0] == whole


def test_how_far_numbers_of_the_h200_are_from_others() -> None:
    """The largest ratio of latencies in cycles that both files give as measured."""
    paths = ("level.L1.latency", "level.L2.latency", "level.L2.far_latency", "memory.latency")
    own = load("h200")
    ratios = [
        own.cycles(path) / other.cycles(path)
        for other in map(load, ("a100", "l40", "h100-pcie"))
        for path in paths
        if path in other and other[path].source.kind == "measured"
    ]
    assert max(max(ratio, 1 / ratio) for ratio in ratios) == pytest.approx(reference.FACTOR, abs=0.005)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("queue.window", "sum_loop/DRAM"),
        ("lsu.backlog", "sum_loop/DRAM"),
        ("issue.branch", "sum_loop/DRAM"),
        ("level.L2.partition_run", "sum_loop/DRAM"),
        ("lsu.local_store", "spilled/full"),
        ("issue.operand_wait", "atomics_spread/L2"),
        ("lockstep.throttled", "matmul_naive/64"),
        ("coalescer.share", "matmul_naive/64"),
    ],
)
def test_numbers_of_the_file_reach_the_cores(path: str, name: str) -> None:
    """Also after a prediction that remembers its runs."""
    workload, machine = _recorded(name), load("h200")
    other = machine.with_values({path: machine.value(path) / 2})
    assert path in prepare(workload, machine).model.reads(machine)
    assert predict(workload, machine).time_s != predict(workload, other).time_s


def test_every_number_taken_over_is_one_of_the_h200s_file() -> None:
    assert reference.with_reference(load("h200")) == (load("h200"), ())


def test_every_block_takes_shared_memory_for_the_system() -> None:
    """1 KiB since compute capability 8.0 (CUDA C++ Programming Guide): 28 blocks of 7 KiB fit into 228 KiB, not 32."""
    assert occupancy(load("h200"), 1, 16, 7 * 1024).blocks == 28


# ------------------------------------------------------------------------------------------ why


#: groups of machine parameters -> the resource that they describe
_OF = {"scratchpad": "shared", "memory": "memory"}


def _resource(path: str) -> str:
    names = path.split(".")
    return names[1] if names[0] in ("pipeline", "level") else _OF.get(names[0], path)


@pytest.mark.parametrize(
    "workload",
    [
        _recorded("sum_loop/DRAM"),
        _recorded("copy_loop/one-block-a-SM"),
        _recorded("fma_f32_chain/one-warp"),
        _recorded("gather_f32/random-L2"),
        _workload(("matmul_tiled_16", "32,32", "16,16", [*["f32[262144]"] * 3, "512"])),
    ],
    ids=lambda workload: workload.name,
)
def test_elasticities_and_attribution_name_the_same_resource(workload: Workload) -> None:
    answer = why(prepare(workload, "h200"))
    strength: dict[str, float] = {}
    for item in answer.sensitivities:
        if (
            item.elasticity is not None
            and item.parameter.split(".")[0] in ("scratchpad", "memory", "pipeline", "level")
            and " in " not in item.parameter
        ):
            resource = _resource(item.parameter)
            strength[resource] = strength.get(resource, 0.0) + abs(item.elasticity)
    ranked = sorted(strength, key=lambda resource: -strength[resource])
    waits: dict[str, float] = {}
    for part in answer.prediction.parts:
        resource = part.name.rsplit(" ", 1)[0]
        waits[resource] = waits.get(resource, 0.0) + part.time_s
    for passing in ("launch", "issue", "last instructions under", "block start"):
        waits.pop(passing, None)
    assert strength[ranked[0]] >= strength[ranked[1]] + 0.1
    assert max(waits, key=lambda resource: waits[resource]) == ranked[0]


def test_a_listing_holds_all_of_the_time() -> None:
    workload = _recorded("stencil2d_shared/L2")
    facet = workload.facet(Warps)
    run = launched.prepare(facet, load("h200"), warm=True, fold="yes").run()
    lines = attribution.listing(facet, run)
    total = run.timing.issued / 4 + sum(run.timing.idle.values()) + run.timing.tail
    assert sum(line.share for line in lines) == pytest.approx(1 - run.timing.tail / total)
    assert all(line.share >= sum(share for _, share in line.waits) for line in lines)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


def test_regions_are_stretches_where_lines_are_not_known() -> None:
    facet = _workload(COPY).facet(Warps)
    bare = replace(
        facet, kernel=replace(facet.kernel, instructions=tuple(i._replace(line=0) for i in facet.kernel.instructions))
    )
    regions = attribution._regions(bare)
    assert sum(len(places) for places in regions.values()) == len(bare.kernel.instructions)
    assert "0000" in regions


def test_one_prediction_does_not_change_the_next() -> None:
    """How much of a loop is emulated is found anew on every machine."""
    workload = _recorded("matmul_naive/64")
    slow = load("h200").with_values({"level.L2.bandwidth": load("h200").value("level.L2.bandwidth") / 3})
    alone = predict(workload, "h200").time_s
    launched._core.cache_clear()
    predict(workload, slow)
    assert predict(workload, "h200").time_s == alone


def test_runs_that_are_compared_go_the_same_length() -> None:
    """Elasticities of the shorter way are those of whole runs, and times are given beside the prediction."""
    workload = _recorded("fma_f32/full")
    case = prepare(workload, "h200")
    answer = why(case)
    found = {item.parameter: item for item in answer.sensitivities}
    whole = why(prepare(workload, "h200", options={"fold": "no"}))
    slower = found["pipeline.fma.gap"]
    same = next(item for item in whole.sensitivities if item.parameter == "pipeline.fma.gap")
    assert slower.elasticity == pytest.approx(same.elasticity, abs=0.02)
    assert slower.time_up_s == pytest.approx(same.time_up_s, rel=0.01)
    assert case.model.compared(case.settings)["fold"] == "short"
    assert case.model.compared(prepare(workload, "h200", options={"fold": "no"}).settings)["fold"] == "no"


def test_numbers_that_no_instruction_needs_do_not_tell_machines_apart() -> None:
    facet = _recorded("fma_f32/full").facet(Warps)
    base = launched.prepare(facet, load("h200"), warm=True, fold="yes")

    def key(path: str) -> bytes:
        other = load("h200").with_values({path: 1.1 * load("h200").value(path)})
        return launched.prepare(facet, other, warm=True, fold="yes").ops.key

    assert key("pipeline.fp64.latency") == key("scratchpad.latency") == base.ops.key
    assert key("pipeline.fma.gap") != base.ops.key
