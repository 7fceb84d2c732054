	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 7 16
	movslq	%edi, %rax
	.loc 1 8 21 discriminator 10
	testl	%eax, %eax
	jle	.L9
	imulq	$8000, %rax, %r11
	.loc 1 7 16
	pushq	%rbp
	leaq	a(%rip), %r8
	pushq	%rbx
	leaq	b(%rip), %rbx
	leaq	c(%rip), %r10
	leaq	(%rbx,%rax,8), %r9
	leaq	(%r8,%r11), %rbp
	addq	%rbx, %r11
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 7 16
	movq	%r11, %rcx
	movq	%rbx, %rdi
	movq	%r10, %rsi
	.p2align 4,,10
	.p2align 3
.L6:
	movsd	(%rsi), %xmm1
	movq	%rdi, %rax
	movq	%r8, %rdx
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 8 106 discriminator 5
	movsd	(%rdx), %xmm0
	mulsd	(%rax), %xmm0
	.loc 1 8 77 discriminator 3
	addq	$8000, %rax
	addq	$8, %rdx
	.loc 1 8 95 discriminator 5
	addsd	%xmm0, %xmm1
	.loc 1 8 77 discriminator 3
	cmpq	%rcx, %rax
	jne	.L4
	.loc 1 8 49 discriminator 7
	addq	$8, %rdi
	movsd	%xmm1, (%rsi)
	leaq	8(%rax), %rcx
	addq	$8, %rsi
	cmpq	%r9, %rdi
	jne	.L6
	.loc 1 8 21 discriminator 10
	addq	$8000, %r8
	addq	$8000, %r10
	cmpq	%rbp, %r8
	jne	.L3
	.loc 1 9 1
	popq	%rbx
	popq	%rbp
	ret
.L9:
	ret
	.size	product, .-product
	.globl	c
	.bss
	.align 32
	.type	c, @object
	.size	c, 8000000
c:
	.zero	8000000
	.globl	b
	.align 32
	.type	b, @object
	.size	b, 8000000
b:
	.zero	8000000
	.globl	a
	.align 32
	.type	a, @object
	.size	a, 8000000
a:
	.zero	8000000
	.text
