	.text
	.globl	updates
	.type	updates, @function
updates:
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	leaq	(%rdx,%rdi,4), %rcx
.L3:
	movslq	(%rdx), %rax
	addq	$4, %rdx
	addl	$1, (%rsi,%rax,4)
	cmpq	%rdx, %rcx
	jne	.L3
.L1:
	ret
	.size	updates, .-updates
