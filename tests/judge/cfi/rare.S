/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All instructions of CFI that compilers write seldom or never, to be compared with
 * libdw. Registers 16, 6 and 7 are RA, FP and SP.
 */
	.text
	.p2align 4
rules:
	.cfi_startproc
	nop
	.cfi_escape 0x05, 16, 3			/* offset_extended */
	nop
	.cfi_escape 0x11, 6, 0x7d		/* offset_extended_sf */
	nop
	.cfi_escape 0x2f, 6, 2			/* GNU_negative_offset_extended */
	nop
	.cfi_escape 0x14, 7, 4			/* val_offset */
	nop
	.cfi_escape 0x15, 7, 0x7c		/* val_offset_sf */
	nop
	.cfi_escape 0x07, 16			/* undefined */
	nop
	.cfi_escape 0x08, 6, 0x09, 7, 8		/* same_value, register */
	nop
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 1	/* expression */
	nop
	.cfi_escape 0x16, 6, 2, 0x23, 8		/* val_expression, of the CFA */
	nop
	.cfi_escape 0x06, 16, 0xc6, 0xc7	/* restore_extended, restore */
	nop
	.cfi_escape 0x06, 0x80, 0x01, 0xcf	/* registers that are not tracked */
	nop
	.cfi_endproc

	.p2align 4
cfas:
	.cfi_startproc
	nop
	.cfi_escape 0x12, 6, 0x7e		/* def_cfa_sf */
	nop
	.cfi_escape 0x13, 0x7c			/* def_cfa_offset_sf */
	nop
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6	/* def_cfa_expression */
	nop
	.cfi_escape 0x0a, 0x0e, 8		/* remember; half of a CFA without a register */
	nop
	.cfi_escape 0x0d, 6
	nop
	.cfi_escape 0x0b			/* restore_state */
	nop
	.cfi_escape 0x0c, 0x85, 0x01, 0x80, 0x01	/* def_cfa of xmm-like 133 */
	nop
	.cfi_escape 0x2e, 0x90, 1, 0		/* GNU_args_size, nop */
	nop
	.cfi_endproc

	.p2align 4
states:
	.cfi_startproc
	nop
	.cfi_escape 0x0a, 0x0e, 16, 0x86, 2
	nop
	.cfi_escape 0x0a, 0x0d, 6, 0x40, 0x0e, 24
	nop
	.cfi_escape 0x0e, 32, 0x0b
	nop
	.cfi_escape 0x0b
	nop
	.cfi_escape 0x02, 0, 0x0e, 40		/* an advance by 0 */
	nop
	.cfi_endproc

	/* instructions after the FDE's end do not count */
	.p2align 4
ends:
	.cfi_startproc
	nop
	.cfi_escape 0x03, 1, 0, 0x0e, 16
	.cfi_escape 0x04, 0xff, 0, 0, 0, 0x3f, 0x0e, 24
	nop
	nop
	.cfi_endproc

	.p2align 4
signal:
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 6
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0
	.cfi_escape 0x10, 7, 3, 0x77, 0xa0, 1
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 1
	nop
	.cfi_endproc
	.section .note.GNU-stack, "", @progbits
