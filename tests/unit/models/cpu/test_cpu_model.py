"""The parts of the CPU model: calls, threads, bandwidths by mix, overlap, core time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, UnsupportedError
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.parallel import marked, split
from foretell.models.cpu.program import program
from foretell.models.cpu.transfers.bandwidths import seconds_per_byte
from foretell.uses.validate import KERNELS
from tests.support.models.cpu import nest, source

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine
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


def test_distances_that_change_are_taken_as_they_are(tmp_path: Path) -> None:
    """A reduction tree, whose variable is a power; its addresses cannot be simulated as those of a nest."""
    tree = (
        "void tree(int n, double *a) { for (int s = 1; s < n; s *= 2)"
        " for (int i = 0; i + s < n; i += 2 * s) a[i] = a[i] + a[i + s]; }"
    )
    times = {}
    for n in (1000.0, 100000.0):
        found = foretell.predict(source(tmp_path, tree), load("cascade-lake"), parameters={"n": n})
        assert not found.at_least
        assert any("iterations of the outermost loop" in one for one in found.assumptions)
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

    def added(first: float, second: float, n: int = 4000) -> float:
        """Cycles that longer walks add to a store down a column."""
        short, long = (seconds("transpose", n, probed.with_values({"tlb.walk": walk})) for walk in (first, second))
        return (long - short) * probed.value("clock.frequency") / n**2

    walks = added(400.0, 420.0) / 20
    assert walks == pytest.approx(1, rel=0.03)
    hidden = 400 * walks - added(1e-9, 400.0)  # walks go on while earlier stores wait for their lines
    assert 5 < hidden < 10
    assert added(1e-9, 20.0) == pytest.approx(20 * walks - hidden, rel=0.01)
    assert added(1e-9, 5.0) == pytest.approx(0, abs=0.02)
    assert seconds("transpose", 600, paged) == pytest.approx(seconds("transpose", 600, probed))
    for name, n in (("triad", 10_000_000), ("jacobi7", 300), ("gather", 3_000_000)):
        assert seconds(name, n, paged) == pytest.approx(seconds(name, n, probed), rel=0.01), name
    assert 0.3 < added(400.0, 420.0, 1400) / 20 < 0.7  # of 1400 pages in 1280 entries, some sets have room
    found = foretell.predict(KERNELS / "transpose.c", paged, parameters={"n": 4000})
    assert any(bound.name == "TLB misses" for bound in found.bounds)


def test_pages_beyond_the_first_level_of_the_tlb_cost_less_than_a_walk(probed: Machine) -> None:
    free = {"tlb.page_size": 4096.0, "tlb.entries": 1280.0, "tlb.walk": 20.0, "tlb.first_entries": 64.0}
    without = probed.with_values({**free, "tlb.first_miss": 1e-9})
    paged = probed.with_values({**free, "tlb.first_miss": 0.5})

    def added(name: str, n: int) -> float:
        options = {"core": "peak", "overlap": "none"}
        dear, cheap = (
            foretell.predict(KERNELS / f"{name}.c", machine, parameters={"n": n}, options=options).time_s
            for machine in (paged, without)
        )
        return dear - cheap

    cycle = 1 / probed.value("clock.frequency")
    assert added("transpose", 600) == pytest.approx(0.5 * cycle * 600**2, rel=0.03)  # a page with every store
    assert added("transpose", 60) == 0  # 60 rows lie on fewer than 64 pages
    assert added("transpose", 4000) == pytest.approx(0, abs=1e-3 * cycle * 4000**2)  # all of these are walks
    assert added("triad", 10_000_000) == pytest.approx(0, abs=1e-6)


def test_a_tlb_miss_is_hidden_as_a_line_from_the_next_level_is(probed: Machine) -> None:
    pages = {"tlb.page_size": 4096.0, "tlb.entries": 1280.0, "tlb.walk": 20.0}
    paged = probed.with_values({**pages, "tlb.first_entries": 64.0, "tlb.first_miss": 0.5})

    def seconds(overlap: float) -> float:
        machine = paged.with_values({"level.L2.overlap": overlap, "level.L3.overlap": 1.0})
        return foretell.predict(KERNELS / "transpose.c", machine, parameters={"n": 1000}).time_s

    assert seconds(1.0) < seconds(0.5) < seconds(0.001)


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
