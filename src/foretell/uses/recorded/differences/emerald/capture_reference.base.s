	.file	"capture_reference.base.cpp"
	.text
.Ltext0:
	.file 0 "capture_reference.base.cpp"
	.p2align 4
	.globl	blend
	.type	blend, @function
blend:
.LFB678:
	.file 1 "capture_reference.base.cpp"
	.loc 1 4 1
	.cfi_startproc
	.loc 1 6 29
	movslq	%edi, %rdi
.LBB8:
.LBB9:
	.file 2 "stl_algo.h"
	.loc 2 4262 22
	salq	$2, %rdi
	je	.L1
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
.LBB10:
.LBB11:
	.loc 1 6 61
	movss	(%rdx,%rax), %xmm0
	mulss	(%rsi), %xmm0
	.loc 1 6 67
	addss	4(%rsi), %xmm0
.LBE11:
.LBE10:
	.loc 2 4263 12
	movss	%xmm0, (%rcx,%rax)
	.loc 2 4262 22
	addq	$4, %rax
	cmpq	%rax, %rdi
	jne	.L3
.L1:
.LBE9:
.LBE8:
	.loc 1 7 1
	ret
	.cfi_endproc
.LFE678:
	.size	blend, .-blend
.Letext0:
	.section	.note.GNU-stack,"",@progbits
