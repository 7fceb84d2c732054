"""Bytes of instructions: golden numbers of GNU as 2.40."""

from __future__ import annotations

import pytest

from foretell.codegen.assembly import x86
from foretell.codegen.assembly.x86_lengths import code_bytes

_ASSEMBLED = [
    ("endbr64", 4),
    ("pushq %r15", 2),
    ("pushq %rbx", 1),
    ("movq %rsi, %rdx", 3),
    ("movl $1, %eax", 5),
    ("movl $1000, %r9d", 6),
    ("movq $0, -8(%rsp)", 9),
    ("movabsq $81985529216486895, %rax", 10),
    ("addq $8, %rax", 4),
    ("addq $8000, %rax", 6),
    ("addl $8000, %edx", 6),
    ("cmpl $100, %r8d", 4),
    ("cmpb $32, %al", 2),
    ("andl $-32, %eax", 3),
    ("subq %rdx, 16(%rsp)", 5),
    ("leaq 8(%rsi,%rax,4), %r9", 5),
    ("leaq x(%rip), %rdx", 7),
    ("imulq %rax, %rbx", 4),
    ("imull $65521, %eax, %eax", 6),
    ("movzbl (%rax), %esi", 3),
    ("movslq %edx, %r10", 3),
    ("movsbl 4(%rdx,%rax), %ecx", 5),
    ("sete %cl", 3),
    ("cmovle %ecx, %eax", 3),
    ("cltq", 2),
    ("sall $3, %ecx", 3),
    ("shrq %rax", 3),
    ("movw %ax, (%rdi)", 3),
    ("testb %dil, %dil", 3),
    ("movsd (%rsi,%rax), %xmm0", 5),
    ("mulsd 4096(%rdx,%rax,8), %xmm4", 9),
    ("addsd %xmm0, %xmm1", 4),
    ("movaps %xmm9, %xmm1", 4),
    ("pxor %xmm0, %xmm0", 4),
    ("cvtsi2sdq %rax, %xmm1", 5),
    ("vmovsd (%rdx), %xmm0", 4),
    ("vaddsd %xmm9, %xmm4, %xmm0", 5),
    ("vmulpd (%r8,%rax), %ymm1, %ymm2", 6),
    ("vfmadd231pd 32(%rsi), %ymm0, %ymm1", 6),
    ("vrndscalesd $9, %xmm3, %xmm3, %xmm1", 7),
    ("vaddpd 64(%rsi), %zmm1, %zmm2", 7),
    ("vaddpd 8(%rsi), %zmm1, %zmm2", 10),
    ("vmovupd %ymm0, (%rdi){%k1}", 6),
    ("vextractf128 $1, %ymm0, %xmm1", 6),
    ("kmovb %k1, %k2", 4),
    ("vzeroupper", 3),
    ("jne .L1", 2),
    ("nop", 1),
    ("leave", 1),
    ("ret", 1),
]


@pytest.mark.parametrize(("text", "length"), _ASSEMBLED)
def test_lengths_are_those_of_the_assembler(text: str, length: int) -> None:
    assert code_bytes(x86.parse(text, 1, "att", 0, "")) == length


def test_the_address_of_a_symbol_is_a_long_constant() -> None:
    assert code_bytes(x86.parse("movl $table, %edi", 1, "att", 0, "")) == 5
