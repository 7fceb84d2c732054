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
	jle	.L17
	.loc 1 19 88
	pushq	%r15
	movl	%edi, %eax
	movq	%rsi, %r10
	movslq	%edi, %rsi
	pushq	%r14
	shrl	%eax
	movl	%edi, %r15d
	movq	%rdx, %r9
	pushq	%r13
	salq	$4, %rax
	movq	%rcx, %r13
	movq	%r10, %r14
	pushq	%r12
	leaq	0(,%rsi,8), %rcx
	.loc 1 20 21 discriminator 10
	xorl	%r8d, %r8d
	.loc 1 20 12
	xorl	%edx, %edx
	.loc 1 19 88
	pushq	%rbp
	movq	%rsi, %rbp
	andl	$1, %r15d
	pushq	%rbx
	salq	$4, %rbp
	movq	%rax, -16(%rsp)
	movl	%edi, %eax
	andl	$-2, %eax
	movl	%eax, -32(%rsp)
	.p2align 4,,10
	.p2align 3
.L3:
	movq	-16(%rsp), %rax
	movl	%edx, -28(%rsp)
	movq	%r9, %r12
	.loc 1 20 88 discriminator 5
	xorl	%r11d, %r11d
	movq	%rcx, -24(%rsp)
	leaq	(%rax,%r14), %rbx
	.p2align 4,,10
	.p2align 3
.L9:
	movsd	0(%r13,%r11,8), %xmm1
	movl	%r11d, %ecx
	cmpl	$1, %edi
	je	.L10
	.loc 1 20 68 discriminator 8
	movq	%r14, %rdx
	movq	%r12, %rax
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 20 119 discriminator 5
	movsd	(%rax), %xmm0
	.loc 1 20 116 discriminator 5
	movupd	(%rdx), %xmm3
	addq	$16, %rdx
	.loc 1 20 119 discriminator 5
	movhpd	(%rax,%rsi,8), %xmm0
	addq	%rbp, %rax
	.loc 1 20 116 discriminator 5
	mulpd	%xmm3, %xmm0
	.loc 1 20 100 discriminator 5
	addsd	%xmm0, %xmm1
	unpckhpd	%xmm0, %xmm0
	addsd	%xmm0, %xmm1
	cmpq	%rdx, %rbx
	jne	.L5
	testl	%r15d, %r15d
	je	.L4
	.loc 1 20 68 discriminator 8
	movl	-32(%rsp), %eax
.L8:
	.loc 1 20 122 discriminator 5
	movl	%edi, %edx
	imull	%eax, %edx
	.loc 1 20 111 discriminator 5
	addl	%r8d, %eax
	cltq
	.loc 1 20 126 discriminator 5
	addl	%ecx, %edx
	movslq	%edx, %rdx
	.loc 1 20 116 discriminator 5
	movsd	(%r9,%rdx,8), %xmm0
	mulsd	(%r10,%rax,8), %xmm0
	.loc 1 20 100 discriminator 5
	addsd	%xmm0, %xmm1
.L4:
	movsd	%xmm1, 0(%r13,%r11,8)
	.loc 1 20 49 discriminator 7
	addq	$1, %r11
	addq	$8, %r12
	cmpq	%rsi, %r11
	jne	.L9
	.loc 1 20 27 discriminator 9
	movl	-28(%rsp), %edx
	movq	-24(%rsp), %rcx
	.loc 1 20 21 discriminator 10
	addl	%edi, %r8d
	.loc 1 20 27 discriminator 9
	addl	$1, %edx
	.loc 1 20 21 discriminator 10
	addq	%rcx, %r13
	addq	%rcx, %r14
	cmpl	%edx, %edi
	jne	.L3
	.loc 1 21 1
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	.loc 1 20 68 discriminator 8
	xorl	%eax, %eax
	jmp	.L8
.L17:
	ret
	.size	product, .-product
