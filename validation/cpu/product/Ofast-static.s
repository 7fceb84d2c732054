	.file	"product.c"
	.text
	.file 0 "." "product.c"
	.p2align 4
	.globl	product
	.type	product, @function
product:
	.file 1 "product.c"
	.loc 1 7 73
	.loc 1 7 73
	.loc 1 8 3
	.loc 1 8 8
	.loc 1 8 21 discriminator 10
	.loc 1 7 73
	pushq	%rbp
	movl	%edi, %eax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	.loc 1 7 73
	movl	%eax, -4(%rsp)
	.loc 1 8 21 discriminator 10
	testl	%eax, %eax
	jle	.L22
	leal	-1(%rax), %ebx
	movl	%eax, %r11d
	movq	$0, -16(%rsp)
	leaq	c(%rip), %rsi
	movl	%ebx, -8(%rsp)
	leaq	a(%rip), %rbx
	shrl	$2, %r11d
	movl	%eax, %r15d
	movq	%rbx, -24(%rsp)
	movq	%rsi, %rcx
	salq	$5, %r11
	andl	$-4, %r15d
	movq	%rax, -32(%rsp)
	.loc 1 8 12
	xorl	%edx, %edx
	leaq	b(%rip), %r9
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 8 49 is_stmt 1 discriminator 7
	.loc 1 8 95 is_stmt 0 discriminator 5
	movslq	%edx, %r12
	movl	%edx, -36(%rsp)
	leaq	b(%rip), %r8
	.loc 1 8 102 discriminator 5
	xorl	%r14d, %r14d
	.loc 1 8 95 discriminator 5
	imulq	$1000, %r12, %r12
	.loc 1 8 102 discriminator 5
	xorl	%ebx, %ebx
	.p2align 4,,10
	.p2align 3
.L11:
	.loc 1 8 102 discriminator 5
	movq	-24(%rsp), %rax
	cmpl	$2, -8(%rsp)
	movslq	%ebx, %rdx
	vmovsd	(%rax,%rbx,8), %xmm0
	jbe	.L12
	vbroadcastsd	%xmm0, %ymm2
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 8 77 is_stmt 1 discriminator 3
	.loc 1 8 87 discriminator 5
	.loc 1 8 95 is_stmt 0 discriminator 5
	vmovapd	(%r8,%rax), %ymm1
	vfmadd213pd	(%rcx,%rax), %ymm2, %ymm1
	vmovapd	%ymm1, (%rcx,%rax)
	.loc 1 8 83 is_stmt 1 discriminator 5
	.loc 1 8 77 discriminator 3
	.loc 1 8 55 discriminator 6
	.loc 1 8 49 discriminator 7
	addq	$32, %rax
	cmpq	%r11, %rax
	jne	.L7
	cmpl	%r15d, -4(%rsp)
	je	.L4
	.loc 1 8 95 is_stmt 0 discriminator 5
	movl	%r15d, %edi
	movl	%r15d, %eax
.L10:
	.loc 1 8 95 discriminator 5
	movl	-4(%rsp), %r10d
	subl	%edi, %r10d
	cmpl	$1, %r10d
	je	.L5
	movq	-16(%rsp), %r13
	vmovddup	%xmm0, %xmm1
	addq	%rdi, %r13
	.loc 1 8 112 discriminator 5
	addq	%r14, %rdi
	leaq	(%rsi,%r13,8), %r13
	.loc 1 8 77 is_stmt 1 discriminator 3
	.loc 1 8 87 discriminator 5
	.loc 1 8 95 is_stmt 0 discriminator 5
	vmovapd	0(%r13), %xmm4
	vfmadd132pd	(%r9,%rdi,8), %xmm4, %xmm1
	vmovapd	%xmm1, 0(%r13)
	.loc 1 8 83 is_stmt 1 discriminator 5
	.loc 1 8 77 discriminator 3
	.loc 1 8 55 discriminator 6
	.loc 1 8 49 discriminator 7
	testb	$1, %r10b
	je	.L4
	andl	$-2, %r10d
	addl	%r10d, %eax
.L5:
	.loc 1 8 77 discriminator 3
	.loc 1 8 87 discriminator 5
	.loc 1 8 112 is_stmt 0 discriminator 5
	imulq	$1000, %rdx, %rdx
	cltq
	.loc 1 8 112 discriminator 5
	addq	%rax, %rdx
	.loc 1 8 95 discriminator 5
	addq	%r12, %rax
	.loc 1 8 95 discriminator 5
	vmovsd	(%rsi,%rax,8), %xmm3
	vfmadd132sd	(%r9,%rdx,8), %xmm3, %xmm0
	vmovsd	%xmm0, (%rsi,%rax,8)
	.loc 1 8 83 is_stmt 1 discriminator 5
	.loc 1 8 77 discriminator 3
	.loc 1 8 55 discriminator 6
	.loc 1 8 49 discriminator 7
.L4:
	.loc 1 8 49 is_stmt 0 discriminator 7
	incq	%rbx
	addq	$8000, %r8
	addq	$1000, %r14
	cmpq	%rbx, -32(%rsp)
	jne	.L11
	.loc 1 8 27 discriminator 9
	movl	-36(%rsp), %edx
	.loc 1 8 27 is_stmt 1 discriminator 9
	.loc 1 8 21 is_stmt 0 discriminator 10
	addq	$8000, -24(%rsp)
	addq	$8000, %rcx
	addq	$1000, -16(%rsp)
	.loc 1 8 27 discriminator 9
	incl	%edx
	.loc 1 8 21 is_stmt 1 discriminator 10
	cmpl	%edx, -4(%rsp)
	jne	.L3
	vzeroupper
.L22:
	.loc 1 8 21 is_stmt 0 discriminator 10
	.loc 1 9 1
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L12:
	.loc 1 8 102 discriminator 5
	xorl	%edi, %edi
	xorl	%eax, %eax
	jmp	.L10
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
