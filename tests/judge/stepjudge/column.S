/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AArch64 functions that keep their return address in x15, once with x15 as the column of
 * return addresses, as in glibc's rawmemchr(), and once by DW_CFA_register.
 */
	.text
	.p2align 4
column:
	.cfi_startproc
	.cfi_return_column x15
	mov	x15, x30
	bl	register
	ret	x15
	.cfi_endproc

	.p2align 4
register:
	.cfi_startproc
	mov	x15, x30
	.cfi_register x30, x15
	bl	signed
	ret	x15
	.cfi_endproc

	.p2align 4
signed:
	.cfi_startproc
	hint	#25		/* paciasp */
	.cfi_negate_ra_state
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl	column
	ldp	x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	hint	#29		/* autiasp */
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.section .note.GNU-stack, "", %progbits
