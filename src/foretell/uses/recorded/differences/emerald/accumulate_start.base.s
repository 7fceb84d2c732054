	.file	"accumulate_start.base.cpp"
	.text
.Ltext0:
	.file 0 "accumulate_start.base.cpp"
	.p2align 4
	.globl	mean_level
	.type	mean_level, @function
mean_level:
.LFB184:
	.file 1 "accumulate_start.base.cpp"
	.loc 1 4 1
	.cfi_startproc
	.loc 1 5 56
	movslq	%edi, %rax
	vxorps	%xmm2, %xmm2, %xmm2
	.loc 1 5 46
	leaq	(%rsi,%rax,4), %rax
.LBB4:
.LBB5:
	.file 2 "stl_numeric.h"
	.loc 2 140 22
	cmpq	%rsi, %rax
	je	.L4
	vxorpd	%xmm1, %xmm1, %xmm1
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 2 141 39
	vcvtss2sd	(%rsi), %xmm2, %xmm0
	.loc 2 140 7
	addq	$4, %rsi
	.loc 2 141 9
	vaddsd	%xmm0, %xmm1, %xmm1
	.loc 2 140 22
	cmpq	%rsi, %rax
	jne	.L3
.LBE5:
.LBE4:
	.loc 1 5 12
	vcvtsd2ss	%xmm1, %xmm1, %xmm1
.L2:
	.loc 1 5 67
	vcvtsi2ssl	%edi, %xmm2, %xmm2
	.loc 1 5 65
	vdivss	%xmm2, %xmm1, %xmm1
	.loc 1 5 10
	vmovss	%xmm1, (%rdx)
	.loc 1 6 1
	ret
	.p2align 4,,10
	.p2align 3
.L4:
.LBB7:
.LBB6:
	.loc 2 140 22
	vxorps	%xmm1, %xmm1, %xmm1
	jmp	.L2
.LBE6:
.LBE7:
	.cfi_endproc
.LFE184:
	.size	mean_level, .-mean_level
.Letext0:
	.section	.note.GNU-stack,"",@progbits
