"""Set conflicts, against the simulator with and without sets."""

from __future__ import annotations

import pytest

import foretell
from foretell.characterize.cachesim import CacheLevel, simulate
from foretell.characterize.conflicts import conflicts
from foretell.characterize.streams import stream
from foretell.core.loopnest import Loops
from foretell.frontends import read
from foretell.uses.validate import KERNELS

SIZE, WAYS, LINE = 4096, 2, 64


def misses(name: str, n: int, ways: int | None) -> int:
    nest = read(KERNELS / f"{name}.c").facet(Loops).nests[0]
    return simulate([CacheLevel("L1", SIZE, LINE, ways)], [stream(nest, {"n": n})]).levels[0].misses


@pytest.mark.parametrize(
    ("name", "n"), [("jacobi5", 256), ("jacobi5", 100), ("transpose", 32), ("transpose", 44), ("copy", 512)]
)
def test_flagged_where_sets_cost_misses(name: str, n: int) -> None:
    nest = read(KERNELS / f"{name}.c").facet(Loops).nests[0]
    found = list(conflicts(nest, {"n": n}, "L1", SIZE, WAYS, LINE))
    costs = misses(name, n, WAYS) > 1.5 * misses(name, n, None)
    assert bool(found) == costs, found


def test_a_prediction_says_so() -> None:
    found = foretell.predict(KERNELS / "transpose.c", "neoverse-n1", parameters={"n": 512})
    assert any("columns use" in note and "L1" in note for note in found.assumptions)
    other = foretell.predict(KERNELS / "transpose.c", "neoverse-n1", parameters={"n": 520})
    assert not any("L1" in note and "columns use" in note for note in other.assumptions)
    foretell.predict(KERNELS / "gather.c", "neoverse-n1", parameters={"n": 512})
