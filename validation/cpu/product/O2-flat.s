	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 19 88
	.loc 1 20 21 discriminator 10
	testl	%edi, %edi
	jle	.L9
	.loc 1 19 88
	pushq	%r12
	movq	%rcx, %r9
	movq	%rsi, %r10
	movl	%edi, %r11d
	pushq	%rbp
	.loc 1 20 12
	xorl	%r12d, %r12d
	movq	%rdx, %rbp
	.loc 1 19 88
	pushq	%rbx
	movslq	%edi, %rbx
	leaq	0(,%rbx,8), %rcx
	leaq	(%rsi,%rcx), %rsi
	.p2align 4,,10
	.p2align 3
.L3:
	movq	%rbp, %r8
	.loc 1 19 88
	xorl	%edi, %edi
	.p2align 4,,10
	.p2align 3
.L6:
	movsd	(%r9,%rdi,8), %xmm1
	movq	%r8, %rdx
	movq	%r10, %rax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 20 116 discriminator 5
	movsd	(%rax), %xmm0
	mulsd	(%rdx), %xmm0
	.loc 1 20 77 discriminator 3
	addq	$8, %rax
	addq	%rcx, %rdx
	.loc 1 20 100 discriminator 5
	addsd	%xmm0, %xmm1
	.loc 1 20 77 discriminator 3
	cmpq	%rsi, %rax
	jne	.L4
	movsd	%xmm1, (%r9,%rdi,8)
	.loc 1 20 49 discriminator 7
	addq	$1, %rdi
	addq	$8, %r8
	cmpq	%rdi, %rbx
	jne	.L6
	.loc 1 20 27 discriminator 9
	addl	$1, %r12d
	.loc 1 20 21 discriminator 10
	addq	%rcx, %r9
	addq	%rcx, %r10
	addq	%rcx, %rsi
	cmpl	%r12d, %r11d
	jne	.L3
	.loc 1 21 1
	popq	%rbx
	popq	%rbp
	popq	%r12
	ret
.L9:
	ret
	.size	product, .-product
