	.file	"clamp_library.base.cpp"
	.text
.Ltext0:
	.file 0 "clamp_library.base.cpp"
	.p2align 4
	.globl	bounded
	.type	bounded, @function
bounded:
.LFB0:
	.file 1 "clamp_library.base.cpp"
	.loc 1 3 1
	.cfi_startproc
.LBB2:
	.loc 1 4 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	xorl	%ecx, %ecx
	leaq	0(,%rdi,4), %r8
	.p2align 4,,10
	.p2align 3
.L3:
.LBB3:
	.loc 1 5 13
	movl	(%rsi,%rcx), %eax
	.loc 1 8 14
	movl	$4000000, %edi
	.loc 1 5 13
	sarl	$8, %eax
	.loc 1 8 14
	cmpl	%edi, %eax
	cmovg	%edi, %eax
	.loc 1 10 16
	movl	$-4000000, %edi
	cmpl	%edi, %eax
	cmovl	%edi, %eax
	movl	%eax, (%rdx,%rcx)
.LBE3:
	.loc 1 4 23
	addq	$4, %rcx
	cmpq	%r8, %rcx
	jne	.L3
.L1:
.LBE2:
	.loc 1 12 1
	ret
	.cfi_endproc
.LFE0:
	.size	bounded, .-bounded
.Letext0:
	.section	.note.GNU-stack,"",@progbits
