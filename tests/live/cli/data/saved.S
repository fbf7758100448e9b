/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function whose CFA counts from a register, and the one that it calls, which saves
 * that register; as ld.so's. Each macro makes one thing otherwise.
 */
#ifndef REG
#define REG rbx
#endif
#define R(reg) R_(reg)
#define R_(reg) %reg
#ifndef CFA_OFF
#define CFA_OFF 16
#endif

	.text
	.type caller, @function
	.globl caller
caller:
	.cfi_startproc
#ifdef SIMPLE_CALLER
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
#else
	push	R(REG)
	.cfi_def_cfa_offset 16
	.cfi_offset REG, -16
	mov	%rsp, R(REG)
	.cfi_def_cfa REG, CFA_OFF
	and	$-64, %rsp
#endif
#ifdef CALLER_UNKNOWN
	.byte	0x06
#endif
#ifdef BY_POINTER
	lea	callee(%rip), %rax
	call	*%rax
#else
	call	callee
#endif
	.globl called
called:
	mov	R(REG), %rsp
	.cfi_def_cfa rsp, 16
	pop	R(REG)
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc

	.p2align 4
	.type callee, @function
	.globl callee
callee:
	.cfi_startproc
#ifdef FP_FIRST
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register rbp
	push	R(REG)
	.cfi_offset REG, -24
#elif defined(FAR)
	sub	$FAR, %rsp
	.cfi_adjust_cfa_offset FAR
	mov	R(REG), (%rsp)
	.cfi_offset REG, -FAR - 8
#elif defined(NEVER)
	push	R(REG)
	.cfi_adjust_cfa_offset 8
#else
#ifdef LONG
	.fill	LONG, 1, 0x90
#endif
	push	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_offset r12, -16
	push	R(REG)
	.cfi_adjust_cfa_offset 8
	.cfi_offset REG, -24
#endif
	.globl saved
saved:
	test	%edi, %edi
#ifdef TAIL
	je	other
#endif
#ifdef INDIRECT
	jmp	*%rdx
#endif
#ifdef UNKNOWN
	.byte	0x06
#endif
#ifdef MIDDLE
	je	1f + 1
1:	mov	$1, %eax
#endif
#ifdef SLOTS
	push	R(REG)
	.cfi_adjust_cfa_offset 8
	.cfi_offset REG, -32
	pop	R(REG)
	.cfi_adjust_cfa_offset -8
#endif
#ifdef EXPRESSION
	nop
	.cfi_escape 0x10, 3, 2, 0x77, 0	/* rbx: saved at rsp + 0, by an expression */
	nop
#endif
#if defined(COLD) || defined(COLD_UNSAVED)
	je	cold
back:
#endif
	call	other
#ifdef FALLS
	nop
#else
#ifdef FP_FIRST
	pop	R(REG)
	pop	%rbp
	.cfi_def_cfa rsp, 8
#elif defined(FAR)
	mov	(%rsp), R(REG)
	add	$FAR, %rsp
	.cfi_adjust_cfa_offset -FAR
#else
	pop	R(REG)
	.cfi_adjust_cfa_offset -8
#ifndef NEVER
	pop	%r12
	.cfi_adjust_cfa_offset -8
#endif
#endif
	ret
#endif
	.cfi_endproc

	.p2align 4
	.type other, @function
other:
	.cfi_startproc
#ifdef ELSEWHERE
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	callee
	add	$8, %rsp
	.cfi_def_cfa_offset 8
#endif
	ret
	.cfi_endproc

#if defined(COLD) || defined(COLD_UNSAVED)
	.type cold, @function
cold:
	.cfi_startproc
	.cfi_def_cfa_offset 24
	.cfi_offset r12, -16
#ifdef COLD
	.cfi_offset REG, -24
#endif
	nop
	jmp	back
	.cfi_endproc
#endif
