	.file	"complex_library.head.cpp"
	.text
.Ltext0:
	.file 0 "complex_library.head.cpp"
	.p2align 4
	.globl	rotate
	.type	rotate, @function
rotate:
.LFB0:
	.file 1 "complex_library.head.cpp"
	.loc 1 3 1
	.cfi_startproc
.LBB2:
	.loc 1 4 23
	testl	%edi, %edi
	jle	.L1
	movl	%edi, %edi
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
.LBB3:
	.loc 1 5 33 discriminator 3
	movq	(%rsi,%rax,8), %xmm2
	.loc 1 5 44 discriminator 3
	movq	(%rdx,%rax,8), %xmm0
	.loc 1 5 33 discriminator 3
	movaps	%xmm2, %xmm1
	shufps	$0xe5, %xmm2, %xmm2
	shufps	$0xe0, %xmm1, %xmm1
	.loc 1 5 35 discriminator 3
	mulps	%xmm0, %xmm1
	.loc 1 5 44 discriminator 3
	shufps	$0xe1, %xmm0, %xmm0
	.loc 1 5 61 discriminator 3
	mulps	%xmm2, %xmm0
	.loc 1 5 21 discriminator 3
	movaps	%xmm1, %xmm2
	subps	%xmm0, %xmm2
	.loc 1 6 21 discriminator 3
	addps	%xmm1, %xmm0
	.loc 1 7 20 discriminator 3
	movss	%xmm2, %xmm0
	movlps	%xmm0, (%rcx,%rax,8)
	addq	$1, %rax
	cmpq	%rax, %rdi
	jne	.L3
.L1:
.LBE3:
.LBE2:
	.loc 1 10 1
	ret
	.cfi_endproc
.LFE0:
	.size	rotate, .-rotate
.Letext0:
	.section	.note.GNU-stack,"",@progbits
