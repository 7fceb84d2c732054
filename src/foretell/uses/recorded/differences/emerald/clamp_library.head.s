	.file	"clamp_library.head.cpp"
	.text
.Ltext0:
	.file 0 "clamp_library.head.cpp"
	.p2align 4
	.globl	bounded
	.type	bounded, @function
bounded:
.LFB678:
	.file 1 "clamp_library.head.cpp"
	.loc 1 4 1
	.cfi_startproc
.LBB15:
	.loc 1 5 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	xorl	%ecx, %ecx
	leaq	0(,%rdi,4), %r8
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 6 35
	movl	(%rsi,%rcx), %eax
.LBB16:
.LBB17:
.LBB18:
	.file 2 "stl_algobase.h"
	.loc 2 235 7
	movl	$4000000, %edi
.LBE18:
.LBE17:
.LBE16:
	.loc 1 6 35
	sarl	$8, %eax
.LBB21:
.LBB20:
.LBB19:
	.loc 2 235 7
	cmpl	%edi, %eax
	cmovg	%edi, %eax
.LBE19:
.LBE20:
.LBE21:
	.loc 1 6 16
	movl	$-4000000, %edi
	cmpl	%edi, %eax
	cmovl	%edi, %eax
	movl	%eax, (%rdx,%rcx)
	.loc 1 5 23
	addq	$4, %rcx
	cmpq	%r8, %rcx
	jne	.L3
.L1:
.LBE15:
	.loc 1 7 1
	ret
	.cfi_endproc
.LFE678:
	.size	bounded, .-bounded
.Letext0:
	.file 3 "stl_algo.h"
	.file 4 "c++config.h"
	.section	.note.GNU-stack,"",@progbits
