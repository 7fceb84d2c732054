	.file	"checked_view.head.cpp"
	.text
.Ltext0:
	.file 0 "checked_view.head.cpp"
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"no such element"
	.section	.text.unlikely,"ax",@progbits
.LCOLDB1:
	.text
.LHOTB1:
	.p2align 4
	.section	.text.unlikely
.Ltext_cold0:
	.text
	.globl	pick
	.type	pick, @function
pick:
.LFB1220:
	.file 1 "checked_view.head.cpp"
	.loc 1 16 1
	.cfi_startproc
	.cfi_personality 0x9b,DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b,.LLSDA1220
.LBB5:
	.loc 1 18 23
	testl	%edi, %edi
	jle	.L1
	movslq	%edi, %rdi
	xorl	%r9d, %r9d
	.p2align 4,,10
	.p2align 3
.L5:
	.loc 1 19 31
	movslq	(%rdx,%r9,4), %rax
.LBB6:
.LBB7:
	.loc 1 8 19
	testl	%eax, %eax
	js	.L8
	cmpl	%esi, %eax
	jge	.L8
	.loc 1 10 22
	movsd	(%rcx,%rax,8), %xmm0
.LBE7:
.LBE6:
	.loc 1 19 16
	movsd	%xmm0, (%r8,%r9,8)
	.loc 1 18 23
	addq	$1, %r9
	cmpq	%rdi, %r9
	jne	.L5
	ret
	.p2align 4,,10
	.p2align 3
.L1:
	ret
.LBE5:
	.globl	__gxx_personality_v0
	.section	.gcc_except_table,"a",@progbits
.LLSDA1220:
	.byte	0xff
	.byte	0xff
	.byte	0x1
	.uleb128 .LLSDACSE1220-.LLSDACSB1220
.LLSDACSB1220:
.LLSDACSE1220:
	.text
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.cfi_personality 0x9b,DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b,.LLSDAC1220
	.type	pick.cold, @function
pick.cold:
.LFSB1220:
.LBB12:
.L8:
.LBE12:
	.loc 1 16 1
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
.LBB13:
.LBB10:
.LBB8:
	.loc 1 9 54
	movl	$16, %edi
.LBE8:
.LBE10:
.LBE13:
	.loc 1 16 1
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	pushq	%rax
	.cfi_def_cfa_offset 32
.LBB14:
.LBB11:
.LBB9:
	.loc 1 9 54
	call	__cxa_allocate_exception@PLT
	.loc 1 9 13
	leaq	.LC0(%rip), %rsi
	movq	%rax, %rdi
	.loc 1 9 54
	movq	%rax, %rbx
.LEHB0:
	.loc 1 9 13
	call	_ZNSt12out_of_rangeC1EPKc@PLT
.LEHE0:
	.loc 1 9 54
	movq	_ZNSt12out_of_rangeD1Ev@GOTPCREL(%rip), %rdx
	leaq	_ZTISt12out_of_range(%rip), %rsi
	movq	%rbx, %rdi
.LEHB1:
	call	__cxa_throw@PLT
.L7:
	movq	%rax, %rbp
	movq	%rbx, %rdi
	call	__cxa_free_exception@PLT
	movq	%rbp, %rdi
	call	_Unwind_Resume@PLT
.LEHE1:
.LBE9:
.LBE11:
.LBE14:
	.cfi_endproc
.LFE1220:
	.section	.gcc_except_table
.LLSDAC1220:
	.byte	0xff
	.byte	0xff
	.byte	0x1
	.uleb128 .LLSDACSEC1220-.LLSDACSBC1220
.LLSDACSBC1220:
	.uleb128 .LEHB0-.LCOLDB1
	.uleb128 .LEHE0-.LEHB0
	.uleb128 .L7-.LCOLDB1
	.uleb128 0
	.uleb128 .LEHB1-.LCOLDB1
	.uleb128 .LEHE1-.LEHB1
	.uleb128 0
	.uleb128 0
.LLSDACSEC1220:
	.section	.text.unlikely
	.text
	.size	pick, .-pick
	.section	.text.unlikely
	.size	pick.cold, .-pick.cold
.LCOLDE1:
	.text
.LHOTE1:
.Letext0:
	.section	.text.unlikely
.Letext_cold0:
	.file 2 "stdexcept"
	.section	.data.rel.local.DW.ref.__gxx_personality_v0,"awG",@progbits,DW.ref.__gxx_personality_v0,comdat
	.align 8
	.type	DW.ref.__gxx_personality_v0, @object
	.size	DW.ref.__gxx_personality_v0, 8
DW.ref.__gxx_personality_v0:
	.quad	__gxx_personality_v0
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
