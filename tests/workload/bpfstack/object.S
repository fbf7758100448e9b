/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF object within the program: one file to carry into a guest. */
	.section .rodata
	.globl	stack_object, stack_object_end
	.balign	16
stack_object:
	.incbin	"stack.bpf.o"
stack_object_end:
	.section .note.GNU-stack, "", %progbits
