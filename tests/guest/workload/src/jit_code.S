/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code that the JIT "generates": it is linked alone at address 0, extracted as bytes, and
 * put into jit_blob.S with its table. jit_outer(spins) must come first.
 */
	.text

#ifdef __x86_64__

	.globl	jit_outer
	.type	jit_outer, @function
jit_outer:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	subq	$112, %rsp
	.cfi_adjust_cfa_offset 112
	movq	%rdi, %rbx
	call	jit_middle
	movq	%rbx, 8(%rsp)
	addq	$112, %rsp
	.cfi_adjust_cfa_offset -112
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	jit_outer, . - jit_outer

	.type	jit_leaf, @function
jit_leaf:
	.cfi_startproc
1:	subq	$1, %rdi
	jne	1b
	ret
	.cfi_endproc
	.size	jit_leaf, . - jit_leaf

	.type	jit_middle, @function
jit_middle:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	call	jit_leaf
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
	.cfi_endproc
	.size	jit_middle, . - jit_middle

#else /* __aarch64__ */

	.globl	jit_outer
	.type	jit_outer, %function
jit_outer:
	.cfi_startproc
	sub	sp, sp, #128
	.cfi_adjust_cfa_offset 128
	stp	x29, x30, [sp, #96]
	.cfi_rel_offset x29, 96
	.cfi_rel_offset x30, 104
	bl	jit_middle
	ldp	x29, x30, [sp, #96]
	add	sp, sp, #128
	.cfi_adjust_cfa_offset -128
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	jit_outer, . - jit_outer

	.type	jit_leaf, %function
jit_leaf:
	.cfi_startproc
1:	subs	x0, x0, #1
	b.ne	1b
	ret
	.cfi_endproc
	.size	jit_leaf, . - jit_leaf

	.type	jit_middle, %function
jit_middle:
	.cfi_startproc
	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	bl	jit_leaf
	ldp	x29, x30, [sp], #48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	jit_middle, . - jit_middle

#endif
	.section .note.GNU-stack, "", %progbits
