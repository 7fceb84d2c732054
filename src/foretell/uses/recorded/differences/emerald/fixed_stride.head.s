	.file	"fixed_stride.head.cpp"
	.text
.Ltext0:
	.file 0 "fixed_stride.head.cpp"
	.p2align 4
	.globl	smooth
	.type	smooth, @function
smooth:
.LFB1:
	.file 1 "fixed_stride.head.cpp"
	.loc 1 9 1
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
	andq	$-64, %rsp
	.cfi_offset 15, -24
	.cfi_offset 14, -32
	.cfi_offset 13, -40
	.cfi_offset 12, -48
	.cfi_offset 3, -56
	.loc 1 9 1
	movl	%edi, -4(%rsp)
.LBB14:
	.loc 1 13 23
	cmpl	$1, %edi
	jle	.L37
	movl	%edi, %r15d
	movq	%rcx, %r13
	movq	%rdx, %rax
	movl	$1024, %r14d
	leal	-1(%r15), %esi
	movl	%r15d, %ecx
	leal	-2(%rdi), %edx
	movq	$-512, %r8
	movl	%esi, %r10d
	movl	%esi, %ebx
	movl	%esi, -64(%rsp)
	andl	$15, %esi
	movl	%esi, -44(%rsp)
	andl	$-16, %ebx
	movl	%r15d, %esi
	salq	$7, %rcx
	subl	%ebx, %esi
	leaq	516(%r13), %r11
	movl	%ebx, -60(%rsp)
	movq	%r13, %r15
	movq	%rcx, -32(%rsp)
	leal	1(%rbx), %ecx
	leal	-1(%rsi), %ebx
	shrl	$4, %r10d
	movq	%r11, -24(%rsp)
	leaq	8(%rax), %r11
	salq	$6, %r10
	vbroadcastss	.LC1(%rip), %zmm4
	movl	%ebx, -48(%rsp)
	leal	-2(%rsi), %ebx
	leaq	1028(%rax), %rdi
.LBB15:
	.loc 1 15 29
	vmovss	.LC1(%rip), %xmm2
	movq	%r11, -16(%rsp)
	movl	%ebx, -52(%rsp)
	movl	%edx, -8(%rsp)
	leaq	516(,%rdx,4), %rdx
	movq	%r10, -40(%rsp)
.LBE15:
	.loc 1 13 23
	xorl	%r10d, %r10d
	movl	%ecx, -56(%rsp)
	movl	$128, %ecx
	.p2align 4,,10
	.p2align 3
.L3:
	cmpl	$6, -8(%rsp)
	jbe	.L12
	movq	-24(%rsp), %rsi
	movq	-16(%rsp), %r11
	leaq	(%rsi,%r10), %rbx
	subq	%r11, %rsi
	cmpq	$1080, %rsi
	ja	.L41
.L12:
	leaq	512(%r10), %rbx
	leaq	(%r14,%r8), %r9
	leaq	(%r8,%r10), %r11
	movq	%rbx, %rsi
.LBB92:
	.loc 1 15 47
	addq	%rax, %r9
	.loc 1 15 33
	addq	%rax, %r11
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 15 44
	vmovss	4(%r9,%rsi), %xmm0
	vaddss	4(%r11,%rsi), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rax,%rsi), %xmm0, %xmm0
	.loc 1 15 72
	vaddss	8(%rax,%rsi), %xmm0, %xmm0
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, 4(%r15,%rsi)
	.loc 1 14 27
	addq	$4, %rsi
	cmpq	%rsi, %rdx
	jne	.L7
.L8:
.LBE92:
	.loc 1 13 23 discriminator 2
	movq	%rbx, %r10
	subq	$512, %r8
	addq	$512, %r14
	addq	$512, %rdx
	addq	$512, %rdi
	subq	$-128, %rcx
	cmpq	%rcx, -32(%rsp)
	jne	.L3
	vzeroupper
.L37:
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
.L41:
	.cfi_restore_state
	cmpl	$14, -8(%rsp)
	jbe	.L9
	movq	%r11, %r9
.LBB94:
.LBB93:
	.loc 1 14 18
	movq	-40(%rsp), %r13
	movq	%rax, %r11
	xorl	%esi, %esi
	leaq	-1024(%rdi), %r12
	subq	%r8, %r11
	subq	%r8, %r9
	.p2align 4,,10
	.p2align 3
.L10:
	.loc 1 15 44 discriminator 3
	vmovups	(%r12,%rsi), %zmm1
	vaddps	(%rdi,%rsi), %zmm1, %zmm0
	.loc 1 15 58 discriminator 3
	vaddps	(%r11,%rsi), %zmm0, %zmm0
	.loc 1 15 72 discriminator 3
	vaddps	(%r9,%rsi), %zmm0, %zmm0
	.loc 1 15 29 discriminator 3
	vmulps	%zmm4, %zmm0, %zmm0
	.loc 1 15 21 discriminator 3
	vmovups	%zmm0, (%rbx,%rsi)
	addq	$64, %rsi
	cmpq	%rsi, %r13
	jne	.L10
	movl	-44(%rsp), %esi
	testl	%esi, %esi
	je	.L39
	cmpl	$6, -52(%rsp)
	movl	-48(%rsp), %r9d
	jbe	.L15
	.loc 1 15 21 is_stmt 0
	movl	-60(%rsp), %esi
	.loc 1 14 18 is_stmt 1
	movl	-56(%rsp), %r11d
.L14:
	addq	%rcx, %rsi
	leaq	0(,%rsi,4), %rbx
	.loc 1 15 44
	vmovups	-508(%rax,%rbx), %ymm3
	vaddps	516(%rax,%rbx), %ymm3, %ymm0
	.loc 1 15 58
	vaddps	(%rax,%rsi,4), %ymm0, %ymm0
	.loc 1 15 72
	vaddps	8(%rax,%rbx), %ymm0, %ymm0
	movl	%r9d, %esi
	andl	$-8, %esi
	addl	%r11d, %esi
	andl	$7, %r9d
	.loc 1 15 29
	vmulps	.LC1(%rip){1to8}, %ymm0, %ymm0
	.loc 1 15 21
	vmovups	%ymm0, 4(%r15,%rbx)
	je	.L39
.L5:
	.loc 1 15 75
	leal	1(%rsi), %r9d
.LBB16:
.LBB17:
	.loc 1 4 55
	leal	128(%rcx), %r11d
.LBE17:
.LBE16:
.LBB28:
.LBB29:
	.loc 1 4 64
	leal	(%r9,%rcx), %r12d
.LBE29:
.LBE28:
.LBB39:
.LBB40:
	.loc 1 4 55
	leal	-128(%rcx), %ebx
.LBE40:
.LBE39:
.LBB53:
.LBB30:
	.loc 1 4 64
	movslq	%r12d, %r13
.LBE30:
.LBE53:
.LBB54:
.LBB55:
	leal	(%rsi,%rcx), %r12d
.LBE55:
.LBE54:
.LBB58:
.LBB31:
	vmovq	%r13, %xmm5
	.loc 1 4 67
	leaq	(%rax,%r13,4), %r13
	vmovq	%r13, %xmm9
.LBE31:
.LBE58:
.LBB59:
.LBB56:
	.loc 1 4 64
	movslq	%r12d, %r13
.LBE56:
.LBE59:
.LBB60:
.LBB18:
	leal	(%r11,%rsi), %r12d
.LBE18:
.LBE60:
.LBB61:
.LBB57:
	vmovq	%r13, %xmm6
.LBE57:
.LBE61:
.LBB62:
.LBB19:
	movslq	%r12d, %r13
.LBE19:
.LBE62:
.LBB63:
.LBB41:
	leal	(%rbx,%rsi), %r12d
	movslq	%r12d, %r12
.LBE41:
.LBE63:
	.loc 1 15 44
	vmovss	(%rax,%r13,4), %xmm0
	.loc 1 15 72
	vmovq	%xmm9, %r13
	.loc 1 15 44
	vaddss	(%rax,%r12,4), %xmm0, %xmm0
.LBB64:
.LBB65:
	.loc 1 4 64
	leal	-1(%rsi,%rcx), %r12d
	movslq	%r12d, %r12
.LBE65:
.LBE64:
	.loc 1 15 58
	vaddss	(%rax,%r12,4), %xmm0, %xmm0
	.loc 1 15 72
	vaddss	0(%r13), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm6, %r12
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r12,4)
	.loc 1 14 27
	cmpl	%r9d, -4(%rsp)
	jle	.L39
	.loc 1 15 75
	leal	2(%rsi), %r12d
.LBB66:
.LBB32:
	.loc 1 4 64
	leal	(%r12,%rcx), %r13d
	movslq	%r13d, %r13
	vmovq	%r13, %xmm7
	.loc 1 4 67
	leaq	(%rax,%r13,4), %r13
	vmovq	%r13, %xmm10
.LBE32:
.LBE66:
.LBB67:
.LBB20:
	.loc 1 4 64
	leal	(%r9,%r11), %r13d
.LBE20:
.LBE67:
.LBB68:
.LBB42:
	addl	%ebx, %r9d
	movslq	%r9d, %r9
.LBE42:
.LBE68:
.LBB69:
.LBB21:
	movslq	%r13d, %r13
.LBE21:
.LBE69:
	.loc 1 15 44
	vmovss	(%rax,%r13,4), %xmm0
	vaddss	(%rax,%r9,4), %xmm0, %xmm0
	.loc 1 15 58
	vmovq	%xmm6, %r9
	vaddss	(%rax,%r9,4), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm10, %r9
	vaddss	(%r9), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm5, %r9
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r9,4)
	.loc 1 14 27
	cmpl	%r12d, -4(%rsp)
	jle	.L39
	.loc 1 15 75
	leal	3(%rsi), %r9d
.LBB70:
.LBB33:
	.loc 1 4 64
	movl	%ecx, %r13d
	addl	%r9d, %r13d
	movslq	%r13d, %r13
	vmovq	%r13, %xmm5
	.loc 1 4 67
	leaq	(%rax,%r13,4), %r13
	vmovq	%r13, %xmm11
.LBE33:
.LBE70:
.LBB71:
.LBB43:
	.loc 1 4 64
	leal	(%rbx,%r12), %r13d
.LBE43:
.LBE71:
.LBB72:
.LBB22:
	addl	%r11d, %r12d
	movslq	%r12d, %r12
.LBE22:
.LBE72:
.LBB73:
.LBB44:
	movslq	%r13d, %r13
.LBE44:
.LBE73:
	.loc 1 15 44
	vmovss	(%rax,%r13,4), %xmm0
	vaddss	(%rax,%r12,4), %xmm0, %xmm0
	.loc 1 15 58
	vmovq	%xmm9, %r12
	vaddss	(%r12), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm11, %r12
	vaddss	(%r12), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm7, %r12
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r12,4)
	.loc 1 14 27
	cmpl	%r9d, -4(%rsp)
	jle	.L39
	.loc 1 15 75
	leal	4(%rsi), %r12d
.LBB74:
.LBB34:
	.loc 1 4 64
	movl	%ecx, %r13d
	addl	%r12d, %r13d
	movslq	%r13d, %r13
	vmovq	%r13, %xmm6
	.loc 1 4 67
	leaq	(%rax,%r13,4), %r13
	vmovq	%r13, %xmm7
.LBE34:
.LBE74:
.LBB75:
.LBB45:
	.loc 1 4 64
	leal	(%rbx,%r9), %r13d
.LBE45:
.LBE75:
.LBB76:
.LBB23:
	addl	%r11d, %r9d
	movslq	%r9d, %r9
.LBE23:
.LBE76:
.LBB77:
.LBB46:
	movslq	%r13d, %r13
.LBE46:
.LBE77:
	.loc 1 15 44
	vmovss	(%rax,%r13,4), %xmm0
	vaddss	(%rax,%r9,4), %xmm0, %xmm0
	.loc 1 15 58
	vmovq	%xmm10, %r9
	vaddss	(%r9), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm7, %r9
	vaddss	(%r9), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm5, %r9
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r9,4)
	.loc 1 14 27
	cmpl	%r12d, -4(%rsp)
	jle	.L39
	.loc 1 15 75
	leal	5(%rsi), %r9d
.LBB78:
.LBB35:
	.loc 1 4 64
	movl	%ecx, %r13d
	addl	%r9d, %r13d
	movslq	%r13d, %r13
	vmovq	%r13, %xmm5
	.loc 1 4 67
	leaq	(%rax,%r13,4), %r13
	vmovq	%r13, %xmm9
.LBE35:
.LBE78:
.LBB79:
.LBB47:
	.loc 1 4 64
	leal	(%rbx,%r12), %r13d
.LBE47:
.LBE79:
.LBB80:
.LBB24:
	addl	%r11d, %r12d
	movslq	%r12d, %r12
.LBE24:
.LBE80:
.LBB81:
.LBB48:
	movslq	%r13d, %r13
.LBE48:
.LBE81:
	.loc 1 15 44
	vmovss	(%rax,%r13,4), %xmm0
	vaddss	(%rax,%r12,4), %xmm0, %xmm0
	.loc 1 15 58
	vmovq	%xmm11, %r12
	vaddss	(%r12), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm9, %r12
	vaddss	(%r12), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm6, %r12
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r12,4)
	.loc 1 14 27
	cmpl	%r9d, -4(%rsp)
	jle	.L39
	.loc 1 15 75
	leal	6(%rsi), %r13d
.LBB82:
.LBB36:
	.loc 1 4 64
	movl	%ecx, %r12d
	addl	%r13d, %r12d
	movslq	%r12d, %r12
	vmovq	%r12, %xmm6
.LBE36:
.LBE82:
.LBB83:
.LBB49:
	leal	(%rbx,%r9), %r12d
.LBE49:
.LBE83:
.LBB84:
.LBB25:
	addl	%r11d, %r9d
	movslq	%r9d, %r9
.LBE25:
.LBE84:
.LBB85:
.LBB50:
	movslq	%r12d, %r12
.LBE50:
.LBE85:
	.loc 1 15 44
	vmovss	(%rax,%r12,4), %xmm0
	vaddss	(%rax,%r9,4), %xmm0, %xmm0
	.loc 1 15 58
	vmovq	%xmm7, %r9
	vaddss	(%r9), %xmm0, %xmm0
	.loc 1 15 72
	vmovq	%xmm6, %r9
	vaddss	(%rax,%r9,4), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm5, %r9
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%r9,4)
	.loc 1 14 27
	cmpl	%r13d, -4(%rsp)
	jle	.L39
.LBB86:
.LBB51:
	.loc 1 4 64
	addl	%r13d, %ebx
.LBE51:
.LBE86:
.LBB87:
.LBB26:
	addl	%r13d, %r11d
.LBE26:
.LBE87:
.LBB88:
.LBB37:
	leal	7(%rsi,%rcx), %esi
.LBE37:
.LBE88:
.LBB89:
.LBB52:
	movslq	%ebx, %rbx
.LBE52:
.LBE89:
.LBB90:
.LBB27:
	movslq	%r11d, %r11
.LBE27:
.LBE90:
.LBB91:
.LBB38:
	movslq	%esi, %rsi
.LBE38:
.LBE91:
	.loc 1 15 44
	vmovss	(%rax,%rbx,4), %xmm0
	.loc 1 15 58
	vmovq	%xmm9, %rbx
	.loc 1 15 44
	vaddss	(%rax,%r11,4), %xmm0, %xmm0
	.loc 1 15 58
	vaddss	(%rbx), %xmm0, %xmm0
	.loc 1 15 72
	vaddss	(%rax,%rsi,4), %xmm0, %xmm0
	.loc 1 15 21
	vmovq	%xmm6, %rbx
	.loc 1 15 29
	vmulss	%xmm2, %xmm0, %xmm0
	.loc 1 15 21
	vmovss	%xmm0, (%r15,%rbx,4)
.L39:
	leaq	512(%r10), %rbx
	jmp	.L8
.L9:
	movl	-64(%rsp), %r9d
	.loc 1 14 18
	xorl	%esi, %esi
	movl	$1, %r11d
	jmp	.L14
.L15:
	movl	-56(%rsp), %esi
	jmp	.L5
.LBE93:
.LBE94:
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
