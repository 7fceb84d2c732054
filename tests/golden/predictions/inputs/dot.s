dot:
.L2:
	vmovsd (%rdi,%rax,8), %xmm1
	vfmadd231sd (%rsi,%rax,8), %xmm1, %xmm0
	incq %rax
	cmpq %rax, %rdx
	jne .L2
	ret
