/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A plug: three frames at known addresses, in a shape chosen by PLUG (1 to 4).
 *
 * All plugs have the same symbols at the same offsets but frames of different sizes, so that
 * the table of one plug gives wrong stacks in another. Each function has a page of its own,
 * with room between them, so that the text can be moved and cut in parts. The frame pointer is
 * zero inside: without a table only the pc is found.
 *
 * long entry(void **return_address, unsigned long loops)
 */
#define FRAME_ENTRY (16 * PLUG)
#define FRAME_MID (16 * (5 - PLUG))
#define FRAME_LEAF (16 * (PLUG + 1))

	.section .text.plug, "ax", %progbits
	.p2align 12
/* struct plug_header */
header:
	.quad 0x67756c706b636174
	.quad PLUG
	.quad entry - header
	.quad return_to_entry - header
	.quad mid - header
	.quad return_to_mid - header
	.quad leaf - header
	.quad loop - header
	.quad leaf_end - header

	.p2align 6
	.globl entry
	.type entry, %function
	.type mid, %function
	.type leaf, %function

#ifdef __x86_64__
entry:
	.cfi_startproc
	mov (%rsp), %rax
	mov %rax, (%rdi)
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	xor %ebp, %ebp
	sub $FRAME_ENTRY, %rsp
	.cfi_adjust_cfa_offset FRAME_ENTRY
	call mid
return_to_entry:
	add $FRAME_ENTRY, %rsp
	.cfi_adjust_cfa_offset -FRAME_ENTRY
	pop %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size entry, . - entry

	.p2align 12
mid:
	.cfi_startproc
	sub $FRAME_MID, %rsp
	.cfi_adjust_cfa_offset FRAME_MID
	call leaf
return_to_mid:
	add $FRAME_MID, %rsp
	.cfi_adjust_cfa_offset -FRAME_MID
	ret
	.cfi_endproc
	.size mid, . - mid

	.p2align 12
	.space 4096
leaf:
	.cfi_startproc
	sub $FRAME_LEAF, %rsp
	.cfi_adjust_cfa_offset FRAME_LEAF
	mov $PLUG, %eax
loop:
	dec %rsi
	jnz loop
leaf_end:
	add $FRAME_LEAF, %rsp
	.cfi_adjust_cfa_offset -FRAME_LEAF
	ret
	.cfi_endproc
	.size leaf, . - leaf
#else
entry:
	.cfi_startproc
	str x30, [x0]
	stp x29, x30, [sp, #-FRAME_ENTRY - 16]!
	.cfi_def_cfa_offset FRAME_ENTRY + 16
	.cfi_offset 29, -FRAME_ENTRY - 16
	.cfi_offset 30, -FRAME_ENTRY - 8
	mov x29, #0
	bl mid
return_to_entry:
	ldp x29, x30, [sp], #FRAME_ENTRY + 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size entry, . - entry

	.p2align 12
mid:
	.cfi_startproc
	stp x29, x30, [sp, #-FRAME_MID - 16]!
	.cfi_def_cfa_offset FRAME_MID + 16
	.cfi_offset 29, -FRAME_MID - 16
	.cfi_offset 30, -FRAME_MID - 8
	bl leaf
return_to_mid:
	ldp x29, x30, [sp], #FRAME_MID + 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size mid, . - mid

	.p2align 12
	.space 4096
leaf:
	.cfi_startproc
	sub sp, sp, #FRAME_LEAF
	.cfi_def_cfa_offset FRAME_LEAF
	mov x0, #PLUG
loop:
	subs x1, x1, #1
	b.ne loop
leaf_end:
	add sp, sp, #FRAME_LEAF
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size leaf, . - leaf
#endif

	.p2align 12
	.space 4096
	.section .note.GNU-stack, "", %progbits
