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
	jle	.L19
	movslq	%edi, %r10
	.loc 1 7 16
	pushq	%r15
	leaq	c(%rip), %r8
	.loc 1 8 12
	xorl	%r9d, %r9d
	imulq	$8000, %r10, %r11
	.loc 1 7 16
	pushq	%r14
	leaq	a(%rip), %rsi
	pushq	%r13
	imulq	$1000, %r10, %r10
	pushq	%r12
	pushq	%rbp
	movl	%edi, %ebp
	leaq	b(%rip), %rdi
	pushq	%rbx
	leaq	(%rdi,%r11), %rax
	movl	%ebp, %r12d
	movl	%ebp, %r13d
	shrl	%r12d
	movq	%r8, %rbx
	andl	$1, %r13d
	salq	$4, %r12
	movq	%rax, -24(%rsp)
	movl	%ebp, %eax
	andl	$-2, %eax
	movl	%eax, -12(%rsp)
	.p2align 4,,10
	.p2align 3
.L3:
	cmpl	$1, %ebp
	je	.L10
	.loc 1 8 40 discriminator 11
	movq	-24(%rsp), %rcx
	leaq	(%r12,%rbx), %r15
	movq	%rbx, %r14
	.p2align 4,,10
	.p2align 3
.L5:
	movq	%rcx, %rax
	movapd	(%r14), %xmm1
	.loc 1 7 16
	movq	%rsi, %rdx
	subq	%r11, %rax
	.p2align 4,,10
	.p2align 3
.L4:
	.loc 1 8 102 discriminator 5
	movsd	(%rdx), %xmm0
	.loc 1 8 77 discriminator 3
	addq	$8000, %rax
	addq	$8, %rdx
	.loc 1 8 102 discriminator 5
	unpcklpd	%xmm0, %xmm0
	.loc 1 8 106 discriminator 5
	mulpd	-8000(%rax), %xmm0
	.loc 1 8 95 discriminator 5
	addpd	%xmm0, %xmm1
	.loc 1 8 77 discriminator 3
	cmpq	%rcx, %rax
	jne	.L4
	movaps	%xmm1, (%r14)
	addq	$16, %r14
	leaq	16(%rax), %rcx
	cmpq	%r15, %r14
	jne	.L5
	testl	%r13d, %r13d
	je	.L6
	.loc 1 8 40 discriminator 11
	movslq	-12(%rsp), %r15
.L9:
	movslq	%r9d, %r14
	leaq	(%r15,%r10), %rdx
	imulq	$1000, %r14, %rax
	leaq	(%rdi,%rdx,8), %rcx
	movq	%rsi, %rdx
	addq	%r15, %rax
	movsd	(%r8,%rax,8), %xmm1
	leaq	(%rdi,%r15,8), %rax
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 8 106 discriminator 5
	movsd	(%rax), %xmm0
	mulsd	(%rdx), %xmm0
	.loc 1 8 77 discriminator 3
	addq	$8000, %rax
	addq	$8, %rdx
	.loc 1 8 95 discriminator 5
	addsd	%xmm0, %xmm1
	.loc 1 8 77 discriminator 3
	cmpq	%rcx, %rax
	jne	.L7
	imulq	$1000, %r14, %r14
	addq	%r15, %r14
	movsd	%xmm1, (%r8,%r14,8)
.L6:
	.loc 1 8 27 discriminator 9
	addl	$1, %r9d
	.loc 1 8 21 discriminator 10
	addq	$8000, %rsi
	addq	$8000, %rbx
	cmpl	%r9d, %ebp
	jne	.L3
	.loc 1 9 1
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
.L10:
	.loc 1 8 40 discriminator 11
	xorl	%r15d, %r15d
	jmp	.L9
.L19:
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
