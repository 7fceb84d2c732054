	.file	"fixed_stride.base.cpp"
	.text
.Ltext0:
	.file 0 "fixed_stride.base.cpp"
	.p2align 4
	.globl	smooth
	.type	smooth, @function
smooth:
.LFB1:
	.file 1 "fixed_stride.base.cpp"
	.loc 1 10 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	.cfi_offset 15, -24
	.cfi_offset 14, -32
	.cfi_offset 13, -40
	.cfi_offset 12, -48
	.cfi_offset 3, -56
	movl	%edi, %ebx
	andq	$-64, %rsp
	subq	$8, %rsp
	.loc 1 10 1
	movl	%edi, -12(%rsp)
	movl	%esi, -40(%rsp)
.LBB14:
	.loc 1 13 23
	cmpl	$1, %edi
	jle	.L33
	movl	%esi, %edi
	movq	%rcx, %rax
	movq	%rdx, %r12
	movl	%ebx, %esi
	movslq	%edi, %r9
	leal	-1(%rbx), %r10d
	leal	(%rdi,%rdi), %edx
	movq	%r12, %r13
	movq	%r9, %r15
	movslq	%edx, %r11
	movl	%edx, -52(%rsp)
	leal	-2(%rbx), %edx
	movl	%r10d, -56(%rsp)
	addq	%r15, %r15
	leaq	4(%rax), %r14
	salq	$2, %r11
	movl	%edx, -36(%rsp)
	leaq	1(%r9,%rdx), %rdx
	leaq	0(,%r9,4), %r8
	vmovq	%r15, %xmm6
	movq	%r8, %rcx
	salq	$2, %rdx
	movq	%rax, %r15
	vmovq	%r14, %xmm7
	negq	%rcx
	subq	%r12, %r15
	movq	%rdx, (%rsp)
	leaq	8(%r12), %r14
	movq	%rcx, -24(%rsp)
	movl	%r10d, %ecx
	andl	$-16, %r10d
	vmovss	.LC1(%rip), %xmm2
	subl	%r10d, %esi
	shrl	$4, %ecx
	movl	%r10d, -112(%rsp)
	leal	1(%r10), %ebx
	movl	%esi, -100(%rsp)
	subl	$1, %esi
	salq	$6, %rcx
	vmovq	%r14, %xmm5
	.loc 1 13 14
	movl	$1, -16(%rsp)
	vbroadcastss	%xmm2, %zmm4
	movl	%esi, -104(%rsp)
	movq	%r15, -64(%rsp)
	leaq	4(%r12), %r15
	movq	%r9, -48(%rsp)
	vmovq	%r15, %xmm8
	movq	%rcx, -96(%rsp)
	.loc 1 13 23
	movq	%r9, %rcx
	movq	%r8, %r9
	movl	%ebx, -108(%rsp)
	xorl	%ebx, %ebx
	.p2align 4,,10
	.p2align 3
.L3:
	movl	-40(%rsp), %esi
	movl	%edi, %r10d
	vmovd	%edi, %xmm3
	movl	-52(%rsp), %edi
.LBB15:
	.loc 1 15 47
	addl	$1, -16(%rsp)
	subl	%esi, %r10d
	addl	%r10d, %edi
	cmpl	$6, -36(%rsp)
	jbe	.L17
	movq	-48(%rsp), %r15
	vmovq	%xmm6, %r14
	vmovq	%xmm7, %rsi
	addq	%r9, %rsi
	addq	%rcx, %r15
	movq	%r15, -8(%rsp)
	subq	%r14, %r15
	movq	%rsi, %r14
	movq	%r15, -32(%rsp)
	vmovq	%xmm5, %r15
	leaq	(%r15,%rbx), %r12
	subq	%r12, %r14
	cmpq	$56, %r14
	movq	%rsi, %r14
	seta	%r12b
	addq	%r11, %r15
	subq	%r15, %r14
	cmpq	$56, %r14
	seta	%r14b
	testb	%r14b, %r12b
	je	.L18
	cmpq	$64, -64(%rsp)
	jbe	.L18
	cmpl	$14, -36(%rsp)
	jbe	.L9
	vmovq	%xmm8, %rdx
	movq	%rcx, -72(%rsp)
	leaq	0(%r13,%r9), %r15
	xorl	%r14d, %r14d
	addq	%rbx, %rdx
	movq	%r9, -80(%rsp)
	vmovq	%rdx, %xmm11
	vmovq	%xmm8, %rdx
	movq	%rax, -88(%rsp)
	leaq	(%rdx,%r11), %r12
	vmovq	%xmm5, %rdx
	vmovq	%xmm11, %rax
	addq	%r9, %rdx
	movq	%r8, %r9
	movq	(%rsp), %r8
	movq	%rdx, %rcx
	movq	-96(%rsp), %rdx
	.p2align 4,,10
	.p2align 3
.L10:
	.loc 1 15 44 discriminator 3
	vmovups	(%rax,%r14), %zmm1
	vaddps	(%r12,%r14), %zmm1, %zmm0
	.loc 1 15 58 discriminator 3
	vaddps	(%r15,%r14), %zmm0, %zmm0
	.loc 1 15 72 discriminator 3
	vaddps	(%rcx,%r14), %zmm0, %zmm0
	.loc 1 15 29 discriminator 3
	vmulps	%zmm4, %zmm0, %zmm0
	.loc 1 15 21 discriminator 3
	vmovups	%zmm0, (%rsi,%r14)
	addq	$64, %r14
	cmpq	%r14, %rdx
	jne	.L10
	movq	-72(%rsp), %rcx
	movq	-88(%rsp), %rax
	movq	%r8, (%rsp)
	movq	%r9, %r8
	movq	-80(%rsp), %r9
	testb	$15, -56(%rsp)
	je	.L8
	movl	-100(%rsp), %edx
	movl	-104(%rsp), %r14d
	leal	-2(%rdx), %esi
	cmpl	$6, %esi
	jbe	.L16
	.loc 1 15 21 is_stmt 0
	movl	-112(%rsp), %esi
	.loc 1 14 18 is_stmt 1
	movl	-108(%rsp), %r12d
.L15:
	.loc 1 15 33
	movq	-32(%rsp), %r15
	.loc 1 15 47
	movq	-8(%rsp), %rdx
	addq	%rsi, %rcx
	.loc 1 15 33
	leaq	1(%r15,%rsi), %r15
	.loc 1 15 47
	leaq	1(%rsi,%rdx), %rsi
	vmovups	0(%r13,%rsi,4), %ymm0
	.loc 1 15 44
	vaddps	0(%r13,%r15,4), %ymm0, %ymm0
	.loc 1 15 58
	vaddps	0(%r13,%rcx,4), %ymm0, %ymm0
	.loc 1 15 72
	vaddps	8(%r13,%rcx,4), %ymm0, %ymm0
	.loc 1 15 29
	vmulps	.LC1(%rip){1to8}, %ymm0, %ymm0
	.loc 1 15 21
	vmovups	%ymm0, 4(%rax,%rcx,4)
	movl	%r14d, %ecx
	andl	$-8, %ecx
	addl	%r12d, %ecx
	andl	$7, %r14d
	je	.L8
.L5:
.LBB16:
.LBB17:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE17:
.LBE16:
	.loc 1 15 75
	leal	1(%rcx), %esi
.LBB40:
.LBB18:
	.loc 1 5 64
	leal	(%rsi,%rdx), %r14d
	movslq	%r14d, %r12
.LBE18:
.LBE40:
.LBB41:
.LBB42:
	leal	(%rdi,%rcx), %r14d
.LBE42:
.LBE41:
.LBB56:
.LBB19:
	.loc 1 5 67
	leaq	0(%r13,%r12,4), %rdx
	vmovq	%rdx, %xmm11
.LBE19:
.LBE56:
.LBB57:
.LBB58:
	.loc 1 5 64
	vmovd	%xmm3, %edx
	leal	(%rdx,%rcx), %r15d
	movslq	%r15d, %rdx
.LBE58:
.LBE57:
.LBB60:
.LBB43:
	movslq	%r14d, %r15
.LBE43:
.LBE60:
.LBB61:
.LBB62:
	leal	(%r10,%rcx), %r14d
.LBE62:
.LBE61:
.LBB76:
.LBB59:
	vmovq	%rdx, %xmm9
.LBE59:
.LBE76:
.LBB77:
.LBB63:
	movslq	%r14d, %r14
.LBE63:
.LBE77:
.LBB78:
.LBB79:
	vmovd	%xmm3, %edx
.LBE79:
.LBE78:
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%r14,4), %xmm0, %xmm0
.LBB82:
.LBB80:
	.loc 1 5 64
	leal	-1(%rdx,%rcx), %r14d
.LBE80:
.LBE82:
	.loc 1 15 72
	vmovq	%xmm11, %rdx
.LBB83:
.LBB81:
	.loc 1 5 64
	movslq	%r14d, %r14
.LBE81:
.LBE83:
	.loc 1 15 58
	vaddss	0(%r13,%r14,4), %xmm0, %xmm0
	.loc 1 15 72
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm9, %rdx
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%rdx,4)
	.loc 1 14 27
	cmpl	%esi, -12(%rsp)
	jle	.L8
.LBB84:
.LBB20:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE20:
.LBE84:
	.loc 1 15 75
	leal	2(%rcx), %r14d
.LBB85:
.LBB21:
	.loc 1 5 64
	leal	(%rdx,%r14), %r15d
	movslq	%r15d, %rdx
.LBE21:
.LBE85:
.LBB86:
.LBB44:
	leal	(%rsi,%rdi), %r15d
.LBE44:
.LBE86:
.LBB87:
.LBB64:
	addl	%r10d, %esi
.LBE64:
.LBE87:
.LBB88:
.LBB22:
	vmovq	%rdx, %xmm10
	.loc 1 5 67
	leaq	0(%r13,%rdx,4), %rdx
.LBE22:
.LBE88:
.LBB89:
.LBB45:
	.loc 1 5 64
	movslq	%r15d, %r15
.LBE45:
.LBE89:
.LBB90:
.LBB65:
	movslq	%esi, %rsi
.LBE65:
.LBE90:
.LBB91:
.LBB23:
	.loc 1 5 67
	vmovq	%rdx, %xmm12
.LBE23:
.LBE91:
	.loc 1 15 58
	vmovq	%xmm9, %rdx
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%rsi,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	0(%r13,%rdx,4), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm12, %rdx
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%r12,4)
	.loc 1 14 27
	cmpl	%r14d, -12(%rsp)
	jle	.L8
.LBB92:
.LBB24:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE24:
.LBE92:
	.loc 1 15 75
	leal	3(%rcx), %esi
.LBB93:
.LBB25:
	.loc 1 5 64
	leal	(%rdx,%rsi), %r15d
	movslq	%r15d, %r12
.LBE25:
.LBE93:
.LBB94:
.LBB46:
	leal	(%rdi,%r14), %r15d
.LBE46:
.LBE94:
.LBB95:
.LBB66:
	addl	%r10d, %r14d
.LBE66:
.LBE95:
.LBB96:
.LBB26:
	.loc 1 5 67
	leaq	0(%r13,%r12,4), %rdx
.LBE26:
.LBE96:
.LBB97:
.LBB47:
	.loc 1 5 64
	movslq	%r15d, %r15
.LBE47:
.LBE97:
.LBB98:
.LBB67:
	movslq	%r14d, %r14
.LBE67:
.LBE98:
.LBB99:
.LBB27:
	.loc 1 5 67
	vmovq	%rdx, %xmm13
.LBE27:
.LBE99:
	.loc 1 15 58
	vmovq	%xmm11, %rdx
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%r14,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm13, %rdx
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm10, %rdx
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%rdx,4)
	.loc 1 14 27
	cmpl	%esi, -12(%rsp)
	jle	.L8
.LBB100:
.LBB28:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE28:
.LBE100:
	.loc 1 15 75
	leal	4(%rcx), %r14d
.LBB101:
.LBB29:
	.loc 1 5 64
	leal	(%rdx,%r14), %r15d
	movslq	%r15d, %rdx
.LBE29:
.LBE101:
.LBB102:
.LBB68:
	leal	(%r10,%rsi), %r15d
.LBE68:
.LBE102:
.LBB103:
.LBB48:
	addl	%edi, %esi
.LBE48:
.LBE103:
.LBB104:
.LBB30:
	vmovq	%rdx, %xmm9
	.loc 1 5 67
	leaq	0(%r13,%rdx,4), %rdx
.LBE30:
.LBE104:
.LBB105:
.LBB69:
	.loc 1 5 64
	movslq	%r15d, %r15
.LBE69:
.LBE105:
.LBB106:
.LBB49:
	movslq	%esi, %rsi
.LBE49:
.LBE106:
.LBB107:
.LBB31:
	.loc 1 5 67
	vmovq	%rdx, %xmm10
.LBE31:
.LBE107:
	.loc 1 15 58
	vmovq	%xmm12, %rdx
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%rsi,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm10, %rdx
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%r12,4)
	.loc 1 14 27
	cmpl	%r14d, -12(%rsp)
	jle	.L8
.LBB108:
.LBB32:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE32:
.LBE108:
	.loc 1 15 75
	leal	5(%rcx), %esi
.LBB109:
.LBB33:
	.loc 1 5 64
	leal	(%rdx,%rsi), %r15d
	movslq	%r15d, %r12
.LBE33:
.LBE109:
.LBB110:
.LBB70:
	leal	(%r10,%r14), %r15d
.LBE70:
.LBE110:
.LBB111:
.LBB50:
	addl	%edi, %r14d
.LBE50:
.LBE111:
.LBB112:
.LBB34:
	.loc 1 5 67
	leaq	0(%r13,%r12,4), %rdx
.LBE34:
.LBE112:
.LBB113:
.LBB71:
	.loc 1 5 64
	movslq	%r15d, %r15
.LBE71:
.LBE113:
.LBB114:
.LBB51:
	movslq	%r14d, %r14
.LBE51:
.LBE114:
.LBB115:
.LBB35:
	.loc 1 5 67
	vmovq	%rdx, %xmm11
.LBE35:
.LBE115:
	.loc 1 15 58
	vmovq	%xmm13, %rdx
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%r14,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm11, %rdx
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm9, %rdx
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%rdx,4)
	.loc 1 14 27
	cmpl	%esi, -12(%rsp)
	jle	.L8
.LBB116:
.LBB36:
	.loc 1 5 64
	vmovd	%xmm3, %edx
.LBE36:
.LBE116:
	.loc 1 15 75
	leal	6(%rcx), %r14d
.LBB117:
.LBB37:
	.loc 1 5 64
	leal	(%rdx,%r14), %r15d
	movslq	%r15d, %rdx
.LBE37:
.LBE117:
.LBB118:
.LBB72:
	leal	(%r10,%rsi), %r15d
.LBE72:
.LBE118:
.LBB119:
.LBB52:
	addl	%edi, %esi
.LBE52:
.LBE119:
.LBB120:
.LBB38:
	vmovq	%rdx, %xmm9
.LBE38:
.LBE120:
.LBB121:
.LBB73:
	movslq	%r15d, %r15
.LBE73:
.LBE121:
.LBB122:
.LBB53:
	movslq	%esi, %rsi
.LBE53:
.LBE122:
	.loc 1 15 58
	vmovq	%xmm10, %rdx
	.loc 1 15 44
	vmovss	0(%r13,%r15,4), %xmm0
	vaddss	0(%r13,%rsi,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rdx), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm9, %rdx
	vaddss	0(%r13,%rdx,4), %xmm0, %xmm0
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%r12,4)
	.loc 1 14 27
	cmpl	%r14d, -12(%rsp)
	jle	.L8
.LBB123:
.LBB74:
	.loc 1 5 64
	addl	%r14d, %r10d
.LBE74:
.LBE123:
.LBB124:
.LBB54:
	addl	%edi, %r14d
.LBE54:
.LBE124:
	.loc 1 15 58
	vmovq	%xmm11, %rdx
.LBB125:
.LBB75:
	.loc 1 5 64
	movslq	%r10d, %r10
.LBE75:
.LBE125:
.LBB126:
.LBB55:
	movslq	%r14d, %r14
.LBE55:
.LBE126:
	.loc 1 15 44
	vmovss	0(%r13,%r10,4), %xmm0
	vaddss	0(%r13,%r14,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rdx), %xmm0, %xmm0
.LBB127:
.LBB39:
	.loc 1 5 64
	vmovd	%xmm3, %edx
	leal	7(%rdx,%rcx), %ecx
	movslq	%ecx, %rcx
.LBE39:
.LBE127:
	.loc 1 15 72
	vaddss	0(%r13,%rcx,4), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm9, %rcx
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%rax,%rcx,4)
	.p2align 4,,10
	.p2align 3
.L8:
	subq	%r8, -24(%rsp)
.LBE15:
	.loc 1 13 23 discriminator 2
	movq	-8(%rsp), %rcx
	addq	%r8, %r9
	addq	%r8, %rbx
	addq	%r8, (%rsp)
	movl	-12(%rsp), %r10d
	addq	%r8, %r11
	cmpl	%r10d, -16(%rsp)
	jne	.L3
	vzeroupper
.L33:
.LBE14:
	.loc 1 16 1
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
	.p2align 4,,10
	.p2align 3
.L18:
	.cfi_restore_state
.LBB129:
.LBB128:
	.loc 1 15 47
	movq	%r9, %rsi
.L12:
	movq	-24(%rsp), %rcx
	movq	(%rsp), %rdx
	leaq	(%r11,%rcx), %r10
	addq	%rbx, %rcx
	addq	%r13, %r10
	.loc 1 15 33
	addq	%r13, %rcx
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 15 44
	vmovss	4(%r10,%rsi), %xmm0
	vaddss	4(%rcx,%rsi), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	0(%r13,%rsi), %xmm0, %xmm0
	.loc 1 15 72
	vaddss	8(%r13,%rsi), %xmm0, %xmm0
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, 4(%rax,%rsi)
	.loc 1 14 27
	addq	$4, %rsi
	cmpq	%rsi, %rdx
	jne	.L7
	movq	%rdx, (%rsp)
	jmp	.L8
	.p2align 4,,10
	.p2align 3
.L17:
	movq	-48(%rsp), %rdx
	.loc 1 15 47
	movq	%r9, %rsi
	addq	%rcx, %rdx
	movq	%rdx, -8(%rsp)
	jmp	.L12
.L9:
	movl	-56(%rsp), %r14d
	xorl	%esi, %esi
	.loc 1 14 18
	movl	$1, %r12d
	jmp	.L15
.L16:
	movl	-108(%rsp), %ecx
	jmp	.L5
.LBE128:
.LBE129:
	.cfi_endproc
.LFE1:
	.size	smooth, .-smooth
	.section	.rodata.cst4,"aM",@progbits,4
	.align 4
.LC1:
	.long	1048576000
	.text
.Letext0:
	.section	.note.GNU-stack,"",@progbits
