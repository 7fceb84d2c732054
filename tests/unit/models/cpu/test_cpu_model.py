"""The parts of the CPU model: calls, threads, bandwidths by mix, overlap, core time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, MissingExtraError, UnsupportedError
from foretell.frontends import read
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu import core_time
from foretell.models.cpu.overlap import exposed
from foretell.models.cpu.parallel import marked, split
from foretell.models.cpu.program import program
from foretell.models.cpu.transfers.bandwidths import per_second, scattered_seconds_per_byte, seconds_per_byte
from foretell.models.cpu.transfers.volumes import Volumes, plain_copy
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Workload

CYCLE = """
void smooth(int n, double u[n][n], double f[n][n]) {
  for (int j = 1; j < n - 1; j++) for (int i = 1; i < n - 1; i++)
    u[j][i] = 0.25 * (f[j][i] + u[j][i-1] + u[j][i+1] + u[j-1][i] + u[j+1][i]);
}
void cycle(int n, double u[n][n], double f[n][n]) {
  for (int s = 0; s < 8; s++) smooth(n, u, f);
  smooth(n / 2, u, f);
  smooth(n / 2, u, f);
}
"""


def source(tmp_path: Path, text: str) -> Workload:
    path = tmp_path / "k.c"
    path.write_text(text)
    return read(path)


def nest(name: str) -> LoopNest:
    return read(KERNELS / f"{name}.c").facet(Loops).nests[0]


@pytest.fixture
def probed() -> Machine:
    """A machine with every number that the probe writes of two levels and memory; bandwidths by hand."""
    base = load("neoverse-n1")
    gigabytes = {"read_": 40.0, "write_": 10.0, "copy_": 20.0, "": 24.0}
    numbers = {f"memory.{kind}bandwidth": value * 1e9 for kind, value in gigabytes.items()}
    numbers |= {f"memory.core_{kind}bandwidth": value * 0.75e9 for kind, value in gigabytes.items()}
    return base.with_values({**numbers, "memory.core_random_bandwidth": 2e9})


# ---- calls


def test_calls_hand_sizes_down_and_add_up(tmp_path: Path) -> None:
    found = program(source(tmp_path, CYCLE).facet(Loops), {"n": 64.0})
    smooths = [run for run in found.runs if run.nest.function == "smooth"]
    assert [(float(run.values["n"]), float(run.count)) for run in smooths] == [(64.0, 8.0), (32.0, 2.0)]


def test_a_program_is_the_sum_of_its_calls(tmp_path: Path) -> None:
    workload = source(tmp_path, CYCLE)
    alone = source(tmp_path, CYCLE[: CYCLE.index("void cycle")])
    options = {"core": "peak", "overlap": "full"}

    def time(what: Workload, n: int) -> float:
        return foretell.predict(what, "neoverse-n1", parameters={"n": n}, options=options).time_s

    assert time(workload, 512) == pytest.approx(8 * time(alone, 512) + 2 * time(alone, 256), rel=1e-12)


def test_recursion_and_missing_sizes_are_refused(tmp_path: Path) -> None:
    again = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }"
    loop = again + " void g(int n, double *a) { f(n, a); h(n, a); }" + " void h(int n, double *a) { g(n, a); }"
    with pytest.raises(UnsupportedError, match="calls itself"):
        program(source(tmp_path, "void h(int, double *); " + loop).facet(Loops), {"n": 3.0})
    with pytest.raises(InputError, match="parameters without a value: n"):
        program(source(tmp_path, CYCLE).facet(Loops), {})
    counted = CYCLE.replace("s < 8", "s < sweeps").replace("cycle(int n,", "cycle(int n, int sweeps,")
    with pytest.raises(InputError, match="without a value: sweeps"):
        program(source(tmp_path, counted).facet(Loops), {"n": 8.0})


def test_loops_without_iterations_are_left_out_and_said(tmp_path: Path) -> None:
    two = CYCLE[: CYCLE.index("void cycle")] + "void g(int m, double *a) { for (int i = 0; i < m; i++) a[i] = 0; }"
    found = program(source(tmp_path, two).facet(Loops), {"n": 64.0, "m": 0.0})
    assert [run.nest.function for run in found.runs] == ["smooth"]
    said = [note.text for note in found.notes if np.any(note.holds)]
    assert said[-1] == "g:6 has no iterations at these sizes"
    with pytest.raises(InputError, match="no loop runs"):
        program(source(tmp_path, two).facet(Loops), {"n": 1.0, "m": 0.0})
    with pytest.raises(InputError, match="larger than any size"):
        program(source(tmp_path, CYCLE).facet(Loops), {"n": 1e200})
    with pytest.raises(InputError, match="n is not a number"):
        program(source(tmp_path, CYCLE).facet(Loops), {"n": float("nan")})


def test_distances_that_change_are_taken_in_the_middle(tmp_path: Path) -> None:
    """A reduction tree, whose variable is a power; its addresses cannot be simulated as those of a nest."""
    tree = (
        "void tree(int n, double *a) { for (int s = 1; s < n; s *= 2)"
        " for (int i = 0; i + s < n; i += 2 * s) a[i] = a[i] + a[i + s]; }"
    )
    times = {}
    for n in (1000.0, 100000.0):
        found = foretell.predict(source(tmp_path, tree), load("cascade-lake"), parameters={"n": n})
        assert not found.at_least
        assert any("are evaluated at mid-loop" in one for one in found.assumptions)
        times[n] = found.time_s
    assert 50 < times[100000.0] / times[1000.0] < 500


@pytest.mark.parametrize("bits", [54.0, 100.0, 5000.0])
def test_sizes_that_follow_from_others_may_be_too_large(tmp_path: Path, bits: float) -> None:
    """A shift, in a bound or in what a call hands down."""
    scale = "void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= 2; }"
    bound = "void f(int bits, double *x) { for (int i = 0; i < 1 << bits; i++) x[i] *= 2; }"
    call = f"{scale}\nvoid f(int bits, double *x) {{ scale(1 << bits, x); }}"
    with pytest.raises(InputError, match=r"line 1: pow\(2, bits\) iterations are more than any loop has"):
        program(source(tmp_path, bound).facet(Loops), {"bits": bits})
    with pytest.raises(InputError, match=r"f, line 2: n = pow\(2, bits\) of scale is larger than any size"):
        program(source(tmp_path, call).facet(Loops), {"bits": bits})


def test_arguments_that_are_no_numbers_are_passed_over(tmp_path: Path) -> None:
    text = (
        "void g(int n, double s, double *a) { for (int i = 0; i < n; i++) a[i] = s; }\n"
        "void f(int n, double *a) { g(n, a[0] * 0.5, a); }\n"
    )
    found = program(source(tmp_path, text).facet(Loops), {"n": 7.0})
    assert [(run.nest.function, float(run.count)) for run in found.runs] == [("g", 1.0)]


ROW = "void row(int m, double *a) { for (int i = 0; i < m; i++) a[i] = 0; }\n"


def rows(tmp_path: Path, body: str, **values: float) -> list[tuple[float, float]]:
    found = program(source(tmp_path, ROW + body).facet(Loops), values)
    return [(float(run.values["m"]), float(run.count)) for run in found.runs]


def test_calls_in_loops_have_the_sizes_of_each_iteration(tmp_path: Path) -> None:
    levels = "void f(int n, double *a) { for (int k = n; k >= 4; k /= 2) row(k, a); }"
    assert rows(tmp_path, levels, n=32.0) == [(32, 1), (16, 1), (8, 1), (4, 1)]
    nested = "void f(int n, double *a) { for (int k = 1; k < n; k++) for (int l = 0; l < k; l++) row(k + l, a); }"
    assert sorted(rows(tmp_path, nested, n=4.0)) == [(1, 1), (2, 1), (3, 2), (4, 1), (5, 1)]
    again = "void f(int n, double *a) { if (n < 4) return; row(n, a); f(n / 2, a); f(n / 2, a); }"
    assert rows(tmp_path, again, n=16.0) == [(16, 1), (8, 2), (4, 4)]


def test_of_many_iterations_some_stand_for_all(tmp_path: Path) -> None:
    panels = "void f(int n, double *a) { for (int k = 0; k < n; k++) row(n - k, a); }"
    found = rows(tmp_path, panels, n=1000.0)
    assert len(found) == 16
    assert sum(count for _, count in found) == pytest.approx(1000)
    assert sum(size * count for size, count in found) == pytest.approx(500 * 1001, rel=0.01)


def test_calls_in_loops_at_arrays_of_sizes(tmp_path: Path) -> None:
    text = ROW + "void f(int n, double *a) { for (int l = 0; l < n; l++) row((100 * n) >> l, a); }"
    sizes = np.array([1.0, 3.0, 2.0])
    found = program(source(tmp_path, text).facet(Loops), {"n": sizes})
    work = sum(np.asarray(run.count * run.values["m"]) for run in found.runs)
    assert work.tolist() == [100.0, 300.0 + 150.0 + 75.0, 200.0 + 100.0]


def test_an_argument_that_depends_on_data_is_said(tmp_path: Path) -> None:
    text = ROW + "void f(int m, int *p, double *a) { for (int k = 0; k < m; k++) row(p[k], a); }"
    found = program(source(tmp_path, text).facet(Loops), {"m": 5.0})
    assert any("m = p[k] of row is unknown" in note.text for note in found.notes if note.holds)


# ---- pages


def test_columns_meet_a_page_with_every_line_and_streams_do_not(probed: Machine) -> None:
    # the page size also chooses the sets of L2
    probed = probed.with_values({"tlb.page_size": 4096.0, "tlb.entries": 1280.0, "tlb.walk": 1e-9})
    paged = probed.with_values({"tlb.walk": 20.0})

    def seconds(name: str, n: int, machine: Machine) -> float:
        options = {"core": "peak", "overlap": "none"}
        return foretell.predict(KERNELS / f"{name}.c", machine, parameters={"n": n}, options=options).time_s

    added = seconds("transpose", 4000, paged) - seconds("transpose", 4000, probed)
    assert added == pytest.approx(20 / probed.value("clock.frequency") * 4000**2, rel=0.03)
    assert seconds("transpose", 1000, paged) == pytest.approx(seconds("transpose", 1000, probed))
    for name, n in (("triad", 10_000_000), ("jacobi7", 300), ("gather", 3_000_000)):
        assert seconds(name, n, paged) == pytest.approx(seconds(name, n, probed), rel=0.01), name
    found = foretell.predict(KERNELS / "transpose.c", paged, parameters={"n": 4000})
    assert any(bound.name == "page walks" for bound in found.bounds)


def test_bandwidths_that_are_known_in_part(probed: Machine) -> None:
    without = replace(probed, quantities={k: q for k, q in probed.quantities.items() if k != "memory.read_bandwidth"})
    assert seconds_per_byte(Inputs(without, {}), "memory", 2.0, 0.0, 0.0, allocate=True) == pytest.approx(1 / 60e9)
    one = load("zen4")
    assert seconds_per_byte(Inputs(one, {}), "memory", 1.0, 0.3, 0.0, allocate=True) > 0


# ---- threads


def test_directives_say_what_threads_share() -> None:
    assert marked(nest("jacobi5")) == 0
    assert marked(nest("prefix")) is None
    assert split(nest("prefix"), {"n": 10.0}, 2.0, everywhere=False).depth is None
    # Without a directive, a loop is shared whose iterations do not need each other.
    assert split(nest("prefix"), {"n": 10.0}, 2.0, everywhere=True).depth is None
    assert split(nest("matvec_columns"), {"n": 10.0}, 2.0, everywhere=True).depth is None
    assert split(nest("jacobi5"), {"n": 10.0}, 2.0, everywhere=True).depth == 0
    assert split(nest("jacobi5"), {"n": 4.0}, 8.0, everywhere=False).threads == 2.0  # two rows, two threads


def test_triangles_are_shared_unevenly() -> None:
    found = split(nest("triangle"), {"n": 1000.0}, 2.0, everywhere=False)
    assert found.imbalance == pytest.approx(1.5, rel=1e-3)  # the second half of the rows holds three quarters
    four = split(nest("triangle"), {"n": 1000.0}, 4.0, everywhere=False)
    assert four.imbalance == pytest.approx(7 / 4, rel=1e-2)


def test_a_parallel_region_costs_its_start_and_end(probed: Machine) -> None:
    machine = probed.with_values({"sync.launch": 1e-6 * probed.value("clock.frequency")})
    found = foretell.predict(KERNELS / "fill.c", machine, parameters={"n": 64, "threads": 2})
    assert next(b.time_s for b in found.bounds if b.name == "threads meeting") == pytest.approx(1e-6)
    alone = foretell.predict(KERNELS / "fill.c", machine, parameters={"n": 64, "threads": 1})
    assert all(bound.name != "threads meeting" for bound in alone.bounds)


def test_regions_of_two_threads_and_of_all() -> None:
    machine = load("sapphire-rapids")
    cycles = machine.value("clock.frequency") * 1e-6
    machine = machine.with_values({"sync.launch": 4 * cycles, "sync.pair_launch": cycles, "cores.count": 16})

    def meeting(threads: float) -> float:
        found = foretell.predict(KERNELS / "fill.c", machine, parameters={"n": 4096, "threads": threads})
        return next(b.time_s for b in found.bounds if b.name == "threads meeting")

    assert [meeting(2), meeting(4), meeting(8), meeting(16)] == pytest.approx([1e-6, 2e-6, 3e-6, 4e-6])


def test_regions_of_the_runtime_that_belongs_to_the_compiler() -> None:
    machine = load("sapphire-rapids")
    cycles = machine.value("clock.frequency") * 1e-6
    values = {"sync.launch": cycles, "sync.pair_launch": cycles}

    def meeting(compiler: str, **more: float) -> float:
        found = foretell.predict(
            KERNELS / "fill.c", machine.with_values({**values, **{f"sync.{k}": v for k, v in more.items()}}),
            parameters={"n": 4096, "threads": 2}, options={"compiler": compiler},
        )  # fmt: skip
        return next(b.time_s for b in found.bounds if b.name == "threads meeting")

    own = {"launch_llvm": 3 * cycles, "pair_launch_llvm": 2 * cycles}
    assert meeting("gcc", **own) == pytest.approx(1e-6)
    assert meeting("clang", **own) == pytest.approx(2e-6)
    assert meeting("clang") == pytest.approx(1.7e-6)  # nobody measured it: estimated from the other runtime's


def test_the_interval_is_wider_where_nobody_has_probed_the_overlap(probed: Machine) -> None:
    def ends(machine: Machine, **options: str) -> tuple[float, float, float]:
        sizes = {"n": 300, "threads": 1}
        case = foretell.prepare(KERNELS / "jacobi5.c", machine, parameters=sizes, options=options)
        found = case.model.predict(case.workload, case.machine, case.settings)  # before estimates widen it
        assert found.interval_s is not None
        return found.time_s, *found.interval_s

    places = [*(f"level.{level}" for level in probed.levels), "memory"]
    point, low, high = ends(probed.with_values({f"{place}.overlap": 0.8 for place in places}))
    assert low < point < high
    _, lowest, highest = ends(probed)  # nobody has measured it there
    assert lowest <= low
    assert highest >= high
    assert highest / lowest > high / low
    alone = {name: ends(probed, overlap=name) for name in ("full", "none")}
    assert alone["full"][1:] == pytest.approx(alone["none"][1:])  # what the two compositions say, and no more
    assert alone["full"][0] == pytest.approx(alone["full"][1])
    assert alone["none"][0] == pytest.approx(alone["none"][2])


# ---- bandwidths


def test_an_update_has_its_own_bandwidth(probed: Machine) -> None:
    updating = probed.with_values({"memory.update_bandwidth": 16e9, "memory.core_update_bandwidth": 8e9})
    inputs = Inputs(updating, {})
    assert 16 * seconds_per_byte(inputs, "memory", 2.0, 1 / 2, 1.0, allocate=True) == pytest.approx(8 / 16e9)
    assert 16 * seconds_per_byte(inputs, "memory", 2.0, 1 / 2, 0.0, allocate=True) == pytest.approx(8 / 10e9)
    assert seconds_per_byte(inputs, "memory", 2.0, 0.0, 1.0, allocate=True) == pytest.approx(1 / 40e9)


def test_stores_of_two_arrays_in_turn_wait_for_their_lines(tmp_path: Path) -> None:
    """Two arrays written along their lines do; one does not, nor columns, nor arrays that the loop reads as well."""
    measured = Path(__file__).parents[4] / "validation" / "cpu" / "xeon-16-2026-11-15" / "machine.toml"
    machine = load(str(measured))
    read, write = (machine.value(f"level.L2.core_{kind}_bandwidth") for kind in ("read", "write"))
    waiting = machine.with_values({"level.L2.core_two_stream_write_bandwidth": write / 2})
    inputs = Inputs(waiting, {})
    mixed = seconds_per_byte(inputs, "level.L2", 1.0, 0.4, 0.0, allocate=True, alternating=1.0)  # one in, two written
    clock = per_second(inputs, "level.L2.core_read_bandwidth") / read
    assert 5 * mixed == pytest.approx((1 / read + 2 * 2 / write) / clock)
    alone = seconds_per_byte(inputs, "level.L2", 1.0, 0.4, 0.0, allocate=True)
    assert alone == seconds_per_byte(Inputs(machine, {}), "level.L2", 1.0, 0.4, 0.0, allocate=True)
    bodies = {
        "a[i][j] = c[i][j]; b[i][j] = 2 * c[i][j];": True,
        "a[i][j] = c[i][j] + b[i][j];": False,
        "a[j][i] = c[i][j]; b[j][i] = 2 * c[i][j];": False,
        "a[i][j] += c[i][j]; b[i][j] += c[i][j];": False,
        "a[i][j] = c[i][j]; b[i][0] = 2 * c[i][j];": False,
    }
    for body, slower in bodies.items():
        path = tmp_path / "kernel.c"
        path.write_text(
            "void f(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n])"
            f" {{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{ {body} }} }}\n"
        )
        before, after = (foretell.predict(path, one, parameters={"n": 128}).time_s for one in (machine, waiting))
        assert after > 1.2 * before if slower else after == before, body


def test_the_innermost_cache_serves_either_the_core_or_the_next_level() -> None:
    """A stencil in L2 takes its loads and the lines that come in one after the other; a copy only its lines."""
    measured = Path(__file__).parents[4] / "validation" / "cpu" / "xeon-16-2026-11-15" / "machine.toml"
    machine = load(str(measured)).with_values({"level.L2.overlap": 0.95})
    flags = {"flags": "-O3 -march=sapphirerapids"}
    for name, size, least in (("jacobi5", 157, True), ("scale", 24576, False)):
        found = foretell.predict(KERNELS / f"{name}.c", machine, parameters={"n": size}, options=flags)
        core, level = (next(b.time_s for b in found.bounds if b.name == n) for n in ("core", "L2 bandwidth"))
        hidden = 1 - (found.time_s - max(core, level)) / min(core, level)
        assert hidden < 0.7 if least else hidden > 0.9


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("for (int ii = 0; ii < n; ii += t) for (int kk = 0; kk < n; kk += t) for (int i = ii; i < ii + t; i++)"
         " for (int k = kk; k < kk + t; k++) for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];", {"t": 250.0}),
        ("for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)"
         " c[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];", {}),
    ],
)  # fmt: skip
def test_a_larger_cache_makes_nothing_slower(text: str, values: dict[str, float], tmp_path: Path) -> None:
    """Lines from L3 come into L1 as those from L2 do: that they come from nearer is no loss."""
    arrays = "const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]"
    workload = source(tmp_path, f"void f(int n, int t, {arrays}) {{ {text} }}")
    numbers = {
        f"level.{level}.{core}{kind}bandwidth": rate * 1e9
        for level, rate in (("L1", 250.0), ("L2", 100.0), ("L3", 90.0))
        for core in ("", "core_")
        for kind in ("", "read_", "copy_", "write_")
    }
    numbers |= {f"level.{level}.overlap": 1.0 for level in ("L2", "L3")} | {"memory.overlap": 0.9}
    machine = load("sapphire-rapids").with_values(numbers)
    times = [
        foretell.predict(
            workload, machine.with_values({"level.L2.size": kibibytes * 1024.0}), parameters={"n": 1000, **values}
        ).time_s
        for kibibytes in (256, 512, 1024, 2048, 4096, 16384)
    ]
    assert all(later <= earlier * (1 + 1e-9) for earlier, later in pairwise(times)), times


def test_the_mix_of_each_loop_gives_its_own_bandwidth(probed: Machine) -> None:
    inputs = Inputs(probed, {})
    # seconds for an element of each loop, all cores: what STREAM counts over its bandwidth
    for share, moved, expected in (
        (0.0, 8, 8 / 40e9),
        (1 / 4, 32, 24 / 24e9),
        (1 / 3, 24, 16 / 20e9),
        (1 / 2, 16, 8 / 10e9),
    ):
        assert moved * seconds_per_byte(inputs, "memory", 2.0, share, 0.0, allocate=True) == pytest.approx(expected)
    assert seconds_per_byte(inputs, "memory", 1.0, 0.0, 0.0, allocate=True) == pytest.approx(1 / 30e9)


def test_a_disturbed_loop_is_no_slower_than_its_parts(probed: Machine) -> None:
    slow = probed.with_values({"memory.bandwidth": 1e9, "memory.core_bandwidth": 1e9})
    found = 32 * seconds_per_byte(Inputs(slow, {}), "memory", 2.0, 1 / 4, 0.0, allocate=True)
    assert found == pytest.approx(2 * 8 / 40e9 + 8 / 10e9)


def test_random_lines_cost_more(probed: Machine) -> None:
    assert scattered_seconds_per_byte(Inputs(probed, {}), "memory", 1.0) == pytest.approx(1 / 2e9)
    plain = Inputs(load("neoverse-n1"), {})
    latency = plain.cycles("memory.latency") / plain.value("clock.frequency")
    assert latency / 640 > 1 / plain.value("memory.core_bandwidth")
    assert scattered_seconds_per_byte(plain, "memory", 1.0) == pytest.approx(latency / 640)


def test_a_level_supplies_what_does_not_come_from_beyond() -> None:
    found = Volumes({"L2": 10.0, "memory": 4.0}, {"L2": 3.0, "memory": 3.0})
    assert found.supplied("L2") == (6.0, 0.0, 0.0, 0.0)
    assert found.supplied("memory") == (4.0, 3.0, 0.0, 0.0)
    assert found.bytes == {"L2": 13.0, "memory": 7.0}


def test_copies_become_memcpy(probed: Machine) -> None:
    assert [name for name in ("copy", "scale", "convert", "transpose", "prefix") if plain_copy(nest(name))] == ["copy"]
    large = foretell.predict(KERNELS / "copy.c", probed, parameters={"n": 1e8})
    assert large.details["bytes_from_B"]["memory"] == pytest.approx(16e8)  # type: ignore[index, call-overload]
    assert any("memcpy" in note for note in large.assumptions)
    scaled = foretell.predict(KERNELS / "scale.c", probed, parameters={"n": 1e8})
    allocates = probed.traits["memory.write_allocate"] == "yes"
    assert scaled.details["bytes_from_B"]["memory"] == pytest.approx(24e8 if allocates else 16e8)  # type: ignore[index, call-overload]


# ---- overlap

TIMES = st.floats(0, 10)
SHARES = st.floats(0, 1)


@given(TIMES, TIMES, TIMES, SHARES, SHARES, TIMES)
def test_overlap_is_monotone_and_between_its_ends(
    core: float, near: float, far: float, a: float, b: float, more: float
) -> None:
    overlaps = {"L2": a, "memory": b}

    def time(core: float, near: float, far: float) -> float:
        return max(core, near + far) + float(exposed(core, {"L2": near, "memory": far}, overlaps))

    now = time(core, near, far)
    assert max(core, near + far) <= now <= core + near + far + 1e-9
    for longer in (time(core + more, near, far), time(core, near + more, far), time(core, near, far + more)):
        assert longer >= now - 1e-9


# ---- core


def test_without_the_code_generator_the_answer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise MissingExtraError("llvmlite", "cpu")

    monkeypatch.setattr(core_time, "in_core", missing)
    with pytest.raises(MissingExtraError, match=r"llvmlite: pip install 'foretell\[cpu\]', or 'foretell\[all\]'"):
        foretell.predict(KERNELS / "copy.c", "neoverse-n1", parameters={"n": 1000})
    assert foretell.predict(KERNELS / "triad.c", "neoverse-n1", parameters={"n": 1000}, options={"core": "peak"}).time_s


def test_without_code_the_loads_and_stores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise UnsupportedError("no target")

    monkeypatch.setattr(core_time, "in_core", missing)
    found = foretell.predict(KERNELS / "copy.c", "neoverse-n1", parameters={"n": 1000})
    machine = load("neoverse-n1")
    assert found.bounds[0].name == "arithmetic"
    assert found.bounds[0].time_s == pytest.approx(
        16e3 / core_time.bandwidths.per_second(Inputs(machine, {}), "level.L1.core_bandwidth")
    )
    assert any("no code for this machine (no target)" in note for note in found.assumptions)
    bare = replace(
        machine,
        quantities={k: q for k, q in machine.quantities.items() if not k.startswith("level.L1.")},
        levels=("L2", "L3"),
    )
    assert foretell.predict(KERNELS / "daxpy.c", bare, parameters={"n": 1000}).time_s > 0


def test_code_makes_a_division_slow() -> None:
    pytest.importorskip("llvmlite")
    options = {"flags": "-O3 -march=native"}
    divide, triad = (
        foretell.predict(KERNELS / f"{name}.c", "sapphire-rapids", parameters={"n": 500}, options=options)
        for name in ("divide", "triad")
    )
    assert divide.bounds[0].name == "core"
    assert divide.time_s > 3 * triad.time_s
    assert any("code as made by" in note for note in divide.assumptions)


def test_a_sweep_with_code_is_the_predictions_at_its_points() -> None:
    pytest.importorskip("llvmlite")
    case = foretell.prepare(KERNELS / "jacobi5.c", "sapphire-rapids", parameters={"n": 1, "threads": 2})
    sizes = np.array([40.0, 333.0, 3000.0])
    for size, time in zip(sizes, foretell.sweep(case, {"n": sizes}), strict=True):
        alone = foretell.predict(case.workload, case.machine, parameters={"n": size, "threads": 2})
        assert time == pytest.approx(alone.time_s, rel=1e-9)


def test_points_of_a_sweep_that_cannot_run_are_infinite() -> None:
    case = foretell.prepare(KERNELS / "jacobi5.c", "neoverse-n1", parameters={"n": 1}, options={"core": "peak"})
    sizes, threads = np.array([100.0, 2.0, 1e200, 300.0]), np.array([1.0, 1.0, 1.0, 9.0])
    found = foretell.sweep(case, {"n": sizes, "threads": threads})
    assert np.isinf(found).tolist() == [False, True, True, True]
    alone = foretell.predict(case.workload, case.machine, parameters={"n": 100}, options={"core": "peak"})
    assert found[0] == pytest.approx(alone.time_s)
    assert np.isinf(foretell.sweep(case, {"n": np.array([0.0, 1.0])})).all()


def test_gathers_meet_lines_by_chance(probed: Machine) -> None:
    found = foretell.predict(KERNELS / "gather.c", probed, parameters={"n": 1e8})
    assert found.time_s > 0.9e8 * 64 / 2e9  # nearly every element is a line of its own from memory
    assert any("uniformly distributed over its lines" in note for note in found.assumptions)


@pytest.mark.parametrize("machine", ["sapphire-rapids", "neoverse-n1"])
def test_loops_that_the_compiler_writes_out_count_once(tmp_path: Path, machine: str) -> None:
    """A point of a convolution costs as much in long rows as in short ones, however far its code is followed."""
    workload = source(
        tmp_path,
        """
        void conv(int n, const float in[restrict n+2][n+2], float out[restrict n][n], const float w[3][3]) {
          for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
            float s = 0;
            for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += w[y][x] * in[i+y][j+x];
            out[i][j] = s;
          }
        }
        """,
    )
    nest, inputs = workload.facet(Loops).nests[0], Inputs(load(machine), {})
    settings = {"core": "code", "flags": "-O3 -march=native", "compiler": "gcc"}
    settings |= {"asm": "", "loop": "", "sizes": "each", "alias": ""}
    short, long = (
        core_time.core_time(nest, inputs, settings, {"n": n}, False).seconds / n**2  # type: ignore[arg-type]
        for n in (64, 512)  # whole vectors: what is left of a row costs more
    )
    assert long == pytest.approx(short, rel=0.25)


def test_flags_that_may_change_code_and_are_not_known_are_said() -> None:
    options = {"flags": "-O3 -mweird -Wall -fopenmp"}
    found = foretell.predict(KERNELS / "scale.c", "neoverse-n1", parameters={"n": 1000}, options=options)
    assert "flags without effect here: -mweird" in found.assumptions
