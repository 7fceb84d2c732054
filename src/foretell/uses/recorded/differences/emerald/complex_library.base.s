	.file	"complex_library.base.cpp"
	.text
.Ltext0:
	.file 0 "complex_library.base.cpp"
	.p2align 4
	.globl	rotate
	.type	rotate, @function
rotate:
.LFB2676:
	.file 1 "complex_library.base.cpp"
	.loc 1 4 1
	.cfi_startproc
.LBB26:
	.loc 1 5 23
	testl	%edi, %edi
	jle	.L7
.LBE26:
	.loc 1 4 1
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movslq	%edi, %rdi
.LBB35:
	.loc 1 5 23
	xorl	%ebx, %ebx
	salq	$3, %rdi
.LBE35:
	.loc 1 4 1
	subq	$48, %rsp
	.cfi_def_cfa_offset 64
	.p2align 4,,10
	.p2align 3
.L4:
.LBB36:
.LBB27:
	.loc 1 6 86
	movss	4(%rdx,%rbx), %xmm3
	movss	(%rdx,%rbx), %xmm2
	.loc 1 6 59
	movss	4(%rsi,%rbx), %xmm1
	movss	(%rsi,%rbx), %xmm5
.LBB28:
.LBB29:
.LBB30:
	.file 2 "complex"
	.loc 2 1207 13
	movaps	%xmm2, %xmm4
	movaps	%xmm3, %xmm0
	movaps	%xmm3, %xmm6
	mulss	%xmm1, %xmm0
	mulss	%xmm5, %xmm4
	mulss	%xmm5, %xmm6
	subss	%xmm0, %xmm4
	movaps	%xmm2, %xmm0
	mulss	%xmm1, %xmm0
	addss	%xmm6, %xmm0
	ucomiss	%xmm4, %xmm0
	jp	.L11
.L3:
.LBE30:
.LBE29:
.LBE28:
	.loc 1 7 20
	movss	%xmm4, (%rcx,%rbx)
	.loc 1 8 24
	movss	%xmm0, 4(%rcx,%rbx)
.LBE27:
	.loc 1 5 23
	addq	$8, %rbx
	cmpq	%rdi, %rbx
	jne	.L4
.LBE36:
	.loc 1 10 1
	addq	$48, %rsp
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L7:
	.cfi_restore 3
	ret
.L11:
	.cfi_def_cfa_offset 64
	.cfi_offset 3, -16
	movaps	%xmm5, %xmm0
	movq	%rcx, 32(%rsp)
	movq	%rdx, 24(%rsp)
	movq	%rsi, 16(%rsp)
	movq	%rdi, 8(%rsp)
	call	__mulsc3@PLT
.LBB37:
.LBB34:
.LBB33:
.LBB32:
.LBB31:
	.loc 2 1207 13
	movq	32(%rsp), %rcx
	movq	24(%rsp), %rdx
	movq	%xmm0, 40(%rsp)
	movq	16(%rsp), %rsi
	movq	8(%rsp), %rdi
	movss	40(%rsp), %xmm4
	movss	44(%rsp), %xmm0
	jmp	.L3
.LBE31:
.LBE32:
.LBE33:
.LBE34:
.LBE37:
	.cfi_endproc
.LFE2676:
	.size	rotate, .-rotate
.Letext0:
	.section	.note.GNU-stack,"",@progbits
