	.file	"regions.c"
	.text
	.type	triad._omp_fn.0, @function
triad._omp_fn.0:
	pushq	%rbp
	pushq	%rbx
	movq	%rdi, %rbx
	subq	$8, %rsp
	call	omp_get_num_threads@PLT
	movl	%eax, %ebp
	call	omp_get_thread_num@PLT
	movl	%eax, %ecx
	movl	32(%rbx), %eax
	cltd
	idivl	%ebp
	cmpl	%edx, %ecx
	jl	.L2
.L5:
	imull	%eax, %ecx
	addl	%ecx, %edx
	addl	%edx, %eax
	cmpl	%eax, %edx
	jge	.L1
	movsd	24(%rbx), %xmm1
	movq	16(%rbx), %rdi
	movslq	%edx, %rdx
	movq	8(%rbx), %rsi
	movq	(%rbx), %rcx
.L4:
	movsd	(%rdi,%rdx,8), %xmm0
	mulsd	%xmm1, %xmm0
	addsd	(%rsi,%rdx,8), %xmm0
	movsd	%xmm0, (%rcx,%rdx,8)
	addq	$1, %rdx
	cmpl	%edx, %eax
	jg	.L4
.L1:
	addq	$8, %rsp
	popq	%rbx
	popq	%rbp
	ret
.L2:
	addl	$1, %eax
	xorl	%edx, %edx
	jmp	.L5
	.size	triad._omp_fn.0, .-triad._omp_fn.0
	.type	dotp._omp_fn.0, @function
dotp._omp_fn.0:
	pushq	%r14
	movl	$64, %ecx
	movl	$1, %edx
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	movq	%rdi, %rbp
	pushq	%rbx
	subq	$32, %rsp
	movslq	24(%rdi), %rsi
	movq	8(%rdi), %r14
	leaq	24(%rsp), %r13
	leaq	16(%rsp), %r12
	movq	(%rdi), %rbx
	xorl	%edi, %edi
	movq	%r13, %r9
	movq	%r12, %r8
	call	GOMP_loop_nonmonotonic_dynamic_start@PLT
	pxor	%xmm1, %xmm1
	testb	%al, %al
	jne	.L12
.L10:
	movsd	%xmm1, 8(%rsp)
	call	GOMP_loop_end_nowait@PLT
	movq	16(%rbp), %rdx
	movsd	8(%rsp), %xmm1
	leaq	16(%rbp), %rcx
.L13:
	movq	%rdx, %xmm2
	movq	%rdx, %rax
	addsd	%xmm1, %xmm2
	movq	%xmm2, %rsi
	lock cmpxchgq	%rsi, (%rcx)
	jne	.L15
	addq	$32, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	ret
.L20:
	movq	%r13, %rsi
	movq	%r12, %rdi
	movsd	%xmm1, 8(%rsp)
	call	GOMP_loop_nonmonotonic_dynamic_next@PLT
	movsd	8(%rsp), %xmm1
	testb	%al, %al
	je	.L10
.L12:
	movl	24(%rsp), %edx
	movslq	16(%rsp), %rax
.L11:
	movsd	(%rbx,%rax,8), %xmm0
	mulsd	(%r14,%rax,8), %xmm0
	addq	$1, %rax
	addsd	%xmm0, %xmm1
	cmpl	%eax, %edx
	jg	.L11
	jmp	.L20
.L15:
	movq	%rax, %rdx
	jmp	.L13
	.size	dotp._omp_fn.0, .-dotp._omp_fn.0
	.type	coll._omp_fn.0, @function
coll._omp_fn.0:
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	subq	$8, %rsp
	movl	16(%rdi), %r12d
	movl	20(%rdi), %ebx
	testl	%r12d, %r12d
	jle	.L21
	testl	%ebx, %ebx
	jle	.L21
	imull	%ebx, %r12d
	movq	%rdi, %rbp
	call	omp_get_num_threads@PLT
	movl	%eax, %r13d
	call	omp_get_thread_num@PLT
	xorl	%edx, %edx
	movl	%eax, %ecx
	movl	%r12d, %eax
	divl	%r13d
	movl	%eax, %r12d
	cmpl	%edx, %ecx
	jb	.L24
.L27:
	imull	%r12d, %ecx
	addl	%edx, %ecx
	leal	(%r12,%rcx), %r9d
	cmpl	%r9d, %ecx
	jnb	.L21
	movl	%ecx, %eax
	xorl	%edx, %edx
	movl	%ebx, %esi
	movq	8(%rbp), %rdi
	divl	%ebx
	movq	0(%rbp), %r8
	addl	$1, %ecx
	imull	%eax, %esi
	addl	%edx, %esi
	movslq	%esi, %rsi
	movsd	(%rdi,%rsi,8), %xmm0
	addsd	%xmm0, %xmm0
	movsd	%xmm0, (%r8,%rsi,8)
	cmpl	%r9d, %ecx
	jnb	.L21
	subl	$1, %r12d
	xorl	%esi, %esi
	jmp	.L26
.L25:
	movl	%ebx, %ecx
	addl	$1, %esi
	imull	%eax, %ecx
	addl	%edx, %ecx
	movslq	%ecx, %rcx
	movsd	(%rdi,%rcx,8), %xmm0
	addsd	%xmm0, %xmm0
	movsd	%xmm0, (%r8,%rcx,8)
	cmpl	%esi, %r12d
	je	.L21
.L26:
	addl	$1, %edx
	cmpl	%edx, %ebx
	jg	.L25
	addl	$1, %eax
	xorl	%edx, %edx
	jmp	.L25
.L21:
	addq	$8, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	ret
.L24:
	addl	$1, %r12d
	xorl	%edx, %edx
	jmp	.L27
	.size	coll._omp_fn.0, .-coll._omp_fn.0
	.globl	triad
	.type	triad, @function
triad:
	subq	$56, %rsp
	movq	%rcx, 16(%rsp)
	xorl	%ecx, %ecx
	movq	%rdx, 8(%rsp)
	xorl	%edx, %edx
	movq	%rsi, (%rsp)
	movq	%rsp, %rsi
	movl	%edi, 32(%rsp)
	leaq	triad._omp_fn.0(%rip), %rdi
	movsd	%xmm0, 24(%rsp)
	call	GOMP_parallel@PLT
	addq	$56, %rsp
	ret
	.size	triad, .-triad
	.globl	dotp
	.type	dotp, @function
dotp:
	subq	$40, %rsp
	xorl	%ecx, %ecx
	movq	%rdx, 8(%rsp)
	xorl	%edx, %edx
	movq	%rsi, (%rsp)
	movq	%rsp, %rsi
	movl	%edi, 24(%rsp)
	leaq	dotp._omp_fn.0(%rip), %rdi
	movq	$0x000000000, 16(%rsp)
	call	GOMP_parallel@PLT
	movsd	16(%rsp), %xmm0
	addq	$40, %rsp
	ret
	.size	dotp, .-dotp
	.globl	coll
	.type	coll, @function
coll:
	subq	$40, %rsp
	movq	%rcx, 8(%rsp)
	xorl	%ecx, %ecx
	movq	%rdx, (%rsp)
	xorl	%edx, %edx
	movl	%esi, 20(%rsp)
	movq	%rsp, %rsi
	movl	%edi, 16(%rsp)
	leaq	coll._omp_fn.0(%rip), %rdi
	call	GOMP_parallel@PLT
	addq	$40, %rsp
	ret
	.size	coll, .-coll
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
