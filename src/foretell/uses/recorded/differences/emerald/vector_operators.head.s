	.file	"vector_operators.head.cpp"
	.text
.Ltext0:
	.file 0 "vector_operators.head.cpp"
	.p2align 4
	.globl	drift
	.type	drift, @function
drift:
.LFB2:
	.file 1 "vector_operators.head.cpp"
	.loc 1 10 1
	.cfi_startproc
	movapd	%xmm0, %xmm3
	unpcklpd	%xmm3, %xmm3
.LBB8:
	.loc 1 11 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	xorl	%eax, %eax
	leaq	(%rdi,%rdi,2), %rdi
	salq	$3, %rdi
	.p2align 4,,10
	.p2align 3
.L3:
.LBB9:
.LBB10:
.LBB11:
	.loc 1 5 50 discriminator 3
	movupd	(%rdx,%rax), %xmm1
	.loc 1 5 68 discriminator 3
	movsd	16(%rdx,%rax), %xmm2
.LBE11:
.LBE10:
.LBB13:
.LBB14:
	.loc 1 6 52 discriminator 3
	movupd	(%rsi,%rax), %xmm4
.LBE14:
.LBE13:
.LBB16:
.LBB12:
	.loc 1 5 50 discriminator 3
	mulpd	%xmm3, %xmm1
	.loc 1 5 68 discriminator 3
	mulsd	%xmm0, %xmm2
.LBE12:
.LBE16:
.LBB17:
.LBB15:
	.loc 1 6 74 discriminator 3
	addsd	16(%rsi,%rax), %xmm2
	.loc 1 6 52 discriminator 3
	addpd	%xmm4, %xmm1
.LBE15:
.LBE17:
	.loc 1 16 24 discriminator 3
	movsd	%xmm2, 16(%rcx,%rax)
	.loc 1 14 20 discriminator 3
	movups	%xmm1, (%rcx,%rax)
.LBE9:
	.loc 1 11 23 discriminator 3
	addq	$24, %rax
	cmpq	%rax, %rdi
	jne	.L3
.L1:
.LBE8:
	.loc 1 18 1
	ret
	.cfi_endproc
.LFE2:
	.size	drift, .-drift
.Letext0:
	.section	.note.GNU-stack,"",@progbits
