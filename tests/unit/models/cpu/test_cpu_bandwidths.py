"""The CPU model's bandwidths, overlap and core time."""

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
from foretell.errors import MissingExtraError, UnsupportedError
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu import core_time
from foretell.models.cpu.overlap import exposed
from foretell.models.cpu.transfers.bandwidths import per_second, scattered_seconds_per_byte, seconds_per_byte
from foretell.models.cpu.transfers.volumes import Volumes, plain_copy
from foretell.uses.validate import KERNELS
from tests.support.models.cpu import nest, source

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine


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
    options = {"cc": "none", "flags": "-O3 -mweird -Wall -fopenmp"}
    found = foretell.predict(KERNELS / "scale.c", "neoverse-n1", parameters={"n": 1000}, options=options)
    assert "flags without effect here: -mweird" in found.assumptions
