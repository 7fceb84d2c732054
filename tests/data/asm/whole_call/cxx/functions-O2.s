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
	mov	x3, 0
.L3:
	ldr	d2, [x1, x3, lsl 3]
	ldr	d1, [x2, x3, lsl 3]
	fmadd	d1, d2, d0, d1
	str	d1, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L3
.L1:
	ret
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
	cbz	x0, .L9
	mov	x3, 0
.L11:
	ldr	s2, [x1, x3, lsl 2]
	ldr	s1, [x2, x3, lsl 2]
	fmadd	s1, s2, s0, s1
	str	s1, [x2, x3, lsl 2]
	add	x3, x3, 1
	cmp	x0, x3
	bne	.L11
.L9:
	ret
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
	beq	.L16
.L18:
	ldr	d1, [x0], 8
	fadd	d0, d0, d1
	cmp	x0, x1
	bne	.L18
.L16:
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
	cbz	x0, .L21
	add	x0, x1, x0, lsl 3
	fmov	d2, 1.0e+0
.L23:
	ldr	d1, [x1]
	fmadd	d1, d1, d0, d2
	str	d1, [x1], 8
	cmp	x1, x0
	bne	.L23
.L21:
	ret
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
	ble	.L28
	sbfiz	x4, x2, 3, 32
	mov	x5, x1
	add	x3, x0, x4
	mov	w6, 0
.L30:
	sub	x1, x3, x4
	mov	x0, x5
.L31:
	ldr	d0, [x1], 8
	str	d0, [x0]
	add	x0, x0, x4
	cmp	x1, x3
	bne	.L31
	add	w6, w6, 1
	add	x5, x5, 8
	add	x3, x3, x4
	cmp	w2, w6
	bne	.L30
.L28:
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
	add	x1, x0, x1, lsl 3
	cmp	x1, x0
	beq	.L33
.L35:
	ldr	d1, [x0]
	fmul	d1, d1, d0
	str	d1, [x0], 8
	cmp	x1, x0
	bne	.L35
.L33:
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
	cbz	x2, .L37
	mov	x3, 0
.L39:
	ldr	d2, [x0, x3]
	ldr	d1, [x1, x3]
	add	x3, x3, 8
	fmadd	d0, d2, d1, d0
	cmp	x2, x3
	bne	.L39
.L37:
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
	ldp	x1, x3, [x0]
	sub	x2, x3, x1
	asr	x2, x2, 3
	cmp	x3, x1
	beq	.L42
	ldr	x3, [x0, 24]
	mov	x0, 0
.L44:
	ldr	d2, [x3, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fmadd	d1, d2, d0, d1
	str	d1, [x1, x0, lsl 3]
	add	x0, x0, 1
	cmp	x0, x2
	bcc	.L44
.L42:
	ret
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
	sub	x3, x0, x2
	asr	x3, x3, 3
	cmp	x0, x2
	beq	.L46
	ldr	x1, [x1]
	mov	x0, 0
.L48:
	ldr	d0, [x2, x0, lsl 3]
	ldr	d1, [x1, x0, lsl 3]
	fadd	d0, d0, d1
	str	d0, [x2, x0, lsl 3]
	add	x0, x0, 1
	cmp	x0, x3
	bcc	.L48
.L46:
	ret
	.cfi_endproc
.LFE1984:
	.size	_Z3addRSt6vectorIdSaIdEERKS1_, .-_Z3addRSt6vectorIdSaIdEERKS1_
	.align	2
	.global	_ZNK7Stencil5applyEPKdPdi
	.type	_ZNK7Stencil5applyEPKdPdi, %function
_ZNK7Stencil5applyEPKdPdi:
.LFB1985:
	.cfi_startproc
	sub	w4, w3, #1
	cmp	w3, 2
	ble	.L50
	sub	x6, x1, #8
	add	x5, x1, 8
	mov	x3, 1
.L52:
	ldr	d0, [x6, x3, lsl 3]
	ldr	d3, [x1, x3, lsl 3]
	ldr	d2, [x5, x3, lsl 3]
	ldr	d1, [x0]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fmul	d0, d0, d1
	str	d0, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	w4, w3
	bgt	.L52
.L50:
	ret
	.cfi_endproc
.LFE1985:
	.size	_ZNK7Stencil5applyEPKdPdi, .-_ZNK7Stencil5applyEPKdPdi
	.align	2
	.global	_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi
	.type	_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi, %function
_ZN3lib6smoothERKSt5arrayIdLm3EEPKdPdi:
.LFB1986:
	.cfi_startproc
	sub	w4, w3, #1
	cmp	w3, 2
	ble	.L54
	sub	x6, x1, #8
	add	x5, x1, 8
	mov	x3, 1
.L56:
	ldp	d4, d0, [x0]
	ldr	d1, [x1, x3, lsl 3]
	ldr	d3, [x6, x3, lsl 3]
	ldr	d2, [x0, 16]
	fmul	d0, d0, d1
	ldr	d1, [x5, x3, lsl 3]
	fmadd	d0, d4, d3, d0
	fmadd	d0, d2, d1, d0
	str	d0, [x2, x3, lsl 3]
	add	x3, x3, 1
	cmp	w4, w3
	bgt	.L56
.L54:
	ret
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
	beq	.L58
.L60:
	str	d0, [x0], 8
	cmp	x1, x0
	bne	.L60
.L58:
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
	ble	.L62
	mov	w3, 64
	movi	d7, #0
	smaddl	x2, w2, w3, x0
.L64:
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
	bne	.L64
.L62:
	ret
	.cfi_endproc
.LFE1990:
	.size	_Z5rows8PKdPdi, .-_Z5rows8PKdPdi
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
