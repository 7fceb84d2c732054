	.file	"checked_view.base.cpp"
	.text
.Ltext0:
	.file 0 "checked_view.base.cpp"
	.p2align 4
	.globl	pick
	.type	pick, @function
pick:
.LFB1:
	.file 1 "checked_view.base.cpp"
	.loc 1 10 1
	.cfi_startproc
.LBB5:
	.loc 1 12 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
.LBB6:
.LBB7:
	.loc 1 5 50 discriminator 3
	movslq	(%rdx,%rax,4), %rsi
	.loc 1 5 51 discriminator 3
	movsd	(%rcx,%rsi,8), %xmm0
.LBE7:
.LBE6:
	.loc 1 13 16 discriminator 3
	movsd	%xmm0, (%r8,%rax,8)
	.loc 1 12 23 discriminator 3
	addq	$1, %rax
	cmpq	%rdi, %rax
	jne	.L3
.L1:
.LBE5:
	.loc 1 14 1
	ret
	.cfi_endproc
.LFE1:
	.size	pick, .-pick
.Letext0:
	.section	.note.GNU-stack,"",@progbits
