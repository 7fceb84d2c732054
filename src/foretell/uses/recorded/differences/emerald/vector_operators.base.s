	.file	"vector_operators.base.cpp"
	.text
.Ltext0:
	.file 0 "vector_operators.base.cpp"
	.p2align 4
	.globl	drift
	.type	drift, @function
drift:
.LFB0:
	.file 1 "vector_operators.base.cpp"
	.loc 1 3 1
	.cfi_startproc
.LBB2:
	.loc 1 4 27
	leal	(%rdi,%rdi,2), %r8d
	.loc 1 4 23
	testl	%edi, %edi
	jle	.L1
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 5 28 discriminator 3
	movsd	(%rdx,%rax,8), %xmm1
	mulsd	%xmm0, %xmm1
	.loc 1 5 23 discriminator 3
	addsd	(%rsi,%rax,8), %xmm1
	.loc 1 5 16 discriminator 3
	movsd	%xmm1, (%rcx,%rax,8)
	.loc 1 4 23 discriminator 3
	addq	$1, %rax
	cmpl	%eax, %r8d
	jg	.L3
.L1:
.LBE2:
	.loc 1 6 1
	ret
	.cfi_endproc
.LFE0:
	.size	drift, .-drift
.Letext0:
	.section	.note.GNU-stack,"",@progbits
