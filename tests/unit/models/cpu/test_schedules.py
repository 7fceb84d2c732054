"""OpenMP schedules: which iterations a thread gets, how uneven that is, and what dealing out costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell import machines
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.models.cpu.parallel import marked, schedule_of, split

if TYPE_CHECKING:
    from pathlib import Path

TRIANGLE = """void f(long n, double *a, double *y) {{
{pragma}
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      y[i] += a[i * n + j];
}}
"""
EVEN = """void f(long n, long m, double *a) {{
{pragma}
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = 2 * a[i * m + j];
}}
"""


def nest_of(folder: Path, text: str, pragma: str):
    file = folder / "f.c"
    file.write_text(text.format(pragma=f"#pragma omp {pragma}"))
    return read(file).facet(Loops).nests[0]


def owners(kind: str, chunk: int, n: int, threads: int, work) -> list[int]:
    """The thread of each iteration, one by one as the OpenMP specification words it."""
    if kind == "static":
        if not chunk:
            each, more = divmod(n, threads)
            return [t for t in range(threads) for _ in range(each + (t < more))]
        return [i // chunk % threads for i in range(n)]
    ready, result, at = [0.0] * threads, [], 0
    while at < n:
        length = max(chunk, -(-(n - at) // threads)) if kind == "guided" else chunk
        thread = min(range(threads), key=lambda t: ready[t])
        for i in range(at, min(n, at + length)):
            ready[thread] += work(i)
            result.append(thread)
        at += length
    return result


@pytest.mark.parametrize(
    ("kind", "chunk"),
    [("static", 0), ("static", 1), ("static", 7), ("dynamic", 1), ("dynamic", 8), ("guided", 1), ("guided", 5)],
)
@pytest.mark.parametrize(("n", "threads"), [(100, 4), (61, 8), (5, 8), (64, 2)])
def test_the_largest_share_of_a_triangle_is_that_of_the_specification(
    tmp_path: Path, kind: str, chunk: int, n: int, threads: int
) -> None:
    clause = f"schedule({kind}{f', {chunk}' if chunk else ''})"
    nest = nest_of(tmp_path, TRIANGLE, f"parallel for {clause}")
    working = min(threads, n)
    whose = owners(kind, chunk, n, working, lambda i: i + 1)
    shares = [sum(i + 1 for i in range(n) if whose[i] == t) for t in range(working)]
    part = split(nest, {"n": float(n)}, float(threads), everywhere=False)
    assert part.threads == working
    assert part.imbalance == pytest.approx(max(shares) * working / sum(shares), rel=1e-12)


@pytest.mark.parametrize(("chunk", "n", "threads"), [(0, 10, 4), (0, 10, 8), (3, 10, 4), (4, 64, 4), (16, 20, 2)])
def test_equal_iterations_are_dealt_out_whole(tmp_path: Path, chunk: int, n: int, threads: int) -> None:
    clause = f"schedule(static, {chunk})" if chunk else ""
    nest = nest_of(tmp_path, EVEN, f"parallel for {clause}")
    whose = owners("static", chunk, n, threads, lambda i: 1)
    most = max(whose.count(t) for t in range(threads))
    part = split(nest, {"n": float(n), "m": 9.0}, float(threads), everywhere=False)
    assert part.imbalance == pytest.approx(most * threads / n)


def test_collapsed_loops_are_dealt_out_together(tmp_path: Path) -> None:
    alone = nest_of(tmp_path, EVEN, "parallel for")
    both = nest_of(tmp_path, EVEN, "parallel for collapse(2)")
    values = {"n": 10.0, "m": 100.0}
    assert split(alone, values, 8.0, everywhere=False).imbalance == pytest.approx(1.6)
    assert split(both, values, 8.0, everywhere=False).imbalance == pytest.approx(1.0)
    assert split(both, values, 16.0, everywhere=False).threads == 16
    assert split(alone, values, 16.0, everywhere=False).threads == 10


def test_many_sizes_agree_with_each(tmp_path: Path) -> None:
    nest = nest_of(tmp_path, TRIANGLE, "parallel for")
    sizes = np.array([64.0, 128.0, 1024.0])
    together = split(nest, {"n": sizes}, 4.0, everywhere=False).imbalance
    each = [split(nest, {"n": size}, 4.0, everywhere=False).imbalance for size in sizes]
    assert together == pytest.approx(each)
    in_turn = nest_of(tmp_path, TRIANGLE, "parallel for schedule(static, 4)")
    assert np.all(split(in_turn, {"n": sizes}, 4.0, everywhere=False).imbalance == 1.0)


def test_chunks_are_counted(tmp_path: Path) -> None:
    values, threads = {"n": 1000.0, "m": 4.0}, 4.0
    of = {
        clause: split(nest_of(tmp_path, EVEN, f"parallel for {clause}"), values, threads, everywhere=False)
        for clause in ("", "schedule(dynamic)", "schedule(dynamic, 64)", "schedule(guided)", "schedule(runtime)")
    }
    assert [of[clause].chunks for clause in ("", "schedule(dynamic)", "schedule(dynamic, 64)")] == [0, 1000, 16]
    whole = sum(1 for _ in _guided(1000, 4))
    assert of["schedule(guided)"].chunks == pytest.approx(whole, rel=0.3)
    assert of["schedule(runtime)"].chunks == 0
    assert of["schedule(dynamic)"].chunk == 1


def _guided(left: int, threads: int):
    while left > 0:
        yield (length := -(-left // threads))
        left -= length


def test_a_chunk_may_be_an_expression(tmp_path: Path) -> None:
    nest = nest_of(tmp_path, EVEN, "parallel for schedule(nonmonotonic: dynamic, m)")
    assert split(nest, {"n": 1000.0, "m": 10.0}, 4.0, everywhere=False).chunks == 100
    strange = nest_of(tmp_path, EVEN, "parallel for schedule(dynamic, g(3))")
    assert split(strange, {"n": 1000.0, "m": 10.0}, 4.0, everywhere=False).chunk in (0, 1)


REGION = """void f(long steps, long n, double *u, double *v) {
#pragma omp parallel
  for (long t = 0; t < steps; t++) {
#pragma omp for
    for (long i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1];
#pragma omp for nowait
    for (long i = 1; i < n - 1; i++) u[i] = v[i];
  }
}
"""


def test_a_loop_in_a_region_is_the_one_that_is_shared(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text(REGION)
    first, second = read(file).facet(Loops).nests
    assert marked(first) == marked(second) == 1
    assert schedule_of(first, 1).kind == "static"
    values = {"steps": 10.0, "n": 1000.0}
    parts = [split(nest, values, 4.0, everywhere=False) for nest in (first, second)]
    assert [part.region for part in parts] == [0, 0]
    assert [part.waits for part in parts] == [True, False]


def seconds(file: Path, threads: int, flags: str = "", **sizes: float) -> float:
    machine = machines.load("cascade-lake")
    options = {"cc": "none", **({"flags": flags} if flags else {})}
    return foretell.predict(read(file), machine, parameters={**sizes, "threads": threads}, options=options).time_s


def test_regions_start_once_and_loops_end_with_a_barrier(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text(REGION)
    inside = seconds(file, 4, steps=10, n=1000)
    file.write_text(REGION.replace("#pragma omp parallel\n", "").replace("omp for nowait", "omp for").replace(
        "omp for", "omp parallel for"))  # fmt: skip
    each = seconds(file, 4, steps=10, n=1000)
    assert inside < 0.7 * each


def test_requests_for_chunks_take_time(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    loop = "for (long i = 0; i < n; i++) b[i] = a[i];"
    text = f"void f(long n, double *a, double *b) {{\n#pragma omp parallel for %s\n{loop} }}"
    times = {}
    for clause in ("", "schedule(dynamic)", "schedule(dynamic, 1000)", "schedule(static, 1)", "schedule(static, 64)"):
        file.write_text(text % clause)
        times[clause] = seconds(file, 8, n=20000)
    assert times["schedule(dynamic)"] > 10 * times["schedule(dynamic, 1000)"]
    assert times["schedule(dynamic)"] > 20000 * 20e-9
    assert times["schedule(dynamic, 1000)"] < 3 * times[""]
    assert times["schedule(static, 1)"] > 5 * times["schedule(static, 64)"]
    file.write_text(text % "schedule(dynamic)")
    assert seconds(file, 1, flags="-O3 -fopenmp", n=20000) > 5 * seconds(file, 1, flags="-O3", n=20000)


def test_a_reduction_is_added_up_by_one_thread_after_the_other(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    loop = "for (long i = 0; i < n; i++) s += a[i];"
    text = f"double f(long n, double *a) {{\ndouble s = 0;\n#pragma omp parallel for %s\n{loop} return s; }}"
    times = []
    for clause in ("", "reduction(+ : s)"):
        file.write_text(text % clause)
        times.append(seconds(file, 8, n=20000))
    machine = machines.load("cascade-lake")
    near, far = machine["level.L2.latency"].value / machine.value("clock.frequency"), machine.value("level.L3.latency")
    assert times[1] - times[0] == pytest.approx(7 * (near + far), rel=1e-6)
