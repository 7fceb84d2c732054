"""Nests whose outermost loop changes strides, and loops under conditions, against a simulated LRU cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.model import CpuModel
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.program import program
from foretell.models.cpu.transfers.changing_strides import outer_iterations, strides_change
from foretell.models.cpu.transfers.volumes import Volumes, level_volumes
from tests.support.caches.lru import misses
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.columns.expression import Value

LINE = 64
TRANSFORM = """void f(int n, double *x) {
  for (int half = 1; half < n; half *= 2) for (int i = 0; i < n; i += 2 * half) for (int j = i; j < i + half; j++) {
    double a = x[j], b = x[j + half]; x[j] = a + b; x[j + half] = a - b; } }"""
MULTIPLES = "void f(int n, char *x) { for (int i = 2; i * i < n; i++) GUARD for (int j = i; j < n; j += i) x[j] += 1; }"


def transform(n: int) -> Iterator[int]:
    half = 1
    while half < n:
        for i in range(0, n, 2 * half):
            for j in range(i, i + half):
                yield from (j * 8 // LINE, (j + half) * 8 // LINE)
        half *= 2


def multiples(n: int) -> Iterator[int]:
    for i in range(2, int((n - 1) ** 0.5) + 1):
        yield from (j // LINE for j in range(i, n, i))


def volumes(text: str, capacity: float, n: Value) -> Volumes:
    """What moves at the border of a first level of this capacity."""
    machine = load("ivy-bridge").with_values({"level.L1.size": capacity})
    inputs, settings = Inputs(machine, {}), CpuModel().settings("default", {"caches": "cold"})
    (run,) = program(of_c(text), {"n": n}).runs
    return level_volumes(run.nest, inputs, settings, run.values, Split(None, 1.0))


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_passes_of_a_transform_stream_its_data_once_each(share: float) -> None:
    n = 2048
    capacity = share * n * 8
    simulated = misses(transform(n), int(capacity // LINE)) * LINE
    assert float(volumes(TRANSFORM, capacity, float(n)).reads["L2"]) == pytest.approx(simulated, rel=0.05)


@pytest.mark.parametrize("n", [5_000, 100_000])
def test_growing_strides_move_the_lines_of_each_stride(n: int) -> None:
    capacity = 32 * LINE
    simulated = misses(multiples(n), 32) * LINE
    assert float(volumes(MULTIPLES.replace("GUARD", ""), capacity, float(n)).reads["L2"]) == pytest.approx(
        simulated, rel=0.1
    )


def test_a_column_of_sizes_is_each_size() -> None:
    sizes = np.array([5_000.0, 100_000.0])
    both = np.asarray(volumes(MULTIPLES.replace("GUARD", ""), 2048.0, sizes).reads["L2"])
    each = [float(volumes(MULTIPLES.replace("GUARD", ""), 2048.0, float(n)).reads["L2"]) for n in sizes]
    assert both == pytest.approx(each, rel=0.05)


def test_a_loop_under_a_condition_moves_its_lines_as_often_as_it_holds() -> None:
    plain, guarded = (
        volumes(MULTIPLES.replace("GUARD", guard).replace("int n,", "int n, const double *w,"), 2048.0, 100_000.0)
        for guard in ("", "if (w[i] > 0.5)")
    )
    assert guarded.by_array["x"] == pytest.approx(0.5 * plain.by_array["x"], rel=0.01)
    assert guarded.by_array["w"] > 0.9 * LINE * 315, "the condition is evaluated every time"


def test_iterations_stand_for_all() -> None:
    nest = only(of_c(MULTIPLES.replace("GUARD", "")))
    assert strides_change(nest)
    assert not strides_change(only(of_c("void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 1; }")))
    for n in (30.0, 1e6):
        total = sum(float(often) for _, often in outer_iterations(nest, {"n": n}))
        assert total == pytest.approx(np.floor(np.sqrt(n - 1)) - 1)
