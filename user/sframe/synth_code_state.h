/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an x86-64 function's frame is while it runs, as its instructions tell: from
 * its entry on, where SP points to the return address.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_STATE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_STATE_H

#include "sframe/x86_stack.h"

/* Frames are not larger: 24 bits of @sp. V8 and OpenSSL have some of 4 KiB. */
#define CODE_MAX_FRAME (1u << 20)
/* FP and where it is saved are not farther from the CFA: 16 bits. */
#define CODE_MAX_FP 0x7fffu

/* A frame record's {FP, RA} is right below the CFA. */
#define CODE_RECORD 16u

enum code_fp {
	CODE_FP_SAME,	/* is the caller's */
	CODE_FP_FRAME,	/* points to the frame record: is CFA - @fp, which is CODE_RECORD */
	CODE_FP_OTHER,	/* is something else; the caller's is saved */
};

/**
 * struct code_state - in front of an instruction
 * @sp: CFA - SP, 0 if that is not known; then @how is CODE_FP_FRAME
 * @how: enum code_fp
 * @lost: nothing is known, and all else is 0
 * @called: a call or a system call is in between
 * @forked: the last of these is a system call, which may be a clone(2) that returns twice
 * @soft: since then, @sp is as it should be if the call takes nothing but its return
 *        address: no rule is made of it, but that it is as it should be is a sign
 * @fp: see CODE_FP_FRAME, else 0
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

/* All but @called. */
bool code_state_equal(struct code_state a, struct code_state b);

/* Whether rules say the same of both: where FP is the frame's, SP does not count. */
bool code_state_agree(struct code_state a, struct code_state b);

/* What is known where both lead. */
struct code_state code_state_meet(struct code_state a, struct code_state b);

/* Behind an instruction that the next one follows, or that jumps. */
struct code_state code_state_step(struct code_state s, const struct x86_insn *insn,
				  const struct x86_stack *x);

/* At a return, or a jump that is a call in a caller's place: SP points to the return
 * address, and FP is the caller's.
 */
bool code_state_is_entry(struct code_state s);

/* Whether an instruction gives FP back, from where the frame that FP points to has it. */
bool code_state_leaves(struct code_state s, const struct x86_stack *x);

/* Return: false if there is none. */
bool code_state_rule(struct code_state s, struct ustack_rule *ret);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_STATE_H */
