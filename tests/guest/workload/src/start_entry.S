/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entry point. Its CFI says that it is the outermost frame: the return address is
 * undefined.
 */
	.text
	.globl	start_entry
	.hidden	start_main
#ifdef __x86_64__
	.type	start_entry, @function
start_entry:
	.cfi_startproc
	.cfi_undefined %rip
	xorl	%ebp, %ebp
	movq	%rsp, %rdi
	call	start_main
	hlt
	.cfi_endproc
#else
	.type	start_entry, %function
start_entry:
	.cfi_startproc
	.cfi_undefined x30
	mov	x29, #0
	mov	x30, #0
	mov	x0, sp
	bl	start_main
	brk	#1
	.cfi_endproc
#endif
	.size	start_entry, . - start_entry
	.section .note.GNU-stack, "", %progbits
