# SPDX-License-Identifier: GPL-2.0-only
# Functions that are assembled in both byte orders: tests/live/cli/50-sframe.sh
	.text
	.globl f1
	.type f1,%function
f1:	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x29, sp
	.cfi_def_cfa_register 29
	nop
	ldp	x29, x30, [sp], 32
	.cfi_def_cfa 31, 0
	.cfi_restore 29
	.cfi_restore 30
	ret
	.cfi_endproc
	.size f1, .-f1
# rows of two and four bytes
	.globl f2
	.type f2,%function
f2:	.cfi_startproc
	sub	sp, sp, 4080
	.cfi_def_cfa_offset 4080
	.space 300 * 4
	sub	sp, sp, 1048576
	.cfi_def_cfa_offset 1052656
	add	sp, sp, 1048576
	.cfi_def_cfa_offset 4080
	ret
	.cfi_endproc
	.size f2, .-f2
