	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 11 69
	.loc 1 11 69
	.loc 1 12 3
	.loc 1 12 8
	.loc 1 12 21 discriminator 10
	testl	%edi, %edi
	jle	.L10
	.loc 1 11 69
	pushq	%r12
	movq	%rsi, %r9
	movslq	%edi, %rsi
	.loc 1 11 69
	movl	%edi, %r10d
	salq	$3, %rsi
	.loc 1 12 12
	xorl	%r12d, %r12d
	leaq	(%r9,%rsi), %rdi
	.loc 1 12 12
	leaq	(%rdx,%rsi), %r11
	.loc 1 11 69
	pushq	%rbp
	movq	%rdx, %rbp
	pushq	%rbx
	movq	%rcx, %rbx
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 12 49 is_stmt 1 discriminator 7
	.loc 1 12 91 is_stmt 0 discriminator 5
	movq	%rbp, %r8
	movq	%rbx, %rcx
	.p2align 4,,10
	.p2align 3
.L6:
	.loc 1 12 77 is_stmt 1 discriminator 3
	.loc 1 12 91 is_stmt 0 discriminator 5
	vmovsd	(%rcx), %xmm1
	movq	%r8, %rdx
	movq	%r9, %rax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 12 87 is_stmt 1 discriminator 5
	.loc 1 12 106 is_stmt 0 discriminator 5
	vmovsd	(%rax), %xmm0
	.loc 1 12 77 discriminator 3
	addq	$8, %rax
	.loc 1 12 106 discriminator 5
	vmulsd	(%rdx), %xmm0, %xmm0
	.loc 1 12 77 discriminator 3
	addq	%rsi, %rdx
	.loc 1 12 95 discriminator 5
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, (%rcx)
	.loc 1 12 83 is_stmt 1 discriminator 5
	.loc 1 12 77 discriminator 3
	cmpq	%rax, %rdi
	jne	.L4
	.loc 1 12 55 discriminator 6
	.loc 1 12 49 discriminator 7
	addq	$8, %r8
	addq	$8, %rcx
	.loc 1 12 49 is_stmt 0 discriminator 7
	cmpq	%r8, %r11
	jne	.L6
	.loc 1 12 27 is_stmt 1 discriminator 9
	incl	%r12d
	.loc 1 12 21 discriminator 10
	addq	%rsi, %r9
	addq	%rsi, %rdi
	addq	%rsi, %rbx
	cmpl	%r12d, %r10d
	jne	.L3
	.loc 1 13 1
	popq	%rbx
	popq	%rbp
	.loc 1 13 1
	popq	%r12
	.loc 1 13 1
	ret
.L10:
	.loc 1 13 1
	ret
	.size	product, .-product
