"""What a trace says of single loops: distances, trips, chains, scans."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.trace import Chain, Operations, Trace
from foretell.frontends.trace import TraceOptions, read_trace
from tests.support.frontends.traced import KERNELS, needs_compiler

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_compiler

#: two arrays of 512 B, read in turns and then one of them twice: lines and loops are known by hand
TWICE = """
double a[64] __attribute__((aligned(64))), b[64] __attribute__((aligned(64)));
double walk(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) s += a[i];
  return s;
}
int main(void) { return walk(64) != 0; }
"""


def trace(source: Path, kernel: str, *arguments: str, **options: object) -> Trace:
    given = TraceOptions(kernel=kernel, arguments=arguments, **options)  # type: ignore[arg-type]
    return read_trace([source], given).facet(Trace)


def test_distances_of_each_loop(tmp_path: Path) -> None:
    source = tmp_path / "walk.c"
    source.write_text(TWICE)
    found = trace(source, "walk", lines=(64,), helper=False)
    both, outer, inner = found.loops
    counted = [{one.distance: one.references for one in loop.distances[0].reuses} for loop in (both, outer, inner)]
    assert [loop.distances[0].cold for loop in (both, outer, inner)] == [16, 0, 0]
    assert counted[0] == {1: 112}  # a and b in turns; 8 lines of each are new
    # 56 of 64 references hit the newest line. Of line k of a, the first walk finds behind it b's lines k to 7 and all
    # other lines of a; the second walk the seven other lines of a.
    assert counted[1] == counted[2] == {0: 112, 7: 8, **{8 + k: 1 for k in range(8)}}
    whole = Counter({one.distance: one.references for one in found.distances[0].reuses})
    assert whole == Counter(counted[0]) + Counter(counted[1])


def test_trips_chains_and_scans() -> None:
    sort = trace(KERNELS / "merge_sort.cpp", "merge_sort", "64", locality=False)
    merging = next(one for one in sort.loops if one.verdict == "parallel")
    assert [(one.entries, one.trips) for one in merging.executions] == [
        (1, 1),
        (1, 2),
        (1, 4),
        (1, 8),
        (1, 16),
        (1, 32),
    ]
    assert sum(one.share for one in merging.executions) == pytest.approx(1)
    prefix = trace(KERNELS / "prefix.c", "prefix", "100", reassociate=True)
    assert prefix.loops[0].scan
    assert prefix.loops[0].verdict == "sequential"
    assert prefix.schedule.depth == 100
    assert prefix.reassociated is not None
    assert prefix.reassociated.depth == 7  # ceil(log2 100)
    sweep = trace(KERNELS / "gauss_seidel.c", "gauss_seidel", "12", "1", locality=False)
    assert sweep.loops[-1].chain == Chain(Operations(add=3, multiply=1))
    assert not sweep.loops[-1].scan
