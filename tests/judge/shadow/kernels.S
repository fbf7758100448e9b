/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembler code as codecs have it: no CFI, no symbols of functions, no calls to it by name. Its callers
 * load its addresses into a table. All take an array of 16 numbers (%rdi) and a number (%rsi).
 */
	.text
	.globl	kernel_sum, kernel_scale, kernel_mix
	.hidden	kernel_sum, kernel_scale, kernel_mix

/* Has no frame. */
	.balign	16
kernel_sum:
	xor	%eax, %eax
	mov	$16, %ecx
1:	add	(%rdi), %rax
	imul	%rsi, %rax
	add	$8, %rdi
	dec	%ecx
	jnz	1b
	ret

	.balign	16
kernel_scale:
	.set	at, 0
	.rept	16
	mov	at(%rdi), %rax
	imul	%rsi, %rax
	mov	%rax, at(%rdi)
	.set	at, at + 8
	.endr
	ret

/* Saves registers in the order of x86inc.asm, and calls a part of itself. */
	.balign	16
kernel_mix:
	push	%rbx
	push	%rbp
	push	%r14
	push	%r15
	sub	$40, %rsp
	mov	%rdi, %rbx
	mov	%rsi, %rbp
	mov	$16, %r14d
	xor	%r15d, %r15d
1:	mov	(%rbx), %rdi
	mov	%rbp, %rsi
	call	.Lround
	add	%rax, %r15
	mov	%r15, (%rsp)
	add	$8, %rbx
	dec	%r14d
	jnz	1b
	mov	(%rsp), %rax
	add	$40, %rsp
	pop	%r15
	pop	%r14
	pop	%rbp
	pop	%rbx
	ret

	.balign	16
.Lround:
	lea	1(%rdi,%rsi), %rax
	rol	$7, %rax
	xor	%rdi, %rax
	ret

	.section .note.GNU-stack, "", @progbits
