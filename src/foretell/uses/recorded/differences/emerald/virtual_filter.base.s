	.file	"virtual_filter.base.cpp"
	.text
.Ltext0:
	.file 0 "virtual_filter.base.cpp"
	.p2align 4
	.type	_ZN12_GLOBAL__N_13runERNS_6FilterEiPKfPf.constprop.0, @function
_ZN12_GLOBAL__N_13runERNS_6FilterEiPKfPf.constprop.0:
.LFB9:
	.file 1 "virtual_filter.base.cpp"
	.loc 1 9 32
	.cfi_startproc
.LBB8:
	.loc 1 11 23
	testl	%esi, %esi
	jle	.L1
	movslq	%esi, %rsi
	movss	.LC0(%rip), %xmm2
	xorl	%eax, %eax
	salq	$2, %rsi
	.p2align 4,,10
	.p2align 3
.L3:
.LBB9:
.LBB10:
	.loc 1 7 43
	movss	8(%rdi), %xmm1
	.loc 1 7 62
	movss	(%rdx,%rax), %xmm0
	subss	%xmm1, %xmm0
	.loc 1 7 57
	mulss	%xmm2, %xmm0
	.loc 1 7 49
	addss	%xmm1, %xmm0
	movss	%xmm0, 8(%rdi)
.LBE10:
.LBE9:
	.loc 1 12 16
	movss	%xmm0, (%rcx,%rax)
	.loc 1 11 23
	addq	$4, %rax
	cmpq	%rsi, %rax
	jne	.L3
.L1:
.LBE8:
	.loc 1 13 1
	ret
	.cfi_endproc
.LFE9:
	.size	_ZN12_GLOBAL__N_13runERNS_6FilterEiPKfPf.constprop.0, .-_ZN12_GLOBAL__N_13runERNS_6FilterEiPKfPf.constprop.0
	.p2align 4
	.globl	run_filter
	.type	run_filter, @function
run_filter:
.LFB2:
	.loc 1 17 1
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	.loc 1 17 1
	movq	%rdx, %rcx
	.loc 1 19 8
	movq	%rsi, %rdx
	movl	%edi, %esi
	movq	%rsp, %rax
	.loc 1 18 14
	movl	$0x00000000, 8(%rsp)
	.loc 1 19 8
	movq	%rax, %rdi
	call	_ZN12_GLOBAL__N_13runERNS_6FilterEiPKfPf.constprop.0
	.loc 1 20 1
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE2:
	.size	run_filter, .-run_filter
	.section	.rodata.cst4,"aM",@progbits,4
	.align 4
.LC0:
	.long	1036831949
	.text
.Letext0:
	.section	.note.GNU-stack,"",@progbits
