	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 15 57
	.loc 1 15 57
	.loc 1 16 3
	.loc 1 16 8
	.loc 1 16 21 discriminator 10
	.loc 1 15 57
	movslq	%edi, %rax
	.loc 1 16 21 discriminator 10
	testl	%eax, %eax
	jle	.L10
	.loc 1 15 57
	pushq	%rbx
	movq	%rsi, %r10
	movq	%rdx, %r9
	movq	%rcx, %rbx
	leaq	0(,%rax,8), %rdi
	.loc 1 16 21 discriminator 10
	xorl	%r11d, %r11d
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 16 49 is_stmt 1 discriminator 7
	.loc 1 16 99 is_stmt 0 discriminator 5
	movq	(%r10,%r11), %r8
	movq	(%rbx,%r11), %rcx
	xorl	%esi, %esi
	.p2align 4,,10
	.p2align 3
.L6:
	.loc 1 16 77 is_stmt 1 discriminator 3
	.loc 1 16 91 is_stmt 0 discriminator 5
	vmovsd	(%rcx), %xmm1
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 16 87 is_stmt 1 discriminator 5
	.loc 1 16 112 is_stmt 0 discriminator 5
	movq	(%r9,%rax), %rdx
	.loc 1 16 106 discriminator 5
	vmovsd	(%rdx,%rsi), %xmm0
	vmulsd	(%r8,%rax), %xmm0, %xmm0
	.loc 1 16 77 discriminator 3
	addq	$8, %rax
	.loc 1 16 95 discriminator 5
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, (%rcx)
	.loc 1 16 83 is_stmt 1 discriminator 5
	.loc 1 16 77 discriminator 3
	cmpq	%rax, %rdi
	jne	.L4
	.loc 1 16 55 discriminator 6
	.loc 1 16 49 discriminator 7
	addq	$8, %rsi
	.loc 1 16 49 is_stmt 0 discriminator 7
	addq	$8, %rcx
	cmpq	%rsi, %rdi
	jne	.L6
	.loc 1 16 27 is_stmt 1 discriminator 9
	.loc 1 16 21 discriminator 10
	addq	$8, %r11
	.loc 1 16 21 is_stmt 0 discriminator 10
	cmpq	%r11, %rdi
	jne	.L3
	.loc 1 17 1
	popq	%rbx
	.loc 1 17 1
	ret
.L10:
	.loc 1 17 1
	ret
	.size	product, .-product
