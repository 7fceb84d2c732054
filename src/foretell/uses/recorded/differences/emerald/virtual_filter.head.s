	.file	"virtual_filter.head.cpp"
	.text
.Ltext0:
	.file 0 "virtual_filter.head.cpp"
	.p2align 4
	.globl	run_filter
	.type	run_filter, @function
run_filter:
.LFB2:
	.file 1 "virtual_filter.head.cpp"
	.loc 1 14 1
	.cfi_startproc
.LBB13:
.LBB14:
	.loc 1 8 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	movss	.LC1(%rip), %xmm2
	xorl	%eax, %eax
.LBE14:
.LBE13:
	.loc 1 15 14
	pxor	%xmm1, %xmm1
	leaq	0(,%rdi,4), %rcx
	.p2align 4,,10
	.p2align 3
.L3:
.LBB18:
.LBB17:
.LBB15:
.LBB16:
	.loc 1 4 53
	movss	(%rsi,%rax), %xmm0
	subss	%xmm1, %xmm0
	.loc 1 4 48
	mulss	%xmm2, %xmm0
	.loc 1 4 40
	addss	%xmm0, %xmm1
.LBE16:
.LBE15:
	.loc 1 9 16
	movss	%xmm1, (%rdx,%rax)
	.loc 1 8 23
	addq	$4, %rax
	cmpq	%rax, %rcx
	jne	.L3
.L1:
.LBE17:
.LBE18:
	.loc 1 17 1
	ret
	.cfi_endproc
.LFE2:
	.size	run_filter, .-run_filter
	.section	.rodata.cst4,"aM",@progbits,4
	.align 4
.LC1:
	.long	1036831949
	.text
.Letext0:
	.section	.note.GNU-stack,"",@progbits
