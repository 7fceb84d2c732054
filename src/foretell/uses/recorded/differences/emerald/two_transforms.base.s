	.file	"two_transforms.base.cpp"
	.text
.Ltext0:
	.file 0 "two_transforms.base.cpp"
	.p2align 4
	.globl	brighten
	.type	brighten, @function
brighten:
.LFB678:
	.file 1 "two_transforms.base.cpp"
	.loc 1 4 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsi, %r8
	movq	%rcx, %rsi
	.loc 1 5 29
	movslq	%edi, %rcx
	.loc 1 5 27
	salq	$2, %rcx
	.loc 1 4 1
	movq	%rdx, %rax
	.loc 1 5 19
	leaq	(%r8,%rcx), %r11
	.loc 1 4 1
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%r12
	pushq	%rbx
	.cfi_offset 12, -24
	.cfi_offset 3, -32
.LBB14:
.LBB15:
	.file 2 "stl_algo.h"
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L2
	leaq	-4(%rcx), %r10
	cmpq	$24, %r10
	jbe	.L35
	leaq	4(%r8), %rdx
	movq	%rax, %rdi
	subq	%rdx, %rdi
	xorl	%edx, %edx
	cmpq	$56, %rdi
	ja	.L75
.L3:
	vmovss	.LC2(%rip), %xmm2
	vmovss	.LC4(%rip), %xmm1
	.p2align 4,,10
	.p2align 3
.L9:
.LBB16:
.LBB17:
	.loc 1 5 70
	vmovaps	%xmm2, %xmm0
	vfmadd132ss	(%r8,%rdx), %xmm1, %xmm0
.LBE17:
.LBE16:
	.loc 2 4263 12
	vmovss	%xmm0, (%rax,%rdx)
	.loc 2 4262 22
	addq	$4, %rdx
	cmpq	%rdx, %rcx
	jne	.L9
.L2:
.LBE15:
.LBE14:
	.loc 1 6 19
	leaq	(%rax,%rcx), %r8
.LBB41:
.LBB42:
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L72
	leaq	-4(%rcx), %rdx
	cmpq	$24, %rdx
	ja	.L11
.L12:
.LBB43:
.LBB44:
	.loc 1 6 73
	vmovss	.LC0(%rip), %xmm1
	xorl	%edx, %edx
	.p2align 4,,10
	.p2align 3
.L34:
.LBE44:
.LBE43:
	.loc 2 4263 24
	vmovss	(%rax,%rdx), %xmm0
.LBB53:
.LBB45:
	.loc 1 6 73
	vcmpltss	%xmm0, %xmm1, %xmm2
	vblendvps	%xmm2, %xmm1, %xmm0, %xmm0
.LBE45:
.LBE53:
	.loc 2 4263 12
	vmovss	%xmm0, (%rsi,%rdx)
	.loc 2 4262 22
	addq	$4, %rdx
	cmpq	%rdx, %rcx
	jne	.L34
.L72:
.LBE42:
.LBE41:
	.loc 1 7 1
	popq	%rbx
	popq	%r12
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
	.p2align 4,,10
	.p2align 3
.L75:
	.cfi_restore_state
	movq	%r10, %rbx
	shrq	$2, %rbx
	leaq	1(%rbx), %r12
	cmpq	$56, %r10
	jbe	.L37
	vbroadcastss	.LC2(%rip), %zmm2
	movq	%r12, %rdi
	vbroadcastss	.LC4(%rip), %zmm1
	shrq	$4, %rdi
	salq	$6, %rdi
	.p2align 4,,10
	.p2align 3
.L5:
.LBB63:
.LBB38:
.LBB28:
.LBB18:
	.loc 1 5 70
	vmovaps	%zmm2, %zmm0
	vfmadd132ps	(%r8,%rdx), %zmm1, %zmm0
.LBE18:
.LBE28:
	.loc 2 4263 12
	vmovups	%zmm0, (%rax,%rdx)
	addq	$64, %rdx
	cmpq	%rdi, %rdx
	jne	.L5
	movq	%r12, %r9
	andq	$-16, %r9
	leaq	0(,%r9,4), %rdx
	leaq	(%r8,%rdx), %rdi
	addq	%rax, %rdx
	andl	$15, %r12d
	je	.L6
.L4:
	subq	%r9, %rbx
	leaq	1(%rbx), %r12
	cmpq	$6, %rbx
	jbe	.L7
.LBB29:
.LBB19:
	.loc 1 5 70
	vmovups	(%r8,%r9,4), %ymm0
	movq	%r12, %r8
	vbroadcastss	.LC4(%rip), %ymm4
	andq	$-8, %r8
	vfmadd132ps	.LC2(%rip){1to8}, %ymm4, %ymm0
	salq	$2, %r8
	addq	%r8, %rdi
	addq	%r8, %rdx
	andl	$7, %r12d
.LBE19:
.LBE29:
	.loc 2 4263 12
	vmovups	%ymm0, (%rax,%r9,4)
	je	.L6
.L7:
.LBB30:
.LBB20:
	.loc 1 5 70
	vmovss	.LC2(%rip), %xmm0
.LBE20:
.LBE30:
	.loc 2 4262 7
	leaq	4(%rdi), %r8
.LBB31:
.LBB21:
	.loc 1 5 70
	vmovss	.LC4(%rip), %xmm1
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	(%rdi), %xmm1, %xmm2
.LBE21:
.LBE31:
	.loc 2 4263 12
	vmovss	%xmm2, (%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB32:
.LBB22:
	.loc 1 5 70
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	4(%rdi), %xmm1, %xmm2
.LBE22:
.LBE32:
	.loc 2 4262 7
	leaq	8(%rdi), %r8
	.loc 2 4263 12
	vmovss	%xmm2, 4(%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB33:
.LBB23:
	.loc 1 5 70
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	8(%rdi), %xmm1, %xmm2
.LBE23:
.LBE33:
	.loc 2 4262 7
	leaq	12(%rdi), %r8
	.loc 2 4263 12
	vmovss	%xmm2, 8(%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB34:
.LBB24:
	.loc 1 5 70
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	12(%rdi), %xmm1, %xmm2
.LBE24:
.LBE34:
	.loc 2 4262 7
	leaq	16(%rdi), %r8
	.loc 2 4263 12
	vmovss	%xmm2, 12(%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB35:
.LBB25:
	.loc 1 5 70
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	16(%rdi), %xmm1, %xmm2
.LBE25:
.LBE35:
	.loc 2 4262 7
	leaq	20(%rdi), %r8
	.loc 2 4263 12
	vmovss	%xmm2, 16(%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB36:
.LBB26:
	.loc 1 5 70
	vmovaps	%xmm0, %xmm2
	vfmadd132ss	20(%rdi), %xmm1, %xmm2
.LBE26:
.LBE36:
	.loc 2 4262 7
	leaq	24(%rdi), %r8
	.loc 2 4263 12
	vmovss	%xmm2, 20(%rdx)
	.loc 2 4262 22
	cmpq	%r8, %r11
	je	.L6
.LBB37:
.LBB27:
	.loc 1 5 70
	vfmadd132ss	24(%rdi), %xmm1, %xmm0
.LBE27:
.LBE37:
	.loc 2 4263 12
	vmovss	%xmm0, 24(%rdx)
.L6:
.LBE38:
.LBE63:
	.loc 1 6 19
	leaq	(%rax,%rcx), %r8
.LBB64:
.LBB61:
	.loc 2 4262 22
	cmpq	%r8, %rax
	je	.L71
	movq	%r10, %rdx
.L11:
	leaq	4(%rax), %r9
	movq	%rsi, %rdi
	subq	%r9, %rdi
	cmpq	$56, %rdi
	ja	.L76
	vzeroupper
	jmp	.L12
	.p2align 4,,10
	.p2align 3
.L76:
	movq	%rdx, %r9
	shrq	$2, %r9
	leaq	1(%r9), %r10
	cmpq	$56, %rdx
	jbe	.L38
	vbroadcastss	.LC0(%rip), %zmm1
	movq	%r10, %rcx
.LBE61:
.LBE64:
.LBB65:
.LBB39:
	xorl	%edx, %edx
	shrq	$4, %rcx
	salq	$6, %rcx
.L14:
	vcmpps	$1, (%rax,%rdx), %zmm1, %k1
	vmovups	(%rax,%rdx), %zmm3
	vblendmps	%zmm1, %zmm3, %zmm0{%k1}
.LBE39:
.LBE65:
.LBB66:
.LBB62:
	.loc 2 4263 12
	vmovups	%zmm0, (%rsi,%rdx)
	addq	$64, %rdx
	cmpq	%rdx, %rcx
	jne	.L14
	movq	%r10, %rdi
	andq	$-16, %rdi
	leaq	0(,%rdi,4), %rcx
	leaq	(%rax,%rcx), %rdx
	addq	%rsi, %rcx
	andl	$15, %r10d
	je	.L71
.L13:
	subq	%rdi, %r9
	leaq	1(%r9), %r10
	cmpq	$6, %r9
	jbe	.L16
	.loc 2 4263 24
	vmovups	(%rax,%rdi,4), %ymm0
	movq	%r10, %rax
	vbroadcastss	.LC0(%rip), %ymm1
	andq	$-8, %rax
	vcmpps	$1, %ymm0, %ymm1, %k1
	salq	$2, %rax
	addq	%rax, %rdx
	addq	%rax, %rcx
	andl	$7, %r10d
	vmovaps	%ymm1, %ymm0{%k1}
	.loc 2 4263 12
	vmovups	%ymm0, (%rsi,%rdi,4)
	je	.L71
.L16:
	.loc 2 4263 24
	vmovss	(%rdx), %xmm1
	.loc 2 4262 7
	leaq	4(%rdx), %rax
.LBB54:
.LBB46:
	.loc 1 6 73
	vmovss	.LC0(%rip), %xmm0
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE46:
.LBE54:
	.loc 2 4263 12
	vmovss	%xmm1, (%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	4(%rdx), %xmm1
	.loc 2 4262 7
	leaq	8(%rdx), %rax
.LBB55:
.LBB47:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE47:
.LBE55:
	.loc 2 4263 12
	vmovss	%xmm1, 4(%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	8(%rdx), %xmm1
	.loc 2 4262 7
	leaq	12(%rdx), %rax
.LBB56:
.LBB48:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE48:
.LBE56:
	.loc 2 4263 12
	vmovss	%xmm1, 8(%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	12(%rdx), %xmm1
	.loc 2 4262 7
	leaq	16(%rdx), %rax
.LBB57:
.LBB49:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE49:
.LBE57:
	.loc 2 4263 12
	vmovss	%xmm1, 12(%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	16(%rdx), %xmm1
	.loc 2 4262 7
	leaq	20(%rdx), %rax
.LBB58:
.LBB50:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE50:
.LBE58:
	.loc 2 4263 12
	vmovss	%xmm1, 16(%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	20(%rdx), %xmm1
	.loc 2 4262 7
	leaq	24(%rdx), %rax
.LBB59:
.LBB51:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE51:
.LBE59:
	.loc 2 4263 12
	vmovss	%xmm1, 20(%rcx)
	.loc 2 4262 22
	cmpq	%rax, %r8
	je	.L71
	.loc 2 4263 24
	vmovss	24(%rdx), %xmm1
.LBB60:
.LBB52:
	.loc 1 6 73
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE52:
.LBE60:
	.loc 2 4263 12
	vmovss	%xmm1, 24(%rcx)
	vzeroupper
.LBE62:
.LBE66:
	.loc 1 7 1
	popq	%rbx
	popq	%r12
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
	.p2align 4,,10
	.p2align 3
.L71:
	.cfi_restore_state
	vzeroupper
	popq	%rbx
	popq	%r12
	popq	%rbp
	.cfi_remember_state
	.cfi_def_cfa 7, 8
	ret
	.p2align 4,,10
	.p2align 3
.L35:
	.cfi_restore_state
.LBB67:
.LBB40:
	.loc 2 4262 22
	xorl	%edx, %edx
	jmp	.L3
.L38:
	movq	%rsi, %rcx
	movq	%rax, %rdx
	xorl	%edi, %edi
	jmp	.L13
.L37:
	movq	%rax, %rdx
	movq	%r8, %rdi
	xorl	%r9d, %r9d
	jmp	.L4
.LBE40:
.LBE67:
	.cfi_endproc
.LFE678:
	.size	brighten, .-brighten
	.section	.rodata.cst4,"aM",@progbits,4
	.align 4
.LC0:
	.long	1132396544
	.align 4
.LC2:
	.long	1067030938
	.align 4
.LC4:
	.long	1077936128
	.text
.Letext0:
	.section	.note.GNU-stack,"",@progbits
