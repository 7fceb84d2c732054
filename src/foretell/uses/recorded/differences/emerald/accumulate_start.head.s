	.file	"accumulate_start.head.cpp"
	.text
.Ltext0:
	.file 0 "accumulate_start.head.cpp"
	.p2align 4
	.globl	mean_level
	.type	mean_level, @function
mean_level:
.LFB184:
	.file 1 "accumulate_start.head.cpp"
	.loc 1 4 1
	.cfi_startproc
	.loc 1 5 37
	movslq	%edi, %rax
	.loc 1 4 1
	movq	%rsi, %rcx
	movq	%rdx, %r10
	.loc 1 5 35
	salq	$2, %rax
	.loc 1 5 27
	leaq	(%rsi,%rax), %rsi
.LBB4:
.LBB5:
	.file 2 "stl_numeric.h"
	.loc 2 140 22
	cmpq	%rcx, %rsi
	je	.L9
	subq	$4, %rax
	movq	%rax, %r8
	shrq	$2, %r8
	leaq	1(%r8), %r9
	cmpq	$56, %rax
	jbe	.L10
	movq	%r9, %rdx
	movq	%rcx, %rax
	vxorps	%xmm0, %xmm0, %xmm0
	shrq	$4, %rdx
	salq	$6, %rdx
	addq	%rcx, %rdx
	.p2align 4,,10
	.p2align 3
.L4:
	vaddss	(%rax), %xmm0, %xmm0
	addq	$64, %rax
	vaddss	-60(%rax), %xmm0, %xmm0
	vaddss	-56(%rax), %xmm0, %xmm0
	vaddss	-52(%rax), %xmm0, %xmm0
	vaddss	-48(%rax), %xmm0, %xmm0
	vaddss	-44(%rax), %xmm0, %xmm0
	vaddss	-40(%rax), %xmm0, %xmm0
	vaddss	-36(%rax), %xmm0, %xmm0
	vaddss	-32(%rax), %xmm0, %xmm0
	vaddss	-28(%rax), %xmm0, %xmm0
	vaddss	-24(%rax), %xmm0, %xmm0
	vaddss	-20(%rax), %xmm0, %xmm0
	vaddss	-16(%rax), %xmm0, %xmm0
	vaddss	-12(%rax), %xmm0, %xmm0
	.loc 2 141 9
	vaddss	-8(%rax), %xmm0, %xmm0
	vaddss	-4(%rax), %xmm0, %xmm0
	cmpq	%rdx, %rax
	jne	.L4
	movq	%r9, %rax
	andq	$-16, %rax
	andl	$15, %r9d
	leaq	(%rcx,%rax,4), %rdx
	je	.L2
.L3:
	subq	%rax, %r8
	leaq	1(%r8), %r9
	cmpq	$6, %r8
	jbe	.L7
	leaq	(%rcx,%rax,4), %rax
	vaddss	(%rax), %xmm0, %xmm0
	vaddss	4(%rax), %xmm0, %xmm0
	vaddss	8(%rax), %xmm0, %xmm0
	vaddss	12(%rax), %xmm0, %xmm0
	vaddss	16(%rax), %xmm0, %xmm0
	vaddss	20(%rax), %xmm0, %xmm0
	vaddss	24(%rax), %xmm0, %xmm0
	vaddss	28(%rax), %xmm0, %xmm0
	movq	%r9, %rax
	andq	$-8, %rax
	andl	$7, %r9d
	leaq	(%rdx,%rax,4), %rdx
	je	.L2
.L7:
	.loc 2 140 7
	leaq	4(%rdx), %rax
	.loc 2 141 9
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 140 7
	leaq	8(%rdx), %rax
	.loc 2 141 9
	vaddss	4(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 140 7
	leaq	12(%rdx), %rax
	.loc 2 141 9
	vaddss	8(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 140 7
	leaq	16(%rdx), %rax
	.loc 2 141 9
	vaddss	12(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 140 7
	leaq	20(%rdx), %rax
	.loc 2 141 9
	vaddss	16(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 140 7
	leaq	24(%rdx), %rax
	.loc 2 141 9
	vaddss	20(%rdx), %xmm0, %xmm0
	.loc 2 140 22
	cmpq	%rax, %rsi
	je	.L2
	.loc 2 141 9
	vaddss	24(%rdx), %xmm0, %xmm0
.L2:
	vxorps	%xmm1, %xmm1, %xmm1
.LBE5:
.LBE4:
	.loc 1 5 48
	vcvtsi2ssl	%edi, %xmm1, %xmm1
	.loc 1 5 46
	vdivss	%xmm1, %xmm0, %xmm0
	.loc 1 5 10
	vmovss	%xmm0, (%r10)
	.loc 1 6 1
	ret
	.p2align 4,,10
	.p2align 3
.L9:
.LBB7:
.LBB6:
	.loc 2 140 22
	vxorps	%xmm0, %xmm0, %xmm0
	jmp	.L2
.L10:
	movq	%rcx, %rdx
	xorl	%eax, %eax
	vxorps	%xmm0, %xmm0, %xmm0
	jmp	.L3
.LBE6:
.LBE7:
	.cfi_endproc
.LFE184:
	.size	mean_level, .-mean_level
.Letext0:
	.section	.note.GNU-stack,"",@progbits
