"""What the closed form of traffic counts, and where it is not certain, against the exact simulator."""

from __future__ import annotations

import random
import runpy
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.characterize.caches.closed_form_error import doubts
from foretell.characterize.caches.set_conflicts import Sets
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, Simulation
from foretell.characterize.simulate.sampled import sampled
from tests.support.caches.nests import of_c, only

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest

RANDOM = runpy.run_path(str(Path(__file__).parents[3] / "validation" / "cpu" / "random_nests.py"))
LOOPS = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)"
STAR = f"""void f(int n, double a[n][n][n][n], double b[n][n][n][n]) {{ {LOOPS}
  for (int k = 1; k < n - 1; k++) for (int l = 1; l < n - 1; l++)
    b[i][j][k][l] = a[i][j][k][l] + a[i-1][j][k][l] + a[i+1][j][k][l] + a[i][j-1][k][l] + a[i][j+1][k][l]
      + a[i][j][k-1][l] + a[i][j][k+1][l] + a[i][j][k][l-1] + a[i][j][k][l+1]; }}"""
STAR_SUM = (
    STAR.replace("void f(", "double f(")
    .replace(", double b[n][n][n][n]) {", ") { double s = 0;")
    .replace("b[i][j][k][l] =", "s +=")
    .replace("; }", "; return s; }")
)
DIAGONAL = """void f(int n, double a[n][n], double s[n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s[j] += a[j][j]; }"""
TWO_OF_A_SUM = """double f(int n, double a[n][2 * n]) { double s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][i + j]; return s; }"""
SHARED_ENDS = """void f(int n, float b[n][n][n]) {
  for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) for (int k = 1; k < n - 1; k++) b[i][j][k] *= 2; }"""
OTHER_LOOP = """double f(int n, float a[n][n]) { double s = 0;
  for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) for (int k = 0; k <= i; k++) s += a[i][k];
  return s; }"""
COLUMNS = """void f(int n, double u[n][n], double s[n]) {
  for (int j = 0; j < n; j++) for (int i = 0; i <= j; i++) s[j] += u[i][j]; }"""
FACTORS = """void f(int n, double a[n][n]) {
  for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) for (int j = k + 1; j < n; j++)
    a[i][j] -= a[i][k] * a[k][j]; }"""
ROWS = """void f(int n, double a[n][512], double b[n][512]) {
  for (int r = 0; r < 9; r++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[i][j]; }"""


def nest(text: str) -> LoopNest:
    return only(of_c(text))


def exact(one: LoopNest, n: int, level: CacheLevel, warm: bool) -> float:
    """Bytes that come in, the first time or the second."""
    accesses = stream(one, {"n": n})
    simulation = Simulation((level,), tuple(reference.name for reference in accesses.references))
    simulation.run(accesses)
    first = simulation.counts().levels[0].misses
    if not warm:
        return first * 64.0
    simulation.run(accesses)
    return (simulation.counts().levels[0].misses - first) * 64.0


@pytest.mark.parametrize(
    ("text", "n"), [(STAR_SUM, 16), (DIAGONAL, 200), (TWO_OF_A_SUM, 150), (SHARED_ENDS, 61), (OTHER_LOOP, 260)]
)
def test_all_data_that_a_nest_touches(text: str, n: int) -> None:
    """A cache for all of it, cold. Corners of a star, diagonals as a matrix, all pairs of i and i + j, lines at the
    ends of rows twice, and averages over loops that do not move an array were wrong."""
    one, level = nest(text), CacheLevel("L", 64 << 20, 64)
    closed = float(sum(footprints(one, {"n": float(n)}, 64.0).traffic(float(level.size), warm=False).values()))
    assert closed == pytest.approx(exact(one, n, level, warm=False), rel=0.03)


@pytest.mark.parametrize(("text", "n", "capacity"), [(COLUMNS, 600, 24 << 10), (COLUMNS, 600, 12 << 10)])
def test_some_places_of_a_triangle_fit(text: str, n: int, capacity: int) -> None:
    """Columns of up to 600 lines, in a cache of 384 and of 192: with their average, all or none were kept."""
    one = nest(text)
    closed = float(sum(footprints(one, {"n": float(n)}, 64.0).traffic(float(capacity)).values()))
    assert closed == pytest.approx(exact(one, n, CacheLevel("L", capacity, 64), warm=True), rel=0.06)


def test_places_without_an_iteration_count_nothing() -> None:
    """The last rows of a triangle have none."""
    text = """void f(int n, double a[n][n], double b[n][n]) { for (int i = 1; i < n - 1; i++)
      for (int j = i + 1; j < n - 1; j++) b[i][j] = a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]; }"""
    moved = footprints(nest(text), {"n": 4.0}, 64.0).traffic(64.0)
    assert all(0 <= float(value) < 4096 for value in moved.values())


def said(text: str, n: int, capacity: int, ways: int = 8) -> str:
    one, values = nest(text), {"n": float(n)}
    sets = Sets("L1", capacity // ways, ways, 64, capacity // ways)
    return " ".join(doubts(one, values, footprints(one, values, 64.0), float(capacity), sets, None, True))


@pytest.mark.parametrize(
    ("text", "n", "capacity", "why"),
    [
        (COLUMNS, 600, 24 << 10, "varying length"),
        (FACTORS, 90, 32 << 10, "varying length"),
        (ROWS, 40, 64 << 10, "few of its sets"),
        (STAR, 18, 1536 << 10, "of its size"),
    ],
)
def test_doubts_have_a_reason(text: str, n: int, capacity: int, why: str) -> None:
    assert why in said(text, n, capacity)


@pytest.mark.parametrize(("pitch", "few"), [(128, True), (136, False)])
def test_lines_keep_their_places_in_pages_wherever_pages_lie(pitch: int, few: bool) -> None:
    """Columns 1 KiB apart have 4 of a page's 64 places: no colours of its pages give them room, though they would fit
    by their number. Pages are placed at random and lines of each set counted."""
    text = f"""void f(int n, double a[n][{pitch}][{pitch}], double b[n][{pitch}][{pitch}]) {{
      for (int i = 0; i < 128; i++) for (int k = 0; k < n; k++)
        for (int j = 0; j < 32; j++) a[k][j][i] = b[k][j][i]; }}"""
    n, capacity, ways = 120, 2 << 20, 16
    one, values, sets = nest(text), {"n": float(n)}, Sets("L2", capacity // ways, ways, 64, 4096)
    found = [*doubts(one, values, footprints(one, values, 64.0), float(capacity), sets, ways, True)]
    assert any("few places of their pages" in why for why in found) == few
    lines = [place // 64 for k in range(n) for j in range(32) for place in [8 * pitch * (k * pitch + j)]]
    chance, colours, held = random.Random(3), capacity // ways // 4096, Counter[tuple[int, int]]()
    pages = {array: {line // 64: chance.randrange(colours) for line in lines} for array in "ab"}
    held.update((own[line // 64], line % 64) for own in pages.values() for line in lines)
    staying = sum(count for count in held.values() if count <= ways) / held.total()
    assert staying < 0.1 if few else staying > 0.9


def test_where_nothing_is_open_nothing_is_said() -> None:
    assert not said(STAR, 30, 64 << 10)
    assert not said(ROWS, 510, 64 << 10)
    assert not said(TWO_OF_A_SUM, 500, 32 << 10)


def test_a_rest_that_no_place_meets_is_not_in_doubt() -> None:
    """The rest of unrolled rows is in the last tile alone, so the loop has no iterations where it is looked at."""
    rows, rest = of_c("""void f(int n, double a[n][n]) {
      for (int t = 1; t < n - 1; t += 32) for (int u = 1; u < n - 1; u += 32) {
        int i = t;
        for (; i + 3 < (t + 32 < n - 1 ? t + 32 : n - 1); i += 4)
          for (int j = u; j < (u + 32 < n - 1 ? u + 32 : n - 1); j++) a[i][j] += a[i + 1][j] + a[i + 3][j];
        for (; i < (t + 32 < n - 1 ? t + 32 : n - 1); i++)
          for (int j = u; j < (u + 32 < n - 1 ? u + 32 : n - 1); j++) a[i][j] += 1; } }""").nests
    values, sets = {"n": 900.0}, Sets("L1", 4096, 12, 64, 4096)
    found = [*doubts(rest, values, footprints(rest, values, 64.0), 48 << 10, sets, None, True)]
    assert not any("uneven" in why for why in found)
    assert rows.loops[-1].variable.startswith("j")


def test_a_factorisation_is_simulated_and_the_answer_says_why(tmp_path: Path) -> None:
    path = tmp_path / "factors.c"
    path.write_text(FACTORS)
    found = foretell.predict(path, "neoverse-n1", parameters={"n": 90}, options={"core": "peak"})
    assert any("the closed form for L1 is uncertain: " in note for note in found.assumptions)
    assert any("traffic into L1 is simulated" in note for note in found.assumptions)


@pytest.mark.parametrize(("text", "n"), [(FACTORS, 130), (COLUMNS, 900)])
def test_several_parts_stand_for_loops_of_uneven_length(text: str, n: int) -> None:
    level = CacheLevel("L1", 8192, 64, 8)
    found = sampled(nest(text), (("n", n),), (level,), True, most=400_000)
    assert 0.02 < found.share < 0.6
    assert found.settled
    moved = sum(bytes_ for _, bytes_ in found.bytes)
    assert moved == pytest.approx(exact(nest(text), n, level, warm=True), rel=0.06)


def test_a_part_that_does_not_fill_a_cache_says_so() -> None:
    found = sampled(nest(ROWS), (("n", 500),), (CacheLevel("L3", 32 << 20, 64, 16),), True, most=20_000)
    assert not found.settled


def test_one_of_several_threads_has_its_part() -> None:
    """Two threads, each with a half that fits; all of it does not."""
    level = CacheLevel("L2", 40 << 10, 64, 8)
    text = "void f(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] *= 2; }"
    assert sum(b for _, b in sampled(nest(text), (("n", 8000),), (level,), True).bytes) > 0
    assert sum(b for _, b in sampled(nest(text), (("n", 8000),), (level,), True, shared=(0, 2)).bytes) == 0


def test_random_nests() -> None:
    """Some nests of `validation/cpu/random_nests.py`: where nothing is said the closed form is right mostly, and a
    simulation nearly always."""
    found = RANDOM["summary"](RANDOM["all_points"](31, 6))
    assert found["closed form, nothing said"]["median"] < 0.01
    assert found["closed form, nothing said"]["within_3pct"] >= 0.7
    assert found["simulated"]["within_3pct"] >= 0.8
