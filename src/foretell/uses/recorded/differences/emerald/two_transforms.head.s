	.file	"two_transforms.head.cpp"
	.text
.Ltext0:
	.file 0 "two_transforms.head.cpp"
	.p2align 4
	.globl	brighten
	.type	brighten, @function
brighten:
.LFB678:
	.file 1 "two_transforms.head.cpp"
	.loc 1 4 1
	.cfi_startproc
	.loc 1 6 29
	movslq	%edi, %rdi
	.loc 1 4 1
	movq	%rsi, %rdx
	.loc 1 6 27
	salq	$2, %rdi
	.loc 1 6 19
	leaq	(%rsi,%rdi), %r8
.LBB9:
.LBB10:
	.file 2 "stl_algo.h"
	.loc 2 4262 22
	cmpq	%rsi, %r8
	je	.L52
	leaq	-4(%rdi), %rax
	cmpq	$24, %rax
	jbe	.L27
	leaq	4(%rsi), %r9
	movq	%rcx, %rsi
	subq	%r9, %rsi
	cmpq	$56, %rsi
	ja	.L4
.L27:
	vmovss	.LC2(%rip), %xmm1
	xorl	%eax, %eax
	vmovss	.LC4(%rip), %xmm2
.LBB11:
.LBB12:
	.loc 1 8 32
	vmovss	.LC0(%rip), %xmm3
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm0
	vfmadd132ss	(%rdx,%rax), %xmm2, %xmm0
	.loc 1 8 32
	vcmpltss	%xmm0, %xmm3, %xmm4
	vblendvps	%xmm4, %xmm3, %xmm0, %xmm0
.LBE12:
.LBE11:
	.loc 2 4263 12
	vmovss	%xmm0, (%rcx,%rax)
	.loc 2 4262 22
	addq	$4, %rax
	cmpq	%rax, %rdi
	jne	.L5
	ret
	.p2align 4,,10
	.p2align 3
.L4:
	movq	%rax, %r9
	shrq	$2, %r9
	leaq	1(%r9), %r10
	cmpq	$56, %rax
	jbe	.L28
	vbroadcastss	.LC2(%rip), %zmm3
	movq	%r10, %rsi
	xorl	%eax, %eax
	vbroadcastss	.LC4(%rip), %zmm2
	vbroadcastss	.LC0(%rip), %zmm1
	shrq	$4, %rsi
	salq	$6, %rsi
.L7:
.LBB28:
.LBB13:
	.loc 1 7 21
	vmovaps	%zmm3, %zmm0
	vfmadd132ps	(%rdx,%rax), %zmm2, %zmm0
	vcmpps	$1, %zmm0, %zmm1, %k1
	vmovaps	%zmm1, %zmm0{%k1}
.LBE13:
.LBE28:
	.loc 2 4263 12
	vmovups	%zmm0, (%rcx,%rax)
	addq	$64, %rax
	cmpq	%rsi, %rax
	jne	.L7
	movq	%r10, %rdi
	andq	$-16, %rdi
	leaq	0(,%rdi,4), %rsi
	leaq	(%rdx,%rsi), %rax
	addq	%rcx, %rsi
	andl	$15, %r10d
	je	.L51
.L6:
	subq	%rdi, %r9
	leaq	1(%r9), %r10
	cmpq	$6, %r9
	jbe	.L9
.LBB29:
.LBB14:
	.loc 1 7 21
	vmovups	(%rdx,%rdi,4), %ymm0
	movq	%r10, %rdx
	vbroadcastss	.LC4(%rip), %ymm5
	vbroadcastss	.LC0(%rip), %ymm1
	andq	$-8, %rdx
	vfmadd132ps	.LC2(%rip){1to8}, %ymm5, %ymm0
	salq	$2, %rdx
	addq	%rdx, %rax
	addq	%rdx, %rsi
	andl	$7, %r10d
	vcmpps	$1, %ymm0, %ymm1, %k1
	vmovaps	%ymm1, %ymm0{%k1}
.LBE14:
.LBE29:
	.loc 2 4263 12
	vmovups	%ymm0, (%rcx,%rdi,4)
	je	.L51
.L9:
.LBB30:
.LBB15:
	.loc 1 7 21
	vmovss	.LC2(%rip), %xmm1
.LBE15:
.LBE30:
	.loc 2 4262 7
	leaq	4(%rax), %rdx
.LBB31:
.LBB16:
	.loc 1 7 21
	vmovss	.LC4(%rip), %xmm2
	.loc 1 8 32
	vmovss	.LC0(%rip), %xmm0
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	(%rax), %xmm2, %xmm3
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE16:
.LBE31:
	.loc 2 4263 12
	vmovss	%xmm3, (%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB32:
.LBB17:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	4(%rax), %xmm2, %xmm3
.LBE17:
.LBE32:
	.loc 2 4262 7
	leaq	8(%rax), %rdx
.LBB33:
.LBB18:
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE18:
.LBE33:
	.loc 2 4263 12
	vmovss	%xmm3, 4(%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB34:
.LBB19:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	8(%rax), %xmm2, %xmm3
.LBE19:
.LBE34:
	.loc 2 4262 7
	leaq	12(%rax), %rdx
.LBB35:
.LBB20:
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE20:
.LBE35:
	.loc 2 4263 12
	vmovss	%xmm3, 8(%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB36:
.LBB21:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	12(%rax), %xmm2, %xmm3
.LBE21:
.LBE36:
	.loc 2 4262 7
	leaq	16(%rax), %rdx
.LBB37:
.LBB22:
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE22:
.LBE37:
	.loc 2 4263 12
	vmovss	%xmm3, 12(%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB38:
.LBB23:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	16(%rax), %xmm2, %xmm3
.LBE23:
.LBE38:
	.loc 2 4262 7
	leaq	20(%rax), %rdx
.LBB39:
.LBB24:
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE24:
.LBE39:
	.loc 2 4263 12
	vmovss	%xmm3, 16(%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB40:
.LBB25:
	.loc 1 7 21
	vmovaps	%xmm1, %xmm3
	vfmadd132ss	20(%rax), %xmm2, %xmm3
.LBE25:
.LBE40:
	.loc 2 4262 7
	leaq	24(%rax), %rdx
.LBB41:
.LBB26:
	.loc 1 8 32
	vcmpltss	%xmm3, %xmm0, %xmm4
	vblendvps	%xmm4, %xmm0, %xmm3, %xmm3
.LBE26:
.LBE41:
	.loc 2 4263 12
	vmovss	%xmm3, 20(%rsi)
	.loc 2 4262 22
	cmpq	%rdx, %r8
	je	.L51
.LBB42:
.LBB27:
	.loc 1 7 21
	vfmadd132ss	24(%rax), %xmm2, %xmm1
	.loc 1 8 32
	vcmpltss	%xmm1, %xmm0, %xmm2
	vblendvps	%xmm2, %xmm0, %xmm1, %xmm1
.LBE27:
.LBE42:
	.loc 2 4263 12
	vmovss	%xmm1, 24(%rsi)
	vzeroupper
	ret
	.p2align 4,,10
	.p2align 3
.L51:
	vzeroupper
.L52:
.LBE10:
.LBE9:
	.loc 1 10 1
	ret
.L28:
.LBB44:
.LBB43:
	.loc 2 4262 22
	movq	%rcx, %rsi
	movq	%rdx, %rax
	xorl	%edi, %edi
	jmp	.L6
.LBE43:
.LBE44:
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
