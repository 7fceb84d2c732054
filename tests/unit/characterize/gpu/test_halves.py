"""Numbers of 16 bits in the functional core, against numpy: what kernels compute in FP16 and BF16 is followed."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import foretell.uses
from foretell import files
from foretell.characterize.gpu.functional import Execution, execute
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing

RECORDED = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
PAIRS = [(0.5, 3.25), (-7.0, 0.333), (1e-6, 2.0), (60000.0, 60000.0), (0.1, -0.1)]


def executed(*code: str) -> Execution:
    head = files.read_text(RECORDED / "copy_f32.sass.xz").partition("code\n")[0]
    lines = [f"{16 * k:04x} {text} ; 0000000000000000 000fe20000000000" for k, text in enumerate(code)]
    kernel = listing.read(head + "code\n" + "\n".join(lines) + "\n")
    return execute(kernel, parse_launch("copy_f32", "1", "32", ["f32[32]", "f32[32]", "32"]))


def holds(expected: int, *code: str) -> bool:
    """Whether R8 is certainly this number."""
    end = 16 * (len(code) + 3)
    run = executed(*code, f"ISETP.EQ.U32.AND P1,PT,R8,{expected:#x},PT", f"@P1 BRA {end:#x}", "MOV R1,R0", "EXIT")
    assert not run.instructions[len(code) + 1].unknown_branches
    return run.instructions[len(code) + 2].active_lanes == 0


def half(value: float) -> int:
    with np.errstate(over="ignore"):
        return int(np.float16(value).view(np.uint16))


def brain(value: float) -> int:
    """BF16, to the nearest: the upper half of FP32."""
    word = int(np.float32(value).view(np.uint32))
    return (word + 0x7FFF + (word >> 16 & 1)) >> 16


def single(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_packed_arithmetic(a: float, b: float) -> None:
    x, y = np.float16(a), np.float16(b)
    given = (f"MOV R4,{half(a) << 16 | half(b):#x}", f"MOV R5,{half(b) << 16 | half(b):#x}")
    with np.errstate(over="ignore"):
        total, product = (
            (half(float(x) + float(y)), half(float(y) * 2)),
            (half(float(x) * float(y)), half(float(y) ** 2)),
        )
        fused = half(float(x) * float(y) + float(x)), half(float(y) * float(y) + float(y))
    assert holds(total[0] << 16 | total[1], *given, "HADD2 R8,R4,R5")
    assert holds(product[0] << 16 | product[1], *given, "HMUL2 R8,R4,R5")
    assert holds(fused[0] << 16 | fused[1], *given, "HFMA2 R8,R4,R5,R4")


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_halves_of_a_register_and_signs(a: float, b: float) -> None:
    given = (f"MOV R4,{half(a) << 16 | half(b):#x}", "MOV R5,RZ")
    upper, lower = float(np.float16(a)), float(np.float16(b))
    assert holds(single(upper), *given, "HADD2.F32 R8,-RZ,R4.H1_H1")
    assert holds(single(-abs(lower)), *given, "HADD2.F32 R8,-RZ,-|R4.H0_H0|")
    assert holds(single(upper), *given, "HADD2.F32 R8,-RZ,R4.H0_H0") == (a == b)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_packing_and_brain_numbers(a: float, b: float) -> None:
    given = (f"MOV R4,{single(a):#x}", f"MOV R5,{single(b):#x}")
    assert holds(half(a) << 16 | half(b), *given, "F2FP.F16.F32.PACK_AB R8,R4,R5")
    assert holds(brain(a) << 16 | brain(b), *given, "F2FP.BF16.F32.PACK_AB R8,R4,R5")
    assert holds(brain(-b), *given, "F2FP.BF16.F32.PACK_AB R8,RZ,-R5")


@pytest.mark.parametrize(
    ("comparison", "with_high", "low", "high"),
    [
        ("HSETP2.LT.AND", "PT", True, False),
        ("HSETP2.GE.AND", "PT", False, True),
        ("HSETP2.GE.OR", "PT", True, True),
        ("HSETP2.NE.XOR", "PT", False, False),
        ("HSETP2.NE.H_AND.AND", "PT", True, False),
        ("HSETP2.LT.H_AND.AND", "PT", False, True),
    ],
)
def test_comparisons(comparison: str, with_high: str, low: bool, high: bool) -> None:
    """Of (2, 1) with (1, 2): the lower halves are less, the upper ones greater."""
    given = (f"MOV R4,{half(2) << 16 | half(1):#x}", f"MOV R5,{half(1) << 16 | half(2):#x}")
    code = (*given, f"{comparison} P1,P2,R4,R5,{with_high}", "MOV R8,RZ", "@P1 MOV R8,0x1", "@P2 IADD3 R8,R8,0x2,RZ")
    assert holds(low + 2 * high, *code)


def test_constants_are_loaded_as_bits() -> None:
    """0 0 + (high, low) of any bits, also of numbers that are none."""
    assert holds(0x3F804000, "HFMA2.MMA R8,-RZ,RZ,1.875,2")


@pytest.mark.parametrize(
    "other", ["HFMA2.RELU R8,R4,R4,R4", "HADD2.SAT R8,R4,R4", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8,R4,R4,RZ"]
)
def test_what_has_no_rule_is_not_known(other: str) -> None:
    run = executed("MOV R4,RZ", other, "ISETP.EQ.U32.AND P1,PT,R8,0x0,PT", "@P1 BRA 0x50", "MOV R1,R0", "EXIT")
    assert run.instructions[3].unknown_branches
