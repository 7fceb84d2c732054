"""What undecided branches leave open: rounds of loops, code that may be left out, words that others change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell.uses
from foretell import files
from foretell.api import predict
from foretell.characterize.gpu.functional import execute
from foretell.characterize.gpu.grid import error_of_sum
from foretell.characterize.gpu.unknown_paths import unknown_paths
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing
from foretell.frontends.gpu.workload import read_workload
from foretell.report.sections.breakdown import hardly_known

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution
    from foretell.core.gpu.sass import SassKernel

RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
KINDS = Path(__file__).parents[4] / "validation" / "h200" / "gpu-kinds"


def _kernel(name: str) -> SassKernel:
    return listing.read(files.read_text(KINDS / f"{name}.sass"))


def test_a_loop_that_ends_by_unknown_data_is_found() -> None:
    """k_gcd: the loop ends by what the arrays hold; the loads before it and the store after it are outside."""
    kernel = _kernel("k_gcd")
    execution = execute(kernel, parse_launch(None, "4", "256", ["1024", "u32[1024]", "u32[1024]", "u32[1024]"]))
    paths = unknown_paths(kernel.instructions, execution.instructions)
    inside = {place for place, item in enumerate(kernel.instructions) if item.opcode in ("LDG", "STG")}
    assert paths.loops
    assert not inside & paths.loops


def test_unknown_rounds_widen_the_interval_and_are_named() -> None:
    """Of unknown numbers the rounds are not known; random ones end the loop."""
    wide, narrow = (
        predict(
            read_workload(
                KINDS / "k_gcd.sass.xz",
                parse_launch(None, "64", "256", ["16384", f"u32[16384]{given}", f"u32[16384]{given}", "u32[16384]"]),
            ),
            "h200",
        )
        for given in ("", "@random(1,1000000)")
    )
    assert wide.interval_s is not None
    assert narrow.interval_s is not None
    assert wide.interval_s[1] > 4 * wide.interval_s[0]
    assert narrow.interval_s[1] < 2 * narrow.interval_s[0]
    assert hardly_known(wide.interval_s, wide.details["uncertainty"]) == "unknown rounds"
    assert hardly_known(narrow.interval_s, narrow.details["uncertainty"]) == ""


def test_compare_and_swap_finds_what_is_there() -> None:
    """k_group_sums puts keys into a table: one that has them ends each search at once."""
    kernel = _kernel("k_group_sums")
    args = ["1024", "1023", "u32[1024]@constant(6)", "f32[1024]", "u32[1024]@constant(5)", "f32[1024]"]
    found = execute(kernel, parse_launch(None, "4", "256", args))
    place = next(n for n, item in enumerate(kernel.instructions) if "CAS" in item.modifiers)
    assert not any(item.unknown_branches for item in found.instructions)
    assert found.instructions[place].active_lanes == 256 * len(found.blocks)


def test_a_lock_is_not_known() -> None:
    """k_lock: a block gives the word back that it has changed; when others have it is not known."""
    kernel = _kernel("k_lock")
    args = ["i32[1]@constant(0)", "f32[1]", "f32[4096]"]
    found = execute(kernel, parse_launch(None, "16", "256", args))
    paths = unknown_paths(kernel.instructions, found.instructions)
    place = next(n for n, item in enumerate(kernel.instructions) if "CAS" in item.modifiers)
    assert place in paths.loops
    assert paths.locks


_POLL = ["LDC.64 R2,c[0x0][0x210]", "MOV R5,RZ"]
_LOAD = "LDG.E.STRONG.GPU R0,desc[UR4][R2.64]"
_COUNTED = ["IADD3 R5,R5,0x1,RZ", "ISETP.GE.AND P0,PT,R5,0x3,PT", "@!P0 BRA 0x20", "EXIT"]
_UNTIL = ["ISETP.GE.AND P0,PT,R0,0x1,PT", "@!P0 BRA 0x20", "EXIT"]


@pytest.mark.parametrize(
    ("body", "rounds", "waits"),
    [
        ([_LOAD, *_UNTIL], 1, True),
        ([_LOAD, "CCTL.IVALL", "YIELD", "IADD3 R0,R0,0x0,RZ", *_UNTIL], 1, True),
        (["ATOMG.E.ADD.STRONG.GPU PT,R0,desc[UR4][R2.64],RZ", *_UNTIL], 1, True),
        ([_LOAD, *_COUNTED], 3, False),
        ([_LOAD, "IADD3 R2,R2,0x80,RZ", *_UNTIL], 4, False),
    ],
    ids=["acquires", "through others", "adds nothing", "counted", "goes through an array"],
)
def test_what_waits_for_others_is_there(body: list[str], rounds: int, waits: bool, tmp_path: Path) -> None:
    """A word that is zero at first, and that the loop reads until it is not: others write it, or it would never end.
    Loops that count, or look for a number all over an array, read what is there: it is in the fourth line."""
    values = np.zeros(1024, np.int32)
    values[96:] = 1
    values.tofile(tmp_path / "x.bin")
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate([*_POLL, *body])]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    launch = parse_launch("copy_f32", "1", "32", [f"i32[1024]@{tmp_path}/x.bin", "f32[32]", "32"])
    run = execute(kernel, launch)
    paths = unknown_paths(kernel.instructions, run.instructions)
    assert run.instructions[2].executions == rounds
    assert bool(paths.loops) == waits


@pytest.mark.parametrize(("values", "error"), [([3, 3, 3, 3], 0.0), ([1, 2, 3, 4], 0.0), ([0, 0, 6, 0], 52.0)])
def test_the_error_of_sampled_blocks(values: list[int], error: float) -> None:
    """Equal blocks and a trend have none. [0, 0, 6, 0], ten blocks each: -3 and 6 from the mean of their neighbours,
    sqrt(90 * (9 + 36) / 1.5) = 52; only inner samples have two."""
    found = error_of_sum((40, 1, 1), np.array([5, 15, 25, 35]), np.array(values, float), np.full(4, 10.0))
    assert found == pytest.approx(error, rel=0.01)


def _waits(flag: int, *, load: str = "LDG.E.STRONG.GPU", step: str = "0x0", store: str = "NOP") -> Execution:
    """A warp reads a word until it is not zero, or R6, to which `step` is added each time, is 500."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("LDC.64 R2,c[0x0][0x210]", "MOV R6,RZ", f"{load} R0,desc[UR4][R2.64]", "ISETP.NE.AND P1,PT,R0,RZ,PT"),
        *(f"IADD3 R6,R6,{step},RZ", "ISETP.GE.AND P2,PT,R6,0x1f4,PT", store, "@P2 BRA 0x90", "@!P1 BRA 0x20", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    arguments = [f"u32[32]@constant({flag})", "f32[32]", "32"]
    return execute(kernel, parse_launch("copy_f32", "1", "32", arguments), budget=30_000)


def test_a_block_that_waits_for_another_one_is_told_at_once() -> None:
    with pytest.raises(InputError, match="waits for what another block writes"):
        _waits(0)
    assert _waits(1).instructions[2].executions == 1
    assert _waits(0, step="0x1").instructions[2].executions == 500  # registers change


@pytest.mark.parametrize(("load", "store"), [("LDG.E", "NOP"), ("LDG.E.STRONG.GPU", "STG.E desc[UR4][R2.64+0x4],R6")])
def test_other_loops_without_an_end_use_the_budget(load: str, store: str) -> None:
    """A load that sees nothing new, and a loop that stores."""
    with pytest.raises(InputError, match="more than 30000 instructions"):
        _waits(0, load=load, store=store)
