	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 19 81
	.loc 1 19 81
	.loc 1 20 3
	.loc 1 20 8
	.loc 1 20 21 discriminator 10
	.loc 1 19 81
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	.loc 1 19 81
	movq	%rsi, -48(%rsp)
	.loc 1 20 21 discriminator 10
	testl	%edi, %edi
	jle	.L18
	movq	%rcx, %rax
	movq	%rsi, -32(%rsp)
	movslq	%edi, %rcx
	.loc 1 20 21 discriminator 10
	movq	%rdx, %r14
	movq	%rax, -8(%rsp)
	leal	-1(%rdi), %eax
	.loc 1 20 21 discriminator 10
	movq	%rcx, %r10
	movq	%rcx, %r9
	movl	%eax, -36(%rsp)
	movl	%edi, %eax
	leaq	(%rcx,%rcx,2), %r8
	movl	%edi, %r11d
	shrl	$2, %eax
	leaq	0(,%rcx,8), %rbx
	salq	$5, %r10
	xorl	%r13d, %r13d
	salq	$5, %rax
	salq	$4, %r9
	.loc 1 20 12
	xorl	%edx, %edx
	.loc 1 20 12
	movq	%rax, %r12
	movl	%edi, %eax
	salq	$3, %r8
	andl	$-4, %eax
	movq	%r12, -72(%rsp)
	movl	%eax, -52(%rsp)
	movl	%edi, %eax
	andl	$3, %eax
	movl	%eax, -40(%rsp)
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 20 49 is_stmt 1 discriminator 7
	movq	-72(%rsp), %rsi
	movq	-32(%rsp), %rax
	movq	%r14, -24(%rsp)
	movl	%edx, -56(%rsp)
	leaq	(%rax,%rsi), %rdi
	movq	%rbx, -64(%rsp)
	.loc 1 20 88 is_stmt 0 discriminator 5
	xorl	%esi, %esi
	movq	%rdi, -16(%rsp)
	.p2align 4,,10
	.p2align 3
.L9:
	.loc 1 20 88 discriminator 5
	movq	-8(%rsp), %rax
	cmpl	$3, -36(%rsp)
	movl	%esi, %r12d
	.loc 1 20 77 is_stmt 1 discriminator 3
	vmovsd	(%rax,%rsi,8), %xmm3
	jbe	.L10
	.loc 1 20 68 is_stmt 0 discriminator 8
	movq	-32(%rsp), %rdx
	movq	-24(%rsp), %rax
	vxorpd	%xmm2, %xmm2, %xmm2
	movq	-16(%rsp), %rdi
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 20 87 is_stmt 1 discriminator 5
	.loc 1 20 119 is_stmt 0 discriminator 5
	vmovsd	(%rax,%r9), %xmm1
	vmovsd	(%rax), %xmm0
	addq	$32, %rdx
	vmovhpd	(%rax,%r8), %xmm1, %xmm1
	vmovhpd	(%rax,%rcx,8), %xmm0, %xmm0
	addq	%r10, %rax
	vinsertf128	$0x1, %xmm1, %ymm0, %ymm0
	.loc 1 20 116 discriminator 5
	vmulpd	-32(%rdx), %ymm0, %ymm0
	.loc 1 20 100 discriminator 5
	vaddpd	%ymm0, %ymm2, %ymm2
	.loc 1 20 83 is_stmt 1 discriminator 5
	.loc 1 20 77 discriminator 3
	cmpq	%rdx, %rdi
	jne	.L5
	vextractf64x2	$0x1, %ymm2, %xmm0
	movl	-40(%rsp), %eax
	movq	%rdi, -16(%rsp)
	vaddpd	%xmm2, %xmm0, %xmm2
	vunpckhpd	%xmm2, %xmm2, %xmm0
	vaddpd	%xmm2, %xmm0, %xmm0
	vaddsd	%xmm0, %xmm3, %xmm3
	testl	%eax, %eax
	je	.L4
	.loc 1 20 68 is_stmt 0 discriminator 8
	movl	-52(%rsp), %edx
.L8:
	.loc 1 20 87 is_stmt 1 discriminator 5
	.loc 1 20 122 is_stmt 0 discriminator 5
	movl	%r11d, %eax
	.loc 1 20 100 discriminator 5
	movq	-48(%rsp), %rdi
	.loc 1 20 111 discriminator 5
	leal	0(%r13,%rdx), %r15d
	.loc 1 20 122 discriminator 5
	imull	%edx, %eax
	.loc 1 20 111 discriminator 5
	movslq	%r15d, %r15
	.loc 1 20 100 discriminator 5
	vmovsd	(%rdi,%r15,8), %xmm4
	.loc 1 20 126 discriminator 5
	leal	(%rax,%r12), %ebx
	movslq	%ebx, %rbx
	.loc 1 20 100 discriminator 5
	vfmadd231sd	(%r14,%rbx,8), %xmm4, %xmm3
	.loc 1 20 83 is_stmt 1 discriminator 5
	leal	1(%rdx), %ebx
	.loc 1 20 77 discriminator 3
	cmpl	%ebx, %r11d
	jle	.L4
	.loc 1 20 87 discriminator 5
	.loc 1 20 122 is_stmt 0 discriminator 5
	addl	%r11d, %eax
	.loc 1 20 111 discriminator 5
	addl	%r13d, %ebx
	.loc 1 20 126 discriminator 5
	leal	(%r12,%rax), %r15d
	.loc 1 20 111 discriminator 5
	movslq	%ebx, %rbx
	.loc 1 20 126 discriminator 5
	movslq	%r15d, %r15
	.loc 1 20 100 discriminator 5
	vmovsd	(%r14,%r15,8), %xmm5
	vfmadd231sd	(%rdi,%rbx,8), %xmm5, %xmm3
	.loc 1 20 83 is_stmt 1 discriminator 5
	leal	2(%rdx), %ebx
	.loc 1 20 77 discriminator 3
	cmpl	%ebx, %r11d
	jle	.L4
	.loc 1 20 87 discriminator 5
	.loc 1 20 111 is_stmt 0 discriminator 5
	addl	%r13d, %ebx
	.loc 1 20 122 discriminator 5
	addl	%r11d, %eax
	.loc 1 20 83 discriminator 5
	addl	$3, %edx
	.loc 1 20 111 discriminator 5
	movslq	%ebx, %rbx
	.loc 1 20 126 discriminator 5
	leal	(%r12,%rax), %r15d
	.loc 1 20 100 discriminator 5
	vmovsd	(%rdi,%rbx,8), %xmm6
	.loc 1 20 126 discriminator 5
	movslq	%r15d, %r15
	.loc 1 20 100 discriminator 5
	vfmadd231sd	(%r14,%r15,8), %xmm6, %xmm3
	.loc 1 20 83 is_stmt 1 discriminator 5
	.loc 1 20 77 discriminator 3
	cmpl	%edx, %r11d
	jle	.L4
	.loc 1 20 87 discriminator 5
	.loc 1 20 122 is_stmt 0 discriminator 5
	addl	%r11d, %eax
	.loc 1 20 111 discriminator 5
	addl	%r13d, %edx
	.loc 1 20 126 discriminator 5
	addl	%r12d, %eax
	.loc 1 20 111 discriminator 5
	movslq	%edx, %rdx
	.loc 1 20 126 discriminator 5
	cltq
	.loc 1 20 100 discriminator 5
	vmovsd	(%r14,%rax,8), %xmm7
	vfmadd231sd	(%rdi,%rdx,8), %xmm7, %xmm3
	.loc 1 20 83 is_stmt 1 discriminator 5
	.loc 1 20 77 discriminator 3
.L4:
	.loc 1 20 77 is_stmt 0 discriminator 3
	movq	-8(%rsp), %rax
	.loc 1 20 49 discriminator 7
	addq	$8, -24(%rsp)
	vmovsd	%xmm3, (%rax,%rsi,8)
	.loc 1 20 55 is_stmt 1 discriminator 6
	.loc 1 20 49 discriminator 7
	incq	%rsi
	.loc 1 20 49 is_stmt 0 discriminator 7
	cmpq	%rsi, %rcx
	jne	.L9
	.loc 1 20 27 discriminator 9
	movl	-56(%rsp), %edx
	movq	-64(%rsp), %rbx
	.loc 1 20 27 is_stmt 1 discriminator 9
	.loc 1 20 21 is_stmt 0 discriminator 10
	addl	%r11d, %r13d
	.loc 1 20 27 discriminator 9
	incl	%edx
	.loc 1 20 21 is_stmt 1 discriminator 10
	addq	%rbx, -8(%rsp)
	addq	%rbx, -32(%rsp)
	cmpl	%edx, %r11d
	jne	.L3
	vzeroupper
.L18:
	.loc 1 20 21 is_stmt 0 discriminator 10
	.loc 1 21 1
	leaq	-40(%rbp), %rsp
	.loc 1 21 1
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	.loc 1 21 1
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	.loc 1 20 68 discriminator 8
	xorl	%edx, %edx
	jmp	.L8
	.size	product, .-product
