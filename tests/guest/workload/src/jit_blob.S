/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes made from jit_code.S, as data. JIT_SFRAME_VADDR: see build-one. */
	.section .rodata
	.globl	jit_text, jit_text_end, jit_sframe, jit_sframe_end
	.globl	jit_sframe_vaddr
	.balign	16
jit_text:
	.incbin	"jit.text"
jit_text_end:
	.balign	16
jit_sframe:
	.incbin	"jit.sframe"
jit_sframe_end:
	.balign	8
jit_sframe_vaddr:
	.quad	JIT_SFRAME_VADDR
	.section .note.GNU-stack, "", %progbits
