# aarch64
	.global	copy
	.type	copy, %function
copy:
	cmp	w0, 0
	ble	.L1
	mov	x3, 0
.L3:
	ldr	q0, [x1, x3]
	fadd	v0.2d, v0.2d, v0.2d
	str	q0, [x2, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L3
.L1:
	ret
	.size	copy, .-copy
