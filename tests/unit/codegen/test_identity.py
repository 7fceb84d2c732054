"""The identity of compiled code: independent of labels, lines and the order of functions."""

from __future__ import annotations

from foretell.codegen.assembly.identity import function_identity

ONE = """\
	.file	"a.c"
	.text
	.type	helper, @function
helper:
.LFB0:
	.cfi_startproc
	addsd	.LC0(%rip), %xmm0
	ret
	.cfi_endproc
	.size	helper, .-helper
	.globl	f
	.type	f, @function
f:
.LFB1:
	.loc 1 3 5
	xorl	%eax, %eax	# a comment
	.p2align 4
.L3:
	call	helper
	addl	$1, %eax
	cmpl	%edi, %eax
	jne	.L3
	ret
	.size	f, .-f
	.section	.rodata.cst8
.LC0:
	.long	0
	.long	1072693248
.LC1:
	.long	7
"""
#: the same with other labels, lines and order, and another function between
OTHER = """\
	.type	f, @function
f:
.LFB9:
	.loc 1 33 5
	xorl	%eax, %eax
	.p2align 4
.L77:
	call	helper
	addl	$1, %eax
	cmpl	%edi, %eax
	jne	.L77
	ret
	.size	f, .-f
	.type	g, @function
g:
	ret
	.size	g, .-g
	.type	helper, @function
helper:
	addsd	.LC5(%rip), %xmm0
	ret
	.size	helper, .-helper
.LC5:
	.long	0
	.long	1072693248
"""


def test_labels_lines_and_order_do_not_matter() -> None:
    assert function_identity(ONE, "f") == function_identity(OTHER, "f")
    assert "LFB" not in function_identity(ONE, "f")
    assert ".long 7" not in function_identity(ONE, "f")  # not named by the code


def test_instructions_constants_and_callees_matter() -> None:
    base = function_identity(ONE, "f")
    for old, new in (
        ("addl	$1", "addl	$2"),
        ("1072693248", "1072693249"),
        ("addsd", "subsd"),
        ("p2align 4", "p2align 5"),
    ):
        assert function_identity(ONE.replace(old, new), "f") != base
    assert function_identity(OTHER.replace("g:\n\tret", "g:\n\tnop"), "f") == base


def test_immediates_of_aarch64_are_no_comments() -> None:
    text = "\t.type\tf, %function\nf:\n\tmovi\td0, #0\n\tadd\tx0, x0, #16 // sixteen\n\tret\n\t.size\tf, .-f\n"
    assert function_identity(text, "f") == "f:\nmovi d0, #0\nadd x0, x0, #16\nret"
