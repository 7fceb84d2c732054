"""Assembly is read the same in both syntaxes, and its loops are those of the source."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.codegen.assembly.induction import advances, displacements, elements_per_pass
from foretell.codegen.assembly.listing import read_listing
from foretell.codegen.assembly.loops import find_loops
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.errors import InputError, ToolError, UnsupportedError
from tests.support import mca
from tests.support.host import X86_GCC, needs_x86_gcc
from tests.support.models.codegen import KERNELS, kernel, kernel_names

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.loops import AsmLoop

pytest.importorskip("llvmlite")


def x86(*lines: str, syntax: str = "att") -> list[Instruction]:
    head = "\t.intel_syntax noprefix\n" if syntax == "intel" else ""
    text = (
        head + "f:\n" + "\n".join(f"\t{line}" for line in lines) + ("\n\tvmovaps %xmm0, %xmm0\n" if not head else "\n")
    )
    blocks = read_listing(text, "x86-64")[0].blocks
    return [one for block in blocks for one in block.instructions]


def innermost(text: str, isa: str, function: str = "") -> list[AsmLoop]:
    return [
        loop
        for one in read_listing(text, isa)
        if not function or one.name == function
        for tree in find_loops(one)
        for loop in tree.walk()
        if not loop.inner
    ]


# --- single instructions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kind", "element", "width", "reads", "writes", "access"),
    [
        ("vaddpd 16(%rdx,%rax), %zmm7, %zmm0", "add", "f64", 64, "rax rdx zmm7", "zmm0", "load 64"),
        ("vfmadd231pd %ymm1, %ymm2, %ymm3", "fma", "f64", 32, "zmm1 zmm2 zmm3", "zmm3", ""),
        ("vmovupd %zmm0, 8(%rsi)", "move", "f64", 64, "rsi zmm0", "", "store 64"),
        ("vmovapd %zmm4, %zmm0{%k1}", "blend", "f64", 64, "zmm4 zmm0 k1", "zmm0", ""),
        ("vmulpd %zmm3, %zmm1, %zmm0{%k1}{z}", "multiply", "f64", 64, "zmm3 zmm1 k1", "zmm0", ""),
        ("vmovhpd (%rax), %xmm0, %xmm0", "shuffle", "f64", 16, "rax zmm0", "zmm0", "load 8"),
        ("addq $1, (%rax)", "add", "i64", 0, "rax", "flags", "both 8"),
        ("xorl %eax, %eax", "zero", "i64", 0, "", "rax flags", ""),
        ("vxorpd %xmm1, %xmm1, %xmm1", "zero", "f64", 16, "", "zmm1", ""),
        ("cmpq %rdi, %rax", "add", "i64", 0, "rdi rax", "flags", ""),
        ("imulq $3, %rax, %rbx", "multiply", "i64", 0, "rax", "rbx flags", ""),
        ("idivl %ecx", "divide", "i32", 0, "rax rdx rcx", "rax rdx flags", ""),
        ("movslq (%rsi,%rax,4), %r8", "move", "i64", 0, "rsi rax", "r8", "load 4"),
        ("vcvtsi2sdl %eax, %xmm1, %xmm0", "convert_from_general", "f64", 0, "rax zmm1", "zmm0", ""),
        ("vcvttsd2si %xmm0, %eax", "convert_to_general", "i64", 0, "zmm0", "rax", ""),
        ("vbroadcastsd (%rdi), %ymm0", "move", "f64", 32, "rdi", "zmm0", "load 8"),
        ("vcmpltpd %zmm1, %zmm2, %k1", "compare", "f64", 64, "zmm1 zmm2", "k1", ""),
        ("vgatherdpd (%rsi,%ymm0,8), %zmm1 {%k1}", "gather", "f64", 64, "rsi zmm0 k1", "zmm1 k1", "load 64"),
        ("cmovg %rax, %rbx", "select", "i64", 0, "rax rbx flags", "rbx", ""),
        ("pushq %rbx", "store", "i64", 0, "rbx rsp", "rsp", "store 8"),
        ("vucomisd %xmm0, %xmm1", "compare_flags", "f64", 0, "zmm0 zmm1", "flags", ""),
        ("sqrtsd %xmm1, %xmm0", "sqrt", "f64", 0, "zmm1 zmm0", "zmm0", ""),
        ("addsd (%rax), %xmm0", "add", "f64", 0, "rax zmm0", "zmm0", "load 8"),
        ("kmovw %eax, %k3", "to_mask", "i64", 0, "rax", "k3", ""),
        ("vmovq %xmm0, %rax", "from_vector", "i64", 0, "zmm0", "rax", ""),
        ("leaq 3(%rax,%rbx,2), %rcx", "lea_scaled", "i64", 0, "rax rbx", "rcx", ""),
        ("leaq 3(%rax,%rbx), %rcx", "lea", "i64", 0, "rax rbx", "rcx", ""),
        ("cmova %rax, %rbx", "select_two", "i64", 0, "rax rbx flags", "rbx", ""),
        ("setnb %al", "select", "i64", 0, "flags", "rax", ""),
        ("vpmaxsd %xmm1, %xmm2, %xmm3", "minmax_int", "i32", 16, "zmm1 zmm2", "zmm3", ""),
        ("vpermt2b %ymm1, %ymm2, %ymm3", "permute_two", "i64", 32, "zmm1 zmm2 zmm3", "zmm3", ""),
        ("vpmovzxbw (%rax), %ymm1", "extend", "i64", 32, "rax", "zmm1", "load 16"),
        ("vcvtdq2ps %ymm1, %ymm2", "convert_same", "f32", 32, "zmm1", "zmm2", ""),
        ("vcvttps2dq %ymm1, %ymm2", "convert_same", "f32", 32, "zmm1", "zmm2", ""),
        ("vcmpltpd %ymm1, %ymm2, %ymm3", "compare_lanes", "f64", 32, "zmm1 zmm2", "zmm3", ""),
        ("vblendvpd %xmm1, %xmm2, %xmm3, %xmm4", "blend_by", "f64", 16, "zmm1 zmm2 zmm3", "zmm4", ""),
        ("kshiftrb $1, %k1, %k2", "shift_mask", "i64", 0, "k1", "k2", ""),
        ("vextractf128 $1, %ymm0, (%rax)", "move", "i64", 32, "zmm0 rax", "", "store 16"),
        ("vpextrw $1, %xmm0, (%rax)", "shuffle_two", "i64", 16, "zmm0 rax", "", "store 2"),
        ("vinsertf128 $1, (%rax), %ymm0, %ymm1", "blend", "i64", 32, "zmm0 rax", "zmm1", "load 16"),
        ("vpbroadcastb (%rax), %ymm1", "permute", "i64", 32, "rax", "zmm1", "load 1"),
        ("vpbroadcastd (%rax), %ymm1", "move", "f64", 32, "rax", "zmm1", "load 4"),
        ("vcvtsi2sdl (%rax), %xmm1, %xmm2", "convert_loaded", "f64", 0, "rax zmm1", "zmm2", "load 4"),
        ("rep stosq", "add", "i64", 0, "", "", ""),
    ],
)  # fmt: skip
def test_x86_instructions(line: str, kind: str, element: str, width: int, reads: str, writes: str, access: str) -> None:
    one = x86(line)[0]
    assert (one.kind, one.element, one.bytes) == (kind, element, width)
    assert one.reads == set(reads.split())
    assert one.writes == set(writes.split())
    kinds = {"load": (True, False), "store": (False, True), "both": (True, True), "": (False, False)}
    assert (one.loads, one.stores) == kinds[access.partition(" ")[0]]
    assert one.moved == int(access.partition(" ")[2] or 0)
    assert one.known == (line != "rep stosq")


@pytest.mark.parametrize(
    ("line", "kind", "reads", "writes"),
    [
        ("ldr q1, [x9], #16", "load", "x9", "v1 x9"),
        ("ldp q2, q1, [x10, #-16]", "load", "x10", "v1 v2"),
        ("str d2, [x0, x1, lsl #3]", "store", "v2 x0 x1", ""),
        ("fmla v0.2d, v1.2d, v2.d[0]", "fma", "v0 v1 v2", "v0"),
        ("fadd d0, d0, d1", "add", "v0 v1", "v0"),
        ("mov d2, v1.d[1]", "shuffle", "v1", "v2"),
        ("subs x11, x11, #2", "add", "x11", "x11 nzcv"),
        ("b.ne .L4", "jump", "nzcv", ""),
        ("cbnz x3, .L4", "jump", "x3", ""),
        ("scvtf d0, w1", "convert_from_general", "x1", "v0"),
        ("fcsel d0, d1, d2, gt", "blend", "v1 v2 nzcv", "v0"),
        ("madd x0, x1, x2, x3", "multiply", "x1 x2 x3", "x0"),
        ("ld1 {v0.2d, v1.2d}, [x0], #32", "load", "x0", "v0 v1 x0"),
        ("fmla z0.d, p0/m, z1.d, z2.d", "fma", "v0 p0 v1 v2", "v0"),
        ("ld1d {z0.d}, p0/z, [x0, x1, lsl #3]", "load", "p0 x0 x1", "v0"),
        ("movk x0, #1, lsl #16", "move", "x0", "x0"),
    ],
)
def test_aarch64_instructions(line: str, kind: str, reads: str, writes: str) -> None:
    one = read_listing(f"f:\n\t{line}\n.L4:\n\tret\n", "aarch64")[0].blocks[0].instructions[0]
    assert one.kind == kind
    assert one.reads == set(reads.split())
    assert one.writes == set(writes.split())


def test_wrong_lines_are_named() -> None:
    with pytest.raises(InputError, match=r"k\.s:2: unknown register %foo"):
        read_listing("f:\n\taddq %foo, %rax\n", "x86-64", "k.s")
    with pytest.raises(InputError, match="unknown register in the address"):
        read_listing("f:\n\taddq (%foo), %rax\n", "x86-64")
    with pytest.raises(InputError, match="unknown register in the address"):
        read_listing("f:\n\tldr x0, [y1]\n", "aarch64")
    with pytest.raises(InputError, match="no function"):
        read_listing("\t.text\n", "x86-64")


# --- loops ------------------------------------------------------------------------------------------------

NESTED = """
f:
	testq %rdi, %rdi
	je .L1
.L4:
	xorl %eax, %eax
.L3:
	vaddsd (%rsi,%rax,8), %xmm0, %xmm0
	testq %rax, %rdx
	jne .L5
	vmulsd %xmm0, %xmm0, %xmm0
.L5:
	incq %rax
	cmpq %rax, %rdi
	jne .L3
	decq %rdx
	jne .L4
.L1:
	ret
"""


def test_loops_by_dominators_and_how_often_blocks_run() -> None:
    function = read_listing(NESTED, "x86-64")[0]
    (outer,) = find_loops(function)
    (inner,) = outer.inner
    assert (outer.label, inner.label) == (".L4", ".L3")
    shares = {one.mnemonic: share for one, share in inner.instructions()}
    assert shares["vmulsd"] == 0.5
    assert shares["inc"] == 1.0
    own = [one.mnemonic for one, _ in outer.instructions()]
    assert own == ["xor", "dec", "jne"]


def test_a_block_that_calls_for_help_is_not_expected() -> None:
    text = "f:\n.L2:\n\tvucomisd %xmm0, %xmm1\n\tja .L9\n\tvsqrtsd %xmm0, %xmm0, %xmm0\n"
    text += ".L3:\n\tdecq %rdi\n\tjne .L2\n\tret\n"
    text += ".L9:\n\tmovq %rdi, %rbx\n.LVL3:\n\tcall sqrt\n\tjmp .L3\n"
    (loop,) = innermost(text, "x86-64")
    assert "call" not in [one.mnemonic for one, share in loop.instructions() if share]
    assert {share for _, share in loop.instructions()} == {1.0}


def test_steps_of_registers_and_addresses() -> None:
    body = x86("movq 8(%rsi), %rax", "addq $64, %rsi", "vmovupd -64(%rsi), %zmm0", "leaq 32(%rcx), %rcx", "incq %r8",
               "decq %r9", "subq $-128, %r10", "imulq %rax, %r11")  # fmt: skip
    moved = advances(body)
    assert [moved[name] for name in ("rsi", "rcx", "r8", "r9", "r10", "r11")] == [64, 32, 1, -1, 128, None]
    assert displacements(body)[:3] == [8, None, 0]


def test_iterations_in_a_pass_from_addresses() -> None:
    mixed = x86("vmovupd (%rsi,%rax), %ymm0", "vmovups (%rdi,%rcx), %xmm1", "addq $32, %rax", "addq $16, %rcx")
    assert elements_per_pass(mixed, [8, 4]) == 4
    assert elements_per_pass(x86("addq $8, %rax"), [8]) is None
    whole = x86(
        "vmovupd %ymm0, (%rsi,%rax,8)", "vmovupd %ymm0, 32(%rsi,%rax,8)", "vmovupd %ymm1, -8(%rsp)", "addq $8, %rax"
    )
    assert elements_per_pass(whole, [8, 64]) == 1  # neighbours, or a line apart: the addresses say both
    assert elements_per_pass(whole, [8, 64], stored=8) == 8
    assert elements_per_pass(whole, [8, 64], stored=24) == 1


@pytest.mark.parametrize("isa_cpu", [("x86-64", "haswell"), ("aarch64", "neoverse-n1")])
@pytest.mark.parametrize("name", ["triad", "st7", "horner", "ftriad", "cadd", "prefix", "isum", "mixed"])
def test_counters_and_addresses_agree(name: str, isa_cpu: tuple[str, str]) -> None:
    """Two ways to the same number: the IR's counters, and how far addresses move."""
    for compiler in ("gcc", "clang"):
        code = generated(kernel(name), *isa_cpu, parse_flags("-O3", compiler))  # type: ignore[arg-type]
        strides = {"ftriad": [4], "isum": [4], "cadd": [16], "mixed": [4, 8]}.get(name, [8])
        for loop, elements in zip(code.loops, code.elements, strict=True):
            assert elements_per_pass([one for one, _ in loop.instructions()], strides) == elements


# --- a compiler's own output ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder: Path = tmp_path_factory.mktemp("asm")
    found = {}
    for syntax in ("att", "intel"):
        out = folder / f"{syntax}.s"
        command = [X86_GCC, "-O3", "-mavx2", "-mfma", "-g1", f"-masm={syntax}", "-S", "-o", str(out), str(KERNELS)]
        subprocess.run(command, capture_output=True, text=True, check=True)
        found[syntax] = out.read_text()
    return found


@needs_x86_gcc
def test_both_syntaxes_mean_the_same(compiled: dict[str, str]) -> None:
    att, intel = (read_listing(compiled[syntax], "x86-64") for syntax in ("att", "intel"))
    assert [function.name for function in att] == [function.name for function in intel] == kernel_names()

    def facts(one: Instruction) -> tuple[object, ...]:
        what = (one.kind, one.element, one.bytes, one.loads, one.stores, one.moved if one.loads or one.stores else 0)
        return *what, one.reads, one.writes, one.memory

    for left, right in zip(att, intel, strict=True):
        ours = [one for block in left.blocks for one in block.instructions]
        theirs = [one for block in right.blocks for one in block.instructions]
        for a, b in zip(ours, theirs, strict=True):
            assert facts(a) == facts(b), (a.text, b.text)
            assert a.known, a.text


@needs_x86_gcc
def test_the_users_own_loops(compiled: dict[str, str]) -> None:
    code = given(kernel("triad"), "x86-64", UserAssembly(compiled["att"]))
    assert code.elements[0] == 4
    jammed = given(kernel("mm_ikj"), "x86-64", UserAssembly(compiled["att"]))
    assert jammed.elements[0] % 4 == 0
    assert jammed.jam in (1, 2)
    by_label = given(kernel("triad"), "x86-64", UserAssembly(compiled["att"], loop=code.loops[0].label))
    assert by_label.loops[0].label == code.loops[0].label
    line = next(one.source_line for one, _ in code.loops[0].instructions() if one.source_line)
    by_line = given(kernel("triad"), "x86-64", UserAssembly(compiled["att"], function="triad", line=line))
    assert by_line.loops[0].label == code.loops[0].label


@needs_x86_gcc
def test_wrong_choices_of_a_loop(compiled: dict[str, str]) -> None:
    for choice, says in (
        ({"function": "nothing"}, "no function nothing"),
        ({"loop": ".L9999"}, "no innermost loop"),
        ({"line": 999}, "no innermost loop comes from line 999"),
    ):
        with pytest.raises(InputError, match=says):
            given(kernel("triad"), "x86-64", UserAssembly(compiled["att"], **choice))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no function triad in the assembly"):
        given(kernel("triad"), "x86-64", UserAssembly(compiled["att"].replace("triad", "other")))
    with pytest.raises(InputError, match="has no loop"):
        given(kernel("triad"), "x86-64", UserAssembly("triad:\n\tret\n"))


def test_a_loop_that_became_a_call() -> None:
    with pytest.raises(UnsupportedError, match="a call of memcpy"):
        given(kernel("copy"), "x86-64", UserAssembly("copy:\n\tshlq $3, %rdx\n\tjmp memcpy@PLT\n"))


def test_a_pass_of_unknown_length_is_said() -> None:
    text = "triad:\n.L2:\n\tvaddsd %xmm0, %xmm1, %xmm1\n\tdecq %rdi\n\tjne .L2\n\tret\n"
    code = given(kernel("triad"), "x86-64", UserAssembly(text))
    assert code.elements == (1,)
    assert "not clear from its addresses" in code.assumptions[0]


# --- a second opinion -------------------------------------------------------------------------------------


def test_llvm_mca_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (loop,) = find_loops(read_listing(NESTED, "x86-64")[0])[0].inner
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="llvm-mca is not installed"):
        mca.second_opinion(loop, "x86-64", "haswell")
    program = tmp_path / "llvm-mca"
    program.write_text(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'LLVM version 19.1.7'; exit; fi\n"
        'echo \'{"CodeRegions": [{"SummaryView": {"TotalCycles": 432}}]}\'\n'
    )
    program.chmod(0o755)
    assert mca.second_opinion(loop, "x86-64", "haswell") == mca.Opinion(4.32, "19.1.7")
    program.write_text("#!/bin/sh\necho '[]'\n")
    with pytest.raises(ToolError, match="not the JSON"):
        mca.second_opinion(loop, "x86-64", "haswell")
    program.write_text("#!/bin/sh\necho 'unknown CPU' >&2; exit 1\n")
    with pytest.raises(ToolError, match="unknown CPU"):
        mca.second_opinion(loop, "x86-64", "haswell")


def test_jumps_as_gcc_writes_them_for_aarch64() -> None:
    text = "f:\n\tmov\tx3, x1\n.L4:\n\tldr\tq0, [x3], 16\n\tstr\tq0, [x5], 16\n\tcmp\tx6, x3\n\tbne\t.L4\n\tret\n"
    (loop,) = find_loops(read_listing(text, "aarch64")[0])
    assert loop.label == ".L4"


@pytest.mark.parametrize(
    ("text", "isa"),
    [
        ("f:\n\tvaddpd\t(%rdi), %ymm0, %ymm0\n\tret\n", "aarch64"),
        ("f:\n\tfadd\tv0.4s, v0.4s, v2.4s\n\tret\n", "x86-64"),
    ],
)
def test_assembly_of_another_instruction_set(text: str, isa: str) -> None:
    with pytest.raises(InputError, match=f"the assembly is for .*, the machine is {isa}"):
        read_listing(text, isa)
