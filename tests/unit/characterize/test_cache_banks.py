"""Lines at regular distances: which banks of a cache a nest meets, and what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell import models
from foretell.characterize.layout.cache_banks import spacings
from foretell.core.machine.parameters import LINE_STRIDES
from foretell.frontends import read
from foretell.machines import load
from foretell.machines.probe import kernels
from foretell.machines.probe.plan import Bench, Tier, memory_tasks
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import LoopNest

LINE, BANKS = 64, LINE_STRIDES[-1]


def down(row: str, body: str) -> LoopNest:
    """A walk down a matrix with rows of so many elements."""
    text = f"""void f(int n, int m, double a[n][{row}], double s[n])
        {{ for (int j = 0; j < 8; j++) for (int i = 0; i < n; i++) {body} }}"""
    return only(of_c(text))


def met(stride: int, tiers: tuple[int, ...]) -> int:
    """Banks that the lines of a walk lie in, counted one by one."""
    return len({(k * stride + tier) // LINE % BANKS for k in range(8 * BANKS * LINE) for tier in tiers})


@pytest.mark.parametrize("row", [1, 3, 4, 8, 12, 16, 20, 24, 32, 33, 40, 48, 64, 96, 128, 132, 2048, 2056])
@pytest.mark.parametrize("body", ["s[j] += a[i][0];", "s[j] += a[i][0] + a[i][1];", "a[i][j] *= 2;"])
def test_distances_are_those_of_lines_counted_one_by_one(row: int, body: str) -> None:
    found = spacings(down(str(row), body), {"n": 1000, "m": 0}, LINE, LINE_STRIDES).get("a", {})
    lines = next((lines for lines, so in found.items() if so), 1)
    assert lines * met(8 * row, (0,)) == BANKS


def test_references_in_other_lines_meet_other_banks() -> None:
    values = {"n": 1000, "m": 0}
    both = spacings(down("16", "s[j] += a[i][0] + a[i][8];"), values, LINE, LINE_STRIDES)
    assert "a" not in both  # 0, 1, 2, 3 …
    far = spacings(down("64", "s[j] += a[i][0] + a[i][16];"), values, LINE, LINE_STRIDES)["a"]
    assert {lines: float(so) for lines, so in far.items()} == {2: 1.0}  # 0, 2, 8, 10 …


def test_a_sweep_over_sizes_has_each_distance_where_it_is() -> None:
    found = spacings(down("m", "s[j] += a[i][j];"), {"n": 9, "m": np.array([7.0, 16.0, 32.0, 48.0])}, LINE, (2, 4))
    assert {lines: list(so) for lines, so in found["a"].items()} == {2: [0, 1, 0, 1], 4: [0, 0, 1, 0]}


@pytest.mark.parametrize("body", ["s[j] = a[j][0];", "s[i] = a[(long)s[i]][0];", "s[j] += 1;"])
def test_what_does_not_move_or_moves_by_chance_has_no_distance(body: str) -> None:
    found = spacings(down("m", body), {"n": 9, "m": 512}, LINE, LINE_STRIDES)
    assert "a" not in found or body.startswith("s[j] = a")


# ---- what it costs

COLUMNS = """void f(int n, int m, double a[n][m], double s[m])
{ for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) s[j] += a[i][j]; }"""


@pytest.fixture(scope="module")
def slow() -> Machine:
    """A line from L2 takes 1, 2, 3 ns at distances of 2, 4, 8 lines; a change of page takes none."""
    levels = {f"level.L2.core_stride_{2**k}_bandwidth": 64e9 / k for k in (1, 2, 3)}
    return load("sapphire-rapids").with_values(levels | {"tlb.first_miss": 0.0})


def seconds(tmp_path: Path, machine: Machine, text: str = COLUMNS, **sizes: int) -> float:
    source = tmp_path / "f.c"
    source.write_text(text)
    options = {"core": "peak", "overlap": "full"}
    return foretell.predict(source, machine, parameters=sizes, options=options).time_s


@pytest.mark.parametrize(("row", "each"), [(16, 1e-9), (32, 2e-9), (64, 3e-9)])
def test_lines_of_few_banks_take_their_time(tmp_path: Path, slow: Machine, row: int, each: float) -> None:
    found = seconds(tmp_path, slow, n=2000, m=row)
    assert found == pytest.approx(2000 * row * each, rel=0.01)
    model = models.get("cpu")  # itself: without an estimate of what lines at a distance take
    code = read(tmp_path / "f.c").with_parameters({"n": 2000, "m": row})
    plain = model.predict(code, load("sapphire-rapids"), model.settings("default", {"core": "peak", "overlap": "full"}))
    assert found > 1.5 * plain.time_s


@pytest.mark.parametrize("row", [24, 33, 40, 44])
def test_odd_distances_stay_as_they_were(tmp_path: Path, slow: Machine, row: int) -> None:
    plain = load("sapphire-rapids").with_values({"tlb.first_miss": 0.0})
    assert seconds(tmp_path, slow, n=2000, m=row) == seconds(tmp_path, plain, n=2000, m=row)


def test_two_columns_are_served_by_different_banks(tmp_path: Path, slow: Machine) -> None:
    both = "a[i][j] * b[i][j]"
    two = COLUMNS.replace("double s[m]", "double b[n][m], double s[m]").replace("a[i][j];", f"{both};")
    assert seconds(tmp_path, slow, two, n=1000, m=64) == pytest.approx(seconds(tmp_path, slow, n=1000, m=64))


def test_stores_down_columns_wait_for_banks_too(tmp_path: Path, slow: Machine) -> None:
    stores = COLUMNS.replace("s[j] += a[i][j]", "a[i][j] = s[j]")
    plain = seconds(tmp_path, load("sapphire-rapids"), stores, n=2000, m=64)
    assert seconds(tmp_path, slow, stores, n=2000, m=64) > plain + 2000 * 64 * 1e-9


def test_a_probe_walks_every_second_fourth_and_eighth_line() -> None:
    where = [Tier("L1", 1 << 14, 1 << 14, True), Tier("L2", 1 << 19, 1 << 19, True), Tier("memory", 1 << 26, 0, False)]
    bench = Bench(kernels.variants()[0])
    names = [task.name for task in memory_tasks(bench, where, 1) if task.name.startswith("apart")]
    assert names == ["apart 2 L2", "apart 4 L2", "apart 8 L2"]
    costs = bench.scattered(1 << 19, True, apart=4).values
    assert costs.size == 0 or costs.min() > 0


def test_translations_are_looked_up_while_lines_wait_for_their_bank(tmp_path: Path, slow: Machine) -> None:
    # rows of 4608 bytes: a page and the third of two banks with every line, 3 ns; of 4544 bytes: any bank
    def added(cycles: float, row: int) -> float:
        free, paged = (slow.with_values({"tlb.first_miss": value}) for value in (0.0, cycles))
        return seconds(tmp_path, paged, n=1000, m=row) - seconds(tmp_path, free, n=1000, m=row)

    cycle = 1 / slow.value("clock.frequency")
    assert added(2.0, 576) == 0
    assert added(2.0, 568) == pytest.approx(2 * cycle * 1000 * 568, rel=0.03)
    assert added(40.0, 576) > 0  # longer than the banks
