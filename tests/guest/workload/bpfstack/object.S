/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF object inside the program, so that only one file goes into a guest. */
	.section .rodata
	.globl	stack_object, stack_object_end
	.balign	16
stack_object:
	.incbin	"stack.bpf.o"
stack_object_end:
	.section .note.GNU-stack, "", %progbits
