	.text
	.type	scale.constprop.0, %function
scale.constprop.0:
	cmp	w1, 0
	ble	.L1
	add	x1, x0, w1, sxtw 3
.L3:
	ldr	d0, [x0]
	fadd	d0, d0, d0
	str	d0, [x0], 8
	cmp	x0, x1
	bne	.L3
.L1:
	ret
	.type	fib, %function
fib:
	stp	x29, x30, [sp, -176]!
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	mov	w20, w0
	cmp	w0, 1
	ble	.L7
	sub	w1, w0, #1
	stp	x23, x24, [sp, 48]
	and	w2, w1, -2
	sub	w19, w0, w2
	stp	x25, x26, [sp, 64]
	mov	w26, 0
	cmp	w20, w19
	beq	.L8
.L49:
	sub	w20, w20, #2
	stp	x21, x22, [sp, 32]
	and	w0, w20, -2
	sub	w22, w1, w0
	mov	w23, w1
	mov	w25, w22
	stp	x27, x28, [sp, 80]
	mov	w27, 0
	mov	w22, w27
.L31:
	sub	w21, w23, #1
	cmp	w23, w25
	beq	.L9
.L48:
	sub	w23, w23, #2
	mov	w1, w20
	and	w0, w23, -2
	mov	w20, w19
	sub	w24, w21, w0
	mov	w27, 0
.L29:
	sub	w0, w21, #1
	cmp	w21, w24
	beq	.L10
	sub	w28, w21, #2
	mov	w3, w20
	and	w2, w28, -2
	mov	w4, w23
	sub	w2, w0, w2
	mov	w19, 0
	mov	w20, w2
	mov	w21, w19
	mov	w23, w25
	mov	w5, w28
	mov	w2, w3
.L27:
	sub	w25, w0, #1
	cmp	w0, w20
	beq	.L11
	sub	w0, w0, #2
	mov	w10, w2
	and	w19, w0, -2
	mov	w2, w24
	sub	w19, w25, w19
	mov	w24, w20
	mov	w9, w19
	mov	w28, 0
	mov	w19, w26
	mov	w8, w28
	mov	w3, w23
	mov	w20, w21
	mov	w7, w0
.L25:
	sub	w6, w25, #1
	cmp	w9, w25
	beq	.L12
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
.L23:
	sub	w19, w6, #1
	cmp	w25, w6
	beq	.L13
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
.L21:
	sub	w0, w19, #1
	cmp	w20, w19
	beq	.L14
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
.L19:
	cmp	w0, w2
	beq	.L15
	sub	w3, w0, #2
	and	w20, w19, -2
	sub	w0, w0, #4
	mov	w26, w3
	sub	w0, w0, w20
	mov	w20, 0
	str	w0, [sp, 108]
.L16:
	mov	w0, w26
	stp	w9, w11, [sp, 112]
	stp	w12, w8, [sp, 120]
	sub	w26, w26, #2
	stp	w1, w15, [sp, 128]
	stp	w18, w2, [sp, 136]
	stp	w13, w10, [sp, 144]
	stp	w4, w5, [sp, 152]
	stp	w7, w14, [sp, 160]
	stp	w6, w3, [sp, 168]
	bl	fib
	add	w20, w20, w0
	ldr	w3, [sp, 172]
	ldp	w0, w9, [sp, 108]
	ldp	w11, w12, [sp, 116]
	ldp	w8, w1, [sp, 124]
	ldp	w15, w18, [sp, 132]
	ldp	w2, w13, [sp, 140]
	ldp	w10, w4, [sp, 148]
	ldp	w5, w7, [sp, 156]
	ldp	w14, w6, [sp, 164]
	cmp	w0, w26
	bne	.L16
	and	w26, w19, 1
	mov	w0, w3
	add	w16, w26, w20
	sub	w19, w19, #2
	add	w1, w1, w16
	cmp	w3, 1
	bgt	.L19
	mov	w20, w24
	mov	w24, w1
	ldp	w2, w3, [sp, 96]
	mov	w19, w21
	ldr	w1, [sp, 104]
	mov	w21, w6
.L18:
	add	w24, w0, w24
	sub	w19, w19, #2
	add	w28, w28, w24
	sub	w18, w18, #2
	sub	w15, w15, #2
	cmp	w19, 1
	bgt	.L21
	mov	w20, w28
.L20:
	add	w20, w19, w20
	mov	w6, w21
	add	w23, w23, w20
	cmp	w21, 1
	bgt	.L23
	mov	w19, w27
	mov	w20, w12
	mov	w27, w11
	mov	w24, w13
	mov	w25, w14
.L22:
	add	w6, w6, w23
	add	w8, w8, w6
	cmp	w25, 1
	bgt	.L25
	mov	w21, w20
	mov	w26, w19
	mov	w20, w24
	mov	w28, w8
	mov	w24, w2
	mov	w23, w3
	mov	w2, w10
	mov	w0, w7
.L24:
	add	w25, w25, w28
	add	w21, w21, w25
	cmp	w0, 1
	bgt	.L27
	mov	w25, w23
	mov	w19, w21
	mov	w20, w2
	mov	w23, w4
	mov	w28, w5
.L26:
	add	w19, w19, w0
	mov	w21, w28
	add	w27, w27, w19
	cmp	w28, 1
	bgt	.L29
	add	w27, w27, w21
	mov	w19, w20
	add	w22, w22, w27
	mov	w20, w1
	cmp	w23, 1
	bgt	.L31
.L47:
	mov	w24, w23
	mov	w27, w22
	add	w24, w24, w27
	add	w26, w26, w24
	cmp	w20, 1
	bgt	.L46
.L43:
	add	w20, w20, w26
	ldp	x21, x22, [sp, 32]
	mov	w0, w20
	ldp	x19, x20, [sp, 16]
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	x27, x28, [sp, 80]
	ldp	x29, x30, [sp], 176
	ret
.L13:
	mov	w21, w19
	mov	w20, w12
	mov	w19, w27
	mov	w24, w13
	mov	w27, w11
	mov	w25, w14
	sub	w6, w6, #2
	add	w23, w23, w21
	b	.L22
.L14:
	sub	w19, w19, #2
	add	w20, w28, w0
	b	.L20
.L15:
	sub	w17, w0, #1
	mov	w19, w21
	mov	w20, w24
	mov	w21, w6
	add	w24, w1, w17
	sub	w0, w0, #2
	ldp	w2, w3, [sp, 96]
	ldr	w1, [sp, 104]
	b	.L18
.L12:
	mov	w21, w20
	mov	w26, w19
	mov	w20, w24
	mov	w23, w3
	mov	w24, w2
	mov	w0, w7
	mov	w2, w10
	sub	w25, w25, #2
	add	w28, w8, w6
	b	.L24
.L11:
	mov	w3, w25
	mov	w20, w2
	mov	w25, w23
	mov	w28, w5
	mov	w23, w4
	sub	w0, w0, #2
	add	w19, w21, w3
	b	.L26
.L10:
	sub	w21, w21, #2
	add	w27, w27, w0
	add	w27, w27, w21
	mov	w19, w20
	add	w22, w22, w27
	mov	w20, w1
	cmp	w23, 1
	ble	.L47
	sub	w21, w23, #1
	cmp	w23, w25
	bne	.L48
.L9:
	sub	w24, w23, #2
	add	w27, w22, w21
	add	w24, w24, w27
	add	w26, w26, w24
	cmp	w20, 1
	ble	.L43
.L46:
	ldp	x21, x22, [sp, 32]
	sub	w1, w20, #1
	ldp	x27, x28, [sp, 80]
	cmp	w20, w19
	bne	.L49
.L8:
	ldp	x23, x24, [sp, 48]
	add	w1, w1, w26
	ldp	x25, x26, [sp, 64]
	sub	w20, w20, #2
	add	w20, w20, w1
.L7:
	mov	w0, w20
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 176
	ret
	.type	axpy, %function
axpy:
	cmp	x0, 0
	ble	.L50
	mov	x3, 0
.L52:
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d2, d0, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L52
.L50:
	ret
	.type	dot, %function
dot:
	movi	d0, #0
	cmp	w0, 0
	ble	.L54
	sbfiz	x3, x0, 3, 32
	mov	x0, 0
.L56:
	ldr	d2, [x1, x0]
	ldr	d1, [x2, x0]
	add	x0, x0, 8
	fmadd	d0, d2, d1, d0
	cmp	x3, x0
	bne	.L56
.L54:
	ret
	.type	matmul, %function
matmul:
	mov	w10, w0
	mov	x11, x2
	cmp	w0, 0
	ble	.L59
	sbfiz	x2, x0, 3, 32
	mov	x7, x3
	mov	x6, x1
	add	x3, x1, x2
	sxtw	x8, w0
	mov	w9, 0
.L61:
	mov	x5, x11
	mov	x4, 0
.L64:
	movi	d0, #0
	mov	x1, x5
	mov	x0, x6
.L62:
	ldr	d1, [x1]
	add	x1, x1, x2
	ldr	d2, [x0], 8
	fmadd	d0, d2, d1, d0
	cmp	x0, x3
	bne	.L62
	str	d0, [x7, x4, lsl 3]
	add	x4, x4, 1
	add	x5, x5, 8
	cmp	x8, x4
	bne	.L64
	add	w9, w9, 1
	add	x7, x7, x2
	add	x6, x6, x2
	add	x3, x3, x2
	cmp	w10, w9
	bne	.L61
.L59:
	ret
	.type	matmul_vla, %function
matmul_vla:
	mov	w9, w0
	mov	x7, x2
	cmp	w0, 0
	ble	.L66
	sbfiz	x4, x0, 3, 32
	mov	x6, x1
	add	x5, x1, x4
	mov	w8, 0
.L68:
	mov	x2, 0
.L71:
	ldr	d0, [x3, x2]
	add	x1, x7, x2
	mov	x0, x6
.L69:
	ldr	d1, [x1]
	add	x1, x1, x4
	ldr	d2, [x0], 8
	fmadd	d0, d2, d1, d0
	str	d0, [x3, x2]
	cmp	x5, x0
	bne	.L69
	add	x2, x2, 8
	cmp	x4, x2
	bne	.L71
	add	w8, w8, 1
	add	x6, x6, x4
	add	x3, x3, x4
	add	x5, x5, x4
	cmp	w9, w8
	bne	.L68
.L66:
	ret
	.type	gemv, %function
gemv:
	cmp	w0, 0
	ble	.L73
	add	x6, x4, w0, sxtw 3
	sbfiz	x5, x1, 3, 32
.L76:
	str	xzr, [x4]
	movi	d0, #0
	mov	x0, 0
	cmp	w1, 0
	ble	.L79
.L78:
	ldr	d2, [x2, x0]
	ldr	d1, [x3, x0]
	add	x0, x0, 8
	fmadd	d0, d2, d1, d0
	str	d0, [x4]
	cmp	x5, x0
	bne	.L78
.L79:
	add	x4, x4, 8
	add	x2, x2, x5
	cmp	x4, x6
	bne	.L76
.L73:
	ret
	.type	trisolv, %function
trisolv:
	sxtw	x4, w0
	cmp	w0, 0
	ble	.L83
	add	x8, x4, 1
	mov	x7, x1
	mov	x5, x1
	mov	x4, 0
	lsl	x8, x8, 3
	mov	w6, 0
	sub	x9, x8, #8
.L87:
	ldr	d0, [x3, x4]
	str	d0, [x2, x4]
	cbz	w6, .L85
	mov	x1, 0
.L86:
	ldr	d2, [x5, x1]
	ldr	d1, [x2, x1]
	add	x1, x1, 8
	fmsub	d0, d2, d1, d0
	str	d0, [x2, x4]
	cmp	x4, x1
	bne	.L86
.L85:
	ldr	d1, [x7]
	add	w6, w6, 1
	add	x5, x5, x9
	add	x7, x7, x8
	fdiv	d0, d0, d1
	str	d0, [x2, x4]
	add	x4, x4, 8
	cmp	w0, w6
	bne	.L87
.L83:
	ret
	.type	jacobi2d, %function
jacobi2d:
	mov	w16, w0
	cmp	w0, 0
	ble	.L109
	stp	x29, x30, [sp, -16]!
	sbfiz	x8, x1, 3, 32
	sub	x14, x8, #8
	add	x11, x8, 8
	mov	x29, sp
	mov	w0, w1
	add	x18, x2, x14
	sub	w1, w1, #1
	add	x14, x3, x14
	add	x17, x2, x11
	add	x13, x2, x8
	add	x15, x3, x11
	add	x12, x3, x8
	mov	w30, 0
	cmp	w0, 2
	ble	.L94
	adrp	x0, .LC0
	mov	x10, 8
	sub	x10, x10, x8
	ldr	d1, [x0, #:lo12:.LC0]
.L96:
	mov	x4, x12
	mov	x3, x17
	mov	x2, x18
	mov	w9, 1
.L98:
	add	w9, w9, 1
	add	x7, x2, 8
	add	x6, x11, x2
	add	x5, x2, x10
	mov	x0, 1
.L97:
	ldr	d2, [x2, x0, lsl 3]
	ldr	d0, [x7, x0, lsl 3]
	ldr	d4, [x3, x0, lsl 3]
	ldr	d3, [x6, x0, lsl 3]
	fadd	d0, d0, d2
	ldr	d2, [x5, x0, lsl 3]
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fmul	d0, d0, d1
	str	d0, [x4, x0, lsl 3]
	add	x0, x0, 1
	cmp	w1, w0
	bgt	.L97
	add	x2, x2, x8
	add	x3, x3, x8
	add	x4, x4, x8
	cmp	w1, w9
	bne	.L98
	mov	x4, x13
	mov	x3, x15
	mov	x2, x14
	mov	w9, 1
.L99:
	add	w9, w9, 1
	add	x7, x2, 8
	add	x6, x11, x2
	add	x5, x10, x2
	mov	x0, 1
.L100:
	ldr	d2, [x2, x0, lsl 3]
	ldr	d0, [x7, x0, lsl 3]
	ldr	d4, [x3, x0, lsl 3]
	ldr	d3, [x6, x0, lsl 3]
	fadd	d0, d0, d2
	ldr	d2, [x5, x0, lsl 3]
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fmul	d0, d0, d1
	str	d0, [x4, x0, lsl 3]
	add	x0, x0, 1
	cmp	w1, w0
	bgt	.L100
	add	x2, x2, x8
	add	x3, x3, x8
	add	x4, x4, x8
	cmp	w9, w1
	bne	.L99
	add	w30, w30, 1
	cmp	w16, w30
	bne	.L96
.L94:
	ldp	x29, x30, [sp], 16
	ret
.L109:
	ret
	.type	rows, %function
rows:
	cmp	w0, 0
	ble	.L112
	sbfiz	x7, x0, 3, 32
	sbfiz	x5, x1, 3, 32
	mov	x6, 0
.L114:
	cmp	w1, 0
	ble	.L121
	fmov	d2, 2.0e+0
	fmov	d1, 1.0e+0
.L116:
	ldr	x4, [x3, x6]
	mov	x0, 0
	ldr	x1, [x2, x6]
.L115:
	ldr	d0, [x4, x0]
	fmadd	d0, d0, d2, d1
	str	d0, [x1, x0]
	add	x0, x0, 8
	cmp	x5, x0
	bne	.L115
	add	x6, x6, 8
	cmp	x7, x6
	bne	.L116
.L112:
	ret
.L121:
	add	x6, x6, 8
	cmp	x7, x6
	bne	.L114
	ret
	.type	seidel, %function
seidel:
	cmp	w0, 0
	ble	.L134
	uxtw	x9, w1
	mov	w16, w0
	mov	x14, x2
	sub	w12, w9, #1
	sbfiz	x0, x9, 4, 32
	sbfiz	x10, x9, 3, 32
	sub	x17, x0, #16
	sub	x18, x10, #8
	sub	x0, x0, #8
	add	x18, x2, x18
	add	x17, x2, x17
	add	x15, x2, x0
	mov	w13, 0
.L125:
	cmp	w9, 2
	ble	.L129
	stp	x29, x30, [sp, -16]!
	sub	x30, x14, #16
	sub	x14, x14, #8
	fmov	d7, 9.0e+0
	mov	x29, sp
.L128:
	mov	x3, x30
	mov	x5, x14
	mov	x1, x18
	mov	x4, x15
	mov	x2, x17
	mov	w11, 1
.L130:
	ldp	d2, d1, [x1, 8]
	add	w11, w11, 1
	add	x8, x3, 16
	add	x7, x1, 8
	add	x6, x2, 16
	mov	x0, 2
.L126:
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
	bne	.L126
	add	x3, x3, x10
	add	x5, x5, x10
	add	x2, x2, x10
	add	x4, x4, x10
	add	x1, x1, x10
	cmp	w12, w11
	bne	.L130
	add	w13, w13, 1
	cmp	w16, w13
	bne	.L128
	ldp	x29, x30, [sp], 16
	ret
.L129:
	add	w13, w13, 1
	cmp	w16, w13
	bne	.L125
.L134:
	ret
	.type	syrk, %function
syrk:
	fmov	d3, d0
	fmov	d4, d1
	mov	w9, w0
	mov	w10, w1
	mov	x7, x3
	cmp	w0, 0
	ble	.L137
	sbfiz	x11, x0, 3, 32
	mov	x6, x2
	add	x3, x2, 8
	add	x12, x11, 8
	sbfiz	x4, x1, 3, 32
	mov	x5, x7
	mov	w8, 0
.L139:
	mov	x0, x6
.L140:
	ldr	d0, [x0]
	fmul	d0, d0, d4
	str	d0, [x0], 8
	cmp	x0, x3
	bne	.L140
	cmp	w10, 0
	ble	.L141
	mov	x2, 0
.L142:
	add	x1, x7, x2
	mov	x0, x6
.L143:
	ldr	d1, [x5, x2]
	ldr	d2, [x1]
	add	x1, x1, x4
	ldr	d0, [x0]
	fmul	d1, d3, d1
	fmadd	d0, d1, d2, d0
	str	d0, [x0], 8
	cmp	x0, x3
	bne	.L143
	add	x2, x2, 8
	cmp	x2, x4
	bne	.L142
.L141:
	add	w8, w8, 1
	add	x6, x6, x11
	add	x5, x5, x4
	add	x3, x3, x12
	cmp	w9, w8
	bne	.L139
.L137:
	ret
	.type	lu, %function
lu:
	sxtw	x13, w0
	mov	x8, x1
	mov	x9, x13
	cmp	w13, 0
	ble	.L146
	add	x10, x13, 1
	mov	x11, 0
	mov	x5, 0
	lsl	x10, x10, 3
	sub	x4, x10, #8
.L148:
	add	x0, x8, x11, lsl 3
	mov	w12, w5
	mov	x7, x8
	mov	x6, x8
	mov	x3, 0
	cbz	w5, .L158
.L157:
	ldr	d0, [x0, x3, lsl 3]
	mov	x2, x7
	mov	x1, 0
	cbz	w3, .L151
.L149:
	ldr	d2, [x0, x1, lsl 3]
	add	x1, x1, 1
	ldr	d1, [x2]
	add	x2, x2, x4
	fmsub	d0, d2, d1, d0
	str	d0, [x0, x3, lsl 3]
	cmp	x3, x1
	bne	.L149
.L151:
	ldr	d1, [x6]
	add	x7, x7, 8
	add	x6, x6, x10
	fdiv	d0, d0, d1
	str	d0, [x0, x3, lsl 3]
	add	x3, x3, 1
	cmp	x5, x3
	bne	.L157
	cmp	w9, w12
	ble	.L152
.L158:
	mov	x3, x5
	cbz	w12, .L167
.L155:
	ldr	d0, [x0, x3, lsl 3]
	add	x2, x8, x3, lsl 3
	mov	x1, 0
.L154:
	ldr	d2, [x0, x1, lsl 3]
	add	x1, x1, 1
	ldr	d1, [x2]
	add	x2, x2, x4
	fmsub	d0, d2, d1, d0
	str	d0, [x0, x3, lsl 3]
	cmp	x5, x1
	bne	.L154
	add	x3, x3, 1
	cmp	w9, w3
	bgt	.L155
.L152:
	add	x5, x5, 1
	add	x11, x11, x13
	cmp	x13, x5
	bne	.L148
.L146:
	ret
.L167:
	add	x3, x3, 1
	cmp	w9, w3
	ble	.L152
	add	x3, x3, 1
	cmp	w9, w3
	bgt	.L167
	b	.L152
	.type	calls, %function
calls:
	cmp	w0, 0
	ble	.L174
	mov	w7, 43691
	mov	w5, w0
	mov	w6, w1
	sbfiz	x8, x1, 3, 32
	stp	x29, x30, [sp, -16]!
	mov	w4, 0
	movk	w7, 0xaaaa, lsl 16
	mov	x29, sp
.L171:
	umull	x3, w4, w7
	mov	x0, x2
	add	x2, x2, x8
	lsr	x3, x3, 33
	add	w3, w3, w3, lsl 1
	sub	w1, w4, w3
	add	w4, w4, 1
	sub	w1, w6, w1
	bl	scale.constprop.0
	cmp	w5, w4
	bne	.L171
	ldp	x29, x30, [sp], 16
	ret
.L174:
	ret
	.type	blocks, %function
blocks:
	cmp	w0, 0
	ble	.L189
	stp	x29, x30, [sp, -48]!
	mov	w8, w0
	mov	w17, w1
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	mul	w20, w0, w1
	mov	x13, x2
	sxtw	x19, w1
	sbfiz	x4, x0, 3, 32
	stp	x21, x22, [sp, 32]
	mov	x21, x3
	mov	x30, 0
	mov	w18, 0
	mov	w22, 0
.L179:
	mov	w16, w22
	add	w22, w22, w17
	cmp	w22, w8
	mov	x12, 0
	csel	w11, w22, w8, le
	mov	w15, 0
	mov	w14, 0
.L186:
	mov	w9, w14
	add	w14, w14, w17
	cmp	w11, w16
	ble	.L181
	cmp	w8, w14
	add	x5, x30, w15, sxtw
	csel	w10, w8, w14, le
	mov	w7, w18
	sub	w3, w10, w9
	add	x5, x21, x5, lsl 3
	mov	w6, w16
.L185:
	cmp	w10, w9
	ble	.L183
	add	x2, x12, w7, sxtw
	mov	x1, x5
	mov	x0, 0
	add	x2, x13, x2, lsl 3
.L180:
	ldr	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	str	d0, [x1]
	add	x1, x1, x4
	cmp	x0, x3
	bne	.L180
.L183:
	add	w6, w6, 1
	add	x5, x5, 8
	add	w7, w7, w8
	cmp	w6, w11
	bne	.L185
.L181:
	add	w15, w15, w20
	add	x12, x12, x19
	cmp	w8, w14
	bgt	.L186
	add	w18, w18, w20
	add	x30, x30, x19
	cmp	w22, w8
	blt	.L179
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x29, x30, [sp], 48
	ret
.L189:
	ret
	.type	count, %function
count:
	mov	x5, x0
	cmp	x0, 0
	ble	.L196
	mov	x6, 18725
	sub	x7, x0, #4
	movk	x6, 0x2492, lsl 16
	mov	x2, 0
	movk	x6, 0x9249, lsl 32
	mov	x0, 0
	movk	x6, 0x4924, lsl 48
.L195:
	smulh	x3, x2, x6
	asr	x3, x3, 1
	sub	x3, x3, x2, asr 63
	lsl	x4, x3, 3
	sub	x3, x4, x3
	sub	x3, x2, x3
	cmp	x3, 3
	beq	.L194
	ldrsw	x3, [x1, x2, lsl 2]
	add	x0, x0, x3
	cmp	x7, x2
	ble	.L192
.L194:
	add	x2, x2, 1
	cmp	x5, x2
	bne	.L195
.L192:
	ret
.L196:
	mov	x0, 0
	ret
	.type	powers, %function
powers:
	mov	x4, 1
	cmp	x0, x4
	ble	.L201
.L202:
	mov	x2, x4
	lsl	x4, x4, 1
	sub	x3, x1, x2, lsl 3
	cmp	x0, x2
	ble	.L206
.L204:
	ldr	d0, [x3, x2, lsl 3]
	ldr	d1, [x1, x2, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x3, x2, lsl 3]
	add	x2, x4, x2
	cmp	x2, x0
	blt	.L204
.L206:
	cmp	x0, x4
	bgt	.L202
.L201:
	ret
	.type	fill, %function
fill:
	mov	w2, w0
	mov	x0, x1
	cmp	w2, 0
	ble	.L211
	ubfiz	x2, x2, 3, 32
	mov	w1, 0
	b	memset
.L211:
	ret
	.type	strided, %function
strided:
	cmp	w0, 0
	ble	.L213
	sbfiz	x1, x1, 2, 32
	add	x0, x3, w0, sxtw 2
	fmov	s1, 1.0e+0
.L215:
	ldr	s0, [x2]
	add	x2, x2, x1
	fadd	s0, s0, s1
	str	s0, [x3], 4
	cmp	x3, x0
	bne	.L215
.L213:
	ret
	.type	bytes, %function
bytes:
	cmp	w0, 0
	ble	.L217
	sxtw	x4, w0
	mov	w5, 90
	mov	x0, 0
.L219:
	ldrb	w3, [x1, x0]
	eor	w3, w3, w5
	strb	w3, [x2, x0]
	add	x0, x0, 1
	cmp	x4, x0
	bne	.L219
.L217:
	ret
	.type	structs, %function
structs:
	ldr	w1, [x0]
	sub	w8, w1, #1
	cmp	w1, 2
	ble	.L221
	ldr	w7, [x0, 4]
	mov	w6, 1
	mov	w5, w7
.L223:
	cmp	w7, 2
	ble	.L230
	ldp	x3, x2, [x0, 8]
	sub	w9, w7, #2
	add	x4, x3, 16
	add	x2, x2, 8
.L225:
	add	x1, x9, w5, sxtw
	sbfiz	x0, x5, 3, 32
	lsl	x1, x1, 3
.L224:
	ldr	d0, [x4, x0]
	ldr	d1, [x3, x0]
	fadd	d0, d0, d1
	str	d0, [x2, x0]
	add	x0, x0, 8
	cmp	x1, x0
	bne	.L224
	add	w6, w6, 1
	add	w5, w5, w7
	cmp	w6, w8
	bne	.L225
.L221:
	ret
.L230:
	add	w6, w6, 1
	add	w5, w5, w7
	cmp	w6, w8
	bne	.L223
	ret
	.type	stencil3, %function
stencil3:
	sub	w13, w0, #1
	cmp	w13, 1
	ble	.L240
	mov	w8, w0
	stp	x29, x30, [sp, -16]!
	lsl	w30, w0, 1
	madd	w15, w0, w0, w0
	sub	w0, w0, #3
	mul	w17, w8, w8
	mov	x4, x1
	madd	w30, w30, w8, w8
	sxtw	x1, w8
	sxtw	x15, w15
	mvn	x12, x0
	add	x18, x15, x0
	sxtw	x17, w17
	sub	x18, x18, x1
	sxtw	x30, w30
	add	x18, x18, 1
	sub	x30, x30, x1
	sbfiz	x8, x8, 3, 32
	add	x5, x2, 8
	neg	x15, x15, lsl 3
	lsl	x12, x12, 3
	lsl	x18, x18, 3
	lsl	x30, x30, 3
	neg	x17, x17, lsl 3
	mov	x14, x8
	add	x6, x4, 16
	mov	w16, 1
	mov	x29, sp
.L234:
	add	w16, w16, 1
	add	x10, x14, x30
	add	x3, x18, x14
	mov	x9, x14
	mov	x7, x15
	mov	w11, 1
.L237:
	add	x2, x9, x7
	add	x1, x10, x7
	add	x2, x2, 8
	add	x1, x1, 8
	add	x2, x4, x2
	add	x1, x4, x1
	add	x0, x12, x3
.L235:
	ldr	d0, [x6, x0]
	ldr	d3, [x4, x0]
	ldr	d2, [x2, x0]
	ldr	d1, [x1, x0]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fadd	d0, d0, d1
	str	d0, [x5, x0]
	add	x0, x0, 8
	cmp	x3, x0
	bne	.L235
	add	w11, w11, 1
	sub	x7, x7, x8
	add	x9, x9, x8
	add	x10, x10, x8
	add	x3, x3, x8
	cmp	w11, w13
	bne	.L237
	add	x15, x15, x17
	sub	x14, x14, x17
	cmp	w13, w16
	bne	.L234
	ldp	x29, x30, [sp], 16
	ret
.L240:
	ret
	.type	many, %function
many:
	cmp	w0, 0
	ble	.L243
	add	w1, w1, w3
	add	x3, x7, w0, sxtw 2
	add	w1, w1, w4
	add	w0, w1, w5
	add	w0, w0, w6
.L245:
	str	w0, [x7], 4
	add	w0, w0, w2
	cmp	x7, x3
	bne	.L245
.L243:
	ret
	.type	downwards, %function
downwards:
	subs	w2, w0, #2
	bmi	.L247
	add	x3, x1, w0, sxtw 3
	sxtw	x0, w2
	fmov	d2, 5.0e-1
	ldr	d0, [x3, -8]
.L249:
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d0, d0, d2, d1
	str	d0, [x1, x0, lsl 3]
	sub	x0, x0, #1
	tbz	w0, #31, .L249
.L247:
	ret
	.type	whiles, %function
whiles:
	b	.L257
.L255:
	tst	x0, 1
	add	w3, w0, w0, lsl 1
	lsr	w2, w0, 1
	str	w0, [x1], 4
	csinc	w0, w2, w3, eq
.L257:
	cmp	w0, 1
	bhi	.L255
	ret
	.type	sum_u, %function
sum_u:
	movi	d0, #0
	sub	x2, x0, #1
	cbz	x0, .L258
.L260:
	ldr	s1, [x1, x2, lsl 2]
	sub	x2, x2, #1
	fcvt	d1, s1
	fadd	d0, d0, d1
	cmn	x2, #1
	bne	.L260
.L258:
	ret
	.type	recursive, %function
recursive:
	cmp	w0, 1
	ble	.L269
	stp	x29, x30, [sp, -48]!
	mov	x29, sp
	stp	x21, x22, [sp, 32]
	sub	w22, w0, #2
	sub	w21, w0, #3
	and	w1, w22, -2
	stp	x19, x20, [sp, 16]
	sub	w21, w21, w1
	sub	w20, w0, #1
	mov	w19, 0
.L265:
	mov	w0, w20
	sub	w20, w20, #2
	bl	fib
	add	w19, w19, w0
	cmp	w20, w21
	bne	.L265
	and	w22, w22, 1
	add	w0, w22, w19
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x29, x30, [sp], 48
	ret
.L269:
	ret
	.type	durbin, %function
durbin:
	stp	x29, x30, [sp, -96]!
	mov	x29, sp
	stp	d8, d9, [sp, 80]
	ldr	d9, [x1]
	stp	x19, x20, [sp, 16]
	mov	w20, w0
	sbfiz	x0, x0, 3, 32
	fneg	d0, d9
	stp	x21, x22, [sp, 32]
	add	x0, x0, 15
	stp	x23, x24, [sp, 48]
	and	x0, x0, -16
	str	x25, [sp, 64]
	str	d10, [sp, 72]
	sub	sp, sp, x0
	str	d0, [x2]
	cmp	w20, 1
	ble	.L272
	fmov	d10, 1.0e+0
	mov	x23, x1
	mov	x6, x2
	mov	x24, sp
	fmov	d8, d10
	mov	x22, x2
	sub	x21, x1, #8
	mov	x19, 8
	mov	w25, 1
.L276:
	fmsub	d9, d9, d9, d8
	movi	d0, #0
	add	x3, x21, x19
	mov	x5, x6
	fmul	d10, d10, d9
.L274:
	ldr	d2, [x3]
	cmp	x3, x23
	ldr	d1, [x5], 8
	sub	x3, x3, #8
	fmadd	d0, d2, d1, d0
	bne	.L274
	ldr	d1, [x23, x19]
	mov	x3, 0
	fadd	d0, d0, d1
	fneg	d0, d0
	fdiv	d9, d0, d10
.L275:
	neg	x4, x3
	ldr	d0, [x6, x3]
	ldr	d1, [x22, x4]
	fmadd	d0, d1, d9, d0
	str	d0, [x24, x3]
	add	x3, x3, 8
	cmp	x19, x3
	bne	.L275
	mov	x2, x19
	mov	x0, x6
	mov	x1, x24
	add	w25, w25, 1
	bl	memcpy
	str	d9, [x0, x19]
	mov	x6, x0
	add	x22, x22, 8
	add	x19, x19, 8
	cmp	w20, w25
	bne	.L276
.L272:
	mov	sp, x29
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldr	x25, [sp, 64]
	ldr	d10, [sp, 72]
	ldp	d8, d9, [sp, 80]
	ldp	x29, x30, [sp], 96
	ret
	.section	.rodata.cst8,"aM",@progbits,8
.LC0:
	.word	-1717986918
	.word	1070176665
