"""Shipped machines have the numbers of the papers and data sheets."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from foretell.machines import library, load

# --- AutoMatch, Table I -----------------------------------------------------------------------------------

AUTOMATCH = """\
name,clock_GHz,np,pi0_GFLOPS,Z_MB,L_byte,beta_f_GBps,alpha_f_us,beta_s_GBps,alpha_s_us,s0_us,throughput_GFLOPS
i5-2400,3.1,4,20,6,64,285,0.004,18.88,0.065,0.2,80
i7-4700,2.4,4,33,6,64,349,0.004,11.5,0.052,0.44,132
tesla-c2075,1.15,448,0.9,1.6,128,2117,0.028,87.92,0.71,7.22,403.2
k20c-automatch,0.732,2496,0.41,2.3,128,2018,0.045,129.73,0.68,6.5,1023.36
tesla-k20x,0.732,2688,0.42,2.3,128,2424,0.045,160.1,0.68,6.5,1128.96
"""

AUTOMATCH_COLUMNS = {
    "clock_GHz": ("clock.frequency", 1e9),
    "np": ("cores.processors", 1),
    "pi0_GFLOPS": ("peak.processor", 1e9),
    "Z_MB": ("level.fast.size", 2**20),
    "L_byte": ("level.fast.line", 1),
    "beta_f_GBps": ("level.fast.bandwidth", 1e9),
    "alpha_f_us": ("level.fast.latency", 1e-6),
    "beta_s_GBps": ("memory.bandwidth", 1e9),
    "alpha_s_us": ("memory.latency", 1e-6),
    "s0_us": ("sync.global", 1e-6),
}


@pytest.mark.parametrize("row", [*csv.DictReader(StringIO(AUTOMATCH))], ids=lambda row: row["name"])
def test_automatch_table_1(row: dict[str, str]) -> None:
    machine = load(row["name"])
    for column, (path, scale) in AUTOMATCH_COLUMNS.items():
        assert machine.value(path) == pytest.approx(float(row[column]) * scale, rel=1e-12), column
        assert machine[path].source.reference.startswith("AutoMatch paper, Table I")
    throughput = machine.value("cores.processors") * machine.value("peak.processor")
    assert throughput == pytest.approx(float(row["throughput_GFLOPS"]) * 1e9)


@pytest.mark.parametrize(("name", "lines"), [("i5-2400", 98304), ("tesla-c2075", 13107), ("k20c-automatch", 18841)])
def test_automatch_capacity_in_lines(name: str, lines: int) -> None:
    machine = load(name)
    assert machine.value("level.fast.size") // machine.value("level.fast.line") == lines


@pytest.mark.parametrize(("name", "doubles"), [("i5-2400", 4), ("i7-4700", 4)])
def test_automatch_simd_width(name: str, doubles: int) -> None:
    assert load(name).value("cores.simd_width") == 8 * doubles


def test_automatch_gpus_count_lanes_as_processors() -> None:
    assert all("cores.simd_width" not in load(name) for name in ("tesla-c2075", "tesla-k20x"))


# --- Raexplore, Table 3 -----------------------------------------------------------------------------------

RAEXPLORE = {
    # path: (Blue Gene/Q, Xeon Phi 7120P) as printed, KB and MB as KiB and MiB
    "clock.frequency": (1.6e9, 1.24e9),
    "cores.count": (16, 61),
    "pipeline.integer.latency": (3, 3),
    "pipeline.floating.latency": (5, 4),
    "cores.threads_per_core": (4, 4),
    "cores.streams_per_thread": (1, 2),
    "level.L1.size": (16 * 1024, 32 * 1024),
    "level.L1.latency": (3, 3),
    "level.LLC.size": (16 * 2**20, 30.5 * 2**20),
    "level.LLC.latency": (42, 23),
    "level.LLC.line": (128, 64),
    "memory.bandwidth": (28e9, 177e9),
    "memory.latency": (213, 750),
}


@pytest.mark.parametrize("path", RAEXPLORE)
def test_raexplore_table_3(path: str) -> None:
    assert (load("blue-gene-q").value(path), load("xeon-phi-7120p").value(path)) == RAEXPLORE[path]


def test_raexplore_prefetch_buffer() -> None:
    machine = load("blue-gene-q")
    assert machine.levels == ("L1", "L1p", "LLC")
    assert machine.traits["level.L1p.role"] == "prefetch_buffer"
    assert (machine.value("level.L1p.size"), machine.value("level.L1p.latency")) == (4096, 16)
    assert load("xeon-phi-7120p").levels == ("L1", "LLC")


@pytest.mark.parametrize(("name", "expected"), [("blue-gene-q", 1.09375), ("xeon-phi-7120p", 2.34003)])
def test_raexplore_bandwidth_per_cycle_and_core(name: str, expected: float) -> None:
    machine = load(name)
    cycles = machine.value("cores.count") * machine.value("clock.frequency")
    assert machine.value("memory.bandwidth") / cycles == pytest.approx(expected, rel=1e-5)


# --- SAAKE ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sms", "memory_gb", "clock_mhz", "l2_mb", "shared_kb"),
    [("k20c", 13, 5, 706, 1.25, 48), ("titan-x-pascal", 28, 12, 1417, 4, 96)],
)
def test_saake_machines(
    name: str, sms: int, memory_gb: float, clock_mhz: float, l2_mb: float, shared_kb: float
) -> None:
    machine = load(name)
    printed = {
        "cores.count": sms,
        "memory.size": memory_gb * 1e9,
        "clock.frequency": clock_mhz * 1e6,
        "level.L2.size": l2_mb * 2**20,
        "scratchpad.size": shared_kb * 1024,
    }
    for path, value in printed.items():
        assert machine.value(path) == pytest.approx(value)
        assert machine[path].source.reference.startswith("SAAKE paper")


@pytest.mark.parametrize("name", ["k20c", "titan-x-pascal"])
@pytest.mark.parametrize("path", ["memory.latency", "pipeline.fp64.latency", "pipeline.floating.gap"])
def test_saake_latencies_are_stated_as_missing(name: str, path: str) -> None:
    assert "technical report" in load(name).missing[path]


def test_both_clocks_of_the_k20c_are_kept() -> None:
    assert load("k20c").value("clock.frequency") == pytest.approx(706e6)
    assert load("k20c-automatch").value("clock.frequency") == pytest.approx(732e6)


def test_the_titan_x_peak_belongs_to_its_boost_clock() -> None:
    machine = load("titan-x-pascal")
    per_cycle = machine.value("cores.count") * machine.value("cores.flops_per_cycle")
    assert per_cycle * machine.value("clock.frequency") == pytest.approx(317.4e9, rel=1e-4)
    assert per_cycle * machine.value("clock.boost") == pytest.approx(343e9, rel=1e-3)
    assert "317.4" in machine.warnings[0]


# --- ExaSAT nodes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sockets", "per_socket", "domains", "peak"),
    [("cray-xe6", 2, 12, 4, 201.6), ("sandy-bridge", 2, 8, 2, 345.6), ("ivy-bridge", 2, 12, 2, 460.8)],
)
def test_exasat_nodes(name: str, sockets: int, per_socket: int, domains: int, peak: float) -> None:
    machine = load(name)
    assert machine.value("cores.sockets") == sockets
    assert machine.value("cores.per_socket") == per_socket
    assert machine.value("cores.count") == sockets * per_socket
    assert machine.value("cores.numa_domains") == domains
    assert machine.value("peak.double") == pytest.approx(peak * 1e9)
    assert machine.traits["memory.write_allocate"] == "yes"
    assert "STREAM" in machine.missing["memory.bandwidth"]


def test_hopper_s_l3_lies_where_the_printed_read_counts_put_it() -> None:
    machine = load("cray-xe6")
    domain = machine.value("level.L3.size")
    assert 6 * 2**20 <= domain < 8 * 2**20
    assert machine.value("level.L3.shared_by") == machine.value("cores.count") / machine.value("cores.numa_domains")


# --- Neoverse-N1, as measured -----------------------------------------------------------------------------

N1 = {
    "clock.frequency": 2.497e9,
    "cores.count": 2,
    "cores.issue_width": 4,
    "peak.core": 19.90e9,
    "pipeline.add_i64.gap": 0.333,
    "pipeline.load_f64.gap": 0.5,
    "pipeline.load_across_f64.gap": 1,
    "pipeline.store_f64.gap": 0.5,
    "pipeline.store_f64x2.gap": 1,
    "pipeline.divide_f64x2.gap": 10,
    "pipeline.divide_f32x4.gap": 6,
    "pipeline.sqrt_f64x2.gap": 14,
    "pipeline.interleaved.uops": 4,
    "pipeline.accumulate_f64.latency": 2,
    "level.L1.size": 64 * 1024,
    "level.L1.ways": 4,
    "level.L2.size": 2**20,
    "level.L2.ways": 8,
    "level.L3.size": 32 * 2**20,
    "level.L3.ways": 16,
    "level.L1.core_bandwidth": 67.7e9,
    "level.L1.bandwidth": 134e9,
    "level.L2.core_bandwidth": 65.4e9,
    "level.L2.bandwidth": 130e9,
    "level.L3.core_bandwidth": 29.3e9,
    "level.L3.bandwidth": 58.0e9,
    "memory.core_bandwidth": 25.8e9,
    "memory.bandwidth": 48.3e9,
    "memory.copy_bandwidth": 58.4e9,
    "memory.read_bandwidth": 35.2e9,
    "memory.size": 23e9,
}


@pytest.mark.parametrize("path", N1)
def test_neoverse_n1_as_measured(path: str) -> None:
    quantity = load("neoverse-n1")[path]
    assert quantity.value == pytest.approx(N1[path])
    assert quantity.source.kind == "measured"


def test_neoverse_n1_latencies_are_those_of_a_graviton2() -> None:
    machine = load("neoverse-n1")
    paths = [*(f"level.{level}.latency" for level in machine.levels), "memory.latency"]
    assert [machine.value(path) for path in paths] == pytest.approx([1.6e-9, 5.4e-9, 28.8e-9, 95e-9])
    assert all("Graviton2" in machine[path].source.reference for path in paths)
    assert machine.cycles("level.L1.latency") == pytest.approx(4, abs=0.01)  # as Arm's guide has it


# --- modern GPUs ------------------------------------------------------------------------------------------

GPUS = {
    # SMs, clock GHz, FP64 lanes per SM, L2 MiB, memory GB, hardware TB/s
    "a100": (108, 1.41, 32, 40, 80, 2.039),
    "h100": (132, 1.98, 64, 50, 80, 3.35),
    "h100-pcie": (114, 1.755, 64, 50, 80, 2.0),
    "h200": (132, 1.98, 64, 60, 141, 4.8),
    "l40": (142, 2.49, 2, 96, 48, 0.864),
    "rtx-4090": (128, 2.52, 2, 72, 24, 1.008),
    "v100": (80, 1.53, 32, 6, 32, 0.9),
    "t4": (40, 1.59, 2, 4, 16, 0.32),
    "rtx-2080-ti": (68, 1.545, 2, 5.5, 11, 0.616),
    "a6000": (84, 1.8, 2, 6, 48, 0.768),
    "rtx-3090": (82, 1.695, 2, 6, 24, 0.936),
    "a10": (72, 1.695, 2, 6, 24, 0.6),
    "a4000": (48, 1.56, 2, 4, 16, 0.448),
    "l4": (58, 2.04, 2, 48, 24, 0.3),
    "l40s": (142, 2.52, 2, 96, 48, 0.864),
    "b200": (148, 1.965, 64, 126, 180, 8.0),
    "rtx-5090": (170, 2.407, 2, 96, 32, 1.792),
}
ARCHITECTURES = {
    "a100": "sm_80", "l40": "sm_89", "rtx-4090": "sm_89", "v100": "sm_70", "t4": "sm_75", "rtx-2080-ti": "sm_75",
    "a6000": "sm_86", "rtx-3090": "sm_86", "a10": "sm_86", "a4000": "sm_86", "l4": "sm_89", "l40s": "sm_89",
    "b200": "sm_100", "rtx-5090": "sm_120",
}  # fmt: skip


@pytest.mark.parametrize("name", GPUS)
def test_gpu_data_sheets(name: str) -> None:
    machine = load(name)
    sms, clock, lanes, l2, memory, bandwidth = GPUS[name]
    assert machine.value("cores.count") == sms
    assert machine.value("clock.frequency") == pytest.approx(clock * 1e9)
    assert machine.value("cores.flops_per_cycle") == 2 * lanes
    assert machine.value("level.L2.size") == l2 * 2**20
    assert machine.value("memory.size") == memory * 1e9
    assert machine.value("memory.hardware_bandwidth") == pytest.approx(bandwidth * 1e12)


@pytest.mark.parametrize("name", GPUS)
def test_gap_is_a_warp_over_the_lanes_of_a_sub_core(name: str) -> None:
    machine = load(name)
    for unit in ("fma", "alu", "fp64", "xu"):
        lanes = machine.value(f"pipeline.{unit}.lanes") / machine.value("occupancy.schedulers")
        assert machine.value(f"pipeline.{unit}.gap") == machine.value("occupancy.warp") / lanes, unit


@pytest.mark.parametrize(
    ("name", "path", "value", "kind"),
    [
        ("a100", "level.L1.latency", 36, "measured"),
        ("a100", "level.L2.latency", 211, "measured"),
        ("a100", "memory.latency", 571, "measured"),
        ("h100", "level.L1.latency", 34, "measured"),
        ("h100", "pipeline.fma.latency", 4, "measured"),
        ("h100", "pipeline.fp64.latency", 8, "measured"),
        ("h100", "pipeline.predicate.latency", 13, "measured"),
        ("h100", "memory.latency", 370e-9, "assumed"),
        ("h100-pcie", "memory.latency", 650, "measured"),
        ("h200", "level.L2.bandwidth", 8.777e12, "measured"),
        ("l40", "level.L2.latency", 276.5, "measured"),
        ("l40", "memory.bandwidth", 844e9, "measured"),
        ("rtx-4090", "memory.bandwidth", 984.7e9, "assumed"),
        ("h200", "memory.bandwidth", 4.252e12, "measured"),
    ],
)
def test_gpu_micro_benchmarks(name: str, path: str, value: float, kind: str) -> None:
    quantity = load(name)[path]
    assert quantity.value == pytest.approx(value)
    assert quantity.source.kind == kind


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("h100", "level.L1.latency"),
        ("h100", "level.L2.latency"),
        ("h100", "level.L2.far_latency"),
        ("h100", "memory.latency"),
    ],
)
def test_numbers_of_the_pcie_card_say_so(name: str, path: str) -> None:
    assert "H100 PCIe" in load(name)[path].source.reference


def test_l1_bandwidth_of_the_h100_follows_from_its_measurement() -> None:
    pcie = load("h100-pcie")
    per_cycle = 25.2e12 / (pcie.value("cores.count") * pcie.value("clock.frequency"))
    assert pcie.value("level.L1.core_bandwidth") == pytest.approx(per_cycle, rel=0.001)


def test_the_peaks_of_ada_follow_from_lanes_and_clock() -> None:
    for name in ("l40", "rtx-4090"):
        card = load(name)
        lanes = card.value("cores.count") * card.value("cores.lanes") * card.value("clock.frequency")
        assert card.value("peak.single") == pytest.approx(2 * lanes, rel=0.001)
        assert card.value("peak.double") == pytest.approx(2 * lanes / 64, rel=0.001)


# --- what each kind of model will ask for -----------------------------------------------------------------

CPU_GROUPS = (
    "clock.frequency",
    "cores.count",
    "cores.simd_width",
    "cores.issue_width",
    "cores.flops_per_cycle",
    "peak.double",
    "memory.bandwidth",
)
CPU_LEVEL = ("size", "line", "shared_by", "ways")
GPU_GROUPS = (
    "clock.frequency",
    "cores.count",
    "cores.lanes",
    "peak.double",
    "peak.single",
    "level.L1.latency",
    "level.L2.latency",
    "memory.latency",
    "memory.bandwidth",
    "scratchpad.size",
    "occupancy.warps",
    "occupancy.blocks",
    "occupancy.registers",
    "occupancy.register_unit",
    "occupancy.shared_per_block",
    "occupancy.schedulers",
)


@pytest.mark.parametrize("name", ["cascade-lake", "neoverse-n1", "sapphire-rapids", "zen4"])
def test_modern_cpus_have_what_models_need(name: str) -> None:
    machine = load(name)
    for path in CPU_GROUPS:
        assert path in machine, path
    assert machine.levels == ("L1", "L2", "L3")
    for level in ("L1", "L2"):
        assert all(f"level.{level}.{what}" in machine for what in CPU_LEVEL)
    assert "memory.latency" in machine or "memory.latency" in machine.missing
    assert machine.traits["target.cpu"]
    assert machine.traits["memory.write_allocate"] in ("yes", "no")


@pytest.mark.parametrize("name", GPUS)
def test_modern_gpus_have_what_models_need(name: str) -> None:
    machine = load(name)
    for path in GPU_GROUPS:
        assert path in machine, path
    assert machine.traits["target.cpu"] == ARCHITECTURES.get(name, "sm_90")


#: what the timing of a kernel reads beside those that are taken over from the H200
_UNITS = ("fma", "imad", "alu", "fp64", "half", "tensor", "xu")
_TIMED = (
    "level.L1.core_bandwidth", "level.L1.size", "level.L2.bandwidth", "level.L2.size", "memory.read_bandwidth",
    "memory.copy_bandwidth", "scratchpad.bandwidth", "scratchpad.latency", "sync.block", "sync.block_warp",
    "sync.block_start", "sync.block_replace", "pipeline.constant.latency", "pipeline.shuffle.latency",
    "atomic.latency",
)  # fmt: skip


@pytest.mark.parametrize("name", GPUS)
def test_nothing_is_free_on_a_gpu(name: str) -> None:
    """Units, shared memory, barriers and block starts have numbers, those of matrix units as the data sheet has it: a
    product of 16 x 8 x 16 takes 2 * 2048 operations on one of four sub-cores. The H200's own probe, and B200's older
    instructions, are below that rate."""
    machine = load(name)
    for path in (*_TIMED, *(f"pipeline.{unit}.{what}" for unit in _UNITS for what in ("latency", "gap"))):
        assert path in machine or path in machine.missing, path
    if ARCHITECTURES.get(name) not in (None, "sm_100"):
        clock = machine.value("cores.count") * machine.value("clock.frequency")
        gap = 4 * 4096 * clock / machine.value("peak.tensor_half")
        assert machine.value("pipeline.tensor.gap") == pytest.approx(gap, rel=0.03)


@pytest.mark.parametrize("name", GPUS)
def test_integer_products_share_the_only_pipe_of_16_lanes(name: str) -> None:
    """From GA10x on half of the 32 lanes of a sub-core have no integer products (Nsight Compute, FMA pipes)."""
    machine = load(name)
    shares = machine.traits.get("pipeline.imad.ports") == "fma"
    assert shares == (machine.value("cores.lanes") == 64)


@pytest.mark.parametrize("name", library())
def test_cache_sharing_divides_the_cores(name: str) -> None:
    machine = load(name)
    for level in machine.levels:
        path = f"level.{level}.shared_by"
        if path in machine:
            assert machine.value("cores.count") % machine.value(path) == 0


@pytest.mark.parametrize("name", library())
def test_set_associative_caches_have_whole_sets(name: str) -> None:
    machine = load(name)
    for level in machine.levels:
        needed = [f"level.{level}.{what}" for what in ("size", "line", "ways")]
        if all(path in machine for path in needed):
            size, line, ways = map(machine.value, needed)
            assert size % (line * ways) == 0


@pytest.mark.parametrize("name", library())
def test_assumed_numbers_say_what_was_taken_over_or_what_they_matter(name: str) -> None:
    sources = {quantity.source for quantity in load(name).quantities.values()}
    for source in sources:
        if source.kind == "assumed":
            said = ("taken over from", "not published; half and twice as much change")
            assert any(part in source.reference for part in said)
