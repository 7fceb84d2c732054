"""What the functional core knows of memory: contents as numbers, atomics, narrow stores, bounds of arrays."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell.uses
from foretell import files
from foretell.characterize.gpu.functional import execute
from foretell.core.gpu.image import system_address
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing
from tests.support.frontends.cubins import kernel_of

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution

RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"


def run(kernel: str, block: int, *arguments: str, blocks: int = 1) -> Execution:
    launch = parse_launch(kernel, str(blocks), str(block), arguments)
    return execute(kernel_of("memory_sm90.cubin", kernel), launch, tuple(range(blocks)))


def lanes(kernel: str, execution: Execution, *opcodes: str) -> int:
    """Active lanes of the instructions of these opcodes."""
    code = kernel_of("memory_sm90.cubin", kernel).instructions
    pairs = zip(code, execution.instructions, strict=True)
    return sum(counts.active_lanes for item, counts in pairs if item.opcode in opcodes)


def unknown_branches(execution: Execution) -> int:
    return sum(counts.unknown_branches for counts in execution.instructions)


def test_an_atomic_changes_what_is_known() -> None:
    """The counter held 3, and other blocks add to it as well: the trip count is not known, and above all not 3."""
    execution = run("after_atomic", 32, "i32[1]@constant(3)", "f32[1024]")
    assert unknown_branches(execution) > 0


@pytest.mark.parametrize(
    ("kernel", "contents", "limit", "expected"),
    [
        ("larger_f32", "f32[4096]@iota", 999.5, 3096 / 4096),
        ("larger_f64", "f64[4096]@iota", 999.5, 3096 / 4096),
        ("larger_f32", "f32[4096]@permutation", 1023.5, 3 / 4),
        ("larger_f32", "f32[4096]@random(-1.0,3)", 0.0, 3 / 4),
        ("larger_f64", "f64[4096]@random", 0.25, 3 / 4),
        ("larger_f32", "f32[4096]@normal", 1.0, 0.1587),
        ("larger_f64", "f64[4096]@normal(5,2)", 7.0, 0.1587),
        ("larger_f32", "f32[4096]@constant(0.25)", 0.2, 1.0),
        ("larger_f32", "f32[4096]@constant(-3)", 0.2, 0.0),
    ],
)
def test_contents_are_numbers_of_the_element_type(kernel: str, contents: str, limit: float, expected: float) -> None:
    """The share of elements above a limit: exact for ordered contents, by the distribution function for random ones (a
    standard error of 0.7 % for 4096 of them)."""
    execution = run(kernel, 256, contents, f"{limit}", "f32[4096]", blocks=16)
    assert unknown_branches(execution) == 0
    share = lanes(kernel, execution, "STG") / 4096
    assert share == pytest.approx(expected, abs=0.03 if "random" in contents or "normal" in contents else 1e-12)


def test_a_byte_store_keeps_the_other_bytes() -> None:
    """Bytes 0, 1, 2 …, every fourth replaced by 7: the loop of each lane has that many rounds."""
    execution = run("after_bytes", 128, "u8[128]@iota", "f32[1024]")
    assert unknown_branches(execution) == 0
    rounds = [7 if lane % 4 == 0 else lane for lane in range(128)]
    assert lanes("after_bytes", execution, "FADD") >= sum(rounds)
    assert lanes("after_bytes", execution, "LDG") - 128 == sum(rounds)


def test_offsets_of_pairs_are_starts_and_lengths() -> None:
    """Lists of 8 elements in the mean follow each other: their lengths add up to the last one's end."""
    execution = run("lists", 256, "struct{i32,i32}[256]@offsets(8)", "f32[2K]", "f32[256]")
    assert unknown_branches(execution) == 0
    assert lanes("lists", execution, "FADD") == 256 * 8
    assert not any("outside" in note for note in execution.assumptions)


@pytest.mark.parametrize("mean", [1, 9, 24])
def test_offsets_end_with_the_sum(mean: int) -> None:
    """The row pointers of 1024 rows: as many elements as they are said to have are read, all inside of the arrays."""
    kernel = listing.read(files.read_text(RECORDED / "spmv_scalar.sass.xz"))
    count = 1024 * mean
    arguments = [
        f"i32[1025]@offsets({mean})",
        f"i32[{count}]@random(0,1024)",
        f"f32[{count}]",
        "f32[1024]",
        "f32[1024]",
    ]
    execution = execute(kernel, parse_launch("spmv_scalar", "4", "256", [*arguments, "1024"]), tuple(range(4)))
    assert not any("outside" in note for note in execution.assumptions)
    pairs = zip(kernel.instructions, execution.instructions, strict=True)
    assert sum(counts.active_lanes for item, counts in pairs if item.opcode == "FFMA") == count


@pytest.mark.parametrize("shared", [0, 96])
@pytest.mark.parametrize(("arch", "place"), [(90, "c[0x0][0x2c]"), (100, "c[0x0][R5+0x2ac]")])
def test_code_reads_the_bytes_of_dynamic_shared_memory(arch: int, place: str, shared: int) -> None:
    """As nvcc 13 reads %dynamic_smem_size: as many lanes branch as it has bytes, over four."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("S2R R4,SR_LANEID", "CS2R.32 R5,SR_CgaSize" if arch == 100 else "MOV R5,RZ", "IMAD R5,R5,-0xa0,RZ"),
        *(f"LDC R6,{place}", "SHF.R.U32.HI R6,RZ,0x2,R6", "ISETP.LT.AND P1,PT,R4,R6,PT", "@P1 BRA 0x80"),
        *("MOV R1,R0", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = replace(listing.read(head + "code\n" + "\n".join(lines) + "\n"), arch=arch)
    run = execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"], shared))
    assert not run.instructions[6].unknown_branches
    assert run.instructions[7].active_lanes == 32 - shared // 4


@pytest.mark.parametrize("suffix", ["npy", "bin"])
def test_structures_of_a_file(tmp_path: Path, suffix: str) -> None:
    extents = np.zeros(256, [("start", "<i4"), ("count", "<i4")])
    extents["start"], extents["count"] = np.arange(256), 5
    path = tmp_path / f"extents.{suffix}"
    np.save(path, extents) if suffix == "npy" else path.write_bytes(extents.tobytes())
    execution = run("lists", 256, f"struct{{i32,i32}}[256]@{path}", "f32[1K]", "f32[256]")
    assert lanes("lists", execution, "FADD") == 256 * 5


def test_a_file_of_another_type_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(4096, np.float64))
    with pytest.raises(InputError, match=r"x\.npy: has elements of type float64, the argument of type f32"):
        run("larger_f32", 256, f"f32[4096]@{tmp_path}/x.npy", "0.5", "f32[4096]")


def test_a_file_that_is_too_short_is_refused_where_it_is_read(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(300, np.float32))
    arguments = (f"f32[4096]@{tmp_path}/x.npy", "0.5", "f32[4096]")
    run("larger_f32", 256, *arguments)  # the first block reads 256
    with pytest.raises(InputError, match=r"beyond the end of the file of array 0 .*, element 300"):
        run("larger_f32", 256, *arguments, blocks=2)


def test_accesses_outside_of_an_array() -> None:
    """Some lanes of a warp: a note; all of them: an error. Both name the array and the element."""
    execution = run("larger_f32", 256, "f32[250]", "0.5", "f32[4096]")
    notes = [note for note in execution.assumptions if "outside" in note]
    assert len(notes) == 1
    assert re.fullmatch(r"accesses outside of array 0 \(f32\[250\]\): 0x[0-9a-f]+, element 250", notes[0])
    with pytest.raises(InputError, match=r"outside of array 0 \(f32\[200\]\).*element 200; all lanes of a warp"):
        run("larger_f32", 256, "f32[200]", "0.5", "f32[4096]")


@pytest.mark.parametrize(
    ("comparison", "left"), [("GE.AND", 32), ("GE.OR", 24), ("GE.XOR", 24), ("LT.AND", 24), ("LT.OR", 0), ("LT.XOR", 8)]
)
def test_an_unknown_number_is_compared_for_all_lanes_beside_their_own_predicates(comparison: str, left: int) -> None:
    """P2 holds in eight lanes; those whose P1 does not hold go on."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("S2R R4,SR_LANEID", "ISETP.LT.AND P2,PT,R4,0x8,PT", "LDC.64 R2,c[0x0][0x210]", "LDG.E R0,desc[UR4][R2.64]"),
        *(f"FSETP.{comparison} P1,PT,|R0|,105615,P2", "@P1 BRA 0x70", "MOV R1,R0", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"]))
    assert run.instructions[6].active_lanes == left


@pytest.mark.parametrize(
    ("leaves", "left"),
    [("@!P2 EXIT P1", 28), ("@P2 EXIT !P1", 28), ("@P2 EXIT P1", 28), ("EXIT P1", 24), ("EXIT !P1", 8)],
)
def test_lanes_exit_where_both_conditions_hold(leaves: str, left: int) -> None:
    """P2 holds in lanes 0 to 7, P1 in lanes 4 to 11: in both, in neither and in one of them alone are four lanes."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("S2R R4,SR_LANEID", "ISETP.LT.AND P2,PT,R4,0x8,PT", "ISETP.GE.AND P1,PT,R4,0x4,PT"),
        *("ISETP.LT.AND P1,PT,R4,0xc,P1", leaves, "MOV R1,R0", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"]))
    assert run.instructions[5].active_lanes == left


@pytest.mark.parametrize(
    ("to_real", "to_integer", "less", "value"),
    [
        ("I2F.U8 R1,R0.B1", "F2I.TRUNC.NTZ R2,R1", 0, 0x0B),
        ("I2F.S8 R1,R0", "F2I.TRUNC.NTZ R2,R1", -20, 20 - 5),
        ("I2F.U16 R1,R0.H1", "F2I.TRUNC.NTZ R2,R1", 0x11F, 0x12C - 0x11F),
        ("I2F.S16 R1,R0", "F2I.TRUNC.NTZ R2,R1", 0xBF0, 0x0BFB - 0xBF0),
        ("I2F.U16 R1,R0.H1", "F2I.U8.TRUNC.NTZ R2,R1", 250, 5),
        ("I2F.U16 R1,R0.H1", "F2I.S8.TRUNC.NTZ R2,R1", 120, 7),
        ("I2F.S8 R1,R0", "F2I.U8.TRUNC.NTZ R2,R1", -9, 9),
    ],
)
def test_numbers_of_8_and_16_bits_are_converted(to_real: str, to_integer: str, less: int, value: int) -> None:
    """By which compilers divide what is small. As many lanes branch as the converted number, less another one."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("S2R R4,SR_LANEID", "MOV R0,0x12c0bfb", to_real, to_integer, f"IADD3 R2,R2,{-less:#x},RZ"),
        *("ISETP.LT.AND P1,PT,R4,R2,PT", "@P1 BRA 0x80", "MOV R1,R0", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"]))
    assert not run.instructions[6].unknown_branches
    assert run.instructions[7].active_lanes == 32 - max(0, value)


@pytest.mark.parametrize("below", [0, 1, 32, 40, 63, 64])
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize(("vote", "what"), [("POPC", "count"), ("OR", "any"), ("AND", "all")])
def test_threads_vote_at_a_barrier(vote: str, what: str, below: int, unknown: bool) -> None:
    """Of 64 threads those `below` say yes; or with `unknown`, thread 5 says what its data say. Where the outcome is
    known, threads branch by it: those below the number, or all."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    data = ["LDC.64 R2,c[0x0][0x210]", "@P3 LDG.E R0,desc[UR4][R2.64]", "@P3 FSETP.LT.AND P1,PT,R0,1,PT"]
    result = ["B2R.RESULT R8", "ISETP.LT.AND P2,PT,R4,R8,PT"] if vote == "POPC" else ["B2R.RESULT RZ,P2"]
    code = [
        *("S2R R4,SR_TID.X", f"ISETP.LT.AND P1,PT,R4,{below:#x},PT", "ISETP.EQ.AND P3,PT,R4,0x5,PT"),
        *(*(data if unknown else []), f"BAR.RED.{vote}.DEFER_BLOCKING 0x0,P1", *result),
    ]
    code += [f"@P2 BRA {16 * (len(code) + 2):#x}", "MOV R1,R0", "EXIT"]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "64", ["f32[32]", "f32[32]", "32"]))
    outcomes = {
        {"count": yes, "any": 64 * (yes > 0), "all": 64 * (yes == 64)}[what]
        for yes in ({below - (below > 5), below - (below > 5) + 1} if unknown else {below})
    }
    if len(outcomes) == 1:
        assert run.instructions[len(code) - 2].active_lanes == 64 - outcomes.pop()
    assert bool(run.instructions[len(code) - 3].unknown_branches) == (len(outcomes) > 1)


def test_a_loop_without_end_is_refused_by_its_line() -> None:
    """The loop of line 5 ends after three rounds, that of line 7 never."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *(("MOV R4,RZ", 4), ("IADD3 R4,R4,0x1,RZ", 5), ("ISETP.LT.AND P1,PT,R4,0x3,PT", 5), ("@P1 BRA 0x10", 5)),
        *(("SHF.R.U32.HI R4,RZ,0x1,R4", 6), ("ISETP.LT.AND P1,PT,R4,0x9,PT", 7), ("@P1 BRA 0x40", 7), ("EXIT", 8)),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000 {at}" for k, (text, at) in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    launch = parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"])
    with pytest.raises(
        InputError, match=r"more than 1000 instructions.*; most rounds has the loop that ends at line 7"
    ):
        execute(kernel, launch, budget=1000)


@pytest.mark.parametrize(("budget", "refused"), [(1000, True), (2000, False)])
def test_a_smaller_budget_keeps_fewer_lines(budget: int, refused: bool) -> None:
    """200 rounds of four instructions ask for 6,400 lines."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("LDC.64 R2,c[0x0][0x210]", "S2R R4,SR_LANEID", "MOV R5,RZ", "IMAD.WIDE R2,R4,0x100,R2"),
        *("STG.E desc[UR4][R2.64],R4", "IADD3 R5,R5,0x1,RZ", "ISETP.LT.AND P1,PT,R5,0xc8,PT", "@P1 BRA 0x40", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    launch = parse_launch("copy_f32", "1", "32", ["f32[4096]", "f32[32]", "32"])
    with pytest.raises(InputError, match="more than 4000 lines") if refused else contextlib.nullcontext():
        assert execute(kernel, launch, budget=budget, in_full=True).instructions[4].executions == 200


@pytest.mark.parametrize(("below", "fails"), [(32, False), (31, True), (0, True)])
def test_a_launch_that_an_assertion_ends_is_refused(below: int, fails: bool) -> None:
    """The function that reports it is called by the lanes from `below` on."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    address = system_address("__assertfail")
    code = [
        *("S2R R4,SR_LANEID", f"ISETP.LT.AND P1,PT,R4,{below:#x},PT", "@P1 BRA 0x60"),
        *(f"MOV R2,{address & 0xFFFF_FFFF:#x}", f"MOV R3,{address >> 32:#x}", "CALL.ABS.NOINC R2", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000 7" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    launch = parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"])
    if not fails:
        assert execute(kernel, launch).instructions[5].active_lanes == 0
        return
    with pytest.raises(InputError, match=r"an assertion of kernel copy_f32 fails in line 7: this launch ends there"):
        execute(kernel, launch)


def test_warps_read_what_was_there_at_the_barrier() -> None:
    """The first warp stores 5, all read it behind a barrier, and the first overwrites it at once: both have read 5, it
    reads its own 0 meanwhile, and both read 0 behind the next barrier."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = [
        *("S2R R4,SR_TID.X", "MOV R5,0x5", "MOV R7,RZ", "ISETP.GE.AND P0,PT,R4,0x20,PT", "@!P0 STS [RZ],R5"),
        *("BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R8,[RZ]", "@!P0 STS [RZ],RZ", "@!P0 LDS R7,[RZ]"),
        *("BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R9,[RZ]", "IADD3 R9,R9,R7,RZ", "ISETP.EQ.AND P1,PT,R8,0x5,PT"),
        *("ISETP.EQ.AND P1,PT,R9,RZ,P1", "@P1 BRA 0x100", "MOV R1,R0", "EXIT"),
    ]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "64", ["f32[32]", "f32[32]", "32"], 64))
    assert not run.instructions[14].unknown_branches
    assert run.instructions[15].active_lanes == 0


# ------------------------------------------------------------------------------------------ ordinary numbers


def _compared(condition: str) -> tuple[int, tuple[str, ...]]:
    """How often the instruction after `@P1 BRA` is executed where R0 is a number that is not known."""
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    code = ["LDC.64 R2,c[0x0][0x210]", "LDG.E R0,desc[UR4][R2.64]", condition, "@P1 BRA 0x50", "MOV R1,R0", "EXIT"]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    run = execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"]))
    return run.instructions[4].executions, run.assumptions


@pytest.mark.parametrize(
    ("condition", "jumps"),
    [
        ("FSETP.GE.AND P1,PT,|R0|,105615,PT", False),
        ("FSETP.LT.AND P1,PT,|R0|,105615,PT", True),
        ("FSETP.NEU.AND P1,PT,|R0|,+INF,PT", True),
        ("FSETP.GT.AND P1,PT,R0,-1e+20,PT", True),
        ("FSETP.NEU.AND P1,PT,R0,RZ,PT", True),
        ("FSETP.GT.AND P1,PT,|R0|,1.1754943508222875e-38,PT", True),
        ("FSETP.NAN.AND P1,PT,R0,R0,PT", False),
    ],
)
def test_numbers_that_are_not_known_are_ordinary(condition: str, jumps: bool) -> None:
    executed, assumptions = _compared(condition)
    assert (executed == 0) == jumps
    assert any("ordinary" in text for text in assumptions)


@pytest.mark.parametrize("condition", ["FSETP.GT.AND P1,PT,R0,RZ,PT", "FSETP.GT.AND P1,PT,R0,1,PT"])
def test_what_an_ordinary_number_may_be_stays_open(condition: str) -> None:
    _, assumptions = _compared(condition)
    assert any("depend on data" in text for text in assumptions)
    assert not any("ordinary" in text for text in assumptions)
