/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Position of an x86-64 function's frame at each of its instructions, as they show it: from
 * the entry on, where SP points to the return address.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_STATE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_STATE_H

#include "sframe/x86_stack.h"

/* Largest frame in bytes: @sp has 24 bits. V8 and OpenSSL have some of 4 KiB. */
#define CODE_MAX_FRAME (1u << 20)
/* Largest distance in bytes from the CFA to FP and to its slot: 16 bits. */
#define CODE_MAX_FP 0x7fffu

/* A frame record {FP, RA} is right below the CFA, in so many bytes. */
#define CODE_RECORD 16u

enum code_fp {
	CODE_FP_SAME,	/* FP is the caller's */
	CODE_FP_FRAME,	/* FP points to the frame record: CFA - @fp, @fp is CODE_RECORD */
	CODE_FP_OTHER,	/* FP is something else; the caller's is saved */
};

/**
 * struct code_state - state of the frame before an instruction
 * @sp: CFA - SP, 0 if it is unknown; then @how is CODE_FP_FRAME
 * @how: enum code_fp
 * @lost: nothing is known, and all other fields are 0
 * @called: a call, a system call or a jump through a table is between the entry and here
 * @forked: the last of these is a system call, which may be a clone(2) that returns twice
 * @soft: @sp is right only if the calls since the last proof of it take nothing but their
 *        return addresses. No rule is made from it, but if it fits at the end that is a sign
 * @fp: CFA - FP for CODE_FP_FRAME, else 0
 * @slot: the caller's FP is at CFA - @slot; 0 if it is not saved
 */
struct code_state {
	u32 sp : 24;
	u32 how : 2;
	u32 lost : 1;
	u32 called : 1;
	u32 soft : 1;
	u32 forked : 1;
	u16 fp;
	u16 slot;
};

_Static_assert(sizeof(struct code_state) == 8, "one for each byte of text");

#define CODE_ENTRY { .sp = 8, .how = CODE_FP_SAME }

/* Compares all fields but @called. */
bool code_state_equal(struct code_state a, struct code_state b);

/* Whether rules of both are equal: if the CFA counts from FP, SP does not matter. */
bool code_state_agree(struct code_state a, struct code_state b);

/* The state at an instruction to which both lead. */
struct code_state code_state_meet(struct code_state a, struct code_state b);

/* The state after an instruction, at the next one or at a jump's target. */
struct code_state code_state_step(struct code_state s, const struct x86_insn *insn,
				  const struct x86_stack *x);

/* Whether SP points to the return address and FP is the caller's, as at a return or at a
 * tail call.
 */
bool code_state_is_entry(struct code_state s);

/* Whether an instruction restores FP from the frame that FP points to. */
bool code_state_leaves(struct code_state s, const struct x86_stack *x);

/* Makes the state's rule. Return: false if there is none. */
bool code_state_rule(struct code_state s, struct ustack_rule *ret);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_STATE_H */
