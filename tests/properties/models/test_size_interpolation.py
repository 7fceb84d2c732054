"""Many sizes from a few: exact where an iteration takes a + b / n for each remainder, close where code is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.models.cpu.incore.size_interpolation import Steps, around, different, grid, put_together, sizes_at
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import TILED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

steps = st.builds(
    Steps, st.sampled_from([1, 4, 8, 16, 24, 64, 100]), st.sampled_from([8, 64]), st.sampled_from([2**0.5, 2.0])
)


@given(steps, st.lists(st.integers(-5, 2**40), min_size=1, max_size=50))
def test_every_size_lies_between_two_of_its_remainder(of: Steps, sizes: list[int]) -> None:
    given_sizes = np.array(sizes, dtype=np.int64)
    found = around(given_sizes, of)
    low, high = (sizes_at(places, of) for places in (found.low, found.high))
    assert ((low <= given_sizes) & (given_sizes <= high)).all()
    assert ((found.weight >= 0) & (found.weight < 1)).all()
    for end in (low, high):
        assert np.array_equal(end % of.period, given_sizes % of.period)
        assert all(n <= 0 or n // of.period in grid(of) for n in end.tolist())
    assert np.array_equal(low == high, found.weight == 0)
    between = found.weight > 0
    lower, upper, size = (1 / one[between] for one in (low, high, given_sizes))
    assert lower + found.weight[between] * (upper - lower) == pytest.approx(size)


@given(steps, st.sampled_from([1, 4, 8]), st.lists(st.integers(1, 2**40), min_size=1, max_size=50))
def test_remainders_that_are_alike_have_the_same_places(of: Steps, lanes: int, sizes: list[int]) -> None:
    """From some size on the grid has one remainder for all with the same divisor in common with the lanes; below,
    and for what is linear in 1 / n, nothing changes."""
    shared = Steps(of.period, of.dense, of.ratio, 1024, lanes)
    given_sizes = np.array(sizes, dtype=np.int64)
    found = around(given_sizes, shared)
    low, high = (sizes_at(places, shared) for places in (found.low, found.high))
    assert ((low <= given_sizes) & (given_sizes <= high)).all()
    assert ((found.weight >= 0) & (found.weight < 1)).all()
    for end in (low, high):
        rest, own, far = end % of.period, given_sizes % of.period, end - end % of.period >= 1024
        assert np.array_equal(rest[~far], own[~far])
        assert np.array_equal(rest[far], (np.gcd(own, lanes) % lanes)[far])
    between = found.weight > 0
    lower, upper, size = (1 / one[between] for one in (low, high, given_sizes))
    assert lower + found.weight[between] * (upper - lower) == pytest.approx(size)


def test_a_ladder_has_no_large_powers_of_two_and_few_steps() -> None:
    for period in (1, 8, 16):
        found = np.array(grid(Steps(period, 64, 2.0 if period > 8 else 2**0.5)))
        assert not any(n & (n - 1) == 0 for n in found.tolist() if n * period > 64)
        inside = found[(found * period >= 64) & (found * period <= 1024)]
        assert 4 <= len(inside) <= 9


@given(st.integers(0, 2**32), st.sampled_from([8, 16]))
def test_what_is_linear_in_one_over_n_is_exact(seed: int, period: int) -> None:
    rng = np.random.default_rng(seed)
    flat, start, share = rng.uniform(1, 2, period), rng.uniform(0, 50, period), rng.uniform(0, 9)
    asked = []

    def cost(sizes: Mapping[str, int]) -> tuple[float, float]:
        asked.append(tuple(sizes.values()))
        n, m = sizes["n"], sizes["m"]
        return flat[n % period] + (start[n % period] + share / m) / n, 7.0 / n + sizes["k"]

    n, m = (column.ravel().astype(np.int64) for column in np.meshgrid(np.arange(40, 440), [3, 77, 300]))
    points = {"n": n, "m": m, "k": np.full(n.size, 5, dtype=np.int64)}
    of = {"n": Steps(period, 64, 2.0), "m": Steps(1, 8, 2.0)}
    times, others = put_together(points, of, cost).columns
    sides = {"n": np.arange(40, 440), "m": np.array([[3], [77], [300]]), "k": np.array([5])}
    for column, same in zip(
        (times, others), put_together(sides, of, cost).columns, strict=True
    ):  # columns that broadcast
        assert np.array_equal(column.reshape(3, 400), same)
    assert times == pytest.approx([cost({"n": a, "m": b, "k": 5})[0] for a, b in zip(n, m, strict=True)])
    assert others == pytest.approx(7.0 / n + 5)
    assert len(asked) - n.size < n.size
    assert {k for _, _, k in asked} == {5}


def test_few_points_are_asked_for_themselves() -> None:
    asked = []
    points = {"n": np.array([1000, 77, 2001])}

    def cost(sizes: Mapping[str, int]) -> tuple[float]:
        asked.append(sizes["n"])
        return (float(sizes["n"]) ** 2,)

    made = put_together(points, {"n": Steps(8, 64, 2.0)}, cost)
    (found,) = made.columns
    assert not made.between.any()
    assert found.tolist() == [1e6, 77**2, 2001**2]
    assert sorted(asked) == [77, 1000, 2001]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=1, max_size=30))
def test_different_rows(rows: list[tuple[int, int]]) -> None:
    a, b = (np.array(column) for column in zip(*rows, strict=True))
    found, places = different({"a": a, "b": b})
    again = list(zip(found["a"][places].tolist(), found["b"][places].tolist(), strict=True))
    assert again == rows
    assert len(found["a"]) == len(set(rows))


@pytest.mark.parametrize(("kernel", "median", "largest"), [("jacobi5", 0.01, 0.1), ("daxpy", 1e-9, 1e-9)])
def test_a_sweep_of_code_against_single_predictions(kernel: str, median: float, largest: float) -> None:
    """The stated bound (1 % in the median, 10 % at steps), at sizes that are on no grid; short calls are exact."""
    case = foretell.prepare(KERNELS / f"{kernel}.c", "sapphire-rapids", parameters={"n": 100})
    sizes = np.arange(40.0, 1040.0)
    swept = foretell.sweep(case, {"n": sizes})
    errors = []
    for n in (83, 97, 150, 222, 301, 444, 513, 640, 777, 901, 1000):
        alone = foretell.sweep(case, {"n": [float(n)]})[0]
        errors.append(abs(swept[n - 40] / alone - 1))
    assert np.median(errors) < median
    assert max(errors) < largest


def test_two_sizes_of_very_many_points(tmp_path: Path) -> None:
    """Tiles: a point does not depend on the points beside it, is near the single prediction, and not faster than the
    units of the core."""
    path = tmp_path / "tiled.c"
    path.write_text(TILED)
    case = foretell.prepare(path, "sapphire-rapids", parameters={"n": 512, "T": 32})
    n, tile = np.array([300.0, 500.0, 700.0, 1000.0, 210.0]), np.array([8.0, 20.0, 80.0, 40.0, 24.0])
    swept = foretell.sweep(case.for_many(), {"n": n, "T": tile})
    for place in range(len(n)):
        one = {"n": n[place : place + 1], "T": tile[place : place + 1]}
        assert foretell.sweep(case.for_many(), one)[0] == swept[place]
        assert foretell.sweep(case, one)[0] == pytest.approx(swept[place], rel=0.05)
    one_row = foretell.sweep(case, {"n": [8.0], "T": [1.0]})[0]  # fewer rows than are done beside each other
    assert one_row > foretell.sweep(case, {"n": [8.0], "T": [8.0]})[0]
    least = 2 * n**3 / (case.machine.value("cores.flops_per_cycle") * case.machine.value("clock.frequency"))
    assert (swept > least).all()


def test_columns_that_broadcast_are_the_same_points() -> None:
    """Sizes along one side, machine numbers along others, and one of them changes how the code runs."""
    case = foretell.prepare(KERNELS / "jacobi5.c", "sapphire-rapids", parameters={"n": 100})
    sides = {
        "n": np.array([30.0, 77.0, 400.0]).reshape(3, 1, 1, 1),
        "memory.bandwidth": np.array([5e10, 3e11]).reshape(2, 1, 1),
        "level.L1.latency": np.array([5.0, 12.0]).reshape(2, 1),
        "level.L2.size": np.array([5e5, 1e6, 2e6]),
    }
    swept = foretell.sweep(case, sides)
    assert swept.shape == (3, 2, 2, 3)
    flat = {name: np.broadcast_to(column, swept.shape).ravel() for name, column in sides.items()}
    assert foretell.sweep(case, flat) == pytest.approx(swept.ravel(), rel=1e-12)
    for place in ((0, 0, 0, 0), (2, 1, 1, 2), (1, 0, 1, 0)):
        at = {name: float(np.broadcast_to(column, swept.shape)[place]) for name, column in sides.items()}
        machine = case.machine.with_values({path: value for path, value in at.items() if path != "n"})
        alone = foretell.predict(KERNELS / "jacobi5.c", machine, parameters={"n": at["n"]}).time_s
        assert swept[place] == pytest.approx(alone)
