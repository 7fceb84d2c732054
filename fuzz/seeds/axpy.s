	.text
	.globl	axpy
	.type	axpy, @function
axpy:
	.cfi_startproc
	testl	%edi, %edi
	jle	.L1
	xorl	%eax, %eax
.L3:
	.loc 1 4 3
	vmovupd	(%rsi,%rax), %ymm1
	vfmadd213pd	(%rdx,%rax), %ymm0, %ymm1
	vmovupd	%ymm1, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rcx, %rax
	jne	.L3
.L1:
	ret
	.cfi_endproc
	.size	axpy, .-axpy
