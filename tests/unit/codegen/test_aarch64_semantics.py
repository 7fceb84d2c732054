"""Integer semantics of AArch64: values as a Neoverse-N1 computed them, and what is left unknown."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly import aarch64
from foretell.codegen.assembly.aarch64_semantics import steps
from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

#: registers before each of the codes
_SETUP = """mov x1, 3; mov x2, 11; mov x4, 0x1234; movk x4, 0xabcd, lsl 16; movk x4, 0x9, lsl 32; mov x5, -7;
 mov w5, w5; mov x6, -9; mov w7, 0x80000000; mov w8, -1; mov x9, 0x5555"""
#: code, and the number in x9 after it, by running it on a Neoverse-N1
_VALUES = [
    ("add x9, x1, x2", 14),
    ("add x9, x1, x2, lsl 3", 91),
    ("add w9, w4, w2, lsl 7", 2882344884),
    ("add x9, x1, w5, sxtw 3", -53),
    ("add x9, x1, w5, uxtw", 4294967292),
    ("add x9, x1, w4, uxtb 1", 107),
    ("sub x9, x1, x2, asr 1", -2),
    ("sub w9, w2, w1", 8),
    ("sub x9, x2, x4, lsr 40", 11),
    ("and x9, x4, 0xff00ff00ff00ff00", 2868908544),
    ("orr x9, x1, x2, lsl 4", 179),
    ("eor w9, w4, w2", 2882343487),
    ("bic x9, x4, x1", 41537049140),
    ("orn w9, w1, w2", 4294967287),
    ("eon x9, x1, x4", -41537049144),
    ("mvn w9, w1", 4294967292),
    ("neg x9, x1, lsl 2", -12),
    ("neg w9, w4", 1412623820),
    ("lsl x9, x1, 60", 3458764513820540928),
    ("lsl w9, w4, w1", 1583911328),
    ("lsr w9, w5, 3", 536870911),
    ("asr w9, w5, 3", 4294967295),
    ("asr x9, x4, x2", 20281762),
    ("lsr x9, x4, x2", 20281762),
    ("sxtb x9, w4", 52),
    ("sxth w9, w4", 4660),
    ("sxtw x9, w5", -7),
    ("uxtb w9, w4", 52),
    ("uxth w9, w4", 4660),
    ("mul w9, w4, w2", 1641007164),
    ("mul x9, x4, x2", 456907540540),
    ("madd x9, x1, x2, x4", 41537049173),
    ("msub w9, w1, w2, w4", 2882343443),
    ("mneg x9, x1, x2", -33),
    ("smull x9, w5, w2", -77),
    ("umull x9, w5, w2", 47244640179),
    ("smaddl x9, w5, w2, x1", -74),
    ("umsubl x9, w5, w2, x1", -47244640176),
    ("smulh x9, x4, x5", 9),
    ("umulh x9, x4, x6", 41537049139),
    ("sdiv w9, w5, w2", 0),
    ("udiv w9, w5, w2", 390451571),
    ("sdiv x9, x6, x2", 0),
    ("udiv x9, x6, x2", 1676976733973595600),
    ("sdiv x9, x1, xzr", 0),
    ("sdiv w9, w7, w8", 2147483648),
    ("ubfx x9, x4, 8, 12", 3346),
    ("sbfx x9, x4, 12, 8", -47),
    ("sbfx w9, w4, 0, 8", 52),
    ("ubfiz x9, x4, 3, 32", 23058747808),
    ("sbfiz x9, x5, 3, 32", -56),
    ("bfi x9, x4, 8, 12", 144469),
    ("bfi x9, x4, 0, 4", 21844),
    ("bfxil x9, x4, 20, 8", 21948),
    ("bfc x9, 4, 8", 20485),
    ("clz x9, x1", 62),
    ("clz w9, w2", 28),
    ("mov x9, -5", -5),
    ("mov w9, -5", 4294967291),
    ("mov x9, 0x120000", 1179648),
    ("movn x9, 3", -4),
    ("movz x9, 7, lsl 16", 458752),
    ("movk x9, 0xbeef, lsl 16", 3203355989),
    ("mov x9, xzr", 0),
    ("mov x9, x5", 4294967289),
    ("cmp x1, x2; cset x9, lt", 1),
    ("cmp w5, w2; cset w9, lt", 1),
    ("cmp w5, w2; cset w9, lo", 0),
    ("cmp x6, 0; csetm x9, mi", -1),
    ("cmp x1, x2; csel x9, x4, x5, hi", 4294967289),
    ("cmp x1, x2; csel x9, x4, xzr, ls", 41537049140),
    ("cmp x1, x2; csinc x9, x4, x5, eq", 4294967290),
    ("cmp x1, x2; csinv x9, x4, x5, ge", -4294967290),
    ("cmp x1, x1; csneg w9, w4, w5, ne", 7),
    ("cmp x1, x2; cinc w9, w2, ne", 12),
    ("cmp x1, x2; cinv x9, x2, le", -12),
    ("cmp x1, x2; cneg x9, x2, gt", 11),
    ("cmp x1, x1; cinc x9, x2, ne", 11),
    ("cmn x6, 1; cset x9, eq", 0),
    ("cmn w5, w2; cset w9, mi", 0),
    ("cmn x2, x6; cset x9, cs", 1),
    ("tst x4, 0xf0; cset x9, ne", 1),
    ("tst w4, w1; cset w9, eq", 1),
    ("ands x9, x4, x1; cinc x9, x9, eq", 1),
    ("adds x9, x6, 5; cinc x9, x9, cs", -4),
    ("adds w9, w1, w2; cinc w9, w9, mi", 14),
    ("subs x9, x1, x2; cinc x9, x9, lo", -7),
    ("negs x9, x1; cinc x9, x9, mi", -2),
    ("bics x9, x4, x4; cinc x9, x9, eq", 1),
    ("cmp x1, 3; ccmp x2, 11, 0, eq; cset x9, eq", 1),
    ("cmp x1, 4; ccmp x2, 11, 4, eq; cset x9, eq", 1),
    ("cmp x1, 4; ccmp x2, x1, 2, eq; cset x9, hs", 1),
    ("cmp x1, 4; ccmp x2, x1, 0, eq; cset x9, hs", 0),
    ("cmp x1, 4; ccmp x2, x1, 8, eq; cset x9, lt", 1),
    ("cmp x1, 4; ccmp x2, x1, 9, eq; cset x9, lt", 0),
    ("cmp x1, 3; ccmp w2, 4, 9, eq; cset x9, gt", 1),
    ("str x4, [sp, -32]!; ldr w9, [sp]; add sp, sp, 32", 2882343476),
    ("str x4, [sp, -32]!; ldrb w9, [sp]; add sp, sp, 32", 52),
    ("str w5, [sp, -16]!; ldrsw x9, [sp], 16", -7),
    ("strh w4, [sp, -16]!; ldrsh x9, [sp], 16", 4660),
    ("strb w4, [sp, -16]!; ldrsb w9, [sp], 16", 52),
    ("stp x1, x2, [sp, -16]!; ldp x10, x9, [sp], 16", 11),
    ("stp w5, w5, [sp, -16]!; ldpsw x10, x9, [sp], 16", -7),
    ("stp x1, x2, [sp, -16]!; mov x10, sp; ldp x10, x9, [x10]; add x9, x9, x10; add sp, sp, 16", 14),
    ("stp x1, x2, [sp, -16]!; mov x9, sp; ldp x10, x9, [x9]; add x9, x9, x10; add sp, sp, 16", 14),
    ("str xzr, [sp, -16]!; ldr x9, [sp], 16", 0),
    ("sub sp, sp, 64; mov w10, 3; str x4, [sp, w10, uxtw 3]; ldr x9, [sp, 24]; add sp, sp, 64", 41537049140),
    (
        "sub sp, sp, 64; mov w10, -2; add x11, sp, 32; str x5, [x11, w10, sxtw 3]; ldr x9, [sp, 16]; add sp, sp, 64",
        4294967289,
    ),
    ("sub sp, sp, 64; stur x4, [sp, 8]; ldur w9, [sp, 8]; add sp, sp, 64", 2882343476),
    ("fmov d3, x4; fmov x9, d3", 41537049140),
    ("fmov s3, w4; fmov w9, s3", 2882343476),
    ("mov x9, 1; cbz x1, .L7; mov x9, 2; .L7:", 2),
    ("mov x9, 1; cbnz w1, .L7; mov x9, 2; .L7:", 1),
    ("mov x9, 1; tbz w4, 3, .L7; mov x9, 2; .L7:", 1),
    ("mov x9, 1; tbnz x6, 63, .L7; mov x9, 2; .L7:", 1),
    ("mov x9, 1; tbz w5, 31, .L7; mov x9, 2; .L7:", 2),
    ("mov x9, 1; tbnz x4, 40, .L7; mov x9, 2; .L7:", 2),
    ("cmp x1, x2; and x10, x1, x2; cset x9, lt", 1),
]


def _listing(code: str) -> str:
    lines = [line.strip() for line in code.replace("\n", " ").split(";")]
    return "\n".join(line if line.endswith(":") else f"\t{line}" for line in lines)


def _called(code: str, arguments: tuple[int, ...] = (), **given: dict[str, int]) -> Followed:
    machine = load("neoverse-n1")
    functions = read_listing(f"f:\n{_listing(code)}\n", "aarch64")
    return follow_call(functions, "f", machine, Costs(machine), arguments, **given)  # type: ignore[arg-type]


def _parts(value: int) -> str:
    """Moves a number of 64 bits to x10, by parts."""
    value &= (1 << 64) - 1
    parts = [f"movk x10, {value >> shift & 0xFFFF}, lsl {shift}" for shift in (16, 32, 48)]
    return "; ".join([f"movz x10, {value & 0xFFFF}", *parts])


@pytest.mark.parametrize(("code", "value"), _VALUES)
def test_values_are_those_of_the_processor(code: str, value: int) -> None:
    def ends(number: int) -> Followed:
        return _called(f"{_SETUP}; {code}; {_parts(number)}; cmp x9, x10; b.ne .L9; ret; .L9:; nop; ret")

    right, wrong = ends(value), ends(value ^ 1)
    assert right.result.failure == ""
    assert right.result.open_jumps == []
    assert sum(wrong.counts) == sum(right.counts) + 1


@pytest.mark.parametrize(
    "code",
    ["rbit x9, x1", "fcvtzs x9, d0", "ldr x9, [x1]", "umov w9, v0.s[1]", "ccmp xzr, x1, 0, eq", "mov x9, v0.d[0]",
     "fmov d1, d0; fmov x9, d1", "swp x1, x9, [x2]", "ldaddal w1, w9, [x2]", "ldr x9, .LC0",
     "adc x9, x1, x2; cmp x9, 0"],
)  # fmt: skip
def test_what_is_not_followed_is_unknown(code: str) -> None:
    known = "cmp x9, 1; " if "cmp" not in code else ""
    followed = _called(f"{_SETUP}; cmp x1, x2; {code}; {known}b.eq .L9; ret; .L9:; nop; ret")
    assert followed.result.failure == ""
    assert len(followed.result.open_jumps) == 1


def test_jumps_through_registers_are_not_followed() -> None:
    assert steps(aarch64.parse("br x16", 1, "")).main.operation == "stop"
    assert "jumps through a table" in _called("ldr x16, [x1]; br x16; ret").result.failure


def test_loops_of_scalable_vectors_end_by_a_guess() -> None:
    """How many elements a vector has is not known: what follows is named as a guess, not silently counted."""
    code = "mov x4, 0; whilelo p0.d, xzr, x0; .L2:; ld1d z0.d, p0/z, [x1, x4, lsl 3]; incd x4; whilelo p0.d, x4, x0"
    assert _called(f"{code}; b.any .L2; ret", (100, 1 << 33)).guessed


def test_arguments_beyond_the_eighth_are_on_the_stack() -> None:
    code = "ldr w9, [sp]; ldr x10, [sp, 8]; add x9, x9, x10; .L2:; subs x9, x9, 1; b.ne .L2; ret"
    counts = _called(code, (0, 0, 0, 0, 0, 0, 0, 0, 20, 3)).counts
    assert counts[3:5] == (23.0, 23.0)


def test_a_base_that_moves_is_known_after_vector_accesses() -> None:
    """By an immediate before or after the access, and by a register."""
    for access in ("ldr q0, [x0], 16", "str q0, [x0, 16]!", "ld1 {v0.2d}, [x0], x2", "ldp d0, d1, [x0], 16"):
        counts = _called(f"mov x2, 16; add x1, x0, 160; .L2:; {access}; cmp x0, x1; b.ne .L2; ret", (1 << 33,)).counts
        assert counts[2] == 10, access


def test_variables_are_found_by_page_and_offset_and_by_the_table_of_addresses() -> None:
    for load_it in (
        "adrp x9, size; ldr w9, [x9, #:lo12:size]",
        "adrp x9, size; add x9, x9, :lo12:size; ldr w9, [x9]",
        "adrp x9, :got:size; ldr x9, [x9, :got_lo12:size]; ldr w9, [x9]",
    ):
        followed = _called(f"{load_it}; .L2:; subs x9, x9, 1; b.ne .L2; ret", variables={"size": 17})
        assert max(followed.counts) == 17, load_it


def test_anchors_of_variables_are_not_one_place() -> None:
    """gcc addresses variables from a common anchor: two of them must not overlap, unlike constants of the code."""
    code = "adrp x1, .LANCHOR0; add x1, x1, :lo12:.LANCHOR0; adrp x2, {other}; add x2, x2, :lo12:{other}; cmp x1, x2"
    for other, same in ((".LANCHOR0", True), (".LANCHOR1", False)):
        counts = _called(f"{code.format(other=other)}; b.ne .L9; nop; .L9:; ret").counts
        assert (counts[6] == 1) == same


def test_a_call_pushes_no_return_address() -> None:
    caller = _listing("str x30, [sp, -16]!; str x1, [sp, 8]; bl g; ldr x30, [sp], 16; ret")
    called = _listing("ldr x9, [sp, 8]; .L2:; subs x9, x9, 1; b.ne .L2; ret")
    text = f"\t.type f, %function\nf:\n{caller}\n\t.type g, %function\ng:\n{called}\n"
    functions = read_listing(text, "aarch64")
    machine = load("neoverse-n1")
    assert max(follow_call(functions, "f", machine, Costs(machine), (0, 12)).counts) == 12


def test_an_immediate_with_a_sign_is_no_comment() -> None:
    """`#31` before a label is no comment: the label starts a block."""
    (function,) = read_listing("f:\n\tmov w0, 5\n.L2:\n\tsub w0, w0, #1\n\ttbz w0, #31, .L2\n\tret\n", "aarch64")
    assert [block.label for block in function.blocks] == ["f", ".L2", ""]


# ---- times


def _per_iteration(body: str, machine: str = "neoverse-n1") -> float:
    """Cycles of an iteration in a long loop."""
    named = load(machine)
    ends = [
        sum(follow_call(
            read_listing(f"f:\n.L2:\n{_listing(body)}\n\tsubs x0, x0, 1\n\tb.ne .L2\n\tret\n", "aarch64"),
            "f", named, Costs(named), (n, 1 << 33),
        ).cycles)
        for n in (2000, 3000)
    ]  # fmt: skip
    return (ends[1] - ends[0]) / 1000


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        ("fmadd d0, d1, d2, d0; fmadd d0, d1, d2, d0", 4.0),  # through the addend: 2 cycles each
        ("fmadd d0, d0, d1, d2", 4.0),  # through a factor
        ("fmla v0.2d, v1.2d, v2.2d; fadd v0.2d, v0.2d, v1.2d", 6.0),  # an addend of another unit (measured: 5)
        ("umlal v0.8h, v1.8b, v2.8b; umlal v0.8h, v1.8b, v2.8b", 2.0),
        ("fmadd d0, d0, d1, d0", 4.0),  # both
        ("ldp x2, x3, [x1]; ldp x4, x5, [x1, 16]; ldp x6, x7, [x1, 32]", 3.0),  # two loads each
        ("ldp w2, w3, [x1]; ldp w4, w5, [x1, 16]; ldp w6, w7, [x1, 32]", 1.5),
        ("ldr d0, [x1], 8; ldr d1, [x1], 8; ldr d2, [x1], 8", 3.0),  # each waits a cycle for the base
        ("add x2, x3, x2, lsl 7; add x2, x3, x2, lsl 7", 4.0),
        ("add x2, x3, x2, lsl 3; add x2, x3, x2, lsl 3", 2.0),
        ("add x2, x3, w2, sxtw", 2.0),
        ("mul w2, w2, w3", 2.0),
        ("mul x2, x2, x3", 4.0),
    ],
)
def test_chains_and_pairs_take_what_was_measured(body: str, cycles: float) -> None:
    assert _per_iteration(body) == pytest.approx(cycles, abs=0.05)
