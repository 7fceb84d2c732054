"""Jumps through tables, and constants of each lane: validation/h200/micro/walks.cu, kinds and waits."""

from __future__ import annotations

import pytest

from foretell import files
from foretell.characterize.gpu.functional import execute
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing
from tests.unit.models.gpu.test_loops import MEASURED, _ratio


def _jumps(which: str) -> float:
    """Executions of the jumps of a switch with eight ways, for each round of a warp."""
    rounds = 64
    kernel = listing.read(files.read_text(MEASURED / "gpu-kinds" / "k_eight_ways.sass"))
    launch = parse_launch(None, "1", "32", ["32", str(rounds), f"i32[32]@{which}", "f32[32]", "f32[32]"])
    counts = execute(kernel, launch, (0,)).instructions
    jumps = [n.executions for n, item in zip(counts, kernel.instructions, strict=True) if item.opcode == "BRX"]
    return sum(jumps) / rounds


@pytest.mark.parametrize(("which", "jumps"), [("constant(1)", 1), ("constant(6)", 0), ("iota", 5)])
def test_a_jump_through_a_table_goes_to_one_target_at_a_time(which: str, jumps: int) -> None:
    """Ways 0 to 2 and the rest are reached by a jump, ways 3 and 4 by another one: lanes that go elsewhere execute it
    again, as Nsight Compute counts."""
    assert _jumps(which) == jumps


def test_lanes_that_jump_to_different_targets_take_turns() -> None:
    """53 % too fast where the jump is executed once, and takes as long as others."""
    assert _ratio("k_eight_ways/262144", "gpu-kinds") == pytest.approx(0.8, abs=0.1)


@pytest.mark.parametrize("name", ["k_crc32/1500", "k_crc32/16384"])
def test_a_warp_waits_for_each_address_of_its_constants(name: str) -> None:
    """A chain of words of a table, 30 of a warp: 61 and 33 % too fast where they come as soon as one does."""
    assert _ratio(name, "gpu-kinds") == pytest.approx(1, abs=0.1)


def test_warps_share_the_lines_of_tables_that_all_walk_through() -> None:
    """8 KiB by an index of each lane: three times too slow where a line is fetched for each of its words."""
    assert _ratio("l_walk_all/8KiB-512x4", "gpu-waits") == pytest.approx(1, abs=0.05)
