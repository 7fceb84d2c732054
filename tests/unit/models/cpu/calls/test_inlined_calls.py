"""Functions without code of their own run in that of their callers, with the constants that these hand down."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.core.nest.loopnest import Loops
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.incore.calls.inlined_calls import running_in

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

CC = "gcc"
needs_compiler = pytest.mark.skipif(shutil.which(CC) is None, reason="no gcc")
PIXELS = """static {how}
unsigned difference(const unsigned char *p, int s, const unsigned char *q, int t, int w, int h) {{
  unsigned sum = 0;
  for (int y = 0; y < h; y++) {{
    for (int x = 0; x < w; x++) sum += p[x] > q[x] ? p[x] - q[x] : q[x] - p[x];
    p += s; q += t;
  }}
  return sum;
}}
"""
HEAD = "const unsigned char *p, int s"
ONE = f"unsigned at_64({HEAD}, const unsigned char *q, int t) {{ return difference(p, s, q, t, 64, 64); }}\n"
WRITTEN_OUT = """unsigned at_64(const unsigned char *p, int s, const unsigned char *q, int t) {
  unsigned sum = 0;
  for (int y = 0; y < 64; y++) {
    for (int x = 0; x < 64; x++) sum += p[x] > q[x] ? p[x] - q[x] : q[x] - p[x];
    p += s; q += t;
  }
  return sum;
}
"""
MANY = """unsigned all(const unsigned char *p, int s, const unsigned char *q, int t, int n) {
  unsigned sum = 0;
  for (int k = 0; k < n; k++) sum += difference(p + 64 * k, s, q + 64 * k, t, 64, 64);
  return sum;
}
"""


def predicted(folder: Path, text: str, function: str, **sizes: float) -> Prediction:
    file = folder / f"{function}.c"
    file.write_text(text)
    options = {"cc": CC, "flags": "-O3"}
    sizes = {"s": 64.0, "t": 64.0, **sizes}
    return api.predict(read(f"{file}:{function}"), load("cascade-lake"), parameters=sizes, options=options)


@needs_compiler
@pytest.mark.parametrize("how", ["inline", "__attribute__((noinline))"])
def test_constants_of_the_caller_are_those_of_the_code_that_runs(tmp_path: Path, how: str) -> None:
    """Inlined, or as a clone that only this caller calls: as if the loops stood in the caller."""
    found = predicted(tmp_path, PIXELS.format(how=how) + ONE, "at_64")
    oracle = predicted(tmp_path, WRITTEN_OUT, "at_64")
    assert found.time_s == pytest.approx(oracle.time_s, rel=0.1)


@needs_compiler
def test_calls_in_a_loop_share_the_time_of_their_caller(tmp_path: Path) -> None:
    once = predicted(tmp_path, PIXELS.format(how="inline") + ONE, "at_64")
    often = predicted(tmp_path, PIXELS.format(how="inline") + MANY, "all", n=10.0)
    assert often.time_s == pytest.approx(10 * once.time_s, rel=0.15)


def test_only_one_caller_with_the_same_values_counts(tmp_path: Path) -> None:
    file = tmp_path / "callers.c"
    head = PIXELS.format(how="inline")
    swapped = "unsigned f(const unsigned char *p, int w, int h) { return difference(p, w, p, w, h, w); }\n"
    middle = f"static unsigned g({HEAD}) {{ return difference(p, s, p, s, 8, 8); }}\n"
    outer = f"unsigned f({HEAD}) {{ return g(p, s); }}\n"
    again = f"unsigned e({HEAD}) {{ return difference(p, s, p, s, 4, 4); }}\n"
    found = {}
    for name, text in {"swapped": swapped, "chain": middle + outer, "two": middle + outer + again}.items():
        file.write_text(head + text)
        found[name] = running_in(read(file).facet(Loops), "difference", {"f", "e"}, {"w": 8, "h": 8, "s": 8})
    assert found == {"swapped": None, "chain": ("f", 1.0), "two": None}


SHAPED = """subroutine powers(p, n, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: p(:)
  real(8), intent(in) :: z
  integer :: i, k
  if (size(p) < (n + 1) * (n + 2) / 2) then
    print *, 'p is too short for', n
    stop
  end if
  k = 1
  do i = 1, n
    p(k) = z
    k = k + i
  end do
end subroutine
"""


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="no gfortran")
def test_checks_of_lengths_that_no_loop_needs_pass(tmp_path: Path) -> None:
    """An array of assumed shape is as long as its routine checks; else the call would end before its loop."""
    file = tmp_path / "powers.f90"
    file.write_text(SHAPED)
    found = [
        api.predict(
            read(f"{file}:powers"), load("cascade-lake"), parameters={"n": n}, options={"cc": CC, "flags": "-O2"}
        )
        for n in (1000.0, 2000.0)
    ]
    assert any("compiled code followed" in text for text in found[0].assumptions)
    assert 1.6 < found[1].time_s / found[0].time_s < 2.6
    assert found[0].time_s > 1e-7


LEADING = """subroutine filled(p, n, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: p(:,:)
  real(8), intent(in) :: z
  integer :: i
  if (size(p, 1) < 2 * n) stop 1
  do i = 1, 2 * n
    p(i, 1) = z * p(i, 1)
  end do
end subroutine
"""


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="no gfortran")
def test_a_call_that_ends_before_all_loops_is_not_their_time(tmp_path: Path) -> None:
    """A leading dimension is taken as long as the largest size, and a check of it ends the call: generated code has
    the loops then."""
    file = tmp_path / "filled.f90"
    file.write_text(LEADING)
    options = {"cc": CC, "flags": "-O2"}
    found = api.predict(read(f"{file}:filled"), load("cascade-lake"), parameters={"n": 10000.0}, options=options)
    assert not any("compiled code followed" in text for text in found.assumptions)
    assert found.time_s > 20000 * 0.05e-9


QUEUE = """struct graph { int n; const int *row, *column; };
int reach(const struct graph *g, int s, int *queue, int *distance) {
  int head = 0, tail = 0;
  queue[tail++] = s;
  while (head < tail) {
    int u = queue[head++];
    for (int k = g->row[u]; k < g->row[u + 1]; k++) {
      int v = g->column[k];
      if (distance[v] < 0) { distance[v] = distance[u] + 1; queue[tail++] = v; }
    }
  }
  return tail;
}
"""


@needs_compiler
def test_a_queue_that_data_fill_does_not_grow_beyond_what_is_given(tmp_path: Path) -> None:
    """Eight neighbours of which half are new would fill it for ever: 10,000 vertices took four minutes."""
    file = tmp_path / "reach.c"
    file.write_text(QUEUE)
    sizes = {"g.row_step": 10.0, "tail@5~1": 10000.0, "distance_length": 10000.0}
    found = api.predict(
        read(f"{file}:reach"), load("cascade-lake"), parameters=sizes, options={"cc": CC, "flags": "-O2"}
    )
    assert 10_000 * 1e-9 < found.time_s < 10_000 * 1e-6
