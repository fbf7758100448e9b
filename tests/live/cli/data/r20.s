	# SPDX-License-Identifier: GPL-2.0-only
	# r20.o is made of this by as --gsframe of binutils 2.47: a row that no code of x86-64 can run
	.text
	.globl f
	.type f,@function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa 20, 300
	nop
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
	.size f,.-f
