	.arch armv8-a
	.file	"functions.cpp"
	.text
	.section	.text._Z4axpyIdEvmT_PKS0_PS0_,"axG",@progbits,_Z4axpyIdEvmT_PKS0_PS0_,comdat
	.align	2
	.weak	_Z4axpyIdEvmT_PKS0_PS0_
	.type	_Z4axpyIdEvmT_PKS0_PS0_, %function
_Z4axpyIdEvmT_PKS0_PS0_:
.LFB2044:
	.cfi_startproc
	cbz	x0, .L1
	sub	x3, x0, #1
	cmp	x3, 2
	bls	.L8
	add	x4, x1, 8
	mov	x3, 0
	cmp	x2, x4
	bne	.L19
.L6:
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L6
.L1:
	ret
.L19:
	dup	v3.2d, v0.d[0]
	lsr	x4, x0, 1
	lsl	x4, x4, 4
.L4:
	ldr	q2, [x1, x3]
	ldr	q1, [x2, x3]
	fmla	v1.2d, v2.2d, v3.2d
	str	q1, [x2, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L4
	and	x3, x0, -2
	tbz	x0, 0, .L1
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d0, d0, d2, d1
	str	d0, [x2, x3, lsl 3]
	ret
.L8:
	mov	x3, 0
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L6
	b	.L1
	.cfi_endproc
.LFE2044:
	.size	_Z4axpyIdEvmT_PKS0_PS0_, .-_Z4axpyIdEvmT_PKS0_PS0_
	.section	.text._Z4axpyIfEvmT_PKS0_PS0_,"axG",@progbits,_Z4axpyIfEvmT_PKS0_PS0_,comdat
	.align	2
	.weak	_Z4axpyIfEvmT_PKS0_PS0_
	.type	_Z4axpyIfEvmT_PKS0_PS0_, %function
_Z4axpyIfEvmT_PKS0_PS0_:
.LFB2045:
	.cfi_startproc
	cbz	x0, .L20
	sub	x3, x0, #1
	cmp	x3, 2
	bls	.L27
	add	x4, x1, 4
	mov	x3, 0
	sub	x4, x2, x4
	cmp	x4, 8
	bhi	.L37
.L25:
	ldr	s2, [x1, x3, lsl 2]
	ldr	s1, [x2, x3, lsl 2]
	fmadd	s1, s0, s2, s1
	str	s1, [x2, x3, lsl 2]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L25
.L20:
	ret
.L37:
	dup	v3.4s, v0.s[0]
	lsr	x4, x0, 2
	lsl	x4, x4, 4
.L23:
	ldr	q2, [x1, x3]
	ldr	q1, [x2, x3]
	fmla	v1.4s, v2.4s, v3.4s
	str	q1, [x2, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L23
	and	x3, x0, -4
	tst	x0, 3
	beq	.L20
	ldr	s2, [x1, x3, lsl 2]
	add	x5, x3, 1
	ldr	s1, [x2, x3, lsl 2]
	lsl	x4, x3, 2
	fmadd	s1, s2, s0, s1
	str	s1, [x2, x3, lsl 2]
	cmp	x0, x5
	bls	.L20
	add	x5, x4, 4
	add	x3, x3, 2
	ldr	s2, [x1, x5]
	ldr	s1, [x2, x5]
	fmadd	s1, s0, s2, s1
	str	s1, [x2, x5]
	cmp	x0, x3
	bls	.L20
	add	x0, x4, 8
	ldr	s2, [x1, x0]
	ldr	s1, [x2, x0]
	fmadd	s0, s0, s2, s1
	str	s0, [x2, x0]
	ret
.L27:
	mov	x3, 0
	ldr	s2, [x1, x3, lsl 2]
	ldr	s1, [x2, x3, lsl 2]
	fmadd	s1, s0, s2, s1
	str	s1, [x2, x3, lsl 2]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L25
	b	.L20
	.cfi_endproc
.LFE2045:
	.size	_Z4axpyIfEvmT_PKS0_PS0_, .-_Z4axpyIfEvmT_PKS0_PS0_
	.text
	.align	2
	.global	_Z5totalRKSt6vectorIdSaIdEE
	.type	_Z5totalRKSt6vectorIdSaIdEE, %function
_Z5totalRKSt6vectorIdSaIdEE:
.LFB1971:
	.cfi_startproc
	ldp	x0, x1, [x0]
	movi	d0, #0
	cmp	x1, x0
	beq	.L38
.L40:
	ldr	d1, [x0], 8
	fadd	d0, d0, d1
	cmp	x0, x1
	bne	.L40
.L38:
	ret
	.cfi_endproc
.LFE1971:
	.size	_Z5totalRKSt6vectorIdSaIdEE, .-_Z5totalRKSt6vectorIdSaIdEE
	.align	2
	.global	_Z12apply_lambdamPdd
	.type	_Z12apply_lambdamPdd, %function
_Z12apply_lambdamPdd:
.LFB1972:
	.cfi_startproc
	fmov	d3, d0
	cbz	x0, .L43
	cmp	x0, 1
	beq	.L48
	lsr	x3, x0, 1
	mov	x2, x1
	dup	v4.2d, v0.d[0]
	fmov	v0.2d, 1.0e+0
	add	x3, x1, x3, lsl 4
.L46:
	ldr	q2, [x2]
	mov	v1.16b, v0.16b
	fmla	v1.2d, v2.2d, v4.2d
	str	q1, [x2], 16
	cmp	x3, x2
	bne	.L46
	tbz	x0, 0, .L43
	and	x0, x0, -2
.L45:
	ldr	d1, [x1, x0, lsl 3]
	fmov	d0, 1.0e+0
	fmadd	d0, d1, d3, d0
	str	d0, [x1, x0, lsl 3]
.L43:
	ret
.L48:
	mov	x0, 0
	b	.L45
	.cfi_endproc
.LFE1972:
	.size	_Z12apply_lambdamPdd, .-_Z12apply_lambdamPdd
	.align	2
	.global	_Z15transpose_classPdS_i
	.type	_Z15transpose_classPdS_i, %function
_Z15transpose_classPdS_i:
.LFB1979:
	.cfi_startproc
	cmp	w2, 0
	ble	.L56
	sbfiz	x4, x2, 3, 32
	mov	x5, x1
	add	x3, x0, x4
	mov	w6, 0
.L58:
	sub	x1, x3, x4
	mov	x0, x5
.L59:
	ldr	d0, [x1], 8
	str	d0, [x0]
	add	x0, x0, x4
	cmp	x1, x3
	bne	.L59
	add	w6, w6, 1
	add	x5, x5, 8
	add	x3, x3, x4
	cmp	w2, w6
	bne	.L58
.L56:
	ret
	.cfi_endproc
.LFE1979:
	.size	_Z15transpose_classPdS_i, .-_Z15transpose_classPdS_i
	.align	2
	.global	_Z9scale_algPdmd
	.type	_Z9scale_algPdmd, %function
_Z9scale_algPdmd:
.LFB1980:
	.cfi_startproc
	fmov	d2, d0
	lsl	x1, x1, 3
	cbz	x1, .L61
	sub	x3, x1, #8
	lsr	x3, x3, 3
	add	x3, x3, 1
	cmp	x1, 8
	beq	.L63
	lsr	x2, x3, 1
	mov	x1, x0
	dup	v0.2d, v0.d[0]
	add	x2, x0, x2, lsl 4
.L64:
	ldr	q1, [x1]
	fmul	v1.2d, v1.2d, v0.2d
	str	q1, [x1], 16
	cmp	x1, x2
	bne	.L64
	tbz	x3, 0, .L61
	and	x3, x3, -2
	add	x0, x0, x3, lsl 3
.L63:
	ldr	d0, [x0]
	fmul	d0, d0, d2
	str	d0, [x0]
.L61:
	ret
	.cfi_endproc
.LFE1980:
	.size	_Z9scale_algPdmd, .-_Z9scale_algPdmd
	.align	2
	.global	_Z3dotPKdS0_m
	.type	_Z3dotPKdS0_m, %function
_Z3dotPKdS0_m:
.LFB1982:
	.cfi_startproc
	movi	d0, #0
	lsl	x2, x2, 3
	cbz	x2, .L76
	mov	x3, 0
.L78:
	ldr	d2, [x0, x3]
	ldr	d1, [x1, x3]
	add	x3, x3, 8
	fmadd	d0, d2, d1, d0
	cmp	x2, x3
	bne	.L78
.L76:
	ret
	.cfi_endproc
.LFE1982:
	.size	_Z3dotPKdS0_m, .-_Z3dotPKdS0_m
	.align	2
	.global	_Z5driftR9Particlesd
	.type	_Z5driftR9Particlesd, %function
_Z5driftR9Particlesd:
.LFB1983:
	.cfi_startproc
	ldp	x1, x2, [x0]
	sub	x5, x2, x1
	asr	x3, x5, 3
	cmp	x2, x1
	beq	.L81
	ldr	x2, [x0, 24]
	cmp	x5, 24
	bls	.L88
	add	x4, x2, 8
	mov	x0, 0
	cmp	x1, x4
	bne	.L95
.L86:
	ldr	d2, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x1, x0, lsl 3]
	add	x0, x0, 1
	cmp	x3, x0
	bhi	.L86
.L81:
	ret
.L95:
	dup	v3.2d, v0.d[0]
	cmp	x5, 0
	csinc	x3, x3, xzr, ne
	lsr	x4, x3, 1
	lsl	x4, x4, 4
.L84:
	ldr	q2, [x2, x0]
	ldr	q1, [x1, x0]
	fmla	v1.2d, v2.2d, v3.2d
	str	q1, [x1, x0]
	add	x0, x0, 16
	cmp	x4, x0
	bne	.L84
	and	x0, x3, -2
	tbz	x3, 0, .L81
	ldr	d2, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d0, d0, d2, d1
	str	d0, [x1, x0, lsl 3]
	ret
.L88:
	mov	x0, 0
	ldr	d2, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d1, d0, d2, d1
	str	d1, [x1, x0, lsl 3]
	add	x0, x0, 1
	cmp	x3, x0
	bhi	.L86
	b	.L81
	.cfi_endproc
.LFE1983:
	.size	_Z5driftR9Particlesd, .-_Z5driftR9Particlesd
	.align	2
	.global	_Z3addRSt6vectorIdSaIdEERKS1_
	.type	_Z3addRSt6vectorIdSaIdEERKS1_, %function
_Z3addRSt6vectorIdSaIdEERKS1_:
.LFB1984:
	.cfi_startproc
	ldp	x2, x0, [x0]
	sub	x5, x0, x2
	asr	x3, x5, 3
	cmp	x0, x2
	beq	.L96
	ldr	x1, [x1]
	cmp	x5, 32
	bls	.L103
	add	x4, x1, 8
	mov	x0, 0
	cmp	x2, x4
	bne	.L110
.L101:
	ldr	d0, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	cmp	x3, x0
	bhi	.L101
.L96:
	ret
.L110:
	cmp	x5, 0
	csinc	x3, x3, xzr, ne
	lsr	x4, x3, 1
	lsl	x4, x4, 4
.L99:
	ldr	q0, [x1, x0]
	ldr	q1, [x2, x0]
	fadd	v0.2d, v0.2d, v1.2d
	str	q0, [x2, x0]
	add	x0, x0, 16
	cmp	x4, x0
	bne	.L99
	and	x0, x3, -2
	tbz	x3, 0, .L96
	ldr	d0, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x2, x0, lsl 3]
	ret
.L103:
	mov	x0, 0
	ldr	d0, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	cmp	x3, x0
	bhi	.L101
	b	.L96
	.cfi_endproc
.LFE1984:
	.size	_Z3addRSt6vectorIdSaIdEERKS1_, .-_Z3addRSt6vectorIdSaIdEERKS1_
	.align	2
	.global	_ZNK7Stencil5applyEPKdPdi
	.type	_ZNK7Stencil5applyEPKdPdi, %function
_ZNK7Stencil5applyEPKdPdi:
.LFB1985:
	.cfi_startproc
	sub	w5, w3, #1
	cmp	w3, 2
	ble	.L111
	sub	w4, w3, #3
	cmp	w4, 2
	bls	.L118
	add	x4, x2, w5, uxtw 3
	sub	x6, x2, x1
	cmp	x0, x4
	mov	x4, 1
	ccmp	x0, x2, 0, cc
	ccmp	x6, 16, 0, ls
	bhi	.L126
.L113:
	add	x6, x1, 8
	sub	x3, x1, #8
.L116:
	ldr	d0, [x3, x4, lsl 3]
	ldr	d3, [x1, x4, lsl 3]
	ldr	d2, [x6, x4, lsl 3]
	ldr	d1, [x0]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fmul	d0, d0, d1
	str	d0, [x2, x4, lsl 3]
	add	x4, x4, 1
	cmp	w5, w4
	bgt	.L116
.L111:
	ret
.L126:
	sub	w4, w3, #2
	ld1r	{v3.2d}, [x0]
	add	x8, x1, 8
	add	x7, x1, 16
	lsr	w5, w4, 1
	add	x6, x2, 8
	mov	x3, 0
	lsl	x5, x5, 4
.L114:
	ldr	q0, [x1, x3]
	ldr	q2, [x8, x3]
	ldr	q1, [x7, x3]
	fadd	v0.2d, v0.2d, v2.2d
	fadd	v0.2d, v0.2d, v1.2d
	fmul	v0.2d, v0.2d, v3.2d
	str	q0, [x6, x3]
	add	x3, x3, 16
	cmp	x3, x5
	bne	.L114
	orr	w3, w4, 1
	tbz	x4, 0, .L111
	sxtw	x4, w3
	add	x3, x1, w3, sxtw 3
	ldr	d1, [x0]
	ldr	d0, [x3, -8]
	ldr	d3, [x1, x4, lsl 3]
	ldr	d2, [x3, 8]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fmul	d0, d0, d1
	str	d0, [x2, x4, lsl 3]
	ret
.L118:
	mov	x4, 1
	b	.L113
	.cfi_endproc
.LFE1985:
	.size	_ZNK7Stencil5applyEPKdPdi, .-_ZNK7Stencil5applyEPKdPdi
	.align	2
	.global	_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi
	.type	_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi, %function
_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi:
.LFB1986:
	.cfi_startproc
	sub	w5, w3, #1
	cmp	w3, 2
	ble	.L127
	sub	w4, w3, #3
	cmp	w4, 1
	bls	.L134
	add	x4, x2, w5, uxtw 3
	add	x6, x2, 8
	cmp	x0, x4
	add	x4, x0, 24
	ccmp	x6, x4, 2, cc
	sub	x4, x2, x1
	ccmp	x4, 16, 0, cs
	mov	x4, 1
	bhi	.L142
.L129:
	add	x6, x1, 8
	sub	x3, x1, #8
.L132:
	ldp	d4, d0, [x0]
	ldr	d1, [x1, x4, lsl 3]
	ldr	d3, [x3, x4, lsl 3]
	ldr	d2, [x0, 16]
	fmul	d0, d0, d1
	ldr	d1, [x6, x4, lsl 3]
	fmadd	d0, d4, d3, d0
	fmadd	d0, d2, d1, d0
	str	d0, [x2, x4, lsl 3]
	add	x4, x4, 1
	cmp	w5, w4
	bgt	.L132
.L127:
	ret
.L142:
	ldp	d4, d3, [x0, 8]
	sub	w4, w3, #2
	add	x8, x1, 8
	ld1r	{v5.2d}, [x0]
	lsr	w5, w4, 1
	add	x7, x1, 16
	dup	v4.2d, v4.d[0]
	mov	x3, 0
	dup	v3.2d, v3.d[0]
	lsl	x5, x5, 4
.L130:
	ldr	q0, [x8, x3]
	ldr	q2, [x1, x3]
	fmul	v0.2d, v0.2d, v4.2d
	ldr	q1, [x7, x3]
	fmla	v0.2d, v5.2d, v2.2d
	fmla	v0.2d, v3.2d, v1.2d
	str	q0, [x6, x3]
	add	x3, x3, 16
	cmp	x3, x5
	bne	.L130
	orr	w3, w4, 1
	tbz	x4, 0, .L127
	sxtw	x4, w3
	add	x3, x1, w3, sxtw 3
	ldp	d4, d2, [x0]
	ldr	d0, [x1, x4, lsl 3]
	ldr	d3, [x3, -8]
	ldr	d1, [x3, 8]
	fmul	d0, d0, d2
	ldr	d2, [x0, 16]
	fmadd	d0, d4, d3, d0
	fmadd	d0, d2, d1, d0
	str	d0, [x2, x4, lsl 3]
	ret
.L134:
	mov	x4, 1
	b	.L129
	.cfi_endproc
.LFE1986:
	.size	_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi, .-_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi
	.align	2
	.global	_Z9fill_iterPdS_d
	.type	_Z9fill_iterPdS_d, %function
_Z9fill_iterPdS_d:
.LFB1987:
	.cfi_startproc
	cmp	x0, x1
	beq	.L143
	sub	x2, x1, x0
	mov	x1, x0
	sub	x3, x2, #8
	lsr	x3, x3, 3
	add	x3, x3, 1
	cmp	x2, 8
	beq	.L145
	dup	v1.2d, v0.d[0]
	lsr	x2, x3, 1
	add	x2, x0, x2, lsl 4
.L146:
	str	q1, [x1], 16
	cmp	x2, x1
	bne	.L146
	tbz	x3, 0, .L143
	and	x3, x3, -2
	add	x0, x0, x3, lsl 3
.L145:
	str	d0, [x0]
.L143:
	ret
	.cfi_endproc
.LFE1987:
	.size	_Z9fill_iterPdS_d, .-_Z9fill_iterPdS_d
	.align	2
	.global	_Z5rows8PKdPdi
	.type	_Z5rows8PKdPdi, %function
_Z5rows8PKdPdi:
.LFB1990:
	.cfi_startproc
	cmp	w2, 0
	ble	.L155
	mov	w3, 64
	movi	d7, #0
	smaddl	x2, w2, w3, x0
.L157:
	ldp	d0, d1, [x0]
	ldp	d6, d5, [x0, 16]
	fadd	d0, d0, d7
	ldr	d2, [x0, 48]
	ldp	d4, d3, [x0, 32]
	add	x0, x0, 64
	fadd	d0, d0, d1
	ldr	d1, [x0, -8]
	fadd	d0, d0, d6
	fadd	d0, d0, d5
	fadd	d0, d0, d4
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fadd	d0, d0, d1
	str	d0, [x1], 8
	cmp	x2, x0
	bne	.L157
.L155:
	ret
	.cfi_endproc
.LFE1990:
	.size	_Z5rows8PKdPdi, .-_Z5rows8PKdPdi
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
