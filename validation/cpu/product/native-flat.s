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
	jle	.L15
	.loc 1 19 88
	pushq	%r15
	movl	%edi, %eax
	movq	%rsi, %r10
	movslq	%edi, %rsi
	shrl	%eax
	movq	%rdx, %r9
	movq	%r10, %r15
	.loc 1 20 21 discriminator 10
	xorl	%r8d, %r8d
	salq	$4, %rax
	leaq	0(,%rsi,8), %rdx
	.loc 1 19 88
	pushq	%r14
	movl	%edi, %r14d
	andl	$-2, %r14d
	pushq	%r13
	movq	%rcx, %r13
	.loc 1 20 12
	xorl	%ecx, %ecx
	.loc 1 19 88
	pushq	%r12
	pushq	%rbp
	movq	%rsi, %rbp
	salq	$4, %rbp
	pushq	%rbx
	movq	%rax, -16(%rsp)
	.p2align 4,,10
	.p2align 3
.L3:
	movq	-16(%rsp), %rax
	movq	%rdx, -32(%rsp)
	movq	%r9, %r12
	.loc 1 20 88 discriminator 5
	xorl	%r11d, %r11d
	movl	%ecx, -20(%rsp)
	leaq	(%r15,%rax), %rbx
	.p2align 4,,10
	.p2align 3
.L9:
	vmovsd	0(%r13,%r11,8), %xmm1
	movl	%r11d, %ecx
	cmpl	$1, %edi
	je	.L10
	.loc 1 20 68 discriminator 8
	movq	%r15, %rdx
	movq	%r12, %rax
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 20 119 discriminator 5
	vmovsd	(%rax), %xmm0
	addq	$16, %rdx
	vmovhpd	(%rax,%rsi,8), %xmm0, %xmm0
	addq	%rbp, %rax
	.loc 1 20 116 discriminator 5
	vmulpd	-16(%rdx), %xmm0, %xmm0
	.loc 1 20 100 discriminator 5
	vaddsd	%xmm0, %xmm1, %xmm1
	vunpckhpd	%xmm0, %xmm0, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	cmpq	%rdx, %rbx
	jne	.L5
	.loc 1 20 68 discriminator 8
	movl	%r14d, %eax
	cmpl	%r14d, %edi
	je	.L4
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
	.loc 1 20 100 discriminator 5
	vmovsd	(%r9,%rdx,8), %xmm3
	vfmadd231sd	(%r10,%rax,8), %xmm3, %xmm1
.L4:
	vmovsd	%xmm1, 0(%r13,%r11,8)
	.loc 1 20 49 discriminator 7
	incq	%r11
	addq	$8, %r12
	cmpq	%r11, %rsi
	jne	.L9
	.loc 1 20 27 discriminator 9
	movl	-20(%rsp), %ecx
	movq	-32(%rsp), %rdx
	.loc 1 20 21 discriminator 10
	addl	%edi, %r8d
	.loc 1 20 27 discriminator 9
	incl	%ecx
	.loc 1 20 21 discriminator 10
	addq	%rdx, %r13
	addq	%rdx, %r15
	cmpl	%ecx, %edi
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
.L15:
	ret
	.size	product, .-product
