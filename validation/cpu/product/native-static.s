	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 7 16
	.loc 1 8 21 discriminator 10
	testl	%edi, %edi
	jle	.L23
	.loc 1 7 16
	pushq	%rbp
	movslq	%edi, %rdx
	leaq	a(%rip), %r9
	movl	%edi, %r10d
	imulq	$8000, %rdx, %rax
	leaq	c(%rip), %r11
	movq	%rsp, %rbp
	pushq	%r15
	movl	%edi, %r15d
	andl	$3, %r15d
	pushq	%r14
	leaq	(%r9,%rax), %r14
	pushq	%r13
	movl	%edi, %r13d
	shrl	$2, %r13d
	salq	$5, %r13
	pushq	%r12
	leaq	b(%rip), %r12
	pushq	%rbx
	leal	-1(%rdi), %ebx
	andq	$-32, %rsp
	movl	%ebx, -4(%rsp)
	leaq	(%r12,%rax), %rbx
	movq	%rbx, -16(%rsp)
	movl	%edi, %ebx
	andl	$-4, %ebx
	movl	%ebx, -8(%rsp)
	imulq	$1000, %rdx, %rbx
	movq	%r13, %rdx
	movq	%rbx, -32(%rsp)
	.loc 1 8 21 discriminator 10
	xorl	%ebx, %ebx
	.p2align 4,,10
	.p2align 3
.L3:
	cmpl	$2, -4(%rsp)
	jbe	.L11
	.loc 1 8 40 discriminator 11
	movq	-16(%rsp), %rdi
	leaq	(%rdx,%r11), %r13
	movq	%r11, %r8
	.p2align 4,,10
	.p2align 3
.L5:
	movq	%rdi, %rcx
	vmovapd	(%r8), %ymm1
	.loc 1 7 16
	movq	%r9, %rsi
	subq	%rax, %rcx
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 8 102 discriminator 5
	vbroadcastsd	(%rsi), %ymm0
	.loc 1 8 77 discriminator 3
	addq	$8000, %rcx
	addq	$8, %rsi
	.loc 1 8 106 discriminator 5
	vmulpd	-8000(%rcx), %ymm0, %ymm0
	.loc 1 8 95 discriminator 5
	vaddpd	%ymm0, %ymm1, %ymm1
	.loc 1 8 77 discriminator 3
	cmpq	%rdi, %rcx
	jne	.L4
	vmovapd	%ymm1, (%r8)
	addq	$32, %r8
	leaq	32(%rcx), %rdi
	cmpq	%r13, %r8
	jne	.L5
	testl	%r15d, %r15d
	je	.L6
	.loc 1 8 40 discriminator 11
	movslq	-8(%rsp), %r8
.L10:
	movq	-32(%rsp), %rsi
	leaq	(%r8,%rbx), %rcx
	leaq	c(%rip), %rdi
	movq	%rdx, -24(%rsp)
	leaq	(%rdi,%rcx,8), %rdi
	leaq	(%r12,%r8,8), %r13
	leaq	(%r8,%rsi), %rcx
	leaq	(%r12,%rcx,8), %rsi
	.p2align 4,,10
	.p2align 3
.L8:
	vmovsd	(%rdi), %xmm1
	movq	%r13, %rdx
	movq	%r9, %rcx
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 8 106 discriminator 5
	vmovsd	(%rdx), %xmm0
	.loc 1 8 77 discriminator 3
	addq	$8000, %rdx
	addq	$8, %rcx
	.loc 1 8 106 discriminator 5
	vmulsd	-8(%rcx), %xmm0, %xmm0
	.loc 1 8 95 discriminator 5
	vaddsd	%xmm0, %xmm1, %xmm1
	.loc 1 8 77 discriminator 3
	cmpq	%rsi, %rdx
	jne	.L7
	.loc 1 8 49 discriminator 7
	incq	%r8
	vmovsd	%xmm1, (%rdi)
	addq	$8, %r13
	addq	$8, %rdi
	addq	$8, %rsi
	cmpl	%r8d, %r10d
	jg	.L8
	movq	-24(%rsp), %rdx
.L6:
	.loc 1 8 21 discriminator 10
	addq	$8000, %r9
	addq	$8000, %r11
	addq	$1000, %rbx
	cmpq	%r14, %r9
	jne	.L3
	vzeroupper
	.loc 1 9 1
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L11:
	.loc 1 8 40 discriminator 11
	xorl	%r8d, %r8d
	jmp	.L10
.L23:
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
