	.arch armv8-a
	.file	"regions.c"
	.text
	.align	2
	.type	triad._omp_fn.0, %function
triad._omp_fn.0:
.LFB3:
	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -16
	.cfi_offset 20, -8
	mov	x20, x0
	bl	omp_get_num_threads
	mov	w19, w0
	bl	omp_get_thread_num
	mov	w1, w0
	ldr	w0, [x20, 32]
	sdiv	w2, w0, w19
	msub	w3, w2, w19, w0
	cmp	w1, w3
	blt	.L2
.L5:
	madd	w1, w2, w1, w3
	add	w2, w2, w1
	cmp	w1, w2
	bge	.L1
	ldp	x4, x3, [x20]
	sxtw	x1, w1
	ldr	x0, [x20, 16]
	ldr	d2, [x20, 24]
.L4:
	ldr	d1, [x0, x1, lsl 3]
	ldr	d0, [x3, x1, lsl 3]
	fmadd	d0, d2, d1, d0
	str	d0, [x4, x1, lsl 3]
	add	x1, x1, 1
	cmp	w2, w1
	bgt	.L4
.L1:
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 32
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
.L2:
	.cfi_restore_state
	add	w2, w2, 1
	mov	w3, 0
	b	.L5
	.cfi_endproc
.LFE3:
	.size	triad._omp_fn.0, .-triad._omp_fn.0
	.global	__aarch64_cas8_relax
	.align	2
	.type	dotp._omp_fn.0, %function
dotp._omp_fn.0:
.LFB4:
	.cfi_startproc
	stp	x29, x30, [sp, -80]!
	.cfi_def_cfa_offset 80
	.cfi_offset 29, -80
	.cfi_offset 30, -72
	mov	x3, 64
	mov	x2, 1
	mov	x29, sp
	stp	x21, x22, [sp, 32]
	.cfi_offset 21, -48
	.cfi_offset 22, -40
	mov	x21, x0
	ldrsw	x1, [x0, 24]
	stp	x19, x20, [sp, 16]
	add	x22, sp, 64
	mov	x4, x22
	.cfi_offset 19, -64
	.cfi_offset 20, -56
	ldp	x20, x19, [x21]
	str	d8, [sp, 56]
	.cfi_offset 72, -24
	movi	d8, #0
	str	x23, [sp, 48]
	.cfi_offset 23, -32
	add	x23, sp, 72
	mov	x0, 0
	mov	x5, x23
	bl	GOMP_loop_nonmonotonic_dynamic_start
	tst	w0, 255
	bne	.L12
.L10:
	add	x21, x21, 16
	bl	GOMP_loop_end_nowait
	ldr	x19, [x21]
.L13:
	fmov	d0, x19
	mov	x2, x21
	mov	x0, x19
	fadd	d0, d8, d0
	fmov	x1, d0
	bl	__aarch64_cas8_relax
	cmp	x19, x0
	bne	.L15
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldr	x23, [sp, 48]
	ldr	d8, [sp, 56]
	ldp	x29, x30, [sp], 80
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 23
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_restore 72
	.cfi_def_cfa_offset 0
	ret
.L20:
	.cfi_restore_state
	mov	x1, x23
	mov	x0, x22
	bl	GOMP_loop_nonmonotonic_dynamic_next
	tst	w0, 255
	beq	.L10
.L12:
	ldrsw	x1, [sp, 64]
	ldr	w2, [sp, 72]
.L11:
	ldr	d1, [x20, x1, lsl 3]
	ldr	d0, [x19, x1, lsl 3]
	add	x1, x1, 1
	fmadd	d8, d1, d0, d8
	cmp	w2, w1
	bgt	.L11
	b	.L20
.L15:
	mov	x19, x0
	b	.L13
	.cfi_endproc
.LFE4:
	.size	dotp._omp_fn.0, .-dotp._omp_fn.0
	.align	2
	.type	coll._omp_fn.0, %function
coll._omp_fn.0:
.LFB5:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	stp	x21, x22, [sp, 32]
	.cfi_offset 19, -32
	.cfi_offset 20, -24
	.cfi_offset 21, -16
	.cfi_offset 22, -8
	ldp	w22, w19, [x0, 16]
	cmp	w22, 0
	ble	.L21
	cmp	w19, 0
	ble	.L21
	mul	w22, w22, w19
	mov	x21, x0
	bl	omp_get_num_threads
	mov	w20, w0
	bl	omp_get_thread_num
	udiv	w2, w22, w20
	msub	w1, w2, w20, w22
	cmp	w0, w1
	bcc	.L24
.L27:
	madd	w1, w2, w0, w1
	add	w3, w2, w1
	cmp	w1, w3
	bcs	.L21
	ldp	x6, x5, [x21]
	sxtw	x7, w1
	udiv	w4, w1, w19
	add	w8, w1, 1
	ldr	d0, [x5, x7, lsl 3]
	msub	w0, w4, w19, w1
	fadd	d0, d0, d0
	str	d0, [x6, x7, lsl 3]
	cmp	w3, w8
	bls	.L21
	sub	w3, w2, #1
	mov	w2, 0
	b	.L26
.L25:
	madd	w1, w19, w4, w0
	sxtw	x1, w1
	ldr	d0, [x5, x1, lsl 3]
	fadd	d0, d0, d0
	str	d0, [x6, x1, lsl 3]
	cmp	w2, w3
	beq	.L21
.L26:
	add	w0, w0, 1
	add	w2, w2, 1
	cmp	w19, w0
	bgt	.L25
	add	w4, w4, 1
	mov	w0, 0
	madd	w1, w19, w4, w0
	sxtw	x1, w1
	ldr	d0, [x5, x1, lsl 3]
	fadd	d0, d0, d0
	str	d0, [x6, x1, lsl 3]
	cmp	w2, w3
	bne	.L26
.L21:
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x29, x30, [sp], 48
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
.L24:
	.cfi_restore_state
	add	w2, w2, 1
	mov	w1, 0
	b	.L27
	.cfi_endproc
.LFE5:
	.size	coll._omp_fn.0, .-coll._omp_fn.0
	.align	2
	.global	triad
	.type	triad, %function
triad:
.LFB0:
	.cfi_startproc
	stp	x29, x30, [sp, -64]!
	.cfi_def_cfa_offset 64
	.cfi_offset 29, -64
	.cfi_offset 30, -56
	mov	w4, w0
	mov	x7, x1
	mov	x6, x2
	mov	x5, x3
	mov	x29, sp
	add	x1, sp, 24
	mov	w3, 0
	mov	w2, 0
	adrp	x0, triad._omp_fn.0
	add	x0, x0, :lo12:triad._omp_fn.0
	stp	x7, x6, [sp, 24]
	str	x5, [sp, 40]
	str	d0, [sp, 48]
	str	w4, [sp, 56]
	bl	GOMP_parallel
	ldp	x29, x30, [sp], 64
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE0:
	.size	triad, .-triad
	.align	2
	.global	dotp
	.type	dotp, %function
dotp:
.LFB1:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	w4, w0
	mov	x6, x1
	mov	x5, x2
	mov	x29, sp
	add	x1, sp, 16
	mov	w3, 0
	mov	w2, 0
	adrp	x0, dotp._omp_fn.0
	add	x0, x0, :lo12:dotp._omp_fn.0
	stp	x6, x5, [sp, 16]
	str	xzr, [sp, 32]
	str	w4, [sp, 40]
	bl	GOMP_parallel
	ldr	d0, [sp, 32]
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE1:
	.size	dotp, .-dotp
	.align	2
	.global	coll
	.type	coll, %function
coll:
.LFB2:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	w5, w0
	mov	w4, w1
	mov	x7, x2
	mov	x6, x3
	mov	x29, sp
	add	x1, sp, 24
	mov	w3, 0
	mov	w2, 0
	adrp	x0, coll._omp_fn.0
	add	x0, x0, :lo12:coll._omp_fn.0
	stp	x7, x6, [sp, 24]
	stp	w5, w4, [sp, 40]
	bl	GOMP_parallel
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE2:
	.size	coll, .-coll
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
