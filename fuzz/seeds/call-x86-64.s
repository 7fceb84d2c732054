	.file	"seed.c"
	.text
	.p2align 4
	.globl	run
	.type	run, @function
run:
	cmpq	$1, %rdx
	jle	.L7
	vmovsd	.LC1(%rip), %xmm3
	movl	$1, %eax
	vxorpd	%xmm2, %xmm2, %xmm2
	vbroadcastsd	.LC3(%rip), %ymm1
	jmp	.L6
	.p2align 4,,10
	.p2align 3
.L13:
	vdivsd	-8(%rsi,%rax,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rsi,%rax,8)
.L5:
	vmovupd	(%rdi,%rax,8), %ymm0
	vfmadd213pd	(%rsi), %ymm1, %ymm0
	vmovupd	%ymm0, (%rsi)
	vmovupd	32(%rdi,%rax,8), %ymm0
	vfmadd213pd	32(%rsi), %ymm1, %ymm0
	addq	$1, %rax
	vmovupd	%ymm0, 32(%rsi)
	cmpq	%rax, %rdx
	je	.L12
.L6:
	vmovsd	(%rdi,%rax,8), %xmm0
	vcomisd	%xmm3, %xmm0
	ja	.L13
	vfmadd231sd	(%rsi,%rax,8), %xmm0, %xmm2
	jmp	.L5
	.p2align 4,,10
	.p2align 3
.L12:
	vzeroupper
	vmovsd	%xmm2, %xmm2, %xmm0
	ret
.L7:
	vxorpd	%xmm2, %xmm2, %xmm2
	vmovsd	%xmm2, %xmm2, %xmm0
	ret
	.size	run, .-run
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1071644672
	.align 8
.LC3:
	.long	0
	.long	1073741824
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
