"""Clocks that wide vectors lower: which code runs at which, and what follows for times and bandwidths in cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.core.machine.machine import Machine
from foretell.machines import load
from foretell.machines.probe import kernels
from foretell.machines.probe.plan import Bench, operation_tasks, usual
from foretell.machines.probe.whole_probe import _falling
from foretell.models.base import Inputs
from foretell.models.cpu.clock import knows_vectors, running_clock, vector_clock
from foretell.models.cpu.core_time import CoreTime, peak

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("llvmlite")

USUAL, HALF, WHOLE = 3e9, 2.7e9, 2.4e9
TRIAD = """void triad(int n, double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
"""
COPY = "void copy(int n, double *restrict a, double *b) { for (int i = 0; i < n; i++) a[i] = b[i]; }\n"
HORNER = """void horner(int n, double *restrict a, double *b) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    a[i] = ((((((x * x + 1) * x + 2) * x + 3) * x + 4) * x + 5) * x + 6) * x;
  }
}
"""


def machine(**values: float) -> Machine:
    base = load("cascade-lake").with_values({"clock.frequency": USUAL})
    base = Machine(**{**{name: getattr(base, name) for name in base.__dataclass_fields__}, "replaced": {}})
    return base.with_values({f"clock.{name}": value for name, value in values.items()})


LOWERED = machine(vector_32=HALF, vector_64=WHOLE)


def seconds(tmp_path: Path, source: str, n: int, where: Machine, flags: str = "-O3 -march=cascadelake") -> float:
    path = tmp_path / "kernel.c"
    path.write_text(source)
    return foretell.predict(path, where, parameters={"n": n}, options={"flags": flags}).time_s


@pytest.mark.parametrize(
    ("width", "any_", "in_a_cycle", "clock"),
    [
        (0, 0, 0.0, USUAL),
        (16, 16, 2.0, USUAL),
        (32, 32, 0.5, HALF),
        (32, 32, 0.3, USUAL),
        (64, 64, 0.5, WHOLE),
        (64, 64, 0.1, HALF),
        (0, 64, 0.0, HALF),
        (32, 64, 2.0, HALF),
    ],
)
def test_the_clock_of_some_code(width: int, any_: int, in_a_cycle: float, clock: float) -> None:
    core = CoreTime(1e-6, "core", arithmetic=in_a_cycle * 1e-6 * USUAL, arithmetic_bytes=width, vector_bytes=any_)
    assert running_clock(Inputs(LOWERED, {}), core, 1e-6) == pytest.approx(clock)


def test_a_machine_without_them_has_one_clock() -> None:
    inputs = Inputs(machine(), {})
    assert not knows_vectors(inputs)
    assert vector_clock(inputs, 64) == USUAL
    assert vector_clock(Inputs(machine(vector_32=HALF), {}), 64) == pytest.approx(HALF)  # the next that is known


def test_it_follows_the_usual_clock() -> None:
    """What if the clock were higher: that of vectors is as well."""
    swept = Inputs(LOWERED, {"clock.frequency": np.array([1.5e9, 3e9, 6e9])})
    assert vector_clock(swept, 32) == pytest.approx([HALF / 2, HALF, 2 * HALF])
    assert vector_clock(Inputs(LOWERED.with_values({"clock.frequency": 6e9}), {}), 32) == pytest.approx(2 * HALF)


def test_times_of_code_that_computes_with_vectors(tmp_path: Path) -> None:
    told, plain = LOWERED, machine()
    half, none = (seconds(tmp_path, HORNER, 1000, where) for where in (told, plain))
    assert half / none == pytest.approx(USUAL / HALF, rel=1e-3)
    whole, same = (
        seconds(tmp_path, HORNER, 1000, where, "-O3 -march=cascadelake -mprefer-vector-width=512")
        for where in (told, plain)
    )
    assert whole / same == pytest.approx(USUAL / WHOLE, rel=1e-3)
    for source, n in ((COPY, 1000), (TRIAD, 20_000_000)):  # no arithmetic, and little of it in a second
        assert seconds(tmp_path, source, n, told) == pytest.approx(seconds(tmp_path, source, n, plain), rel=1e-12)
    scalar = [seconds(tmp_path, HORNER, 1000, where, "-O1 -march=cascadelake") for where in (told, plain)]
    assert scalar[0] == scalar[1]


def test_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "kernel.c"
    path.write_text(HORNER)
    found = foretell.predict(path, LOWERED, parameters={"n": 1000}, options={"flags": "-O3 -march=cascadelake"})
    assert any("wide vectors lower the clock to 2.7 GHz" in said for said in found.assumptions)


def test_many_sizes_have_the_times_of_single_ones(tmp_path: Path) -> None:
    path = tmp_path / "kernel.c"
    path.write_text(TRIAD)
    in_cache, in_memory = range(100, 1000, 60), (4_000_000, 20_000_000)
    sizes = [{"n": n} for n in (*in_cache, *in_memory)]
    many = foretell.predict_many(path, LOWERED, sizes).predictions
    assert len(many) == len(sizes)
    for point, found in zip(sizes, many, strict=True):
        one = foretell.predict(path, LOWERED, parameters=point)
        assert found.time_s == pytest.approx(one.time_s, rel=1e-9)
        assert [said for said in found.assumptions if "clock" in said] == [
            said for said in one.assumptions if "clock" in said
        ]


def test_peaks_are_at_the_clock_of_the_widest_vectors() -> None:
    assert peak(Inputs(LOWERED, {})) == pytest.approx(32 * WHOLE)


def test_the_probe_keeps_clocks_apart() -> None:
    """Clocks beside narrow vectors are the usual one's; beside wide ones only busy arithmetic tells."""
    variants = kernels.variants()
    bench = Bench(usual(variants))
    wanted = {f"operation {kind}" for kind in ("add_f64.gap", "add_f64x4.gap", "add_f64x4.latency", "fma_f64x8.gap")}
    for task in operation_tasks(bench, variants):
        if task.name in wanted:
            task.measure()
    assert len(bench.clock) == 1
    assert {width: len(found) for width, found in bench.vector_clock.items()} == {one.bytes: 1 for one in variants[1:]}


def test_wider_vectors_have_no_higher_clock() -> None:
    periods = {64: [np.array([1 / 2.8e9])], 32: [np.array([1 / 2.7e9, 1 / 2.6e9, 1 / 2.5e9])]}
    assert _falling(3e9, periods) == pytest.approx({32: 2.6e9, 64: 2.6e9})
    assert _falling(2.5e9, periods) == pytest.approx({32: 2.5e9, 64: 2.5e9})
