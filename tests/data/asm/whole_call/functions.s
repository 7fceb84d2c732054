	.text
	.type	scale.constprop.0, @function
scale.constprop.0:
	movq	%rdi, %rcx
	testl	%esi, %esi
	jle	.L17
	leal	-1(%rsi), %eax
	cmpl	$2, %eax
	jbe	.L8
	movl	%esi, %edx
	movq	%rdi, %rax
	shrl	$2, %edx
	salq	$5, %rdx
	addq	%rdi, %rdx
.L4:
	vmovupd	(%rax), %ymm1
	addq	$32, %rax
	vaddpd	%ymm1, %ymm1, %ymm0
	vmovupd	%ymm0, -32(%rax)
	cmpq	%rdx, %rax
	jne	.L4
	movl	%esi, %eax
	andl	$-4, %eax
	movl	%eax, %edx
	cmpl	%eax, %esi
	je	.L19
	vzeroupper
.L3:
	subl	%edx, %esi
	cmpl	$1, %esi
	je	.L6
	leaq	(%rcx,%rdx,8), %rdx
	vmovupd	(%rdx), %xmm0
	vaddpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, (%rdx)
	testb	$1, %sil
	je	.L17
	andl	$-2, %esi
	addl	%esi, %eax
.L6:
	cltq
	leaq	(%rcx,%rax,8), %rax
	vmovsd	(%rax), %xmm0
	vaddsd	%xmm0, %xmm0, %xmm0
	vmovsd	%xmm0, (%rax)
.L17:
	ret
.L19:
	vzeroupper
	ret
.L8:
	xorl	%edx, %edx
	xorl	%eax, %eax
	jmp	.L3
	.size	scale.constprop.0, .-scale.constprop.0
	.type	fib, @function
fib:
	pushq	%r15
	movl	%edi, %r15d
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	subq	$104, %rsp
	cmpl	$1, %edi
	je	.L21
	leal	-1(%rdi), %edx
	movl	%edi, %r13d
	xorl	%ebx, %ebx
	movl	%edx, %eax
	andl	$-2, %eax
	subl	%eax, %r13d
	movl	%edx, %eax
	movl	%r13d, %r12d
	cmpl	%r12d, %r15d
	je	.L22
.L67:
	subl	$2, %r15d
	movl	%eax, %ebp
	movl	%ebx, 32(%rsp)
	xorl	%r13d, %r13d
	movl	%r15d, %edx
	movl	%r15d, %r14d
	andl	$-2, %edx
	subl	%edx, %ebp
	movl	%ebp, %esi
	movl	%r12d, %ebp
	movl	%esi, %r12d
.L45:
	leal	-1(%rax), %ecx
	movl	%ecx, %edi
	cmpl	%r12d, %eax
	je	.L23
.L66:
	leal	-2(%rax), %esi
	movl	%ecx, %edx
	movl	%r13d, 36(%rsp)
	xorl	%ebx, %ebx
	movl	%esi, %eax
	movl	%r12d, 40(%rsp)
	movl	%r14d, %r15d
	movl	%esi, %r8d
	andl	$-2, %eax
	movl	%ebx, %r14d
	subl	%eax, %edx
	movl	%edx, 60(%rsp)
.L43:
	movl	60(%rsp), %edx
	leal	-1(%rdi), %ecx
	movl	%ecx, %eax
	cmpl	%edx, %edi
	je	.L24
	leal	-2(%rdi), %ecx
	movl	%eax, %esi
	movl	%ebp, 44(%rsp)
	xorl	%ebx, %ebx
	movl	%ecx, %edi
	movl	%ecx, 48(%rsp)
	movl	%r15d, %edx
	movl	%ebx, %r15d
	andl	$-2, %edi
	movl	%edx, %ebx
	subl	%edi, %esi
	movl	%esi, 64(%rsp)
.L41:
	movl	64(%rsp), %esi
	leal	-1(%rax), %r9d
	movl	%r9d, %r10d
	cmpl	%esi, %eax
	je	.L25
	leal	-2(%rax), %r9d
	movl	%r10d, %r13d
	movl	%r8d, 56(%rsp)
	xorl	%r12d, %r12d
	movl	%r9d, %eax
	movl	%r14d, 52(%rsp)
	movl	%r15d, %esi
	movl	%r12d, %r14d
	andl	$-2, %eax
	movl	%r10d, %r15d
	subl	%eax, %r13d
	movl	%r13d, %ebp
.L39:
	leal	-1(%r15), %r11d
	movl	%r11d, %eax
	cmpl	%ebp, %r15d
	je	.L26
	subl	$2, %r15d
	movl	%r11d, %ecx
	xorl	%r12d, %r12d
	movl	%esi, %r13d
	movl	%r15d, %edi
	andl	$-2, %edi
	subl	%edi, %ecx
	movl	%ecx, 16(%rsp)
.L37:
	movl	16(%rsp), %edx
	leal	-1(%rax), %edi
	movl	%edi, %ecx
	cmpl	%edx, %eax
	je	.L27
	leal	-2(%rax), %r11d
	leal	-3(%rax), %edi
	movl	%ecx, %edx
	xorl	%esi, %esi
	movl	%r11d, %eax
	andl	$-2, %eax
	subl	%eax, %edx
	movl	%edi, %eax
	movl	%edx, 28(%rsp)
.L35:
	movl	28(%rsp), %edx
	leal	-1(%rcx), %r10d
	movl	%r10d, %r8d
	cmpl	%edx, %ecx
	je	.L28
	movl	%eax, %r10d
	movl	%r8d, %edx
	movl	%ecx, 20(%rsp)
	andl	$-2, %r10d
	movl	%ebx, 24(%rsp)
	movl	%eax, %ebx
	subl	%r10d, %edx
	movl	%edx, 12(%rsp)
	xorl	%edx, %edx
.L33:
	movl	12(%rsp), %eax
	leal	-1(%r8), %r10d
	cmpl	%eax, %r8d
	je	.L29
	xorl	%ecx, %ecx
.L30:
	leal	-1(%r10), %edi
	movl	%r11d, 92(%rsp)
	movl	%r9d, 88(%rsp)
	movl	%ecx, 84(%rsp)
	movl	%edx, 80(%rsp)
	movl	%r8d, 76(%rsp)
	movl	%esi, 72(%rsp)
	movl	%r10d, 68(%rsp)
	call	fib
	movl	68(%rsp), %r10d
	movl	84(%rsp), %ecx
	movl	72(%rsp), %esi
	movl	76(%rsp), %r8d
	subl	$2, %r10d
	addl	%eax, %ecx
	movl	80(%rsp), %edx
	movl	88(%rsp), %r9d
	cmpl	$1, %r10d
	movl	92(%rsp), %r11d
	jg	.L30
	leal	-3(%r8), %edi
	subl	$2, %r8d
	andl	$1, %edi
	addl	%ecx, %edi
	addl	%edi, %edx
	cmpl	$1, %r8d
	jg	.L33
	movl	%ebx, %eax
	movl	20(%rsp), %ecx
	movl	24(%rsp), %ebx
.L32:
	addl	%edx, %r8d
	subl	$2, %ecx
	subl	$2, %eax
	addl	%r8d, %esi
	cmpl	$1, %ecx
	jg	.L35
	addl	%esi, %ecx
	movl	%r11d, %eax
	addl	%ecx, %r12d
	cmpl	$1, %r11d
	jg	.L37
.L64:
	movl	%r13d, %esi
.L36:
	addl	%r12d, %eax
	addl	%eax, %r14d
	cmpl	$1, %r15d
	jg	.L39
	movl	%r14d, %r12d
	movl	56(%rsp), %r8d
	movl	52(%rsp), %r14d
	movl	%r15d, %r10d
	movl	%esi, %r15d
.L38:
	addl	%r12d, %r10d
	movl	%r9d, %eax
	addl	%r10d, %r15d
	cmpl	$1, %r9d
	jg	.L41
	movl	%ebx, %edx
	movl	44(%rsp), %ebp
	movl	48(%rsp), %ecx
	movl	%r15d, %ebx
	movl	%edx, %r15d
.L40:
	addl	%eax, %ebx
	movl	%ecx, %edi
	addl	%ebx, %r14d
	cmpl	$1, %ecx
	jg	.L43
	movl	%r14d, %ebx
	movl	36(%rsp), %r13d
	movl	%r8d, %esi
	movl	40(%rsp), %r12d
	addl	%edi, %ebx
	movl	%r15d, %r14d
	movl	%esi, %eax
	addl	%ebx, %r13d
	cmpl	$1, %esi
	jg	.L45
.L65:
	movl	32(%rsp), %ebx
	addl	%r13d, %eax
	movl	%r14d, %r15d
	movl	%ebp, %r12d
	addl	%eax, %ebx
	cmpl	$1, %r15d
	jg	.L63
.L60:
	addl	%ebx, %r15d
	jmp	.L21
.L27:
	movl	%r13d, %esi
	subl	$2, %eax
	addl	%edi, %r12d
	jmp	.L36
.L28:
	subl	$2, %ecx
	addl	%r10d, %esi
	movl	%r11d, %eax
	addl	%esi, %ecx
	addl	%ecx, %r12d
	cmpl	$1, %r11d
	jg	.L37
	jmp	.L64
.L29:
	movl	%ebx, %eax
	movl	20(%rsp), %ecx
	movl	24(%rsp), %ebx
	subl	$2, %r8d
	addl	%r10d, %edx
	jmp	.L32
.L26:
	movl	%r15d, %r10d
	movl	%r14d, %r12d
	movl	56(%rsp), %r8d
	movl	52(%rsp), %r14d
	movl	%esi, %r15d
	subl	$2, %r10d
	addl	%r11d, %r12d
	jmp	.L38
.L25:
	movl	%ebx, %esi
	movl	%r15d, %ebx
	movl	44(%rsp), %ebp
	movl	48(%rsp), %ecx
	movl	%esi, %r15d
	subl	$2, %eax
	addl	%r9d, %ebx
	jmp	.L40
.L24:
	movl	%r14d, %ebx
	movl	36(%rsp), %r13d
	subl	$2, %edi
	movl	%r8d, %esi
	addl	%ecx, %ebx
	movl	40(%rsp), %r12d
	movl	%r15d, %r14d
	movl	%esi, %eax
	addl	%edi, %ebx
	addl	%ebx, %r13d
	cmpl	$1, %esi
	jle	.L65
	leal	-1(%rax), %ecx
	movl	%ecx, %edi
	cmpl	%r12d, %eax
	jne	.L66
.L23:
	movl	32(%rsp), %ebx
	subl	$2, %eax
	addl	%ecx, %r13d
	movl	%r14d, %r15d
	addl	%r13d, %eax
	movl	%ebp, %r12d
	addl	%eax, %ebx
	cmpl	$1, %r15d
	jle	.L60
.L63:
	leal	-1(%r15), %edx
	movl	%edx, %eax
	cmpl	%r12d, %r15d
	jne	.L67
.L22:
	addl	%ebx, %edx
	leal	-2(%r15,%rdx), %r15d
.L21:
	addq	$104, %rsp
	movl	%r15d, %eax
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.size	fib, .-fib
	.globl	axpy
	.type	axpy, @function
axpy:
	testq	%rdi, %rdi
	jle	.L91
	cmpq	$1, %rdi
	je	.L78
	leaq	8(%rsi), %rax
	movq	%rdx, %rcx
	subq	%rax, %rcx
	xorl	%eax, %eax
	cmpq	$16, %rcx
	ja	.L92
.L76:
	vmovsd	(%rsi,%rax,8), %xmm1
	vfmadd213sd	(%rdx,%rax,8), %xmm0, %xmm1
	vmovsd	%xmm1, (%rdx,%rax,8)
	incq	%rax
	cmpq	%rax, %rdi
	jne	.L76
	ret
.L89:
	vzeroupper
.L91:
	ret
.L92:
	leaq	-1(%rdi), %rax
	movq	%rdi, %rcx
	cmpq	$2, %rax
	jbe	.L80
	shrq	$2, %rcx
	vbroadcastsd	%xmm0, %ymm2
	xorl	%eax, %eax
	salq	$5, %rcx
.L72:
	vmovupd	(%rsi,%rax), %ymm1
	vfmadd213pd	(%rdx,%rax), %ymm2, %ymm1
	vmovupd	%ymm1, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L72
	movq	%rdi, %rax
	andq	$-4, %rax
	movq	%rax, %r8
	cmpq	%rax, %rdi
	je	.L89
	movq	%rdi, %rcx
	subq	%rax, %rcx
	cmpq	$1, %rcx
	je	.L93
	vzeroupper
.L71:
	leaq	(%rdx,%r8,8), %rdi
	vmovddup	%xmm0, %xmm1
	vmovupd	(%rdi), %xmm4
	vfmadd132pd	(%rsi,%r8,8), %xmm4, %xmm1
	vmovupd	%xmm1, (%rdi)
	testb	$1, %cl
	je	.L91
	andq	$-2, %rcx
	addq	%rcx, %rax
.L74:
	leaq	(%rdx,%rax,8), %rdx
	vmovsd	(%rdx), %xmm3
	vfmadd132sd	(%rsi,%rax,8), %xmm3, %xmm0
	vmovsd	%xmm0, (%rdx)
	ret
.L78:
	xorl	%eax, %eax
	jmp	.L76
.L80:
	xorl	%r8d, %r8d
	xorl	%eax, %eax
	jmp	.L71
.L93:
	vzeroupper
	jmp	.L74
	.size	axpy, .-axpy
	.globl	dot
	.type	dot, @function
dot:
	movq	%rsi, %rcx
	testl	%edi, %edi
	jle	.L102
	leal	-1(%rdi), %eax
	cmpl	$2, %eax
	jbe	.L103
	movl	%edi, %esi
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	shrl	$2, %esi
	salq	$5, %rsi
.L97:
	vmovupd	(%rcx,%rax), %ymm4
	vmulpd	(%rdx,%rax), %ymm4, %ymm1
	addq	$32, %rax
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm2
	vextractf128	$0x1, %ymm1, %xmm1
	vaddsd	%xmm2, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rax, %rsi
	jne	.L97
	movl	%edi, %eax
	andl	$-4, %eax
	movl	%eax, %esi
	cmpl	%eax, %edi
	je	.L112
	vzeroupper
.L96:
	subl	%esi, %edi
	cmpl	$1, %edi
	je	.L100
	vmovupd	(%rcx,%rsi,8), %xmm6
	vmulpd	(%rdx,%rsi,8), %xmm6, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm0, %xmm1, %xmm0
	testb	$1, %dil
	je	.L94
	andl	$-2, %edi
	addl	%edi, %eax
.L100:
	cltq
	vmovsd	(%rcx,%rax,8), %xmm5
	vfmadd231sd	(%rdx,%rax,8), %xmm5, %xmm0
	ret
.L102:
	vxorpd	%xmm0, %xmm0, %xmm0
.L94:
	ret
.L112:
	vzeroupper
	ret
.L103:
	xorl	%esi, %esi
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L96
	.size	dot, .-dot
	.globl	matmul
	.type	matmul, @function
matmul:
	testl	%edi, %edi
	jle	.L127
	pushq	%r15
	movslq	%edi, %rax
	movq	%rsi, %r9
	movq	%rdx, %r8
	pushq	%r14
	leaq	0(,%rax,8), %r10
	movq	%rsi, %r14
	movq	%rcx, %r15
	pushq	%r13
	movl	%edi, %r13d
	xorl	%esi, %esi
	xorl	%edx, %edx
	pushq	%r12
	andl	$-2, %r13d
	pushq	%rbp
	pushq	%rbx
	movq	%rax, -32(%rsp)
	salq	$4, %rax
	movq	%rax, %rbx
	movl	%edi, %eax
	shrl	%eax
	salq	$4, %rax
	movq	%rax, -16(%rsp)
.L115:
	movq	-16(%rsp), %rax
	movl	%edx, -20(%rsp)
	movq	%r8, %r12
	xorl	%ebp, %ebp
	leaq	(%r14,%rax), %r11
.L121:
	movl	%ebp, %ecx
	cmpl	$1, %edi
	je	.L122
	movq	%r14, %rdx
	movq	%r12, %rax
	vxorpd	%xmm1, %xmm1, %xmm1
.L117:
	vmovsd	(%rax), %xmm0
	addq	$16, %rdx
	vmovhpd	(%rax,%r10), %xmm0, %xmm0
	addq	%rbx, %rax
	vmulpd	-16(%rdx), %xmm0, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	vunpckhpd	%xmm0, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm1
	cmpq	%rdx, %r11
	jne	.L117
	movl	%r13d, %eax
	cmpl	%r13d, %edi
	je	.L116
.L120:
	movl	%edi, %edx
	imull	%eax, %edx
	addl	%esi, %eax
	cltq
	addl	%ecx, %edx
	movslq	%edx, %rdx
	vmovsd	(%r8,%rdx,8), %xmm3
	vfmadd231sd	(%r9,%rax,8), %xmm3, %xmm1
.L116:
	vmovsd	%xmm1, (%r15,%rbp,8)
	addq	$8, %r12
	incq	%rbp
	cmpq	%rbp, -32(%rsp)
	jne	.L121
	movl	-20(%rsp), %edx
	addl	%edi, %esi
	addq	%r10, %r15
	addq	%r10, %r14
	incl	%edx
	cmpl	%edx, %edi
	jne	.L115
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
.L122:
	xorl	%eax, %eax
	vxorpd	%xmm1, %xmm1, %xmm1
	jmp	.L120
.L127:
	ret
	.size	matmul, .-matmul
	.globl	matmul_vla
	.type	matmul_vla, @function
matmul_vla:
	testl	%edi, %edi
	jle	.L139
	movq	%rsi, %r9
	movslq	%edi, %rsi
	pushq	%r12
	movl	%edi, %r10d
	salq	$3, %rsi
	pushq	%rbp
	xorl	%r12d, %r12d
	movq	%rdx, %rbp
	pushq	%rbx
	leaq	(%r9,%rsi), %rdi
	movq	%rcx, %rbx
	leaq	(%rdx,%rsi), %r11
.L132:
	movq	%rbp, %r8
	movq	%rbx, %rcx
.L135:
	vmovsd	(%rcx), %xmm0
	movq	%r8, %rdx
	movq	%r9, %rax
.L133:
	vmovsd	(%rax), %xmm1
	vfmadd231sd	(%rdx), %xmm1, %xmm0
	addq	$8, %rax
	addq	%rsi, %rdx
	vmovsd	%xmm0, (%rcx)
	cmpq	%rax, %rdi
	jne	.L133
	addq	$8, %r8
	addq	$8, %rcx
	cmpq	%r8, %r11
	jne	.L135
	incl	%r12d
	addq	%rsi, %r9
	addq	%rsi, %rdi
	addq	%rsi, %rbx
	cmpl	%r12d, %r10d
	jne	.L132
	popq	%rbx
	popq	%rbp
	popq	%r12
	ret
.L139:
	ret
	.size	matmul_vla, .-matmul_vla
	.globl	gemv
	.type	gemv, @function
gemv:
	movslq	%edi, %rax
	movslq	%esi, %rsi
	movq	%rsi, %rdi
	testl	%eax, %eax
	jle	.L152
	salq	$3, %rsi
	leaq	(%r8,%rax,8), %r9
.L145:
	movq	$0x000000000, (%r8)
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	testl	%edi, %edi
	jle	.L148
.L147:
	vmovsd	(%rdx,%rax), %xmm1
	vfmadd231sd	(%rcx,%rax), %xmm1, %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, (%r8)
	cmpq	%rax, %rsi
	jne	.L147
.L148:
	addq	$8, %r8
	addq	%rsi, %rdx
	cmpq	%r8, %r9
	jne	.L145
	ret
.L152:
	ret
	.size	gemv, .-gemv
	.globl	trisolv
	.type	trisolv, @function
trisolv:
	movl	%edi, %r9d
	testl	%edi, %edi
	jle	.L164
	vmovsd	(%rcx), %xmm0
	movq	%rdx, %rdi
	movq	%rcx, %r10
	vmovsd	%xmm0, (%rdx)
	vdivsd	(%rsi), %xmm0, %xmm0
	vmovsd	%xmm0, (%rdx)
	cmpl	$1, %r9d
	je	.L164
	movslq	%r9d, %rax
	pushq	%rbp
	leaq	8(%rdx), %r8
	movl	$1, %ecx
	pushq	%rbx
	leaq	8(,%rax,8), %rbx
	leaq	-8(%rbx), %rbp
	leaq	(%rsi,%rbx), %r11
	leaq	(%rsi,%rbp), %rdx
.L158:
	vmovsd	(%r10,%rcx,8), %xmm0
	xorl	%eax, %eax
	vmovsd	%xmm0, (%r8)
.L157:
	vmovsd	(%rdi,%rax,8), %xmm1
	vfnmadd231sd	(%rdx,%rax,8), %xmm1, %xmm0
	incq	%rax
	vmovsd	%xmm0, (%r8)
	cmpl	%eax, %ecx
	jg	.L157
	incq	%rcx
	vdivsd	(%r11), %xmm0, %xmm0
	addq	$8, %r8
	addq	%rbx, %r11
	vmovsd	%xmm0, -8(%r8)
	addq	%rbp, %rdx
	cmpl	%ecx, %r9d
	jg	.L158
	popq	%rbx
	popq	%rbp
	ret
.L164:
	ret
	.size	trisolv, .-trisolv
	.globl	jacobi2d
	.type	jacobi2d, @function
jacobi2d:
	pushq	%rbp
	movslq	%esi, %rax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$72, %rsp
	movl	%edi, -116(%rsp)
	movl	%esi, 40(%rsp)
	movq	%rcx, (%rsp)
	movq	%rax, 56(%rsp)
	testl	%edi, %edi
	jle	.L234
	leaq	0(,%rax,8), %r12
	movq	%rcx, %rdi
	leal	-1(%rax), %r9d
	movq	%rax, %rcx
	leaq	(%rdx,%r12), %r13
	incq	%rax
	movq	%rdx, %rbx
	movl	%r9d, 36(%rsp)
	leaq	0(%r13,%r12), %rsi
	movq	%rax, 16(%rsp)
	leaq	8(%r12), %rax
	movq	%rsi, -72(%rsp)
	leaq	(%rdi,%rax), %rsi
	leal	-3(%rcx), %edx
	addq	%rbx, %rax
	movq	%rsi, -80(%rsp)
	leal	-2(%rcx), %esi
	movl	%edx, 32(%rsp)
	movl	%esi, %edx
	shrl	$2, %edx
	movl	%esi, -44(%rsp)
	andl	$-4, %esi
	salq	$5, %rdx
	movl	%esi, -36(%rsp)
	movq	%rdx, 64(%rsp)
	leal	1(%rsi), %edx
	movl	%edx, -32(%rsp)
	movq	%rdi, %rdx
	addq	%r12, %rdi
	leaq	(%rdi,%r12), %r15
	movq	%rax, -64(%rsp)
	leaq	8(%rdx), %r14
	movq	%r15, -56(%rsp)
	leaq	8(%rbx), %r15
	movl	$0, -48(%rsp)
	cmpl	$1, %r9d
	jle	.L234
	subl	%esi, %ecx
	movq	%r13, -88(%rsp)
	vmovsd	.LC2(%rip), %xmm1
	leal	-2(%rcx), %eax
	movl	%ecx, -24(%rsp)
	movl	%eax, -28(%rsp)
	movq	%rdi, -96(%rsp)
	movq	%r14, -112(%rsp)
	movq	%r15, -104(%rsp)
	movq	%rbx, %r15
.L169:
	movq	56(%rsp), %rdi
	movl	$1, %edx
	movl	$1, %ebx
	movl	32(%rsp), %r11d
	movq	-104(%rsp), %r9
	movq	-80(%rsp), %rsi
	movl	%ebx, 44(%rsp)
	subq	%rdi, %rdx
	movq	%rdi, 48(%rsp)
	movq	(%rsp), %rdi
	addq	$2, %r11
	movq	-72(%rsp), %rcx
	movq	%rdx, 24(%rsp)
	subq	%r15, %rdi
	movq	-88(%rsp), %rax
	vbroadcastsd	.LC2(%rip), %ymm2
	movq	%rdi, 8(%rsp)
	movl	-44(%rsp), %edi
	andl	$3, %edi
	movl	%edi, -16(%rsp)
.L178:
	movq	48(%rsp), %rbx
	movq	56(%rsp), %rdi
	leaq	-8(%rsi), %r8
	incl	44(%rsp)
	movq	%rbx, %r10
	addq	%rdi, %rbx
	leaq	-8(%r9), %rdi
	cmpl	$3, 40(%rsp)
	movq	%rbx, 48(%rsp)
	je	.L180
	leaq	16(%rcx), %rbx
	movq	%rsi, %rdx
	leaq	8(%r9), %r13
	subq	%rbx, %rdx
	movq	%rsi, %rbx
	cmpq	$16, %rdx
	seta	%dl
	subq	%r13, %rbx
	cmpq	$16, %rbx
	seta	%bl
	testb	%bl, %dl
	je	.L180
	cmpq	$32, 8(%rsp)
	jbe	.L180
	cmpl	$2, 32(%rsp)
	jbe	.L175
	movq	%r12, -8(%rsp)
	movq	64(%rsp), %r12
	leaq	8(%rax), %r14
	xorl	%edx, %edx
	leaq	16(%rax), %r13
	leaq	8(%rcx), %rbx
.L176:
	vmovupd	(%r14,%rdx), %ymm4
	vaddpd	(%rax,%rdx), %ymm4, %ymm0
	vaddpd	0(%r13,%rdx), %ymm0, %ymm0
	vaddpd	(%rbx,%rdx), %ymm0, %ymm0
	vaddpd	(%r9,%rdx), %ymm0, %ymm0
	vmulpd	%ymm2, %ymm0, %ymm0
	vmovupd	%ymm0, (%rsi,%rdx)
	addq	$32, %rdx
	cmpq	%r12, %rdx
	jne	.L176
	movl	-16(%rsp), %ebx
	movq	-8(%rsp), %r12
	testl	%ebx, %ebx
	je	.L174
	cmpl	$3, -24(%rsp)
	movl	-28(%rsp), %edx
	je	.L198
	movl	-32(%rsp), %r14d
	movl	-36(%rsp), %ebx
	movl	%r14d, -8(%rsp)
.L196:
	movq	16(%rsp), %r14
	leaq	1(%r10,%rbx), %r13
	vmovddup	.LC2(%rip), %xmm3
	vmovupd	-8(%r15,%r13,8), %xmm6
	vaddpd	(%r15,%r13,8), %xmm6, %xmm0
	addq	%r10, %r14
	vaddpd	8(%r15,%r13,8), %xmm0, %xmm0
	addq	%rbx, %r14
	vaddpd	(%r15,%r14,8), %xmm0, %xmm0
	movq	24(%rsp), %r14
	addq	%r14, %r10
	addq	%rbx, %r10
	movq	(%rsp), %rbx
	vaddpd	(%r15,%r10,8), %xmm0, %xmm0
	vmulpd	%xmm3, %xmm0, %xmm0
	vmovupd	%xmm0, (%rbx,%r13,8)
	testb	$1, %dl
	je	.L174
	movl	-8(%rsp), %ebx
	andl	$-2, %edx
	addl	%ebx, %edx
.L171:
	movslq	%edx, %rdx
	leaq	(%rax,%rdx,8), %r10
	vmovsd	(%r10), %xmm0
	vaddsd	-8(%r10), %xmm0, %xmm0
	vaddsd	8(%r10), %xmm0, %xmm0
	vaddsd	(%rcx,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rdi,%rdx,8), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	%xmm0, (%r8,%rdx,8)
.L174:
	movl	44(%rsp), %ebx
	addq	%r12, %rax
	addq	%r12, %rcx
	addq	%r12, %rsi
	addq	%r12, %r9
	cmpl	%ebx, 36(%rsp)
	jne	.L178
	movq	(%rsp), %rdi
	movq	%r15, %rsi
	movq	56(%rsp), %rbx
	movl	$1, 44(%rsp)
	movl	32(%rsp), %r10d
	movq	-112(%rsp), %r9
	movq	%r15, -16(%rsp)
	subq	%rdi, %rsi
	movq	-64(%rsp), %r8
	movq	-56(%rsp), %rcx
	movq	%rbx, 48(%rsp)
	movq	%rsi, -8(%rsp)
	movl	-44(%rsp), %esi
	addq	$2, %r10
	movq	%rdi, %rbx
	vbroadcastsd	.LC2(%rip), %ymm2
	movq	-96(%rsp), %rax
	andl	$3, %esi
	movl	%esi, -40(%rsp)
.L179:
	movq	48(%rsp), %rdi
	movq	56(%rsp), %rsi
	incl	44(%rsp)
	movq	%rdi, %r11
	addq	%rsi, %rdi
	leaq	-8(%r9), %rsi
	cmpl	$3, 40(%rsp)
	movq	%rdi, 48(%rsp)
	leaq	-8(%r8), %rdi
	je	.L192
	leaq	8(%r9), %r13
	movq	%r8, %rdx
	leaq	16(%rcx), %r14
	subq	%r13, %rdx
	movq	%r8, %r13
	cmpq	$16, %rdx
	seta	%dl
	subq	%r14, %r13
	cmpq	$16, %r13
	seta	%r13b
	testb	%r13b, %dl
	je	.L192
	cmpq	$32, -8(%rsp)
	jbe	.L192
	cmpl	$2, 32(%rsp)
	jbe	.L188
	leaq	8(%rax), %r15
	leaq	16(%rax), %r14
	xorl	%edx, %edx
	leaq	8(%rcx), %r13
.L189:
	vmovupd	(%rax,%rdx), %ymm5
	vaddpd	(%r15,%rdx), %ymm5, %ymm0
	vaddpd	(%r14,%rdx), %ymm0, %ymm0
	vaddpd	0(%r13,%rdx), %ymm0, %ymm0
	vaddpd	(%r9,%rdx), %ymm0, %ymm0
	vmulpd	%ymm2, %ymm0, %ymm0
	vmovupd	%ymm0, (%r8,%rdx)
	addq	$32, %rdx
	cmpq	%rdx, 64(%rsp)
	jne	.L189
	movl	-40(%rsp), %edx
	testl	%edx, %edx
	je	.L187
	movl	-28(%rsp), %edx
	cmpl	$3, -24(%rsp)
	movl	%edx, 8(%rsp)
	movl	-32(%rsp), %edx
	je	.L184
	movl	%edx, -20(%rsp)
	movl	-36(%rsp), %r15d
.L195:
	movq	16(%rsp), %rdx
	leaq	(%r15,%r11), %r14
	vmovddup	.LC2(%rip), %xmm3
	leaq	1(%r14), %r13
	addq	%rdx, %r14
	movq	24(%rsp), %rdx
	vmovupd	-8(%rbx,%r13,8), %xmm7
	vaddpd	(%rbx,%r13,8), %xmm7, %xmm0
	vaddpd	8(%rbx,%r13,8), %xmm0, %xmm0
	addq	%rdx, %r11
	vaddpd	(%rbx,%r14,8), %xmm0, %xmm0
	movq	-16(%rsp), %rdx
	addq	%r15, %r11
	vaddpd	(%rbx,%r11,8), %xmm0, %xmm0
	vmulpd	%xmm3, %xmm0, %xmm0
	vmovupd	%xmm0, (%rdx,%r13,8)
	movl	8(%rsp), %edx
	testb	$1, %dl
	je	.L187
	movl	-20(%rsp), %r15d
	andl	$-2, %edx
	addl	%r15d, %edx
.L184:
	movslq	%edx, %rdx
	leaq	(%rax,%rdx,8), %r11
	vmovsd	(%r11), %xmm0
	vaddsd	-8(%r11), %xmm0, %xmm0
	vaddsd	8(%r11), %xmm0, %xmm0
	vaddsd	(%rcx,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rsi,%rdx,8), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	%xmm0, (%rdi,%rdx,8)
.L187:
	movl	36(%rsp), %edi
	addq	%r12, %rax
	addq	%r12, %rcx
	addq	%r12, %r8
	addq	%r12, %r9
	cmpl	%edi, 44(%rsp)
	jne	.L179
	incl	-48(%rsp)
	movq	-16(%rsp), %r15
	movl	-48(%rsp), %eax
	cmpl	%eax, -116(%rsp)
	jne	.L169
	vzeroupper
.L234:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L192:
	movl	$1, %edx
.L186:
	vmovsd	-8(%rax,%rdx,8), %xmm0
	vaddsd	(%rax,%rdx,8), %xmm0, %xmm0
	vaddsd	8(%rax,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rcx,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rsi,%rdx,8), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	%xmm0, (%rdi,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %r10
	jne	.L186
	jmp	.L187
.L180:
	movl	$1, %edx
.L173:
	vmovsd	(%rax,%rdx,8), %xmm0
	vaddsd	-8(%rax,%rdx,8), %xmm0, %xmm0
	vaddsd	8(%rax,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rcx,%rdx,8), %xmm0, %xmm0
	vaddsd	(%rdi,%rdx,8), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vmovsd	%xmm0, (%r8,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %r11
	jne	.L173
	jmp	.L174
.L188:
	movl	-44(%rsp), %edx
	movl	$1, -20(%rsp)
	xorl	%r15d, %r15d
	movl	%edx, 8(%rsp)
	jmp	.L195
.L175:
	movl	$1, -8(%rsp)
	movl	-44(%rsp), %edx
	xorl	%ebx, %ebx
	jmp	.L196
.L198:
	movl	-32(%rsp), %edx
	jmp	.L171
	.size	jacobi2d, .-jacobi2d
	.globl	rows
	.type	rows, @function
rows:
	testl	%edi, %edi
	jle	.L264
	movl	%esi, %r10d
	testl	%esi, %esi
	jle	.L264
	pushq	%rbp
	leal	-1(%rsi), %eax
	movl	%esi, %r8d
	movslq	%edi, %rdi
	shrl	$2, %r8d
	leaq	0(,%rdi,8), %r11
	xorl	%edi, %edi
	salq	$5, %r8
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	movl	%esi, %r13d
	movslq	%esi, %rsi
	pushq	%r12
	andl	$-4, %r13d
	movq	%rcx, %r12
	salq	$3, %rsi
	pushq	%rbx
	movq	%rdx, %rbx
	andq	$-32, %rsp
	movl	%eax, -4(%rsp)
	vmovsd	.LC5(%rip), %xmm5
	vmovsd	.LC7(%rip), %xmm4
	vmovddup	%xmm5, %xmm7
	vmovddup	%xmm4, %xmm6
	vbroadcastsd	%xmm5, %ymm3
.L238:
	movq	(%r12,%rdi), %rdx
	movq	(%rbx,%rdi), %rax
	cmpl	$1, %r10d
	jne	.L267
.L247:
	vmovsd	.LC5(%rip), %xmm2
	vmovsd	.LC7(%rip), %xmm1
	xorl	%ecx, %ecx
.L244:
	vmovsd	%xmm2, %xmm2, %xmm0
	vfmadd132sd	(%rdx,%rcx), %xmm1, %xmm0
	vmovsd	%xmm0, (%rax,%rcx)
	addq	$8, %rcx
	cmpq	%rsi, %rcx
	jne	.L244
	addq	$8, %rdi
	cmpq	%r11, %rdi
	jne	.L238
.L261:
	vzeroupper
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L267:
	vbroadcastsd	.LC7(%rip), %ymm1
	movl	%r10d, %r14d
	subl	%r13d, %r14d
.L246:
	leaq	8(%rdx), %r9
	movq	%rax, %rcx
	subq	%r9, %rcx
	cmpq	$16, %rcx
	jbe	.L247
	cmpl	$2, -4(%rsp)
	jbe	.L249
	xorl	%ecx, %ecx
.L240:
	vmovapd	%ymm3, %ymm0
	vfmadd132pd	(%rdx,%rcx), %ymm1, %ymm0
	vmovupd	%ymm0, (%rax,%rcx)
	addq	$32, %rcx
	cmpq	%r8, %rcx
	jne	.L240
	cmpl	%r13d, %r10d
	je	.L241
	movl	%r14d, %ecx
	cmpl	$1, %r14d
	je	.L250
	movl	%r13d, %r9d
	movl	%r13d, %r15d
.L239:
	vmovapd	%xmm7, %xmm0
	vfmadd132pd	(%rdx,%r9,8), %xmm6, %xmm0
	vmovupd	%xmm0, (%rax,%r9,8)
	testb	$1, %cl
	je	.L241
	andl	$-2, %ecx
	addl	%r15d, %ecx
.L242:
	movslq	%ecx, %rcx
	vmovsd	%xmm5, %xmm5, %xmm0
	vfmadd132sd	(%rdx,%rcx,8), %xmm4, %xmm0
	vmovsd	%xmm0, (%rax,%rcx,8)
.L241:
	addq	$8, %rdi
	cmpq	%r11, %rdi
	je	.L261
	movq	(%r12,%rdi), %rdx
	movq	(%rbx,%rdi), %rax
	jmp	.L246
.L249:
	movl	%r10d, %ecx
	xorl	%r9d, %r9d
	xorl	%r15d, %r15d
	jmp	.L239
.L250:
	movl	%r13d, %ecx
	jmp	.L242
.L264:
	ret
	.size	rows, .-rows
	.globl	seidel
	.type	seidel, @function
seidel:
	movl	%edi, %r11d
	testl	%edi, %edi
	jle	.L277
	movslq	%esi, %r9
	leal	-1(%r9), %r10d
	movq	%r9, %rdi
	cmpl	$1, %r10d
	jle	.L277
	pushq	%rbp
	salq	$3, %r9
	movq	%rdx, %rbp
	vmovsd	.LC10(%rip), %xmm3
	pushq	%rbx
	addq	%r9, %rbp
	xorl	%ebx, %ebx
	movl	%edi, %edi
.L270:
	movq	%rbp, %rdx
	movl	$1, %r8d
.L273:
	movq	%rdx, %rsi
	movq	%rdx, %rcx
	incl	%r8d
	addq	%r9, %rdx
	vmovsd	8(%rsi), %xmm2
	vmovsd	(%rsi), %xmm1
	subq	%r9, %rcx
	movl	$2, %eax
.L271:
	vmovsd	-16(%rcx,%rax,8), %xmm0
	vaddsd	-8(%rcx,%rax,8), %xmm0, %xmm0
	vaddsd	(%rcx,%rax,8), %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	vmovsd	(%rsi,%rax,8), %xmm2
	vaddsd	%xmm2, %xmm0, %xmm0
	vaddsd	-16(%rdx,%rax,8), %xmm0, %xmm0
	vaddsd	-8(%rdx,%rax,8), %xmm0, %xmm0
	vaddsd	(%rdx,%rax,8), %xmm0, %xmm0
	vdivsd	%xmm3, %xmm0, %xmm1
	vmovsd	%xmm1, -8(%rsi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdi
	jne	.L271
	cmpl	%r8d, %r10d
	jne	.L273
	incl	%ebx
	cmpl	%ebx, %r11d
	jne	.L270
	popq	%rbx
	popq	%rbp
	ret
.L277:
	ret
	.size	seidel, .-seidel
	.globl	syrk
	.type	syrk, @function
syrk:
	pushq	%rbp
	movslq	%esi, %rax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$40, %rsp
	movl	%edi, -76(%rsp)
	movq	%rdx, -16(%rsp)
	movq	%rax, 24(%rsp)
	testl	%edi, %edi
	jle	.L329
	movslq	%edi, %r11
	movq	%rax, %r14
	movq	%rax, %r10
	movq	%rcx, %r15
	leaq	0(,%r11,8), %rsi
	movq	%r11, -88(%rsp)
	movq	%rdx, %rbx
	xorl	%edi, %edi
	movq	%rsi, -72(%rsp)
	addq	$8, %rsi
	leaq	8(%rdx), %r12
	leaq	0(,%rax,8), %r13
	movq	%rsi, -64(%rsp)
	leaq	8(%rcx), %rsi
	leaq	(%rax,%rax,2), %rax
	salq	$5, %r14
	movl	$0, 36(%rsp)
	salq	$3, %rax
	vmovddup	%xmm1, %xmm4
	vmovsd	%xmm0, %xmm0, %xmm6
	movq	%rsi, -96(%rsp)
	vbroadcastsd	%xmm1, %ymm3
	movq	%rax, %r11
	movq	$0, -8(%rsp)
.L282:
	movl	36(%rsp), %esi
	leal	1(%rsi), %eax
	movl	%eax, -24(%rsp)
	cmpl	$2, %esi
	jle	.L305
	shrl	$2, %eax
	movl	%eax, %edx
	movq	%rbx, %rax
	salq	$5, %rdx
	addq	%rbx, %rdx
.L286:
	vmulpd	(%rax), %ymm3, %ymm0
	addq	$32, %rax
	vmovupd	%ymm0, -32(%rax)
	cmpq	%rdx, %rax
	jne	.L286
	movl	-24(%rsp), %esi
	movl	%esi, %edx
	andl	$-4, %edx
	andl	$3, %esi
	movl	%edx, %eax
	je	.L283
.L301:
	movl	-24(%rsp), %ecx
	movl	36(%rsp), %esi
	subl	%edx, %ecx
	cmpl	%esi, %edx
	je	.L284
	movq	-8(%rsp), %rsi
	addq	%rsi, %rdx
	movq	-16(%rsp), %rsi
	leaq	(%rsi,%rdx,8), %rdx
	vmulpd	(%rdx), %xmm4, %xmm0
	vmovupd	%xmm0, (%rdx)
	testb	$1, %cl
	je	.L283
	andl	$-2, %ecx
	addl	%ecx, %eax
.L284:
	cltq
	vmulsd	(%rbx,%rax,8), %xmm1, %xmm0
	vmovsd	%xmm0, (%rbx,%rax,8)
.L283:
	testl	%r10d, %r10d
	jle	.L288
	movq	-96(%rsp), %rax
	movl	-24(%rsp), %esi
	movq	%r15, %r9
	leaq	(%rdi,%r15), %rdx
	leaq	-8(%r12), %rcx
	movq	%rdi, -56(%rsp)
	leaq	(%rax,%rdi), %r8
	xorl	%eax, %eax
	testq	%r13, %r13
	movq	%rcx, (%rsp)
	cmovns	%rdi, %rax
	movl	%r10d, -48(%rsp)
	movq	%rax, 16(%rsp)
	movl	$0, %eax
	cmovs	%rdi, %rax
	movq	%rax, 8(%rsp)
	movl	%esi, %eax
	shrl	$2, %eax
	salq	$5, %rax
	addq	%rbx, %rax
	movq	%rax, -32(%rsp)
	movl	%esi, %eax
	andl	$-4, %esi
	movl	%eax, %ecx
	movl	%esi, -40(%rsp)
	xorl	%esi, %esi
	andl	$3, %ecx
	movl	%ecx, -36(%rsp)
	movl	%ecx, -44(%rsp)
.L289:
	movl	36(%rsp), %eax
	movslq	%esi, %rcx
	testl	%eax, %eax
	je	.L304
	movq	8(%rsp), %rdi
	leaq	0(,%rsi,8), %rax
	movq	16(%rsp), %r10
	addq	%rax, %rdi
	addq	%r15, %rdi
	cmpq	%rdi, (%rsp)
	setb	%dil
	addq	%r10, %rax
	addq	%r15, %rax
	cmpq	%rbx, %rax
	setb	%al
	orb	%dil, %al
	je	.L304
	leaq	-8(%r8), %rax
	cmpq	%r12, %rax
	setnb	%dil
	cmpq	%r8, %rbx
	setnb	%al
	orb	%dil, %al
	je	.L304
	cmpl	$2, 36(%rsp)
	jle	.L303
	vmulsd	(%rdx), %xmm6, %xmm5
	movq	-32(%rsp), %r10
	movq	%rbx, %rdi
	movq	%r9, %rax
	vbroadcastsd	%xmm5, %ymm5
.L296:
	vmovsd	(%rax,%r13,2), %xmm2
	vmovsd	(%rax), %xmm0
	addq	$32, %rdi
	vmovhpd	(%rax,%r11), %xmm2, %xmm2
	vmovhpd	(%rax,%r13), %xmm0, %xmm0
	addq	%r14, %rax
	vinsertf128	$0x1, %xmm2, %ymm0, %ymm0
	vfmadd213pd	-32(%rdi), %ymm5, %ymm0
	vmovupd	%ymm0, -32(%rdi)
	cmpq	%rdi, %r10
	jne	.L296
	movl	-36(%rsp), %edi
	testl	%edi, %edi
	je	.L294
	movl	-44(%rsp), %eax
	movl	36(%rsp), %edi
	movl	%eax, 32(%rsp)
	movl	-40(%rsp), %eax
	cmpl	%edi, %eax
	je	.L291
	movl	%eax, -20(%rsp)
	movl	%eax, %edi
.L295:
	movq	24(%rsp), %r10
	vmulsd	(%rdx), %xmm6, %xmm0
	movq	-8(%rsp), %rax
	imulq	%rdi, %r10
	addq	%rax, %rdi
	movq	-16(%rsp), %rax
	addq	%rsi, %r10
	leaq	(%rax,%rdi,8), %rdi
	vmovddup	%xmm0, %xmm0
	movl	32(%rsp), %eax
	leaq	(%r15,%r10,8), %r10
	vmovsd	(%r10), %xmm5
	vmovhpd	(%r10,%r13), %xmm5, %xmm5
	vfmadd213pd	(%rdi), %xmm5, %xmm0
	vmovupd	%xmm0, (%rdi)
	testb	$1, %al
	je	.L294
	movl	-20(%rsp), %edi
	andl	$-2, %eax
	addl	%edi, %eax
.L291:
	vmulsd	(%rdx), %xmm6, %xmm0
	cltq
	leaq	(%r15,%rcx,8), %rcx
	movq	%rax, %rdi
	vmovsd	(%rbx,%rax,8), %xmm5
	imulq	%r13, %rdi
	vfmadd132sd	(%rcx,%rdi), %xmm5, %xmm0
	vmovsd	%xmm0, (%rbx,%rax,8)
.L294:
	incq	%rsi
	addq	$8, %r9
	addq	$8, %rdx
	addq	$8, %r8
	cmpq	%rsi, 24(%rsp)
	jne	.L289
	movq	-56(%rsp), %rdi
	movl	-48(%rsp), %r10d
.L288:
	movq	-72(%rsp), %rsi
	movl	-24(%rsp), %eax
	addq	%r13, %rdi
	movq	-88(%rsp), %rdx
	addq	%rdx, -8(%rsp)
	addq	%rsi, %rbx
	movq	-64(%rsp), %rsi
	movl	%eax, 36(%rsp)
	addq	%rsi, %r12
	cmpl	%eax, -76(%rsp)
	jne	.L282
	vzeroupper
.L329:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L304:
	movq	%rbx, %rax
	movq	%r9, %rcx
.L293:
	vmulsd	(%rdx), %xmm6, %xmm0
	vmovsd	(%rax), %xmm7
	addq	$8, %rax
	vfmadd132sd	(%rcx), %xmm7, %xmm0
	addq	%r13, %rcx
	vmovsd	%xmm0, -8(%rax)
	cmpq	%rax, %r12
	jne	.L293
	jmp	.L294
.L303:
	movl	-24(%rsp), %eax
	movl	$0, -20(%rsp)
	xorl	%edi, %edi
	movl	%eax, 32(%rsp)
	jmp	.L295
.L305:
	xorl	%edx, %edx
	xorl	%eax, %eax
	jmp	.L301
	.size	syrk, .-syrk
	.globl	lu
	.type	lu, @function
lu:
	movslq	%edi, %rdx
	testl	%edx, %edx
	jle	.L350
	pushq	%r15
	leaq	0(,%rdx,8), %rax
	movq	%rdx, %r9
	movq	%rsi, %r10
	leaq	1(%rdx), %r15
	pushq	%r14
	movq	%rsi, %rdx
	movq	%rsi, %r14
	pushq	%r13
	movq	%r15, %r11
	movq	%rsi, %r13
	pushq	%r12
	xorl	%r12d, %r12d
	pushq	%rbp
	pushq	%rbx
	leaq	8(%rax), %rbx
.L337:
	movl	%r12d, %r15d
	incl	%r12d
	addq	%rax, %r10
	addq	%rbx, %rdx
	addq	$8, %r13
	cmpl	%r12d, %r9d
	je	.L348
	vmovsd	(%r10), %xmm0
	vdivsd	(%r14), %xmm0, %xmm0
	vmovsd	%xmm0, (%r10)
	cmpl	$1, %r12d
	je	.L353
	movl	%r12d, -4(%rsp)
	leaq	8(%r10), %rcx
	leaq	(%r14,%r11,8), %r8
	movl	$1, %esi
	leaq	8(%r14), %rbp
.L335:
	vmovsd	(%rcx), %xmm0
	movq	%rbp, %r12
	xorl	%edi, %edi
.L334:
	vmovsd	(%r12), %xmm2
	vfnmadd231sd	(%r10,%rdi,8), %xmm2, %xmm0
	incq	%rdi
	addq	%rax, %r12
	vmovsd	%xmm0, (%rcx)
	cmpl	%edi, %esi
	jg	.L334
	vdivsd	(%r8), %xmm0, %xmm0
	leal	1(%rsi), %edi
	vmovsd	%xmm0, (%rcx)
	addq	%rbx, %r8
	addq	$8, %rcx
	addq	$8, %rbp
	cmpl	%r15d, %esi
	je	.L354
	movl	%edi, %esi
	jmp	.L335
.L354:
	movl	-4(%rsp), %r12d
	cmpl	%r12d, %r9d
	jle	.L337
.L336:
	movq	%r13, %rbp
	movq	%rdx, %rdi
	movl	%r12d, %r8d
.L339:
	vmovsd	(%rdi), %xmm0
	movq	%rbp, %rsi
	movq	%r10, %rcx
.L338:
	vmovsd	(%rcx), %xmm1
	vfnmadd231sd	(%rsi), %xmm1, %xmm0
	addq	$8, %rcx
	addq	%rax, %rsi
	vmovsd	%xmm0, (%rdi)
	cmpq	%rdx, %rcx
	jne	.L338
	incl	%r8d
	addq	$8, %rdi
	addq	$8, %rbp
	cmpl	%r8d, %r9d
	jg	.L339
	jmp	.L337
.L348:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
.L350:
	ret
.L353:
	cmpl	$1, %r9d
	jne	.L336
	jmp	.L337
	.size	lu, .-lu
	.globl	calls
	.type	calls, @function
calls:
	testl	%edi, %edi
	jle	.L361
	movslq	%esi, %r11
	pushq	%rbx
	movl	%edi, %r9d
	movl	%esi, %r10d
	salq	$3, %r11
	movq	%rdx, %rdi
	xorl	%r8d, %r8d
	movl	$2863311531, %ebx
.L357:
	movl	%r8d, %eax
	movl	%r10d, %esi
	imulq	%rbx, %rax
	shrq	$33, %rax
	leal	(%rax,%rax,2), %edx
	movl	%r8d, %eax
	incl	%r8d
	subl	%edx, %eax
	subl	%eax, %esi
	call	scale.constprop.0
	addq	%r11, %rdi
	cmpl	%r8d, %r9d
	jne	.L357
	popq	%rbx
	ret
.L361:
	ret
	.size	calls, .-calls
	.globl	blocks
	.type	blocks, @function
blocks:
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	movq	%rdx, -24(%rsp)
	movq	%rcx, -16(%rsp)
	testl	%edi, %edi
	jle	.L375
	movl	%edi, %r13d
	movl	%esi, %r12d
	movslq	%esi, %r15
	movl	%edi, %r11d
	imull	%esi, %r13d
	movslq	%edi, %rsi
	xorl	%r14d, %r14d
	xorl	%ecx, %ecx
	salq	$3, %rsi
	xorl	%edx, %edx
.L366:
	movl	%edx, -28(%rsp)
	movl	%edx, %eax
	addl	%r12d, %edx
	cmpl	%edx, %r11d
	movl	%edx, %r10d
	cmovle	%r11d, %r10d
	cmpl	%eax, %r10d
	jle	.L369
	movl	%ecx, -4(%rsp)
	movslq	%ecx, %rbp
	xorl	%ebx, %ebx
	xorl	%eax, %eax
	movl	%edx, -8(%rsp)
	movq	%r14, %rdx
.L371:
	movl	%eax, %ecx
	addl	%r12d, %eax
	cmpl	%eax, %r11d
	movl	%eax, %r14d
	cmovle	%r11d, %r14d
	cmpl	%ecx, %r14d
	jle	.L368
	movq	-16(%rsp), %r8
	movslq	%ebx, %rdi
	subl	%ecx, %r14d
	movl	%eax, -32(%rsp)
	addq	%rdx, %rdi
	leaq	(%r14,%rbp), %rcx
	negq	%r14
	leaq	(%r8,%rdi,8), %r9
	movq	-24(%rsp), %rdi
	movl	-28(%rsp), %r8d
	salq	$3, %r14
	leaq	(%rdi,%rcx,8), %rdi
.L370:
	leaq	(%rdi,%r14), %rax
	movq	%r9, %rcx
.L367:
	vmovsd	(%rax), %xmm0
	addq	$8, %rax
	vmovsd	%xmm0, (%rcx)
	addq	%rsi, %rcx
	cmpq	%rdi, %rax
	jne	.L367
	incl	%r8d
	addq	$8, %r9
	addq	%rsi, %rdi
	cmpl	%r10d, %r8d
	jne	.L370
	movl	-32(%rsp), %eax
.L368:
	addl	%r13d, %ebx
	addq	%r15, %rbp
	cmpl	%eax, %r11d
	jg	.L371
	movq	%rdx, %r14
	movl	-4(%rsp), %ecx
	movl	-8(%rsp), %edx
.L369:
	addl	%r13d, %ecx
	addq	%r15, %r14
	cmpl	%edx, %r11d
	jg	.L366
.L375:
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.size	blocks, .-blocks
	.globl	count
	.type	count, @function
count:
	testq	%rdi, %rdi
	jle	.L381
	xorl	%eax, %eax
	xorl	%ecx, %ecx
	leaq	-4(%rdi), %r11
	movabsq	$7905747460161236407, %r10
	movabsq	$-5270498306774157605, %r9
	movabsq	$2635249153387078801, %r8
.L380:
	movq	%rax, %rdx
	imulq	%r10, %rdx
	addq	%r9, %rdx
	cmpq	%rdx, %r8
	jnb	.L379
	movslq	(%rsi,%rax,4), %rdx
	addq	%rdx, %rcx
	cmpq	%rax, %r11
	jle	.L377
.L379:
	incq	%rax
	cmpq	%rax, %rdi
	jne	.L380
.L377:
	movq	%rcx, %rax
	ret
.L381:
	xorl	%ecx, %ecx
	jmp	.L377
	.size	count, .-count
	.globl	powers
	.type	powers, @function
powers:
	movl	$1, %ecx
	cmpq	$1, %rdi
	jle	.L394
.L384:
	movq	%rcx, %rax
	addq	%rcx, %rcx
	movq	%rax, %rdx
	negq	%rdx
	leaq	(%rsi,%rdx,8), %rdx
	cmpq	%rax, %rdi
	jle	.L388
.L386:
	vmovsd	(%rdx,%rax,8), %xmm0
	vaddsd	(%rsi,%rax,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rdx,%rax,8)
	addq	%rcx, %rax
	cmpq	%rdi, %rax
	jl	.L386
.L388:
	cmpq	%rcx, %rdi
	jg	.L384
	ret
.L394:
	ret
	.size	powers, .-powers
	.globl	fill
	.type	fill, @function
fill:
	movl	%edi, %edx
	movq	%rsi, %rdi
	testl	%edx, %edx
	jle	.L397
	salq	$3, %rdx
	xorl	%esi, %esi
	jmp	memset@PLT
.L397:
	ret
	.size	fill, .-fill
	.globl	strided
	.type	strided, @function
strided:
	movslq	%edi, %rax
	testl	%eax, %eax
	jle	.L435
	movq	%rdx, %rdi
	movq	%rcx, %rdx
	cmpl	$1, %esi
	jne	.L438
	leal	-1(%rax), %ecx
	movl	%eax, %esi
	cmpl	$2, %ecx
	jbe	.L409
	leaq	4(%rdi), %r9
	movq	%rdx, %r8
	subq	%r9, %r8
	cmpq	$24, %r8
	ja	.L439
.L409:
	vmovss	.LC12(%rip), %xmm1
	leaq	0(,%rax,4), %rcx
	xorl	%eax, %eax
.L415:
	vaddss	(%rdi,%rax), %xmm1, %xmm0
	vmovss	%xmm0, (%rdx,%rax)
	addq	$4, %rax
	cmpq	%rcx, %rax
	jne	.L415
	ret
.L439:
	cmpl	$6, %ecx
	jbe	.L417
	vbroadcastss	.LC12(%rip), %ymm1
	shrl	$3, %esi
	xorl	%ecx, %ecx
	salq	$5, %rsi
.L411:
	vaddps	(%rdi,%rcx), %ymm1, %ymm0
	vmovups	%ymm0, (%rdx,%rcx)
	addq	$32, %rcx
	cmpq	%rsi, %rcx
	jne	.L411
	movl	%eax, %ecx
	andl	$-8, %ecx
	movl	%ecx, %r8d
	cmpl	%ecx, %eax
	je	.L431
	movl	%eax, %esi
	subl	%ecx, %esi
	leal	-1(%rsi), %r9d
	cmpl	$2, %r9d
	jbe	.L440
	vzeroupper
.L410:
	vbroadcastss	.LC12(%rip), %xmm0
	vaddps	(%rdi,%r8,4), %xmm0, %xmm0
	vmovups	%xmm0, (%rdx,%r8,4)
	testb	$3, %sil
	je	.L435
	andl	$-4, %esi
	addl	%esi, %ecx
.L413:
	movslq	%ecx, %r8
	vmovss	.LC12(%rip), %xmm0
	vaddss	(%rdi,%r8,4), %xmm0, %xmm1
	leaq	0(,%r8,4), %rsi
	vmovss	%xmm1, (%rdx,%r8,4)
	leal	1(%rcx), %r8d
	cmpl	%r8d, %eax
	jg	.L441
.L435:
	ret
.L441:
	vaddss	4(%rdi,%rsi), %xmm0, %xmm1
	addl	$2, %ecx
	vmovss	%xmm1, 4(%rdx,%rsi)
	cmpl	%ecx, %eax
	jle	.L435
	vaddss	8(%rdi,%rsi), %xmm0, %xmm0
	vmovss	%xmm0, 8(%rdx,%rsi)
	ret
.L438:
	pushq	%rbp
	leal	-1(%rax), %ecx
	movslq	%esi, %r9
	movslq	%eax, %r11
	movq	%rsp, %rbp
	pushq	%r12
	pushq	%rbx
	cmpl	$10, %ecx
	jbe	.L401
	leaq	0(,%r9,4), %r10
	leaq	-1(%r11), %r8
	xorl	%ebx, %ebx
	movq	%r10, %rcx
	leaq	(%rdx,%r8,4), %r12
	imulq	%r8, %rcx
	testl	%esi, %esi
	movq	%rbx, %r8
	cmovs	%rcx, %r8
	addq	%rdi, %r8
	cmpq	%r8, %r12
	jb	.L418
	testl	%esi, %esi
	cmovs	%rbx, %rcx
	addq	%rdi, %rcx
	cmpq	%rcx, %rdx
	ja	.L418
.L401:
	vmovss	.LC12(%rip), %xmm1
	leaq	0(,%r9,4), %rax
	leaq	(%rdx,%r11,4), %rcx
.L407:
	vaddss	(%rdi), %xmm1, %xmm0
	addq	$4, %rdx
	addq	%rax, %rdi
	vmovss	%xmm0, -4(%rdx)
	cmpq	%rdx, %rcx
	jne	.L407
.L433:
	popq	%rbx
	popq	%r12
	popq	%rbp
	ret
.L418:
	movl	%eax, %r11d
	movq	%r9, %rbx
	leaq	(%r9,%r9,2), %r9
	movq	%rdi, %rcx
	shrl	$2, %r11d
	salq	$4, %rbx
	movq	%rdx, %r8
	vbroadcastss	.LC12(%rip), %xmm2
	salq	$4, %r11
	salq	$2, %r9
	addq	%rdx, %r11
.L403:
	vmovss	(%rcx,%r10,2), %xmm0
	vinsertps	$0x10, (%rcx,%r9), %xmm0, %xmm1
	addq	$16, %r8
	vmovss	(%rcx), %xmm0
	vinsertps	$0x10, (%rcx,%r10), %xmm0, %xmm0
	addq	%rbx, %rcx
	vmovlhps	%xmm1, %xmm0, %xmm0
	vaddps	%xmm2, %xmm0, %xmm0
	vmovups	%xmm0, -16(%r8)
	cmpq	%r11, %r8
	jne	.L403
	movl	%eax, %ecx
	andl	$-4, %ecx
	testb	$3, %al
	je	.L433
	movl	%esi, %r8d
	vmovss	.LC12(%rip), %xmm0
	movl	%ecx, %r9d
	imull	%ecx, %r8d
	leaq	0(,%r9,4), %r10
	movslq	%r8d, %r11
	vaddss	(%rdi,%r11,4), %xmm0, %xmm1
	vmovss	%xmm1, (%rdx,%r9,4)
	leal	1(%rcx), %r9d
	cmpl	%r9d, %eax
	jle	.L433
	addl	%esi, %r8d
	addl	$2, %ecx
	movslq	%r8d, %r9
	vaddss	(%rdi,%r9,4), %xmm0, %xmm1
	vmovss	%xmm1, 4(%rdx,%r10)
	cmpl	%ecx, %eax
	jle	.L433
	leal	(%rsi,%r8), %eax
	cltq
	vaddss	(%rdi,%rax,4), %xmm0, %xmm0
	vmovss	%xmm0, 8(%rdx,%r10)
	jmp	.L433
.L431:
	vzeroupper
	ret
.L417:
	xorl	%r8d, %r8d
	xorl	%ecx, %ecx
	jmp	.L410
.L440:
	vzeroupper
	jmp	.L413
	.size	strided, .-strided
	.globl	bytes
	.type	bytes, @function
bytes:
	movl	%edi, %eax
	movq	%rdx, %rdi
	testl	%eax, %eax
	jle	.L460
	leal	-1(%rax), %edx
	movl	%eax, %r9d
	cmpl	$14, %edx
	jbe	.L444
	leaq	1(%rsi), %r8
	movq	%rdi, %rcx
	subq	%r8, %rcx
	cmpq	$30, %rcx
	ja	.L461
.L444:
	movslq	%eax, %rcx
	xorl	%eax, %eax
.L450:
	movzbl	(%rsi,%rax), %edx
	xorl	$90, %edx
	movb	%dl, (%rdi,%rax)
	incq	%rax
	cmpq	%rax, %rcx
	jne	.L450
	ret
.L461:
	cmpl	$30, %edx
	jbe	.L452
	movl	%eax, %ecx
	movl	$90, %r8d
	xorl	%edx, %edx
	shrl	$5, %ecx
	vmovd	%r8d, %xmm1
	salq	$5, %rcx
	vpbroadcastb	%xmm1, %ymm1
.L446:
	vpxor	(%rsi,%rdx), %ymm1, %ymm0
	vmovdqu	%ymm0, (%rdi,%rdx)
	addq	$32, %rdx
	cmpq	%rcx, %rdx
	jne	.L446
	movl	%eax, %edx
	andl	$-32, %edx
	movl	%edx, %r8d
	cmpl	%edx, %eax
	je	.L458
	movl	%eax, %r9d
	subl	%edx, %r9d
	leal	-1(%r9), %ecx
	cmpl	$14, %ecx
	jbe	.L462
	vzeroupper
.L445:
	movl	$90, %ecx
	vmovd	%ecx, %xmm0
	movl	%r9d, %ecx
	andl	$-16, %ecx
	vpbroadcastb	%xmm0, %xmm0
	vpxor	(%rsi,%r8), %xmm0, %xmm0
	addl	%ecx, %edx
	andl	$15, %r9d
	vmovdqu	%xmm0, (%rdi,%r8)
	je	.L460
.L448:
	movslq	%edx, %r8
	movzbl	(%rsi,%r8), %ecx
	xorl	$90, %ecx
	movb	%cl, (%rdi,%r8)
	leal	1(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	2(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	3(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	4(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	5(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	6(%rdx), %ecx
	cmpl	%ecx, %eax
	jg	.L463
.L460:
	ret
.L463:
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	7(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	8(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	9(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	10(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	11(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	12(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	leal	13(%rdx), %ecx
	cmpl	%ecx, %eax
	jle	.L460
	movslq	%ecx, %rcx
	addl	$14, %edx
	movzbl	(%rsi,%rcx), %r8d
	xorl	$90, %r8d
	movb	%r8b, (%rdi,%rcx)
	cmpl	%edx, %eax
	jle	.L460
	movslq	%edx, %rdx
	movzbl	(%rsi,%rdx), %eax
	xorl	$90, %eax
	movb	%al, (%rdi,%rdx)
	ret
.L452:
	xorl	%r8d, %r8d
	xorl	%edx, %edx
	jmp	.L445
.L462:
	vzeroupper
	jmp	.L448
.L458:
	vzeroupper
	ret
	.size	bytes, .-bytes
	.globl	structs
	.type	structs, @function
structs:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	movl	(%rdi), %eax
	leal	-1(%rax), %esi
	movl	%esi, -4(%rsp)
	cmpl	$2, %eax
	jle	.L488
	movl	4(%rdi), %r13d
	cmpl	$2, %r13d
	jle	.L488
	leal	-2(%r13), %edx
	movslq	%r13d, %r14
	leal	-3(%r13), %eax
	movq	16(%rdi), %rcx
	leaq	1(%r14,%rax), %rsi
	movl	%edx, %r10d
	movl	%edx, %ebx
	movl	%eax, -8(%rsp)
	movl	%edx, -48(%rsp)
	movq	8(%rdi), %rax
	andl	$3, %edx
	andl	$-4, %ebx
	movl	%edx, -28(%rsp)
	movq	%rcx, %rdi
	movl	%r13d, %edx
	shrl	$2, %r10d
	subq	%rax, %rdi
	subl	%ebx, %edx
	movl	%ebx, -44(%rsp)
	salq	$3, %rsi
	movq	%rdi, -16(%rsp)
	leal	1(%rbx), %edi
	leal	-2(%rdx), %ebx
	salq	$5, %r10
	movq	%r14, -24(%rsp)
	leaq	0(,%r14,8), %r15
	movl	$1, %r9d
	movl	%edx, -36(%rsp)
	movq	%r15, %r8
	movl	%ebx, -40(%rsp)
	movl	%edi, -32(%rsp)
	movl	%r13d, %edi
.L466:
	cmpl	$3, %r13d
	je	.L478
	cmpq	$32, -16(%rsp)
	ja	.L475
.L478:
	movq	%r8, %rdx
.L472:
	vmovsd	16(%rax,%rdx), %xmm0
	vaddsd	(%rax,%rdx), %xmm0, %xmm0
	vmovsd	%xmm0, 8(%rcx,%rdx)
	addq	$8, %rdx
	cmpq	%rsi, %rdx
	jne	.L472
.L473:
	movq	-24(%rsp), %rbx
	incl	%r9d
	addq	%r15, %r8
	addl	%r13d, %edi
	addq	%r15, %rsi
	addq	%rbx, %r14
	movl	-4(%rsp), %ebx
	cmpl	%ebx, %r9d
	jne	.L466
	vzeroupper
.L488:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L475:
	cmpl	$2, -8(%rsp)
	jbe	.L467
	leaq	(%rax,%r8), %r12
	leaq	16(%rax,%r8), %rbx
	xorl	%edx, %edx
	leaq	8(%rcx,%r8), %r11
.L468:
	vmovupd	(%r12,%rdx), %ymm1
	vaddpd	(%rbx,%rdx), %ymm1, %ymm0
	vmovupd	%ymm0, (%r11,%rdx)
	addq	$32, %rdx
	cmpq	%r10, %rdx
	jne	.L468
	movl	-28(%rsp), %edx
	testl	%edx, %edx
	je	.L473
	cmpl	$3, -36(%rsp)
	movl	-40(%rsp), %edx
	je	.L477
	movl	-44(%rsp), %r11d
	movl	-32(%rsp), %ebx
.L476:
	addq	%r14, %r11
	vmovupd	16(%rax,%r11,8), %xmm2
	vaddpd	(%rax,%r11,8), %xmm2, %xmm0
	vmovupd	%xmm0, 8(%rcx,%r11,8)
	testb	$1, %dl
	je	.L473
	andl	$-2, %edx
	addl	%ebx, %edx
.L470:
	addl	%edi, %edx
	movslq	%edx, %rdx
	vmovsd	-8(%rax,%rdx,8), %xmm0
	vaddsd	8(%rax,%rdx,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rcx,%rdx,8)
	jmp	.L473
.L467:
	movl	-48(%rsp), %edx
	xorl	%r11d, %r11d
	movl	$1, %ebx
	jmp	.L476
.L477:
	movl	-32(%rsp), %edx
	jmp	.L470
	.size	structs, .-structs
	.globl	stencil3
	.type	stencil3, @function
stencil3:
	pushq	%rbp
	leal	-1(%rdi), %eax
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$104, %rsp
	movl	%edi, 84(%rsp)
	movl	%eax, 64(%rsp)
	cmpl	$1, %eax
	jle	.L524
	movq	%rsi, %r15
	movl	%edi, %esi
	movq	%rdx, %r13
	movl	$1, %r12d
	leal	1(%rsi), %eax
	movl	%esi, %r14d
	movslq	%esi, %r11
	movl	%esi, -36(%rsp)
	imull	%esi, %eax
	leal	-3(%rsi), %edx
	movl	%esi, -20(%rsp)
	imull	%edi, %edi
	leaq	0(,%r11,8), %rbx
	movq	%r11, 40(%rsp)
	movq	%rbx, 48(%rsp)
	movl	%eax, %ecx
	movl	%eax, -24(%rsp)
	leal	1(%rsi,%rsi), %eax
	imull	%eax, %r14d
	movl	%ecx, %r8d
	movl	%ecx, %eax
	movslq	%edi, %rcx
	movq	%rcx, -72(%rsp)
	salq	$3, %rcx
	movq	%rcx, -80(%rsp)
	movslq	%eax, %rcx
	movslq	%r14d, %rax
	movq	%rcx, -32(%rsp)
	subq	%r11, %rcx
	subq	%r11, %rax
	movq	%r13, %r11
	movl	%r14d, -40(%rsp)
	salq	$3, %rax
	movl	%edx, 12(%rsp)
	movq	%rax, -88(%rsp)
	leaq	0(,%rdx,8), %rax
	subq	%rax, %r11
	movq	%r11, 56(%rsp)
	leal	-2(%rsi), %r11d
	movl	%r11d, %eax
	movl	%r11d, 8(%rsp)
	andl	$-4, %r11d
	shrl	$2, %eax
	subl	%r11d, %esi
	movl	%r11d, -16(%rsp)
	salq	$5, %rax
	movl	%esi, -4(%rsp)
	movq	%rax, 88(%rsp)
	leal	1(%r11), %eax
	movl	%eax, -12(%rsp)
	leaq	1(%rcx,%rdx), %rax
	salq	$3, %rax
	movq	%rax, -96(%rsp)
	leaq	16(%r15), %rax
	movq	%rax, 72(%rsp)
	leal	-2(%rsi), %eax
	movl	%eax, -8(%rsp)
	movq	%r13, %rax
	subq	%r15, %rax
	movq	%rax, 16(%rsp)
	leaq	8(%r15), %rax
	movq	%rax, (%rsp)
.L492:
	movq	-88(%rsp), %rax
	movslq	-20(%rsp), %rdx
	incl	%r12d
	movq	%rbx, %r9
	movl	$1, 96(%rsp)
	movq	-32(%rsp), %r11
	movl	%r8d, %esi
	leaq	(%rbx,%rax), %r10
	movq	-96(%rsp), %rax
	movl	%r12d, -44(%rsp)
	movl	%edi, -48(%rsp)
	leaq	(%rax,%rbx), %rcx
	movl	-36(%rsp), %eax
	movl	%r14d, -52(%rsp)
	movl	%r8d, -56(%rsp)
	subl	%r8d, %eax
	movq	%rbx, -64(%rsp)
	movl	%eax, 80(%rsp)
	movl	-40(%rsp), %eax
	subl	%r8d, %eax
	movl	%eax, 68(%rsp)
	movslq	-24(%rsp), %rax
	subq	%rax, %rdx
	movq	%rdx, 32(%rsp)
	movslq	%r14d, %rdx
	subq	%rax, %rdx
	movq	%rdx, 24(%rsp)
.L505:
	movl	80(%rsp), %eax
	leal	(%rax,%rsi), %edx
	movl	68(%rsp), %eax
	addl	%esi, %eax
	cmpl	$3, 84(%rsp)
	movl	%eax, 100(%rsp)
	je	.L502
	movq	56(%rsp), %rax
	movq	72(%rsp), %rbx
	leaq	(%rcx,%rax), %rdi
	leaq	(%rbx,%r10), %r8
	movq	%rdi, %rax
	subq	%r8, %rax
	movq	%rdi, %r8
	cmpq	$16, %rax
	seta	%al
	addq	%r9, %rbx
	subq	%rbx, %r8
	cmpq	$16, %r8
	seta	%r8b
	testb	%r8b, %al
	je	.L502
	cmpq	$32, 16(%rsp)
	jbe	.L502
	cmpl	$2, 12(%rsp)
	jbe	.L498
	movq	72(%rsp), %rax
	leaq	0(,%r11,8), %r8
	leaq	(%r15,%r8), %r14
	addq	%rax, %r8
	movq	(%rsp), %rax
	leaq	(%rax,%r9), %r12
	leaq	(%rax,%r10), %rbx
	xorl	%eax, %eax
.L499:
	vmovupd	(%r8,%rax), %ymm1
	vaddpd	(%r14,%rax), %ymm1, %ymm0
	vaddpd	(%r12,%rax), %ymm0, %ymm0
	vaddpd	(%rbx,%rax), %ymm0, %ymm0
	vmovupd	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%rax, 88(%rsp)
	jne	.L499
	testb	$3, 8(%rsp)
	je	.L497
	cmpl	$3, -4(%rsp)
	movl	-8(%rsp), %eax
	je	.L507
	movl	-12(%rsp), %ebx
	movl	-16(%rsp), %edi
.L506:
	movq	32(%rsp), %r14
	addq	%r11, %rdi
	vmovupd	16(%r15,%rdi,8), %xmm2
	vaddpd	(%r15,%rdi,8), %xmm2, %xmm0
	leaq	1(%rdi,%r14), %r8
	movq	24(%rsp), %r14
	vaddpd	(%r15,%r8,8), %xmm0, %xmm0
	leaq	1(%rdi,%r14), %r8
	vaddpd	(%r15,%r8,8), %xmm0, %xmm0
	vmovupd	%xmm0, 8(%r13,%rdi,8)
	testb	$1, %al
	je	.L497
	andl	$-2, %eax
	addl	%ebx, %eax
.L494:
	movl	100(%rsp), %ebx
	leal	(%rsi,%rax), %edi
	addl	%eax, %edx
	movslq	%edi, %rdi
	movslq	%edx, %rdx
	addl	%eax, %ebx
	vmovsd	-8(%r15,%rdi,8), %xmm0
	vaddsd	8(%r15,%rdi,8), %xmm0, %xmm0
	movslq	%ebx, %rax
	vaddsd	(%r15,%rdx,8), %xmm0, %xmm0
	vaddsd	(%r15,%rax,8), %xmm0, %xmm0
	vmovsd	%xmm0, 0(%r13,%rdi,8)
.L497:
	movl	84(%rsp), %edx
	movq	48(%rsp), %rbx
	incl	96(%rsp)
	movl	96(%rsp), %eax
	addl	%edx, %esi
	movq	40(%rsp), %rdx
	addq	%rbx, %r9
	addq	%rbx, %r10
	addq	%rbx, %rcx
	addq	%rdx, %r11
	movl	64(%rsp), %edx
	cmpl	%edx, %eax
	jne	.L505
	movl	-48(%rsp), %edi
	movl	-52(%rsp), %r14d
	movl	-56(%rsp), %r8d
	movq	-64(%rsp), %rbx
	movq	-80(%rsp), %rax
	movq	-72(%rsp), %rsi
	addl	%edi, %r14d
	addl	%edi, -20(%rsp)
	movl	-44(%rsp), %r12d
	addl	%edi, %r8d
	addl	%edi, -24(%rsp)
	addq	%rax, %rbx
	addq	%rsi, -32(%rsp)
	addl	%edi, -36(%rsp)
	addl	%edi, -40(%rsp)
	cmpl	%r12d, 64(%rsp)
	jne	.L492
	vzeroupper
.L524:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L502:
	leaq	0(,%r11,8), %rax
	movq	%r9, %rdi
	movq	%r10, %rdx
	subq	%rax, %rdi
	subq	%rax, %rdx
	addq	%r15, %rdi
	addq	%r15, %rdx
.L496:
	vmovsd	16(%r15,%rax), %xmm0
	vaddsd	(%r15,%rax), %xmm0, %xmm0
	vaddsd	8(%rdi,%rax), %xmm0, %xmm0
	vaddsd	8(%rdx,%rax), %xmm0, %xmm0
	vmovsd	%xmm0, 8(%r13,%rax)
	addq	$8, %rax
	cmpq	%rcx, %rax
	jne	.L496
	jmp	.L497
.L498:
	movl	8(%rsp), %eax
	movl	$1, %ebx
	xorl	%edi, %edi
	jmp	.L506
.L507:
	movl	-12(%rsp), %eax
	jmp	.L494
	.size	stencil3, .-stencil3
	.globl	many
	.type	many, @function
many:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movl	%ecx, %ebx
	movl	16(%rbp), %r10d
	movq	24(%rbp), %rcx
	testl	%edi, %edi
	jle	.L539
	leal	-1(%rdi), %eax
	cmpl	$6, %eax
	jbe	.L533
	movl	%edi, %r11d
	movl	$8, %r12d
	vmovd	%edx, %xmm8
	movq	%rcx, %rax
	vmovd	%esi, %xmm7
	shrl	$3, %r11d
	vmovd	%ebx, %xmm6
	vmovd	%r8d, %xmm5
	vmovd	%r9d, %xmm4
	vmovd	%r10d, %xmm3
	salq	$5, %r11
	vmovd	%r12d, %xmm2
	vmovdqa	.LC16(%rip), %ymm1
	vpbroadcastd	%xmm8, %ymm8
	vpbroadcastd	%xmm7, %ymm7
	vpbroadcastd	%xmm6, %ymm6
	vpbroadcastd	%xmm5, %ymm5
	vpbroadcastd	%xmm4, %ymm4
	vpbroadcastd	%xmm3, %ymm3
	addq	%rcx, %r11
	vpbroadcastd	%xmm2, %ymm2
.L529:
	vmovdqa	%ymm1, %ymm0
	addq	$32, %rax
	vpaddd	%ymm2, %ymm1, %ymm1
	vpmulld	%ymm8, %ymm0, %ymm0
	vpaddd	%ymm7, %ymm0, %ymm0
	vpaddd	%ymm6, %ymm0, %ymm0
	vpaddd	%ymm5, %ymm0, %ymm0
	vpaddd	%ymm4, %ymm0, %ymm0
	vpaddd	%ymm3, %ymm0, %ymm0
	vmovdqu	%ymm0, -32(%rax)
	cmpq	%r11, %rax
	jne	.L529
	movl	%edi, %eax
	andl	$-8, %eax
	movl	%eax, %r11d
	cmpl	%eax, %edi
	je	.L541
	vzeroupper
.L528:
	movl	%edi, %r12d
	subl	%r11d, %r12d
	leal	-1(%r12), %r13d
	cmpl	$2, %r13d
	jbe	.L531
	vmovd	%eax, %xmm2
	vmovd	%edx, %xmm3
	vmovd	%esi, %xmm4
	vpshufd	$0, %xmm2, %xmm0
	vpaddd	.LC18(%rip), %xmm0, %xmm0
	vpshufd	$0, %xmm3, %xmm1
	vmovd	%ebx, %xmm5
	vmovd	%r8d, %xmm6
	vmovd	%r9d, %xmm7
	vpmulld	%xmm1, %xmm0, %xmm0
	vpshufd	$0, %xmm4, %xmm1
	vmovd	%r10d, %xmm2
	vpaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$0, %xmm5, %xmm1
	vpaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$0, %xmm6, %xmm1
	vpaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$0, %xmm7, %xmm1
	vpaddd	%xmm1, %xmm0, %xmm0
	vpshufd	$0, %xmm2, %xmm1
	vpaddd	%xmm1, %xmm0, %xmm0
	vmovdqu	%xmm0, (%rcx,%r11,4)
	movl	%r12d, %r11d
	andl	$-4, %r11d
	addl	%r11d, %eax
	andl	$3, %r12d
	je	.L539
.L531:
	movl	%edx, %r13d
	movslq	%eax, %r14
	imull	%eax, %r13d
	leaq	0(,%r14,4), %r11
	leal	0(%r13,%rsi), %r12d
	addl	%ebx, %r12d
	addl	%r8d, %r12d
	addl	%r9d, %r12d
	addl	%r10d, %r12d
	movl	%r12d, (%rcx,%r14,4)
	leal	1(%rax), %r12d
	cmpl	%r12d, %edi
	jle	.L539
	addl	%edx, %r13d
	addl	$2, %eax
	leal	(%rsi,%r13), %r12d
	addl	%ebx, %r12d
	addl	%r8d, %r12d
	addl	%r9d, %r12d
	addl	%r10d, %r12d
	movl	%r12d, 4(%rcx,%r11)
	cmpl	%eax, %edi
	jle	.L539
	leal	(%rdx,%r13), %eax
	addl	%esi, %eax
	addl	%ebx, %eax
	addl	%eax, %r8d
	addl	%r8d, %r9d
	addl	%r10d, %r9d
	movl	%r9d, 8(%rcx,%r11)
.L539:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%rbp
	ret
.L541:
	vzeroupper
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%rbp
	ret
.L533:
	xorl	%r11d, %r11d
	xorl	%eax, %eax
	jmp	.L528
	.size	many, .-many
	.globl	downwards
	.type	downwards, @function
downwards:
	movl	%edi, %eax
	subl	$2, %eax
	js	.L546
	movslq	%edi, %rdi
	vmovsd	.LC19(%rip), %xmm1
	cltq
	vmovsd	-8(%rsi,%rdi,8), %xmm0
.L544:
	vfmadd213sd	(%rsi,%rax,8), %xmm1, %xmm0
	vmovsd	%xmm0, (%rsi,%rax,8)
	decq	%rax
	testl	%eax, %eax
	jns	.L544
.L546:
	ret
	.size	downwards, .-downwards
	.globl	whiles
	.type	whiles, @function
whiles:
	cmpl	$1, %edi
	jbe	.L555
.L551:
	movl	%edi, (%rsi)
	testb	$1, %dil
	je	.L549
	leal	1(%rdi,%rdi,2), %edi
	addq	$4, %rsi
	cmpl	$1, %edi
	ja	.L551
	ret
.L549:
	shrl	%edi
	addq	$4, %rsi
	cmpl	$1, %edi
	jne	.L551
.L555:
	ret
	.size	whiles, .-whiles
	.globl	sum_u
	.type	sum_u, @function
sum_u:
	leaq	-1(%rdi), %rax
	testq	%rdi, %rdi
	je	.L559
	vxorps	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm1, %xmm1, %xmm1
.L558:
	vcvtss2sd	(%rsi,%rax,4), %xmm2, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	subq	$1, %rax
	jnb	.L558
	vmovsd	%xmm1, %xmm1, %xmm0
	ret
.L559:
	vxorpd	%xmm1, %xmm1, %xmm1
	vmovsd	%xmm1, %xmm1, %xmm0
	ret
	.size	sum_u, .-sum_u
	.globl	recursive
	.type	recursive, @function
recursive:
	movl	%edi, %eax
	cmpl	$1, %edi
	jle	.L573
	leal	-1(%rdi), %eax
	pushq	%r14
	movl	%edi, %r14d
	movl	%eax, %edx
	pushq	%r13
	xorl	%r13d, %r13d
	andl	$-2, %edx
	pushq	%r12
	movl	%edi, %r12d
	subl	%edx, %r14d
	pushq	%rbp
	pushq	%rbx
	movl	%eax, %ebx
	cmpl	%r14d, %r12d
	je	.L563
.L576:
	xorl	%ebp, %ebp
.L564:
	leal	-1(%rbx), %edi
	subl	$2, %ebx
	call	fib
	addl	%eax, %ebp
	cmpl	$1, %ebx
	jg	.L564
	leal	-3(%r12), %eax
	subl	$2, %r12d
	andl	$1, %eax
	addl	%ebp, %eax
	addl	%eax, %r13d
	cmpl	$1, %r12d
	jle	.L571
	leal	-1(%r12), %eax
	movl	%eax, %ebx
	cmpl	%r14d, %r12d
	jne	.L576
.L563:
	addl	%r13d, %eax
	popq	%rbx
	popq	%rbp
	leal	-2(%r12,%rax), %eax
	popq	%r12
	popq	%r13
	popq	%r14
	ret
.L573:
	ret
.L571:
	popq	%rbx
	leal	(%r12,%r13), %eax
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	ret
	.size	recursive, .-recursive
	.globl	durbin
	.type	durbin, @function
durbin:
	leaq	8(%rsp), %r10
	andq	$-32, %rsp
	movslq	%edi, %rax
	pushq	-8(%r10)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%r10
	pushq	%rbx
	movq	%rax, %rbx
	leaq	15(,%rax,8), %rax
	andq	$-16, %rax
	subq	$32, %rsp
	vmovsd	(%rsi), %xmm0
	vxorpd	.LC20(%rip), %xmm0, %xmm1
	subq	%rax, %rsp
	vmovsd	%xmm1, (%rdx)
	cmpl	$1, %ebx
	jle	.L608
	movq	.LC7(%rip), %rax
	movq	%rsi, %r14
	movq	%rdx, %rcx
	movq	%rsp, %r15
	movq	$-24, %r13
	movl	$1, %r12d
	vmovq	%rax, %xmm2
.L589:
	vfnmadd213sd	.LC7(%rip), %xmm0, %xmm0
	leal	-1(%r12), %esi
	vmulsd	%xmm0, %xmm2, %xmm2
	cmpl	$2, %esi
	jbe	.L591
	movl	%r12d, %r8d
	leaq	(%r14,%r13), %rax
	vxorpd	%xmm0, %xmm0, %xmm0
	movq	%rcx, %rdx
	shrl	$2, %r8d
	movq	%rax, %rdi
	salq	$5, %r8
	subq	%r8, %rdi
.L580:
	vpermpd	$27, (%rax), %ymm1
	subq	$32, %rax
	addq	$32, %rdx
	vmulpd	-32(%rdx), %ymm1, %ymm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm3
	vextractf128	$0x1, %ymm1, %xmm1
	vaddsd	%xmm3, %xmm0, %xmm0
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%rax, %rdi
	jne	.L580
	movl	%r12d, %eax
	andl	$-4, %eax
	movl	%eax, %edx
	cmpl	%eax, %r12d
	je	.L610
.L579:
	movl	%r12d, %edi
	subl	%edx, %edi
	cmpl	$1, %edi
	je	.L582
	negq	%rdx
	movq	%rcx, %r8
	leaq	(%r14,%r13), %r9
	salq	$3, %rdx
	subq	%rdx, %r8
	vpermilpd	$1, 16(%rdx,%r9), %xmm1
	vmulpd	(%r8), %xmm1, %xmm1
	vaddsd	%xmm1, %xmm0, %xmm0
	vunpckhpd	%xmm1, %xmm1, %xmm1
	vaddsd	%xmm0, %xmm1, %xmm0
	testb	$1, %dil
	je	.L583
	andl	$-2, %edi
	addl	%edi, %eax
.L582:
	movl	%r12d, %edx
	subl	%eax, %edx
	cltq
	movslq	%edx, %rdx
	vmovsd	-8(%r14,%rdx,8), %xmm5
	vfmadd231sd	(%rcx,%rax,8), %xmm5, %xmm0
.L583:
	vaddsd	32(%r14,%r13), %xmm0, %xmm0
	vxorpd	.LC20(%rip), %xmm0, %xmm0
	vdivsd	%xmm2, %xmm0, %xmm0
	cmpl	$2, %esi
	jbe	.L592
.L590:
	movl	%r12d, %esi
	leaq	(%rcx,%r13), %rdi
	vbroadcastsd	%xmm0, %ymm3
	xorl	%eax, %eax
	shrl	$2, %esi
	salq	$5, %rsi
.L585:
	movq	%rax, %rdx
	negq	%rdx
	vpermpd	$27, (%rdi,%rdx), %ymm1
	vfmadd213pd	(%rcx,%rax), %ymm3, %ymm1
	vmovupd	%ymm1, (%r15,%rax)
	addq	$32, %rax
	cmpq	%rsi, %rax
	jne	.L585
	movl	%r12d, %eax
	andl	$-4, %eax
	movl	%eax, %edx
	cmpl	%eax, %r12d
	je	.L586
.L584:
	movl	%r12d, %esi
	subl	%edx, %esi
	cmpl	$1, %esi
	je	.L587
	leaq	0(,%rdx,8), %rdi
	movq	%rcx, %r8
	vmovddup	%xmm0, %xmm3
	subq	%rdi, %r8
	vpermilpd	$1, 16(%r13,%r8), %xmm1
	vfmadd213pd	(%rcx,%rdx,8), %xmm3, %xmm1
	vmovupd	%xmm1, (%r15,%rdi)
	testb	$1, %sil
	je	.L586
	andl	$-2, %esi
	addl	%esi, %eax
.L587:
	movl	%r12d, %edx
	subl	%eax, %edx
	cltq
	movslq	%edx, %rdx
	vmovsd	-8(%rcx,%rdx,8), %xmm1
	vfmadd213sd	(%rcx,%rax,8), %xmm0, %xmm1
	vmovsd	%xmm1, (%r15,%rax,8)
.L586:
	vmovsd	%xmm0, -64(%rbp)
	leaq	32(%r13), %rdx
	movq	%rcx, %rdi
	movq	%r15, %rsi
	vmovsd	%xmm2, -56(%rbp)
	vzeroupper
	call	memcpy@PLT
	vmovsd	-64(%rbp), %xmm0
	incl	%r12d
	vmovsd	-56(%rbp), %xmm2
	movq	%rax, %rcx
	vmovsd	%xmm0, 32(%rax,%r13)
	addq	$8, %r13
	cmpl	%r12d, %ebx
	jne	.L589
.L608:
	leaq	-48(%rbp), %rsp
	popq	%rbx
	popq	%r10
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	leaq	-8(%r10), %rsp
	ret
.L610:
	vaddsd	32(%r14,%r13), %xmm0, %xmm0
	vxorpd	.LC20(%rip), %xmm0, %xmm0
	vdivsd	%xmm2, %xmm0, %xmm0
	jmp	.L590
.L591:
	xorl	%edx, %edx
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	jmp	.L579
.L592:
	xorl	%edx, %edx
	xorl	%eax, %eax
	jmp	.L584
	.size	durbin, .-durbin
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC2:
	.long	-1717986918
	.long	1070176665
	.align 8
.LC5:
	.long	0
	.long	1073741824
	.align 8
.LC7:
	.long	0
	.long	1072693248
	.align 8
.LC10:
	.long	0
	.long	1075970048
	.section	.rodata.cst4,"aM",@progbits,4
	.align 4
.LC12:
	.long	1065353216
	.section	.rodata.cst32,"aM",@progbits,32
	.align 32
.LC16:
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
	.set	.LC18,.LC16
	.section	.rodata.cst8
	.align 8
.LC19:
	.long	0
	.long	1071644672
	.section	.rodata.cst16,"aM",@progbits,16
	.align 16
.LC20:
	.long	0
	.long	-2147483648
	.long	0
	.long	0
	.text
