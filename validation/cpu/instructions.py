"""Cycles of instructions on this x86-64 CPU with AVX-512, alone, in chains and beside others: what the tables of ports
in the shipped machines are read from.

    python validation/cpu/instructions.py [WORD]    # all loops, or those whose names hold a word; needs gcc

`T` is the throughput of one instruction, `L` the latency of a chain of them (of all instructions named), `A + B` the
time of one A and one B that do not wait for each other: the sum of both where they share their only unit, less where
one has another one. `pair` stands for two fused multiply-adds, which take ports 0 and 1, before the other one; `zpair`
for one of the widest vectors. `slots` has three nops behind an instruction: a core that is four wide takes a cycle for
one slot. A cycle is that of a chain of additions before and after each loop; where these two differ, the time does not
count.
Chains of divisions and roots end in numbers that are faster or slower than others: `foretell machines probe` has them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

_VECTORS = {"x": "xmm", "y": "ymm", "z": "zmm"}
_GENERAL = ("rax", "rcx", "rdx", "rbx", "r8", "r9", "r10", "r11", "r12", "r13")
_ROUNDS = 8
#: templates: {v} is the kind of vector register, {h} that of half its size, {i} the number of one that nothing waits
#: for, {g} such a general register, {d} a place in memory, {k} a mask; registers 14 and 15 hold numbers
_ALONE = {
    "shift": "shl {g}, 3",
    "lea": "lea {g}, [rsi+rbp*8]",
    "lea of three": "lea {g}, [rsi+rbp*8+16]",
    "select": "cmove {g}, r14",
    "multiply": "imul {g}, r14",
    "add": "add {g}, r14",
    "to_vector": "vmovq xmm{i}, rax",
    "from_vector": "vmovq {g}, xmm15",
    "to_mask": "kmovw k{k}, eax",
    "from_mask": "kmovw {g32}, k1",
    "mask": "kandw k{k}, k1, k2",
    "compare_flags": "vucomisd xmm14, xmm15",
    "convert_from_general": "vcvtsi2sd xmm{i}, xmm15, r14",
    "convert_to_general": "vcvttsd2si {g}, xmm15",
}
_OF_VECTORS = {
    "add": "vaddpd {v}{i}, {v}14, {v}15",
    "multiply": "vmulpd {v}{i}, {v}14, {v}15",
    "fma": "vfmadd231pd {v}{i}, {v}14, {v}15",
    "minmax": "vmaxpd {v}{i}, {v}14, {v}15",
    "logic": "vandpd {v}{i}, {v}14, {v}15",
    "add_i64": "vpaddq {v}{i}, {v}14, {v}15",
    "shift_i64": "vpsllq {v}{i}, {v}14, 3",
    "minmax_int i32": "vpmaxsd {v}{i}, {v}14, {v}15",
    "minmax_int i64": "vpmaxsq {v}{i}, {v}14, {v}15",
    "multiply_wide": "vpmuludq {v}{i}, {v}14, {v}15",
    "multiply_i32": "vpmulld {v}{i}, {v}14, {v}15",
    "multiply_i64": "vpmullq {v}{i}, {v}14, {v}15",
    "shuffle": "vpermilpd {v}{i}, {v}14, 1",
    "shuffle_two": "vshufpd {v}{i}, {v}14, {v}15, 1",
    "permute": "vpermq {v}{i}, {v}14, 3",
    "blend": "vblendmpd {v}{i}{{k1}}, {v}14, {v}15",
    "compare": "vcmppd k{k}, {v}14, {v}15, 1",
    "compare_i64": "vpcmpgtq k{k}, {v}14, {v}15",
    "reciprocal": "vrcp14pd {v}{i}, {v}14",
    "round": "vrndscalepd {v}{i}, {v}14, 3",
    "horizontal": "vhaddpd {v}{i}, {v}14, {v}15",
    "convert_f64": "vcvtps2pd {v}{i}, {h}14",
    "convert_f32": "vcvtpd2ps {h}{i}, {v}14",
    "convert_f32 of i32": "vcvtdq2ps {v}{i}, {v}14",
    "convert_i32": "vcvttpd2dq {h}{i}, {v}14",
    "convert_loaded": "vcvtps2pd {v}{i}, [rsi+{d}]",
    "divide": "vdivpd {v}{i}, {v}14, {v}15",
    "sqrt": "vsqrtpd {v}{i}, {v}14",
    "load": "vmovupd {v}{i}, [rsi+{d}]",
    "load_across": "vmovupd {v}{i}, [rsi+{d}+60]",
    "store": "vmovupd [rsi+{d}], {v}15",
    "store_across": "vmovupd [rsi+{d}+60], {v}15",
    "gather": "kxnorw k{k}, k{k}, k{k}\nvgatherqpd {v}{i}{{k{k}}}, [rsi+{v}31*8]",
    "scatter": "kxnorw k{k}, k{k}, k{k}\nvscatterqpd [rsi+{v}31*8]{{k{k}}}, {v}{i}",
}
_NOT_OF = {"x": ("permute",), "z": ("horizontal",)}
#: chains, by what they go through; the result of the last instruction is the operand of the first
_CHAINS = {
    "to_vector, from_vector": "vmovq xmm0, rax\nvmovq rax, xmm0",
    "to_mask, from_mask": "kmovw k1, eax\nkmovw eax, k1",
    "load (general)": "mov rax, [rsi+rax]",
    "load x, from_vector": "vmovupd xmm0, [rsi+rax]\nvmovq rax, xmm0",
    "load y, from_vector": "vmovupd ymm0, [rsi+rax]\nvmovq rax, xmm0",
    "load_across y, from_vector": "vmovupd ymm0, [rsi+rax+60]\nvmovq rax, xmm0",
    "forward (general)": "mov [rsi], rax\nmov rax, [rsi]",
    "forward": "vmovsd [rsi], xmm0\nvmovsd xmm0, [rsi]",
    "forward y": "vmovupd [rsi], ymm0\nvmovupd ymm0, [rsi]",
    "compare y, blend y": "vcmppd k1, ymm0, ymm15, 1\nvblendmpd ymm0{k1}, ymm14, ymm15",
    "compare_flags, select, to_vector": "vucomisd xmm0, xmm15\ncmova rax, r14\nvmovq xmm0, rax",
    "from_vector, convert_from_general": "vmovq rax, xmm0\nvcvtsi2sd xmm0, xmm15, rax",
    "convert_to_general, to_vector": "vcvttsd2si rax, xmm0\nvmovq xmm0, rax",
    "divide i64": "cqo\nidiv r14",
    "divide i32": "cdq\nidiv r14d",
}
_MEMORY = {
    "load + load + store": ("load", "load", "store"),
    "load + load + store with an index": ("load", "load", "indexed"),
    "load + load + load + store": ("load", "load", "load", "store"),
}
_ACCESSES = {
    "load": "vmovupd ymm{i}, [rsi+{d}+2048]",
    "store": "vmovupd [rsi+{d}], ymm15",
    "indexed": "vmovupd [rsi+rbp*8+{d}], ymm15",
}
_SLOTS = {
    "add": "vaddpd ymm{i}, ymm14, [rsi+{d}]",
    "add with an index": "vaddpd ymm{i}, ymm14, [rsi+rbp*8+{d}]",
    "fma with an index": "vfmadd231pd ymm{i}, ymm14, [rsi+rbp*8+{d}]",
    "load with an index": "vmovupd ymm{i}, [rsi+rbp*8+{d}]",
    "store with an index": "vmovupd [rsi+rbp*8+{d}], ymm15",
}

_MAIN = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>
typedef void Loop(long, void *, const double *);
#define CHAIN 96
extern Loop chain;
DECLARED
static const struct { const char *name; Loop *loop; double count; } loops[] = { LISTED };
static double numbers[48];
static char *place;
static double ticks(Loop *loop, long passes) {
    const uint64_t before = __rdtsc();
    loop(passes, place, numbers);
    return (double)(__rdtsc() - before);
}
static int order(const void *a, const void *b) {
    return *(const double *)a < *(const double *)b ? -1 : 1;
}
int main(void) {
    place = aligned_alloc(4096, 1 << 16);
    for (int k = 0; k < 16; k++) numbers[k] = 1.5 + 0.01 * k;
    for (int k = 0; k < 8; k++) ((int64_t *)numbers)[16 + k] = 9 * k + 1;
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        double found[60];
        int count = 0;
        long passes = 1;
        memset(place, 0, 1 << 16);
        while (ticks(loops[k].loop, passes) < 30000) passes *= 2;
        for (int round = 0; round < 600 && count < 60; round++) {
            const double before = ticks(chain, 200), time = ticks(loops[k].loop, passes), after = ticks(chain, 200);
            if (before > 1.01 * after || after > 1.01 * before) continue;
            found[count++] = time / (passes * loops[k].count) / ((before + after) / (400.0 * CHAIN));
        }
        qsort(found, count, sizeof *found, order);
        if (count < 20) printf("%-44s never alone\n", loops[k].name);
        else printf("%-44s %7.2f\n", loops[k].name, found[count / 4]);
        fflush(stdout);
    }
}
"""


def filled(template: str, number: int, vector: str = "y") -> str:
    """A template with registers and a place for its so-many-th instruction."""
    general = _GENERAL[number % len(_GENERAL)]
    narrow = f"e{general[1:]}" if general[1].isalpha() else f"{general}d"
    half = _VECTORS["y" if vector == "z" else "x"]
    fields = {"i": number % 12, "d": 64 * (number % 12), "k": 1 + number % 6, "g": general, "g32": narrow}
    return template.format(v=_VECTORS[vector], h=half, **fields)


def repeated(*templates: str, vector: str = "y") -> tuple[list[str], int]:
    """Loops of one instruction of each template, which do not wait for each other; how often each is there."""
    count = 12 * _ROUNDS
    return [filled(one, number, vector) for number in range(count) for one in templates], count


def chained(template: str, vector: str) -> str:
    """An instruction that needs its own last result."""
    own = template.replace("{i}", "0").replace("{v}14", "{v}0", 1).replace("{h}14", "{h}0", 1)
    return filled(own, 0, vector)


def loops() -> dict[str, tuple[list[str], int]]:
    """The bodies of all loops, by name, and how many instructions of the kind each holds."""
    found = {f"{name} T": repeated(one) for name, one in _ALONE.items()}
    for letter in _VECTORS:
        for name, one in _OF_VECTORS.items():
            if name in _NOT_OF.get(letter, ()):
                continue
            found[f"{name} {letter} T"] = repeated(one, vector=letter)
            if "14" in one and "{k}," not in one and name not in ("divide", "sqrt"):
                found[f"{name} {letter} L"] = [chained(one, letter)] * 48, 48
    found |= {f"{name} L": ([one] * 48, 48) for name, one in _CHAINS.items()}
    fused, shuffle, on_port_0 = (_OF_VECTORS[name] for name in ("fma", "shuffle_two", "reciprocal"))
    for name, one in {**_OF_VECTORS, **_ALONE}.items():
        found[f"pair + {name}"] = repeated(fused, fused, one.replace("{v}{i}", "{v}13"))
        found[f"shuffle_two + {name}"] = repeated(shuffle, one)
        found[f"reciprocal + {name}"] = repeated(on_port_0, one)
    for name, one in _OF_VECTORS.items():
        if name not in _NOT_OF["z"]:
            found[f"zpair + {name}"] = repeated(fused, one, vector="z")
            found[f"shuffle_two + {name} z"] = repeated(shuffle, one, vector="z")
            found[f"shift_i64 + {name} z"] = repeated(_OF_VECTORS["shift_i64"], one, vector="z")
    found |= {name: repeated(*(_ACCESSES[kind] for kind in kinds)) for name, kinds in _MEMORY.items()}
    found |= {f"slots: {name}": repeated(one, "nop", "nop", "nop") for name, one in _SLOTS.items()}
    return found


def function(label: str, body: list[str]) -> list[str]:
    """A function of a loop in assembly: passes in rdi, memory at rsi, numbers at rdx."""
    saved = ("rbx", "rbp", "r12", "r13", "r14", "r15")
    start = [f"vmovupd zmm{number}, [rdx+64]" for number in range(16)]
    start += ["vmovupd zmm14, [rdx]", "vmovdqu64 zmm31, [rdx+128]", "kxnorw k1, k1, k1", "kxnorw k2, k2, k2"]
    start += ["xor ebp, ebp", "mov r14d, 7", "xor eax, eax"]
    lines = [f".globl {label}", ".p2align 6", f"{label}:", *(f"push {name}" for name in saved), *start]
    lines += [".p2align 6", "1:", *"\n".join(body).split("\n"), "dec rdi", "jnz 1b", "vzeroupper"]
    return [*lines, *(f"pop {name}" for name in reversed(saved)), "ret"]


def main() -> None:
    """Writes the loops, compiles and runs them."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    wanted = {name: loop for name, loop in loops().items() if word in name}
    assembly = [".intel_syntax noprefix", ".text", *function("chain", ["add rax, 1"] * 96)]
    for number, (body, _) in enumerate(wanted.values()):
        assembly += function(f"loop_{number}", body)
    listed = ", ".join(f'{{"{name}", loop_{n}, {count}}}' for n, (name, (_, count)) in enumerate(wanted.items()))
    declared = "\n".join(f"extern Loop loop_{number};" for number in range(len(wanted)))
    with tempfile.TemporaryDirectory() as folder:
        main_c, loops_s, program = (Path(folder) / name for name in ("main.c", "loops.s", "instructions"))
        main_c.write_text(_MAIN.replace("DECLARED", declared).replace("LISTED", listed), encoding="utf-8")
        loops_s.write_text("\n".join([*assembly, ".section .note.GNU-stack", ""]), encoding="utf-8")
        subprocess.run(["gcc", "-O1", str(main_c), str(loops_s), "-o", str(program)], check=True)
        subprocess.run([str(program)], check=True)


if __name__ == "__main__":
    main()
