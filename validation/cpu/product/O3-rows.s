	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 15 52
	movslq	%edi, %rax
	.loc 1 16 21 discriminator 10
	testl	%eax, %eax
	jle	.L9
	.loc 1 15 52
	pushq	%rbx
	movq	%rsi, %r11
	movq	%rdx, %r9
	movq	%rcx, %rbx
	leaq	0(,%rax,8), %rdi
	.loc 1 16 21 discriminator 10
	xorl	%r10d, %r10d
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 16 99 discriminator 5
	movq	(%r11,%r10), %r8
	movq	(%rbx,%r10), %rcx
	xorl	%esi, %esi
	.p2align 4,,10
	.p2align 3
.L6:
	.loc 1 16 91 discriminator 5
	movsd	(%rcx), %xmm1
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 16 112 discriminator 5
	movq	(%r9,%rax), %rdx
	.loc 1 16 106 discriminator 5
	movsd	(%rdx,%rsi), %xmm0
	mulsd	(%r8,%rax), %xmm0
	.loc 1 16 77 discriminator 3
	addq	$8, %rax
	.loc 1 16 95 discriminator 5
	addsd	%xmm0, %xmm1
	movsd	%xmm1, (%rcx)
	.loc 1 16 77 discriminator 3
	cmpq	%rax, %rdi
	jne	.L4
	.loc 1 16 49 discriminator 7
	addq	$8, %rsi
	addq	$8, %rcx
	cmpq	%rsi, %rdi
	jne	.L6
	.loc 1 16 21 discriminator 10
	addq	$8, %r10
	cmpq	%r10, %rdi
	jne	.L3
	.loc 1 17 1
	popq	%rbx
	ret
.L9:
	ret
	.size	product, .-product
