	.text
	.type	scale.constprop.0, %function
scale.constprop.0:
	mov	w4, w1
	cmp	w1, 0
	ble	.L1
	cmp	w1, 1
	beq	.L6
	lsr	w3, w1, 1
	mov	x2, x0
	add	x3, x0, w3, uxtw 4
.L4:
	ldr	q0, [x2]
	fadd	v0.2d, v0.2d, v0.2d
	str	q0, [x2], 16
	cmp	x2, x3
	bne	.L4
	and	w1, w4, -2
	tbz	x4, 0, .L1
.L3:
	sxtw	x1, w1
	ldr	d0, [x0, x1, lsl 3]
	fadd	d0, d0, d0
	str	d0, [x0, x1, lsl 3]
.L1:
	ret
.L6:
	mov	w1, 0
	b	.L3
	.type	fib, %function
fib:
	stp	x29, x30, [sp, -176]!
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	mov	w20, w0
	cmp	w0, 1
	beq	.L10
	sub	w1, w0, #1
	stp	x23, x24, [sp, 48]
	and	w2, w1, -2
	sub	w19, w0, w2
	stp	x25, x26, [sp, 64]
	mov	w26, 0
	cmp	w20, w19
	beq	.L11
.L55:
	sub	w20, w20, #2
	stp	x21, x22, [sp, 32]
	and	w0, w20, -2
	sub	w22, w1, w0
	mov	w23, w1
	mov	w25, w22
	stp	x27, x28, [sp, 80]
	mov	w27, 0
	mov	w22, w27
.L34:
	sub	w21, w23, #1
	cmp	w23, w25
	beq	.L12
.L54:
	sub	w23, w23, #2
	mov	w1, w20
	and	w0, w23, -2
	mov	w20, w19
	sub	w24, w21, w0
	mov	w27, 0
.L32:
	sub	w0, w21, #1
	cmp	w21, w24
	beq	.L13
	sub	w28, w21, #2
	mov	w4, w23
	and	w2, w28, -2
	mov	w23, w20
	sub	w2, w0, w2
	mov	w19, 0
	mov	w20, w2
	mov	w21, w19
	mov	w2, w24
	mov	w5, w28
	mov	w24, w25
.L30:
	sub	w25, w0, #1
	cmp	w0, w20
	beq	.L14
	sub	w0, w0, #2
	mov	w10, w2
	and	w19, w0, -2
	mov	w2, w24
	sub	w19, w25, w19
	mov	w3, w20
	mov	w9, w19
	mov	w28, 0
	mov	w24, w23
	mov	w8, w28
	mov	w20, w21
	mov	w19, w26
	mov	w7, w0
.L28:
	sub	w6, w25, #1
	cmp	w25, w9
	beq	.L15
	sub	w25, w25, #2
	mov	w11, w27
	and	w26, w25, -2
	mov	w14, w25
	sub	w26, w6, w26
	mov	w27, w19
	mov	w12, w20
	mov	w13, w24
	mov	w25, w26
	mov	w23, 0
.L26:
	sub	w19, w6, #1
	cmp	w6, w25
	beq	.L16
	sub	w21, w6, #2
	sub	w24, w6, #3
	and	w0, w21, -2
	sub	w26, w6, #5
	mov	w20, 0
	sub	w6, w19, w0
	mov	w28, w20
	mov	w15, w26
	mov	w20, w6
	mov	w18, w24
.L24:
	sub	w0, w19, #1
	cmp	w19, w20
	beq	.L17
	and	w16, w18, -2
	mov	w24, 0
	sub	w6, w0, w16
	stp	w2, w3, [sp, 96]
	mov	w2, w6
	mov	w6, w21
	mov	w21, w19
	mov	w19, w15
	str	w1, [sp, 104]
	mov	w1, w24
	mov	w24, w20
.L22:
	cmp	w0, w2
	beq	.L18
	sub	w3, w0, #2
	and	w20, w19, -2
	sub	w0, w0, #4
	mov	w26, w3
	sub	w0, w0, w20
	mov	w20, 0
	str	w0, [sp, 108]
.L19:
	mov	w0, w26
	stp	w11, w12, [sp, 112]
	stp	w8, w1, [sp, 120]
	sub	w26, w26, #2
	stp	w13, w10, [sp, 128]
	stp	w9, w15, [sp, 136]
	stp	w18, w2, [sp, 144]
	stp	w4, w5, [sp, 152]
	stp	w7, w14, [sp, 160]
	stp	w6, w3, [sp, 168]
	bl	fib
	add	w20, w20, w0
	ldr	w3, [sp, 172]
	ldp	w0, w11, [sp, 108]
	ldp	w12, w8, [sp, 116]
	ldp	w1, w13, [sp, 124]
	ldp	w10, w9, [sp, 132]
	ldp	w15, w18, [sp, 140]
	ldp	w2, w4, [sp, 148]
	ldp	w5, w7, [sp, 156]
	ldp	w14, w6, [sp, 164]
	cmp	w0, w26
	bne	.L19
	and	w26, w19, 1
	mov	w0, w3
	add	w16, w26, w20
	sub	w19, w19, #2
	add	w1, w1, w16
	cmp	w3, 1
	bgt	.L22
	mov	w20, w24
	mov	w24, w1
	ldp	w2, w3, [sp, 96]
	mov	w19, w21
	ldr	w1, [sp, 104]
	mov	w21, w6
.L21:
	add	w24, w0, w24
	sub	w19, w19, #2
	add	w28, w28, w24
	sub	w18, w18, #2
	sub	w15, w15, #2
	cmp	w19, 1
	bgt	.L24
	mov	w20, w28
.L23:
	add	w20, w19, w20
	mov	w6, w21
	add	w23, w23, w20
	cmp	w21, 1
	bgt	.L26
	mov	w19, w27
	mov	w20, w12
	mov	w27, w11
	mov	w24, w13
	mov	w25, w14
.L25:
	add	w6, w6, w23
	add	w8, w8, w6
	cmp	w25, 1
	bgt	.L28
	mov	w21, w20
	mov	w23, w24
	mov	w26, w19
	mov	w24, w2
	mov	w28, w8
	mov	w2, w10
	mov	w20, w3
	mov	w0, w7
.L27:
	add	w25, w25, w28
	add	w21, w21, w25
	cmp	w0, 1
	bgt	.L30
	mov	w20, w23
	mov	w25, w24
	mov	w19, w21
	mov	w24, w2
	mov	w23, w4
	mov	w28, w5
.L29:
	add	w19, w19, w0
	mov	w21, w28
	add	w27, w27, w19
	cmp	w28, 1
	bgt	.L32
	add	w27, w27, w21
	mov	w19, w20
	add	w22, w22, w27
	mov	w20, w1
	cmp	w23, 1
	bgt	.L34
.L53:
	mov	w24, w23
	mov	w27, w22
	add	w24, w24, w27
	add	w26, w26, w24
	cmp	w20, 1
	bgt	.L52
.L49:
	add	w20, w20, w26
	ldp	x21, x22, [sp, 32]
	mov	w0, w20
	ldp	x19, x20, [sp, 16]
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	x27, x28, [sp, 80]
	ldp	x29, x30, [sp], 176
	ret
.L16:
	mov	w21, w19
	mov	w20, w12
	mov	w19, w27
	mov	w24, w13
	mov	w27, w11
	mov	w25, w14
	sub	w6, w6, #2
	add	w23, w23, w21
	b	.L25
.L17:
	sub	w19, w19, #2
	add	w20, w28, w0
	b	.L23
.L18:
	sub	w17, w0, #1
	mov	w19, w21
	mov	w20, w24
	mov	w21, w6
	add	w24, w1, w17
	sub	w0, w0, #2
	ldp	w2, w3, [sp, 96]
	ldr	w1, [sp, 104]
	b	.L21
.L15:
	mov	w21, w20
	mov	w23, w24
	mov	w26, w19
	mov	w24, w2
	mov	w20, w3
	mov	w2, w10
	mov	w0, w7
	sub	w25, w25, #2
	add	w28, w8, w6
	b	.L27
.L14:
	mov	w3, w25
	mov	w20, w23
	mov	w25, w24
	mov	w23, w4
	mov	w24, w2
	mov	w28, w5
	sub	w0, w0, #2
	add	w19, w21, w3
	b	.L29
.L13:
	sub	w21, w21, #2
	add	w27, w27, w0
	add	w27, w27, w21
	mov	w19, w20
	add	w22, w22, w27
	mov	w20, w1
	cmp	w23, 1
	ble	.L53
	sub	w21, w23, #1
	cmp	w23, w25
	bne	.L54
.L12:
	sub	w24, w23, #2
	add	w27, w22, w21
	add	w24, w24, w27
	add	w26, w26, w24
	cmp	w20, 1
	ble	.L49
.L52:
	ldp	x21, x22, [sp, 32]
	sub	w1, w20, #1
	ldp	x27, x28, [sp, 80]
	cmp	w20, w19
	bne	.L55
.L11:
	ldp	x23, x24, [sp, 48]
	add	w1, w1, w26
	ldp	x25, x26, [sp, 64]
	sub	w20, w20, #2
	add	w20, w20, w1
.L10:
	mov	w0, w20
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 176
	ret
	.type	axpy, %function
axpy:
	cmp	x0, 0
	ble	.L56
	sub	x3, x0, #1
	cmp	x3, 2
	bls	.L63
	add	x4, x1, 8
	mov	x3, 0
	cmp	x2, x4
	bne	.L67
.L61:
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L61
.L56:
	ret
.L67:
	dup	v3.2d, v0.d[0]
	lsr	x4, x0, 1
	lsl	x4, x4, 4
.L59:
	ldr	q2, [x1, x3]
	ldr	q1, [x2, x3]
	fmla	v1.2d, v2.2d, v3.2d
	str	q1, [x2, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L59
	and	x3, x0, -2
	tbz	x0, 0, .L56
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d0, d0, d2, d1
	str	d0, [x2, x3, lsl 3]
	ret
.L63:
	mov	x3, 0
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L61
	b	.L56
	.type	dot, %function
dot:
	movi	d0, #0
	cmp	w0, 0
	ble	.L68
	sbfiz	x3, x0, 3, 32
	mov	x0, 0
.L70:
	ldr	d2, [x1, x0]
	ldr	d1, [x2, x0]
	add	x0, x0, 8
	fmadd	d0, d2, d1, d0
	cmp	x3, x0
	bne	.L70
.L68:
	ret
	.type	matmul, %function
matmul:
	mov	w10, w0
	mov	x11, x2
	cmp	w0, 0
	ble	.L73
	sbfiz	x2, x0, 3, 32
	mov	x7, x3
	mov	x6, x1
	add	x3, x1, x2
	sxtw	x8, w0
	mov	w9, 0
.L75:
	mov	x5, x11
	mov	x4, 0
.L78:
	movi	d0, #0
	mov	x1, x5
	mov	x0, x6
.L76:
	ldr	d1, [x1]
	add	x1, x1, x2
	ldr	d2, [x0], 8
	fmadd	d0, d2, d1, d0
	cmp	x3, x0
	bne	.L76
	str	d0, [x7, x4, lsl 3]
	add	x4, x4, 1
	add	x5, x5, 8
	cmp	x8, x4
	bne	.L78
	add	w9, w9, 1
	add	x7, x7, x2
	add	x6, x6, x2
	add	x3, x3, x2
	cmp	w10, w9
	bne	.L75
.L73:
	ret
	.type	matmul_vla, %function
matmul_vla:
	mov	w9, w0
	mov	x7, x2
	cmp	w0, 0
	ble	.L80
	sbfiz	x4, x0, 3, 32
	mov	x6, x1
	add	x5, x1, x4
	mov	w8, 0
.L82:
	mov	x2, 0
.L85:
	ldr	d0, [x3, x2]
	add	x1, x7, x2
	mov	x0, x6
.L83:
	ldr	d1, [x1]
	add	x1, x1, x4
	ldr	d2, [x0], 8
	fmadd	d0, d2, d1, d0
	str	d0, [x3, x2]
	cmp	x5, x0
	bne	.L83
	add	x2, x2, 8
	cmp	x4, x2
	bne	.L85
	add	w8, w8, 1
	add	x6, x6, x4
	add	x3, x3, x4
	add	x5, x5, x4
	cmp	w9, w8
	bne	.L82
.L80:
	ret
	.type	gemv, %function
gemv:
	cmp	w0, 0
	ble	.L87
	add	x6, x4, w0, sxtw 3
	sbfiz	x5, x1, 3, 32
.L90:
	str	xzr, [x4]
	movi	d0, #0
	mov	x0, 0
	cmp	w1, 0
	ble	.L93
.L92:
	ldr	d2, [x2, x0]
	ldr	d1, [x3, x0]
	add	x0, x0, 8
	fmadd	d0, d2, d1, d0
	str	d0, [x4]
	cmp	x5, x0
	bne	.L92
.L93:
	add	x4, x4, 8
	add	x2, x2, x5
	cmp	x6, x4
	bne	.L90
.L87:
	ret
	.type	trisolv, %function
trisolv:
	cmp	w0, 0
	ble	.L97
	ldr	d0, [x3]
	str	d0, [x2]
	ldr	d1, [x1]
	fdiv	d0, d0, d1
	str	d0, [x2]
	cmp	w0, 1
	beq	.L97
	sxtw	x7, w0
	mov	x4, 1
	add	x7, x7, x4
	lsl	x7, x7, 3
	sub	x8, x7, #8
	add	x6, x1, x7
	add	x5, x1, x8
.L102:
	ldr	d0, [x3, x4, lsl 3]
	mov	x1, 0
	str	d0, [x2, x4, lsl 3]
.L101:
	ldr	d2, [x2, x1, lsl 3]
	ldr	d1, [x5, x1, lsl 3]
	add	x1, x1, 1
	fmsub	d0, d2, d1, d0
	str	d0, [x2, x4, lsl 3]
	cmp	w1, w4
	blt	.L101
	ldr	d1, [x6]
	add	x5, x5, x8
	add	x6, x6, x7
	fdiv	d0, d0, d1
	str	d0, [x2, x4, lsl 3]
	add	x4, x4, 1
	cmp	w0, w4
	bgt	.L102
.L97:
	ret
	.type	jacobi2d, %function
jacobi2d:
	cmp	w0, 0
	ble	.L145
	stp	x29, x30, [sp, -112]!
	sub	w17, w1, #2
	mov	w16, w1
	sbfiz	x8, x1, 3, 32
	mov	x29, sp
	lsr	w9, w17, 1
	mov	x14, x2
	sub	x6, x8, #8
	add	x10, x8, 8
	and	w11, w17, -2
	sub	w4, w1, #1
	stp	x23, x24, [sp, 48]
	add	x7, x14, x6
	stp	x25, x26, [sp, 64]
	sub	w13, w16, #3
	mov	w25, w0
	mov	x2, x3
	add	w12, w11, 2
	lsl	x9, x9, 4
	add	x6, x3, x6
	add	x0, x14, x10
	add	x5, x3, x10
	orr	w1, w17, 1
	sbfiz	x16, x16, 4, 32
	add	x30, x3, 8
	add	x18, x14, 8
	mov	w23, 0
	cmp	w4, 1
	ble	.L106
	adrp	x3, .LC0
	sub	x15, x2, x14
	and	w17, w17, 1
	sxtw	x1, w1
	ldr	q1, [x3, #:lo12:.LC0]
	sxtw	x11, w11
	sxtw	x12, w12
	sub	x14, x14, x2
	stp	x19, x20, [sp, 16]
	mov	w20, w25
	fmov	d2, d1
	stp	x21, x22, [sp, 32]
	stp	x27, x28, [sp, 80]
	str	x6, [sp, 96]
	str	w23, [sp, 108]
.L108:
	mov	x24, x18
	mov	x23, x5
	mov	x19, x0
	mov	x25, x7
	mov	w26, 1
.L114:
	add	w26, w26, 1
	sub	x3, x19, #8
	add	x6, x10, x25
	sub	x21, x24, #8
	sub	x22, x23, #8
	cmp	w13, 1
	bls	.L127
	add	x2, x24, 8
	cmp	x15, 16
	ccmp	x2, x23, 4, hi
	add	x2, x10, x19
	ccmp	x2, x23, 4, ne
	bne	.L117
.L127:
	mov	x2, 1
.L110:
	ldr	d3, [x25, x2, lsl 3]
	ldr	d0, [x3, x2, lsl 3]
	ldr	d5, [x19, x2, lsl 3]
	ldr	d4, [x6, x2, lsl 3]
	fadd	d0, d0, d3
	ldr	d3, [x21, x2, lsl 3]
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fmul	d0, d0, d2
	str	d0, [x22, x2, lsl 3]
	add	x2, x2, 1
	cmp	w4, w2
	bgt	.L110
.L111:
	add	x25, x25, x8
	add	x19, x19, x8
	add	x23, x23, x8
	add	x24, x24, x8
	cmp	w4, w26
	bne	.L114
.L148:
	ldr	x25, [sp, 96]
	mov	x24, x30
	mov	x23, x0
	mov	x19, x5
	mov	w28, 1
.L115:
	add	w28, w28, 1
	sub	x3, x19, #8
	add	x6, x25, x10
	sub	x21, x24, #8
	sub	x22, x23, #8
	cmp	w13, 1
	bls	.L128
	add	x26, x24, 8
	add	x2, x19, x10
	cmp	x26, x23
	ccmp	x14, 16, 0, ne
	ccmp	x2, x23, 4, hi
	bne	.L125
.L128:
	mov	x2, 1
.L119:
	ldr	d3, [x3, x2, lsl 3]
	ldr	d0, [x25, x2, lsl 3]
	ldr	d5, [x19, x2, lsl 3]
	ldr	d4, [x6, x2, lsl 3]
	fadd	d0, d0, d3
	ldr	d3, [x21, x2, lsl 3]
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fmul	d0, d0, d2
	str	d0, [x22, x2, lsl 3]
	add	x2, x2, 1
	cmp	w4, w2
	bgt	.L119
.L120:
	add	x25, x25, x8
	add	x19, x19, x8
	add	x23, x23, x8
	add	x24, x24, x8
	cmp	w28, w4
	bne	.L115
.L123:
	ldr	w2, [sp, 108]
	add	w2, w2, 1
	str	w2, [sp, 108]
	cmp	w20, w2
	bne	.L108
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x27, x28, [sp, 80]
.L106:
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	x29, x30, [sp], 112
	ret
.L117:
	add	x28, x10, x24
	add	x27, x24, x16
	mov	x2, 0
.L112:
	ldr	q3, [x3, x2]
	ldr	q0, [x19, x2]
	ldr	q5, [x28, x2]
	fadd	v0.2d, v0.2d, v3.2d
	ldr	q4, [x27, x2]
	ldr	q3, [x24, x2]
	fadd	v0.2d, v0.2d, v5.2d
	fadd	v0.2d, v0.2d, v4.2d
	fadd	v0.2d, v0.2d, v3.2d
	fmul	v0.2d, v0.2d, v1.2d
	str	q0, [x23, x2]
	add	x2, x2, 16
	cmp	x9, x2
	bne	.L112
	cbz	w17, .L111
	ldr	d3, [x3, x11, lsl 3]
	add	x25, x25, x8
	ldr	d0, [x3, x1, lsl 3]
	add	x19, x19, x8
	ldr	d5, [x3, x12, lsl 3]
	add	x23, x23, x8
	ldr	d4, [x6, x1, lsl 3]
	add	x24, x24, x8
	fadd	d0, d0, d3
	ldr	d3, [x21, x1, lsl 3]
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fmul	d0, d0, d1
	str	d0, [x22, x1, lsl 3]
	cmp	w4, w26
	bne	.L114
	b	.L148
.L125:
	add	x27, x10, x24
	add	x26, x24, x16
	mov	x2, 0
.L121:
	ldr	q3, [x19, x2]
	ldr	q0, [x3, x2]
	ldr	q5, [x27, x2]
	fadd	v0.2d, v0.2d, v3.2d
	ldr	q4, [x26, x2]
	ldr	q3, [x24, x2]
	fadd	v0.2d, v0.2d, v5.2d
	fadd	v0.2d, v0.2d, v4.2d
	fadd	v0.2d, v0.2d, v3.2d
	fmul	v0.2d, v0.2d, v1.2d
	str	q0, [x23, x2]
	add	x2, x2, 16
	cmp	x2, x9
	bne	.L121
	cbz	w17, .L120
	ldr	d3, [x3, x1, lsl 3]
	add	x25, x25, x8
	ldr	d0, [x3, x11, lsl 3]
	add	x19, x19, x8
	ldr	d5, [x3, x12, lsl 3]
	add	x23, x23, x8
	ldr	d4, [x6, x1, lsl 3]
	add	x24, x24, x8
	fadd	d0, d0, d3
	ldr	d3, [x21, x1, lsl 3]
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fmul	d0, d0, d1
	str	d0, [x22, x1, lsl 3]
	cmp	w28, w4
	bne	.L115
	b	.L123
.L145:
	ret
	.type	rows, %function
rows:
	cmp	w0, 0
	ble	.L149
	cmp	w1, 0
	ble	.L149
	fmov	v2.2d, 2.0e+0
	lsr	w9, w1, 1
	fmov	v1.2d, 1.0e+0
	and	x6, x1, 4294967294
	sbfiz	x10, x0, 3, 32
	lsl	x9, x9, 4
	lsl	x6, x6, 3
	sub	w11, w1, #1
	fmov	d5, d2
	and	w12, w1, -2
	fmov	d4, d1
	sbfiz	x7, x1, 3, 32
	mov	x8, 0
.L151:
	ldr	x5, [x3, x8]
	ldr	x4, [x2, x8]
	cmp	w11, 4
	bhi	.L156
.L157:
	mov	x0, 0
.L154:
	ldr	d0, [x5, x0]
	fmadd	d0, d0, d5, d4
	str	d0, [x4, x0]
	add	x0, x0, 8
	cmp	x7, x0
	bne	.L154
	add	x8, x8, 8
	cmp	x8, x10
	bne	.L151
.L149:
	ret
.L162:
	cmp	w1, w12
	beq	.L153
	ldr	d0, [x5, x6]
	fmadd	d0, d0, d2, d1
	str	d0, [x4, x6]
.L153:
	add	x8, x8, 8
	cmp	x10, x8
	beq	.L149
	ldr	x5, [x3, x8]
	ldr	x4, [x2, x8]
.L156:
	add	x0, x5, 8
	cmp	x4, x0
	beq	.L157
	mov	x0, 0
.L152:
	ldr	q3, [x5, x0]
	mov	v0.16b, v1.16b
	fmla	v0.2d, v3.2d, v2.2d
	str	q0, [x4, x0]
	add	x0, x0, 16
	cmp	x0, x9
	bne	.L152
	b	.L162
	.type	seidel, %function
seidel:
	cmp	w0, 0
	ble	.L171
	uxtw	x9, w1
	sub	w12, w9, #1
	cmp	w12, 1
	ble	.L171
	mov	w16, w0
	sbfiz	x10, x9, 3, 32
	sbfiz	x0, x9, 4, 32
	sub	x18, x10, #8
	sub	x17, x0, #16
	sub	x0, x0, #8
	stp	x29, x30, [sp, -16]!
	add	x18, x2, x18
	add	x17, x2, x17
	add	x15, x2, x0
	sub	x30, x2, #16
	sub	x14, x2, #8
	mov	w13, 0
	fmov	d7, 9.0e+0
	mov	x29, sp
.L165:
	mov	x3, x30
	mov	x5, x14
	mov	x1, x18
	mov	x4, x15
	mov	x2, x17
	mov	w11, 1
.L168:
	ldp	d2, d1, [x1, 8]
	add	w11, w11, 1
	add	x8, x3, 16
	add	x7, x1, 8
	add	x6, x2, 16
	mov	x0, 2
.L166:
	ldr	d3, [x5, x0, lsl 3]
	ldr	d0, [x3, x0, lsl 3]
	ldr	d6, [x8, x0, lsl 3]
	ldr	d5, [x2, x0, lsl 3]
	fadd	d0, d0, d3
	ldr	d4, [x4, x0, lsl 3]
	ldr	d3, [x6, x0, lsl 3]
	fadd	d0, d0, d6
	fadd	d0, d0, d2
	fadd	d0, d0, d1
	ldr	d1, [x7, x0, lsl 3]
	fadd	d0, d0, d1
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fdiv	d2, d0, d7
	str	d2, [x1, x0, lsl 3]
	add	x0, x0, 1
	cmp	x9, x0
	bne	.L166
	add	x3, x3, x10
	add	x5, x5, x10
	add	x2, x2, x10
	add	x4, x4, x10
	add	x1, x1, x10
	cmp	w12, w11
	bne	.L168
	add	w13, w13, 1
	cmp	w16, w13
	bne	.L165
	ldp	x29, x30, [sp], 16
	ret
.L171:
	ret
	.type	syrk, %function
syrk:
	cmp	w0, 0
	ble	.L204
	stp	x29, x30, [sp, -80]!
	fmov	d3, d0
	fmov	d5, d1
	mov	x29, sp
	dup	v6.2d, v1.d[0]
	stp	x23, x24, [sp, 48]
	sbfiz	x24, x0, 3, 32
	mov	x13, x3
	mov	w17, w1
	mov	x3, x2
	add	x6, x2, 8
	mov	x16, x2
	add	x23, x24, 8
	sbfiz	x4, x1, 3, 32
	sbfiz	x12, x1, 4, 32
	stp	x21, x22, [sp, 32]
	mov	w22, w0
	mov	x14, 0
	mov	w15, 0
	stp	x19, x20, [sp, 16]
	mov	w20, 1
	str	x25, [sp, 64]
.L176:
	cbz	w15, .L191
	lsr	w1, w20, 1
	mov	x0, x3
	add	x1, x3, w1, uxtw 4
.L178:
	ldr	q0, [x0]
	fmul	v0.2d, v0.2d, v6.2d
	str	q0, [x0], 16
	cmp	x1, x0
	bne	.L178
	and	w0, w20, -2
	tbz	x20, 0, .L177
.L189:
	sxtw	x0, w0
	ldr	d0, [x3, x0, lsl 3]
	fmul	d0, d0, d5
	str	d0, [x3, x0, lsl 3]
.L177:
	cmp	w17, 0
	ble	.L180
	and	x11, x20, 4294967294
	lsr	w10, w20, 1
	and	w9, w20, -2
	cmp	x4, 0
	csel	x19, x14, xzr, ge
	csel	x30, x14, xzr, lt
	madd	x11, x11, x4, x13
	add	x10, x3, w10, uxtw 4
	sxtw	x9, w9
	mov	x8, x13
	add	x5, x14, x13
	add	x18, x14, 8
	and	w21, w20, 1
	mov	x2, 0
	mov	w7, 0
.L181:
	cmp	w15, 4
	bls	.L190
	add	x1, x19, x2
	add	x0, x2, x30
	add	x1, x13, x1
	add	x0, x13, x0
	cmp	x3, x1
	add	x1, x18, x8
	ccmp	x0, x16, 2, ls
	add	x0, x8, x14
	cset	w25, hi
	cmp	x3, x1
	ccmp	x0, x6, 2, cc
	cset	w0, cs
	tst	w25, w0
	bne	.L188
.L190:
	mov	x0, x3
	mov	x1, x8
.L183:
	ldr	d1, [x5, x2]
	ldr	d2, [x1]
	add	x1, x1, x4
	ldr	d0, [x0]
	fmul	d1, d3, d1
	fmadd	d0, d1, d2, d0
	str	d0, [x0], 8
	cmp	x0, x6
	bne	.L183
.L184:
	add	w7, w7, 1
	add	x8, x8, 8
	add	x2, x2, 8
	cmp	w17, w7
	bne	.L181
.L180:
	add	w15, w15, 1
	add	w20, w20, 1
	add	x3, x3, x24
	add	x6, x6, x23
	add	x16, x16, x23
	add	x14, x14, x4
	cmp	w22, w15
	bne	.L176
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldr	x25, [sp, 64]
	ldp	x29, x30, [sp], 80
	ret
.L188:
	ldr	d4, [x5, x2]
	mov	x1, x3
	mov	x0, x8
	fmul	d4, d3, d4
	dup	v4.2d, v4.d[0]
.L185:
	ldr	d2, [x0, x4]
	ldr	d1, [x0]
	add	x0, x0, x12
	ldr	q0, [x1]
	ins	v1.d[1], v2.d[0]
	fmla	v0.2d, v4.2d, v1.2d
	str	q0, [x1], 16
	cmp	x10, x1
	bne	.L185
	cbz	w21, .L184
	ldr	d1, [x5, x2]
	add	x8, x8, 8
	ldr	d2, [x11, w7, sxtw 3]
	add	w7, w7, 1
	ldr	d0, [x3, x9, lsl 3]
	add	x2, x2, 8
	fmul	d1, d3, d1
	fmadd	d0, d1, d2, d0
	str	d0, [x3, x9, lsl 3]
	cmp	w17, w7
	bne	.L181
	b	.L180
.L191:
	mov	w0, 0
	b	.L189
.L204:
	ret
	.type	lu, %function
lu:
	sxtw	x12, w0
	mov	x7, x1
	mov	x10, x12
	cmp	w12, 0
	ble	.L207
	add	x9, x12, 1
	mov	x11, 0
	mov	x5, 0
	lsl	x9, x9, 3
	sub	x4, x9, #8
.L209:
	add	x2, x7, x11, lsl 3
	mov	w8, w5
	cbz	w5, .L215
	ldr	d0, [x7, x11, lsl 3]
	add	x3, x7, x9
	ldr	d1, [x7]
	mov	x0, 1
	fdiv	d0, d0, d1
	str	d0, [x7, x11, lsl 3]
	cmp	w5, 1
	beq	.L212
.L211:
	ldr	d0, [x2, x0, lsl 3]
	add	x6, x7, x0, lsl 3
	mov	x1, 0
.L210:
	ldr	d1, [x2, x1, lsl 3]
	add	x1, x1, 1
	ldr	d2, [x6]
	add	x6, x6, x4
	fmsub	d0, d2, d1, d0
	str	d0, [x2, x0, lsl 3]
	cmp	w0, w1
	bgt	.L210
	ldr	d1, [x3]
	add	x3, x3, x9
	fdiv	d0, d0, d1
	str	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	cmp	w8, w0
	bgt	.L211
.L212:
	mov	x3, x5
	cmp	w8, w10
	bge	.L215
.L214:
	ldr	d0, [x2, x3, lsl 3]
	add	x1, x7, x3, lsl 3
	mov	x0, 0
.L216:
	ldr	d2, [x2, x0, lsl 3]
	add	x0, x0, 1
	ldr	d1, [x1]
	add	x1, x1, x4
	fmsub	d0, d2, d1, d0
	str	d0, [x2, x3, lsl 3]
	cmp	x5, x0
	bne	.L216
	add	x3, x3, 1
	cmp	w10, w3
	bgt	.L214
.L215:
	add	x5, x5, 1
	add	x11, x11, x12
	cmp	x12, x5
	bne	.L209
.L207:
	ret
	.type	calls, %function
calls:
	cmp	w0, 0
	ble	.L231
	mov	w9, 43691
	mov	w7, w0
	mov	w8, w1
	mov	x6, x2
	sbfiz	x10, x1, 3, 32
	stp	x29, x30, [sp, -16]!
	mov	w5, 0
	movk	w9, 0xaaaa, lsl 16
	mov	x29, sp
.L228:
	umull	x3, w5, w9
	mov	x0, x6
	add	x6, x6, x10
	lsr	x3, x3, 33
	add	w3, w3, w3, lsl 1
	sub	w1, w5, w3
	add	w5, w5, 1
	sub	w1, w8, w1
	bl	scale.constprop.0
	cmp	w7, w5
	bne	.L228
	ldp	x29, x30, [sp], 16
	ret
.L231:
	ret
	.type	blocks, %function
blocks:
	cmp	w0, 0
	ble	.L244
	stp	x29, x30, [sp, -32]!
	mul	w13, w0, w1
	mov	x16, x3
	mov	x29, sp
	mov	w9, w0
	mov	w12, w1
	sbfiz	x15, x1, 3, 32
	sbfiz	x3, x0, 3, 32
	stp	x19, x20, [sp, 16]
	mov	x19, x2
	sxtw	x20, w1
	mov	x14, 0
	mov	w30, 0
	mov	w18, 0
.L236:
	mov	w17, w18
	add	w18, w18, w12
	cmp	w9, w18
	csel	w7, w9, w18, le
	cmp	w7, w17
	ble	.L239
	add	x11, x19, w30, sxtw 3
	mov	w10, 0
	mov	w8, 0
.L241:
	mov	w0, w8
	add	w8, w8, w12
	cmp	w9, w8
	csel	w4, w9, w8, le
	cmp	w4, w0
	ble	.L238
	add	x5, x14, w10, sxtw
	sub	w4, w4, w0
	mov	x2, x11
	mov	w6, w17
	add	x5, x16, x5, lsl 3
.L240:
	mov	x1, x5
	mov	x0, 0
.L237:
	ldr	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	str	d0, [x1]
	add	x1, x1, x3
	cmp	x4, x0
	bne	.L237
	add	w6, w6, 1
	add	x5, x5, 8
	add	x2, x2, x3
	cmp	w6, w7
	bne	.L240
.L238:
	add	x11, x11, x15
	add	w10, w10, w13
	cmp	w9, w8
	bgt	.L241
.L239:
	add	w30, w30, w13
	add	x14, x14, x20
	cmp	w9, w18
	bgt	.L236
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 32
	ret
.L244:
	ret
	.type	count, %function
count:
	mov	x5, x0
	cmp	x0, 0
	ble	.L251
	mov	x6, 18725
	sub	x7, x0, #4
	movk	x6, 0x2492, lsl 16
	mov	x2, 0
	movk	x6, 0x9249, lsl 32
	mov	x0, 0
	movk	x6, 0x4924, lsl 48
.L250:
	smulh	x3, x2, x6
	asr	x3, x3, 1
	sub	x3, x3, x2, asr 63
	lsl	x4, x3, 3
	sub	x3, x4, x3
	sub	x3, x2, x3
	cmp	x3, 3
	beq	.L249
	ldrsw	x3, [x1, x2, lsl 2]
	add	x0, x0, x3
	cmp	x7, x2
	ble	.L247
.L249:
	add	x2, x2, 1
	cmp	x5, x2
	bne	.L250
.L247:
	ret
.L251:
	mov	x0, 0
	ret
	.type	powers, %function
powers:
	mov	x4, 1
	cmp	x0, x4
	ble	.L256
.L257:
	mov	x2, x4
	lsl	x4, x4, 1
	sub	x3, x1, x2, lsl 3
	cmp	x0, x2
	ble	.L261
.L259:
	ldr	d0, [x3, x2, lsl 3]
	ldr	d1, [x1, x2, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x3, x2, lsl 3]
	add	x2, x4, x2
	cmp	x2, x0
	blt	.L259
.L261:
	cmp	x0, x4
	bgt	.L257
.L256:
	ret
	.type	fill, %function
fill:
	mov	w2, w0
	mov	x0, x1
	cmp	w2, 0
	ble	.L266
	ubfiz	x2, x2, 3, 32
	mov	w1, 0
	b	memset
.L266:
	ret
	.type	strided, %function
strided:
	cmp	w0, 0
	ble	.L268
	cmp	w1, 1
	bne	.L292
	sub	w1, w0, #1
	cmp	w1, 4
	bls	.L278
	add	x1, x2, 4
	sub	x1, x3, x1
	cmp	x1, 8
	bhi	.L293
.L278:
	sbfiz	x0, x0, 2, 32
	mov	x1, 0
	fmov	s1, 1.0e+0
.L281:
	ldr	s0, [x2, x1]
	fadd	s0, s0, s1
	str	s0, [x3, x1]
	add	x1, x1, 4
	cmp	x0, x1
	bne	.L281
.L268:
	ret
.L293:
	lsr	w4, w0, 2
	mov	x1, 0
	fmov	v1.4s, 1.0e+0
	lsl	x4, x4, 4
.L279:
	ldr	q0, [x2, x1]
	fadd	v0.4s, v0.4s, v1.4s
	str	q0, [x3, x1]
	add	x1, x1, 16
	cmp	x4, x1
	bne	.L279
	and	w1, w0, -4
	tst	x0, 3
	beq	.L268
	uxtw	x6, w1
	add	w5, w1, 1
	lsl	x4, x6, 2
	ldr	s0, [x2, x6, lsl 2]
	fadd	s0, s0, s1
	str	s0, [x3, x6, lsl 2]
	cmp	w5, w0
	bge	.L268
	add	x5, x4, 4
	add	w1, w1, 2
	ldr	s0, [x2, x5]
	fadd	s0, s0, s1
	str	s0, [x3, x5]
	cmp	w0, w1
	ble	.L268
	add	x4, x4, 8
	ldr	s0, [x2, x4]
	fadd	s0, s0, s1
	str	s0, [x3, x4]
	ret
.L292:
	sub	w4, w0, #1
	sxtw	x5, w1
	cmp	w4, 10
	bls	.L271
	sxtw	x4, w0
	sbfiz	x8, x1, 2, 32
	sub	x4, x4, #1
	cmp	w1, 0
	sxtw	x5, w1
	add	x7, x3, x4, lsl 2
	mul	x4, x8, x4
	csel	x6, x4, xzr, lt
	csel	x4, x4, xzr, ge
	add	x6, x2, x6
	add	x4, x2, x4
	cmp	x7, x6
	ccmp	x3, x4, 2, cs
	bhi	.L294
.L271:
	lsl	x1, x5, 2
	add	x0, x3, w0, sxtw 2
	fmov	s1, 1.0e+0
.L276:
	ldr	s0, [x2]
	add	x2, x2, x1
	fadd	s0, s0, s1
	str	s0, [x3], 4
	cmp	x0, x3
	bne	.L276
	ret
.L294:
	mov	w9, 12
	lsr	w7, w0, 2
	fmov	v4.4s, 1.0e+0
	lsl	x10, x5, 4
	smull	x9, w1, w9
	add	x7, x3, w7, uxtw 4
	lsl	x5, x5, 3
	mov	x4, x2
	mov	x6, x3
.L272:
	ldr	s3, [x4, x8]
	ldr	s0, [x4]
	ldr	s2, [x4, x5]
	ldr	s1, [x4, x9]
	add	x4, x4, x10
	ins	v0.s[1], v3.s[0]
	ins	v0.s[2], v2.s[0]
	ins	v0.s[3], v1.s[0]
	fadd	v0.4s, v0.4s, v4.4s
	str	q0, [x6], 16
	cmp	x6, x7
	bne	.L272
	and	w4, w0, -4
	tst	x0, 3
	beq	.L268
	mul	w5, w1, w4
	uxtw	x8, w4
	add	w7, w4, 1
	lsl	x6, x8, 2
	ldr	s0, [x2, w5, sxtw 2]
	fadd	s0, s0, s4
	str	s0, [x3, x8, lsl 2]
	cmp	w0, w7
	ble	.L268
	add	w5, w1, w5
	add	x3, x3, x6
	add	w4, w4, 2
	ldr	s0, [x2, w5, sxtw 2]
	fadd	s0, s0, s4
	str	s0, [x3, 4]
	cmp	w0, w4
	ble	.L268
	add	w1, w1, w5
	ldr	s0, [x2, w1, sxtw 2]
	fadd	s0, s0, s4
	str	s0, [x3, 8]
	ret
	.type	bytes, %function
bytes:
	cmp	w0, 0
	ble	.L295
	sub	w5, w0, #1
	mov	w4, w0
	cmp	w5, 6
	bls	.L297
	add	x3, x1, 1
	sub	x3, x2, x3
	cmp	x3, 14
	bhi	.L311
.L297:
	sxtw	x0, w0
	mov	x3, 0
	mov	w5, 90
.L303:
	ldrb	w4, [x1, x3]
	eor	w4, w4, w5
	strb	w4, [x2, x3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L303
.L295:
	ret
.L311:
	cmp	w5, 14
	bls	.L305
	movi	v1.16b, 0x5a
	and	x4, x0, 4294967280
	mov	x3, 0
.L299:
	ldr	q0, [x1, x3]
	eor	v0.16b, v0.16b, v1.16b
	str	q0, [x2, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L299
	and	w3, w0, -16
	mov	w5, w3
	cmp	w0, w3
	beq	.L295
	sub	w4, w0, w3
	sub	w6, w4, #1
	cmp	w6, 6
	bls	.L301
.L298:
	movi	v1.8b, 0x5a
	ldr	d0, [x1, w5, uxtw]
	and	w6, w4, -8
	add	w3, w3, w6
	eor	v0.8b, v0.8b, v1.8b
	str	d0, [x2, w5, uxtw]
	tst	x4, 7
	beq	.L295
.L301:
	ldrb	w5, [x1, w3, sxtw]
	mov	w4, 90
	add	w6, w3, 1
	eor	w5, w5, w4
	strb	w5, [x2, w3, sxtw]
	cmp	w0, w6
	ble	.L295
	ldrb	w5, [x1, w6, sxtw]
	add	w7, w3, 2
	eor	w5, w5, w4
	strb	w5, [x2, w6, sxtw]
	cmp	w0, w7
	ble	.L295
	ldrb	w5, [x1, w7, sxtw]
	add	w6, w3, 3
	eor	w5, w5, w4
	strb	w5, [x2, w7, sxtw]
	cmp	w0, w6
	ble	.L295
	ldrb	w5, [x1, w6, sxtw]
	add	w7, w3, 4
	eor	w5, w5, w4
	strb	w5, [x2, w6, sxtw]
	cmp	w0, w7
	ble	.L295
	ldrb	w5, [x1, w7, sxtw]
	add	w6, w3, 5
	eor	w5, w5, w4
	strb	w5, [x2, w7, sxtw]
	cmp	w0, w6
	ble	.L295
	ldrb	w5, [x1, w6, sxtw]
	add	w3, w3, 6
	eor	w5, w5, w4
	strb	w5, [x2, w6, sxtw]
	cmp	w0, w3
	ble	.L295
	ldrb	w0, [x1, w3, sxtw]
	eor	w0, w0, w4
	strb	w0, [x2, w3, sxtw]
	ret
.L305:
	mov	w5, 0
	mov	w3, 0
	b	.L298
	.type	structs, %function
structs:
	ldr	w1, [x0]
	cmp	w1, 2
	ble	.L328
	ldr	w15, [x0, 4]
	cmp	w15, 2
	ble	.L328
	stp	x29, x30, [sp, -16]!
	sub	w17, w1, #1
	sub	w16, w15, #2
	mov	x29, sp
	ldp	x1, x9, [x0, 8]
	sxtw	x3, w15
	add	x3, x3, 1
	sub	w0, w15, #3
	lsr	w12, w16, 1
	add	x3, x3, x0
	sbfiz	x14, x15, 3, 32
	orr	w13, w16, 1
	lsl	x12, x12, 4
	and	w16, w16, 1
	mov	x8, x14
	sub	w18, w15, #3
	mov	w7, w15
	lsl	x3, x3, 3
	sub	x30, x9, x1
	add	x5, x9, 8
	add	x4, x1, 16
	mov	w11, 1
.L314:
	cmp	w18, 3
	bls	.L321
	cmp	x30, 16
	bhi	.L320
.L321:
	mov	x0, x8
.L317:
	ldr	d0, [x4, x0]
	ldr	d1, [x1, x0]
	fadd	d0, d0, d1
	str	d0, [x5, x0]
	add	x0, x0, 8
	cmp	x0, x3
	bne	.L317
.L318:
	add	w11, w11, 1
	add	x8, x8, x14
	add	w7, w7, w15
	add	x3, x3, x14
	cmp	w11, w17
	bne	.L314
.L312:
	ldp	x29, x30, [sp], 16
	ret
.L320:
	add	x6, x8, 16
	add	x2, x8, 8
	add	x6, x1, x6
	add	x2, x9, x2
	add	x10, x1, x8
	mov	x0, 0
.L315:
	ldr	q0, [x10, x0]
	ldr	q1, [x6, x0]
	fadd	v0.2d, v0.2d, v1.2d
	str	q0, [x2, x0]
	add	x0, x0, 16
	cmp	x0, x12
	bne	.L315
	cbz	w16, .L318
	add	w0, w7, w13
	add	w11, w11, 1
	add	x8, x8, x14
	add	w7, w7, w15
	add	x2, x1, w0, sxtw 3
	add	x3, x3, x14
	ldr	d0, [x2, -8]
	ldr	d1, [x2, 8]
	fadd	d0, d0, d1
	str	d0, [x9, w0, sxtw 3]
	cmp	w11, w17
	bne	.L314
	b	.L312
.L328:
	ret
	.type	stencil3, %function
stencil3:
	stp	x29, x30, [sp, -176]!
	mov	x29, sp
	stp	x23, x24, [sp, 48]
	sub	w24, w0, #1
	cmp	w24, 1
	ble	.L331
	mov	w23, w0
	stp	x19, x20, [sp, 16]
	mov	x20, x2
	lsl	w2, w0, 1
	madd	w0, w0, w0, w0
	sub	w4, w23, #2
	mul	w17, w23, w23
	mov	w15, w0
	sbfiz	x9, x23, 3, 32
	madd	w3, w2, w23, w23
	lsr	w19, w4, 1
	sbfiz	x0, x0, 3, 32
	sbfiz	x2, x17, 3, 32
	neg	x18, x0
	lsl	x19, x19, 4
	sxtw	x5, w3
	mov	x16, x9
	sub	x5, x5, w23, sxtw
	add	x10, x20, 8
	stp	x21, x22, [sp, 32]
	mov	x21, x18
	lsl	x5, x5, 3
	str	x5, [sp, 160]
	mov	w5, 1
	mov	w18, w17
	mov	x17, x2
	mov	w2, w23
	stp	x25, x26, [sp, 64]
	sub	w26, w23, #3
	sub	x25, x20, x1
	stp	x27, x28, [sp, 80]
	and	w28, w4, 1
	add	x27, x1, 8
	str	w5, [sp, 108]
	add	x5, x1, 16
	stp	w4, w28, [sp, 168]
	orr	w4, w4, 1
.L333:
	ldr	w6, [sp, 108]
	sub	w28, w3, w15
	stp	w2, w3, [sp, 152]
	mov	x13, x21
	add	w6, w6, 1
	str	w6, [sp, 108]
	ldr	x6, [sp, 160]
	mov	x11, x16
	ldr	w3, [sp, 172]
	mov	w8, w15
	add	x12, x16, x6
	ldr	w6, [sp, 168]
	mov	x14, x0
	sub	w30, w2, w15
	mov	w22, 1
	stp	x21, x0, [sp, 112]
	add	x7, x0, w6, uxtw 3
	add	x6, x10, x0
	str	x17, [sp, 128]
	stp	w18, w15, [sp, 136]
	str	x16, [sp, 144]
.L342:
	add	w2, w30, w8
	add	w15, w28, w8
	cmp	w26, 2
	bls	.L343
	add	x16, x5, x12
	add	x0, x5, x11
	cmp	x16, x6
	ccmp	x0, x6, 4, ne
	ccmp	x25, 16, 0, ne
	bhi	.L341
.L343:
	add	x15, x11, x13
	add	x2, x12, x13
	add	x15, x15, 8
	add	x2, x2, 8
	mov	x0, x14
	add	x15, x1, x15
	add	x2, x1, x2
.L335:
	ldr	d0, [x5, x0]
	ldr	d3, [x1, x0]
	ldr	d2, [x15, x0]
	ldr	d1, [x2, x0]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fadd	d0, d0, d1
	str	d0, [x10, x0]
	add	x0, x0, 8
	cmp	x7, x0
	bne	.L335
.L336:
	add	w22, w22, 1
	add	x14, x14, x9
	add	w8, w8, w23
	add	x11, x11, x9
	sub	x13, x13, x9
	add	x12, x12, x9
	add	x7, x7, x9
	add	x6, x6, x9
	cmp	w22, w24
	bne	.L342
	ldp	x21, x0, [sp, 112]
	ldr	x17, [sp, 128]
	ldr	x16, [sp, 144]
	ldp	w18, w15, [sp, 136]
	add	x0, x0, x17
	ldp	w2, w3, [sp, 152]
	add	w15, w15, w18
	ldr	w6, [sp, 108]
	add	x16, x16, x17
	add	w2, w2, w18
	add	w3, w3, w18
	sub	x21, x21, x17
	cmp	w24, w6
	bne	.L333
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x25, x26, [sp, 64]
	ldp	x27, x28, [sp, 80]
.L331:
	ldp	x23, x24, [sp, 48]
	ldp	x29, x30, [sp], 176
	ret
.L341:
	add	x21, x14, x1
	add	x18, x5, x14
	add	x17, x27, x11
	add	x16, x27, x12
	mov	x0, 0
.L337:
	ldr	q1, [x21, x0]
	ldr	q0, [x18, x0]
	ldr	q2, [x17, x0]
	fadd	v0.2d, v0.2d, v1.2d
	ldr	q1, [x16, x0]
	fadd	v0.2d, v0.2d, v2.2d
	fadd	v0.2d, v0.2d, v1.2d
	str	q0, [x6, x0]
	add	x0, x0, 16
	cmp	x0, x19
	bne	.L337
	cbz	w3, .L336
	add	w0, w8, w4
	add	w2, w2, w4
	add	w15, w15, w4
	add	x16, x1, w0, sxtw 3
	ldr	d2, [x1, w2, sxtw 3]
	ldr	d1, [x1, w15, sxtw 3]
	ldr	d3, [x16, -8]
	ldr	d0, [x16, 8]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fadd	d0, d0, d1
	str	d0, [x20, w0, sxtw 3]
	b	.L336
	.type	many, %function
many:
	cmp	w0, 0
	ble	.L352
	sub	w8, w0, #1
	cmp	w8, 2
	bls	.L357
	adrp	x10, .LC1
	lsr	w9, w0, 2
	dup	v17.4s, w2
	dup	v16.4s, w1
	dup	v7.4s, w3
	dup	v6.4s, w4
	dup	v5.4s, w5
	dup	v4.4s, w6
	ldr	q1, [x10, #:lo12:.LC1]
	mov	x8, x7
	movi	v3.4s, 0x4
	add	x9, x7, w9, uxtw 4
.L355:
	mov	v2.16b, v1.16b
	mov	v0.16b, v16.16b
	add	v1.4s, v1.4s, v3.4s
	mla	v0.4s, v2.4s, v17.4s
	add	v0.4s, v0.4s, v7.4s
	add	v0.4s, v0.4s, v6.4s
	add	v0.4s, v0.4s, v5.4s
	add	v0.4s, v0.4s, v4.4s
	str	q0, [x8], 16
	cmp	x8, x9
	bne	.L355
	and	w9, w0, -4
	tst	x0, 3
	beq	.L352
.L354:
	mul	w10, w2, w9
	add	w11, w9, 1
	sbfiz	x12, x9, 2, 32
	add	w8, w10, w1
	add	w8, w8, w3
	add	w8, w8, w4
	add	w8, w8, w5
	add	w8, w8, w6
	str	w8, [x7, w9, sxtw 2]
	cmp	w0, w11
	ble	.L352
	add	w10, w10, w2
	add	x7, x7, x12
	add	w8, w1, w10
	add	w9, w9, 2
	add	w8, w8, w3
	add	w8, w8, w4
	add	w8, w8, w5
	add	w8, w8, w6
	str	w8, [x7, 4]
	cmp	w0, w9
	ble	.L352
	add	w2, w2, w10
	add	w1, w2, w1
	add	w3, w1, w3
	add	w4, w3, w4
	add	w5, w4, w5
	add	w6, w5, w6
	str	w6, [x7, 8]
.L352:
	ret
.L357:
	mov	w9, 0
	b	.L354
	.type	downwards, %function
downwards:
	subs	w2, w0, #2
	bmi	.L359
	add	x3, x1, w0, sxtw 3
	sxtw	x0, w2
	fmov	d2, 5.0e-1
	ldr	d0, [x3, -8]
.L361:
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d0, d0, d2, d1
	str	d0, [x1, x0, lsl 3]
	sub	x0, x0, #1
	tbz	w0, #31, .L361
.L359:
	ret
	.type	whiles, %function
whiles:
	cmp	w0, 1
	bls	.L363
.L367:
	str	w0, [x1]
	add	w2, w0, w0, lsl 1
	tbz	x0, 0, .L365
	add	w0, w2, 1
	add	x1, x1, 4
	cmp	w0, 1
	bhi	.L367
.L363:
	ret
.L365:
	lsr	w0, w0, 1
	add	x1, x1, 4
	cmp	w0, 1
	bne	.L367
	ret
	.type	sum_u, %function
sum_u:
	movi	d0, #0
	sub	x2, x0, #1
	cbz	x0, .L371
.L373:
	ldr	s1, [x1, x2, lsl 2]
	sub	x2, x2, #1
	fcvt	d1, s1
	fadd	d0, d0, d1
	cmn	x2, #1
	bne	.L373
.L371:
	ret
	.type	recursive, %function
recursive:
	cmp	w0, 1
	ble	.L387
	stp	x29, x30, [sp, -80]!
	mov	x29, sp
	stp	x23, x24, [sp, 48]
	sub	w24, w0, #1
	and	w24, w24, -2
	sub	w24, w0, w24
	stp	x21, x22, [sp, 32]
	sub	w22, w0, #3
	stp	x19, x20, [sp, 16]
	str	x25, [sp, 64]
	mov	w25, 0
.L381:
	cmp	w0, w24
	beq	.L378
	sub	w23, w0, #2
	and	w1, w22, -2
	sub	w0, w0, #4
	mov	w19, w23
	sub	w20, w0, w1
	mov	w21, 0
.L379:
	mov	w0, w19
	sub	w19, w19, #2
	bl	fib
	add	w21, w21, w0
	cmp	w19, w20
	bne	.L379
	and	w1, w22, 1
	mov	w0, w23
	add	w1, w1, w21
	sub	w22, w22, #2
	add	w25, w25, w1
	cmp	w23, 1
	bgt	.L381
	ldp	x19, x20, [sp, 16]
	add	w0, w23, w25
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldr	x25, [sp, 64]
	ldp	x29, x30, [sp], 80
	ret
.L378:
	add	w0, w25, w0, lsl 1
	ldp	x19, x20, [sp, 16]
	sub	w0, w0, #3
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldr	x25, [sp, 64]
	ldp	x29, x30, [sp], 80
	ret
.L387:
	ret
	.type	durbin, %function
durbin:
	stp	x29, x30, [sp, -112]!
	mov	x29, sp
	stp	d8, d9, [sp, 80]
	ldr	d9, [x1]
	stp	x19, x20, [sp, 16]
	mov	w19, w0
	sbfiz	x0, x0, 3, 32
	fneg	d0, d9
	stp	x21, x22, [sp, 32]
	add	x0, x0, 15
	stp	x23, x24, [sp, 48]
	and	x0, x0, -16
	stp	x25, x26, [sp, 64]
	str	d10, [sp, 96]
	sub	sp, sp, x0
	str	d0, [x2]
	cmp	w19, 1
	ble	.L390
	fmov	d10, 1.0e+0
	mov	x24, x1
	mov	x5, x2
	mov	x23, sp
	fmov	d8, d10
	sub	x20, x1, #8
	sub	x21, x2, #16
	mov	x25, 8
	mov	w22, 1
	mov	x26, -8
.L396:
	fmsub	d9, d9, d9, d8
	movi	d0, #0
	add	x3, x20, x25
	mov	x0, x5
	fmul	d10, d10, d9
.L392:
	ldr	d2, [x3]
	cmp	x3, x24
	ldr	d1, [x0], 8
	sub	x3, x3, #8
	fmadd	d0, d2, d1, d0
	bne	.L392
	ldr	d1, [x24, x25]
	fadd	d0, d0, d1
	fneg	d0, d0
	fdiv	d9, d0, d10
	cmp	w22, 1
	beq	.L397
	lsr	w4, w22, 1
	add	x1, x21, x25
	dup	v2.2d, v9.d[0]
	mov	x3, 0
	lsl	x4, x4, 4
.L394:
	neg	x0, x3
	ldr	q1, [x5, x3]
	ldr	q0, [x1, x0]
	ext	v0.16b, v0.16b, v0.16b, #8
	fmla	v1.2d, v2.2d, v0.2d
	str	q1, [x23, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L394
	and	w3, w22, -2
	tbz	x22, 0, .L395
.L393:
	sub	w4, w22, w3
	sxtw	x3, w3
	add	x4, x26, w4, sxtw 3
	ldr	d0, [x5, x3, lsl 3]
	ldr	d1, [x5, x4]
	fmadd	d0, d9, d1, d0
	str	d0, [x23, x3, lsl 3]
.L395:
	mov	x2, x25
	mov	x0, x5
	mov	x1, x23
	add	w22, w22, 1
	bl	memcpy
	str	d9, [x0, x25]
	mov	x5, x0
	add	x25, x25, 8
	cmp	w19, w22
	bne	.L396
.L390:
	mov	sp, x29
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	d8, d9, [sp, 80]
	ldr	d10, [sp, 96]
	ldp	x29, x30, [sp], 112
	ret
.L397:
	mov	w3, 0
	b	.L393
	.section	.rodata.cst16,"aM",@progbits,16
.LC0:
	.word	-1717986918
	.word	1070176665
	.word	-1717986918
	.word	1070176665
.LC1:
	.word	0
	.word	1
	.word	2
	.word	3
