"""AutoMatch, Figs. 5 and 6: what the trace engines find for the paper's own examples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from foretell.core.facets.trace import Trace
from foretell.frontends.trace import TraceOptions, read_trace
from tests.support.frontends.traced import needs_compiler

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "automatch.json").read_text())["cases"]}

FIG6 = """
#include <stdlib.h>
__attribute__((noinline)) void kernel(int n, double *a) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) a[i * n + j] = a[(i - 1) * n + j] + 2;
}
int main(int c, char **v) { int n = atoi(v[1]); kernel(n, calloc((size_t)n * n, 8)); return 0; }
"""

FIG5 = """
static volatile char lines[2048] __attribute__((aligned(64)));
__attribute__((noinline)) void touch(void) { %s }
int main(void) { touch(); return 0; }
"""


@needs_compiler
def test_fig5_distances_and_misses(tmp_path: Path) -> None:
    case: dict[str, Any] = CASES["am_fig5_distances"]
    letters = case["inputs"]["trace"]
    body = " ".join(f"lines[{64 * (ord(letter) - ord('A'))}] = 1;" for letter in letters)
    source = tmp_path / "fig5.c"
    source.write_text(FIG5 % body)
    found = read_trace([source], TraceOptions(kernel="touch", lines=(64,))).facet(Trace).distances_at(64)
    expected = Counter(case["expected"]["distance_between"])
    assert found.cold == expected.pop("inf")
    assert {one.distance: one.references for one in found.reuses} == expected
    misses = CASES["am_fig5_lru_misses"]
    for capacity, wanted in zip(misses["inputs"]["capacity"], misses["expected"]["misses"], strict=True):
        assert found.misses(capacity) == wanted


@needs_compiler
@pytest.mark.parametrize("n", [3, 10, 1024])
def test_fig6_synchronisation_and_schedule(n: int, tmp_path: Path) -> None:
    case = CASES["am_fig6_sync"]
    source = tmp_path / "fig6.c"
    source.write_text(FIG6)
    found = read_trace([source], TraceOptions(kernel="kernel", arguments=(str(n),))).facet(Trace)
    at = case["inputs"]["n"].index(n)
    assert found.sync_points == found.sync_by_steps == case["expected"]["S"][at] == n - 2
    assert found.sync_by_trips == case["expected"]["trip"][at]
    assert [loop.verdict for loop in found.loops] == ["sequential", "parallel"]
    assert found.schedule.depth == n - 1
    assert [(one.operations, one.levels) for one in found.schedule.widths] == [(n - 1, n - 1)]
    assert found.operations.mix == 0.5
