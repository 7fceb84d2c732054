	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 11 64
	.loc 1 12 21 discriminator 10
	testl	%edi, %edi
	jle	.L9
	movq	%rsi, %r9
	movslq	%edi, %rsi
	.loc 1 11 64
	pushq	%r12
	movl	%edi, %r11d
	salq	$3, %rsi
	pushq	%rbp
	.loc 1 12 12
	xorl	%r12d, %r12d
	movq	%rdx, %rbp
	.loc 1 11 64
	pushq	%rbx
	leaq	(%r9,%rsi), %rdi
	movq	%rcx, %rbx
	leaq	(%rdx,%rsi), %r10
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 12 91 discriminator 5
	movq	%rbp, %r8
	movq	%rbx, %rcx
	.p2align 4,,10
	.p2align 3
.L6:
	movsd	(%rcx), %xmm1
	movq	%r8, %rdx
	movq	%r9, %rax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 12 106 discriminator 5
	movsd	(%rax), %xmm0
	mulsd	(%rdx), %xmm0
	.loc 1 12 77 discriminator 3
	addq	$8, %rax
	addq	%rsi, %rdx
	.loc 1 12 95 discriminator 5
	addsd	%xmm0, %xmm1
	movsd	%xmm1, (%rcx)
	.loc 1 12 77 discriminator 3
	cmpq	%rax, %rdi
	jne	.L4
	.loc 1 12 49 discriminator 7
	addq	$8, %r8
	addq	$8, %rcx
	cmpq	%r8, %r10
	jne	.L6
	.loc 1 12 27 discriminator 9
	addl	$1, %r12d
	.loc 1 12 21 discriminator 10
	addq	%rsi, %r9
	addq	%rsi, %rdi
	addq	%rsi, %rbx
	cmpl	%r12d, %r11d
	jne	.L3
	.loc 1 13 1
	popq	%rbx
	popq	%rbp
	popq	%r12
	ret
.L9:
	ret
	.size	product, .-product
