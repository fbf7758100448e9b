/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An arm64 vDSO of one function for each instruction: those of `keeps` leave SP, FP
 * and LR alone, those of `changes` do not, or are not known to.
 */
	.arch armv8.7-a+memtag+sve+ls64
	.text

	.macro function kind, insn:vararg
	.globl \kind\()_\@
	.type \kind\()_\@, %function
\kind\()_\@:
	\insn
	ret
	.size \kind\()_\@, . - \kind\()_\@
	nop
	.endm
	.macro keeps insn:vararg
	function keeps, \insn
	.endm
	.macro changes insn:vararg
	function changes, \insn
	.endm

	keeps nop
	keeps paciasp
	keeps autiasp
	keeps pacibsp
	keeps bti c
	keeps xpaclri
	keeps retaa
	keeps isb
	keeps dmb ishld
	keeps svc #0
	keeps brk #0

	keeps mrs x0, cntvct_el0
	keeps br x17
	keeps cmp sp, #16
	keeps cmp x0, x29
	keeps cmn x30, w1, uxtw
	keeps tst x0, #1
	keeps tst x0, x30
	keeps mov x0, sp
	keeps mov x28, x29
	keeps add x0, sp, x1
	keeps sub x2, x30, #1
	keeps adr x0, .
	keeps movz x0, #0x7bd
	keeps ldr x0, [x1]
	keeps ldr x28, [x1, #0x1e8]
	keeps ldr x0, [x1, x29]
	keeps ldr x0, [x1, #0x1d]!
	keeps ldp x0, x1, [x2], #16
	keeps ldp x28, x27, [x2]
	keeps str xzr, [x0]
	keeps ldxr x0, [x1]
	keeps stxr w3, x0, [x1]
	keeps ldar x0, [x1]
	keeps casal x0, x1, [x2]
	keeps ldadd x0, x1, [x2]
	keeps ldr x0, .
	keeps ld1 {v0.16b-v3.16b}, [x0], #64
	keeps umov x0, v1.d[0]
	keeps fmov x28, d0
	keeps prfm pldl1keep, [x0]
	keeps irg x0, x1

	changes udf #0
	changes bl .
	changes blr x0
	changes braa x0, sp
	changes mov sp, x0
	changes mov x29, sp
	changes mov x30, x0
	changes mov w30, w0
	changes add sp, sp, #16
	changes sub sp, sp, #1, lsl #12
	changes sub sp, sp, x1
	changes add x29, x29, #1
	changes and sp, x0, #~15
	changes orr sp, xzr, #0xff
	changes orr x30, x30, x30
	changes movz x30, #0
	changes adr x30, .
	changes bfi x29, x0, #0, #4
	changes mrs x30, cntvct_el0
	changes msr tpidr_el0, x0
	changes ldr x30, [x0]
	changes ldr w29, [x0]
	changes ldr x30, .
	changes str x0, [sp, #-16]!
	changes ldr x0, [sp], #16
	changes ldr x0, [x29], #8
	changes stp x29, x30, [sp, #-16]!
	changes ldp x0, x30, [x1]
	changes ldp x29, x0, [x1]
	changes stp x0, x1, [x30], #16
	changes ldxr x30, [x0]
	changes ldaxp x0, x29, [x1]
	changes stxr w30, x0, [x1]
	changes cas x30, x1, [x2]
	changes casp x28, x29, x0, x1, [x2]
	changes swp x0, x30, [x2]
	changes ldapur x30, [x0]
	changes ldapur x0, [x1]
	changes ld64b x22, [x0]
	changes ldraa x30, [x0]
	changes umov x30, v1.d[0]
	changes fmov x29, d0
	changes fcvtzs x30, d0
	changes irg sp, x0
	changes addg sp, sp, #16, #1
	changes madd x30, x0, x1, x2
	changes csel x29, x0, x1, eq
	changes addvl sp, sp, #-1

	/* one branches into the other's middle */
	.globl changes_entered
	.type changes_entered, %function
changes_entered:
	nop
1:	ret
	.size changes_entered, . - changes_entered
	nop
	.globl keeps_enters
	.type keeps_enters, %function
keeps_enters:
	cbz x0, 1b
	cbz x0, changes_entered
	ret
	.size keeps_enters, . - keeps_enters

	/* what is in no function */
	.globl __kernel_rt_sigreturn
__kernel_rt_sigreturn:
	mov x8, #139
	svc #0
