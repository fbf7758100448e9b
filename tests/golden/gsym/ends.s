# SPDX-License-Identifier: GPL-2.0-only
# Functions without size, and code after them that nothing names. See README.md.
.ifdef AARCH64
	.macro jump_by_register
	br	x1
	.endm
	.macro branch to
	cbz	x0, \to
	.endm
	.macro jump to
	b	\to
	.endm
.else
	.macro jump_by_register
	jmp	*%rax
	.endm
	.macro branch to
	test	%eax, %eax
	je	\to
	.endm
	.macro jump to
	jmp	\to
	.endm
.endif
	.text
	.type by_fde, %function
by_fde:
	.cfi_startproc
	jump_by_register
within_fde:
	ret
	.cfi_endproc
	nop
	ret

	.type by_code, %function
by_code:
	branch 1f
	ret
within_code:
1:	jump by_fde
	nop
	ret

	.type by_label, %function
by_label:
	jump_by_register
label:
	nop
	ret

	.type by_next_fde, %function
by_next_fde:
	jump_by_register
	.cfi_startproc
	ret
	.cfi_endproc

	.type by_section, %function
by_section:
	jump_by_register

	.section .other, "ax", %progbits
	nop
	ret

	.type last, %function
last:
	ret
	nop
	nop
