/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The states of all instructions that functions' entries lead to, and which of them
 * are proven.
 *
 * From an entry on, states follow by what instructions do. Where two ways lead to one
 * instruction, and do not agree, nothing is known from there on. That is certain up to
 * the next call. Behind it two things are assumed: that it comes back (behind one that
 * never does is another function, or data), and that it takes no more from the stack
 * than its return address, which only matters where the CFA counts from SP. So code
 * behind calls is proven by where it leads: to a return or a jump out of the function
 * with SP at the return address and the caller's FP in place, or to certain code with
 * the same state; and not to what cannot be, such as a return with another SP. If a
 * call had taken 8 bytes more, that return would go astray.
 *
 * Functions are known by calls, and calls by functions: first all are believed that
 * can be reached, then states are found anew, and functions that no proven call leads
 * to are dropped.
 *
 * Bounded: of each byte of text the state changes a few times at most; states are found
 * anew CODE_MAX_ROUNDS times at most.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H
#define USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H

#include "sframe/synth_code_state.h"
#include "sframe/synth_code_text.h"

/* Stock files take two. */
#define CODE_MAX_ROUNDS 8u
/* What is behind a call may be proven behind the next one. */
#define CODE_MAX_PASSES 8u
/* Bytes of text; each takes up to 45 bytes of memory, in real code 30. V8's builtins are
 * 1.4 MB.
 */
#define CODE_MAX_TEXT (16u << 20)

/* Where code begins that nothing leads to: ways that are not read at a time, and
 * instructions that are read, of all, for each byte of text.
 */
#define CODE_MAX_LOOK 1024u
#define CODE_MAX_LOOKS 4u

#define CODE_VISITED 1u
#define CODE_ENTRY_POINT 2u
#define CODE_PROVEN 4u
#define CODE_GOOD 8u	/* of a segment's root */
#define CODE_BAD 16u
#define CODE_QUEUED 32u
#define CODE_CALLS 64u	/* it is a call */
#define CODE_FIRM 128u	/* an entry by more than what is called */

/* An instruction, taken apart. */
struct code_insn {
	struct x86_insn insn;
	struct x86_stack stack;
};

/**
 * struct code_flow - the analysis
 * @text: borrowed
 * @state: of each byte that an instruction starts at
 * @flags: likewise, CODE_*
 * @index: likewise, of @insns plus 1; 0 if it was not decoded
 * @insns: decoded instructions
 * @nr_insns: number of @insns
 * @queue: bytes whose state has changed
 * @nr_queue: number of @queue
 * @root: of code behind calls, another byte of the same segment; or itself
 * @calls_too: ways that lead on behind calls are followed
 * @believe: calls of all code are, not only of certain one
 * @grown: there are more entries than before
 */
struct code_flow {
	const struct code_text *text;
	struct code_state *state;
	u8 *flags;
	u32 *index;
	struct code_insn *insns;
	size_t nr_insns;
	u32 *queue;
	u32 nr_queue;
	u32 *root;
	bool calls_too;
	bool believe;
	bool grown;

	/* private */
	size_t insns_room;
	const struct code_area *area;
};

/* Return: 0, -ENOMEM, -EFBIG. Released by code_flow_release() in any case. */
int code_flow_init(struct code_flow *f, const struct code_text *text);
void code_flow_release(struct code_flow *f);

/* A call is known to go to @pc; what is not in the text is left out. */
void code_flow_add_entry(struct code_flow *f, u64 pc);

/* Whether that would be news. */
bool code_flow_is_news(const struct code_flow *f, u64 pc);

/* Finds the entries that can be seen, and all states. */
void code_flow_run(struct code_flow *f);

/**
 * code_flow_each() - what is proven
 * @f: has run
 * @each: called for ranges of text in ascending order, adjacent ones may be equal; a
 *        negative return ends it
 * @arg: for @each
 *
 * Return: 0 or what @each has returned.
 */
int code_flow_each(struct code_flow *f,
		   int (*each)(void *arg, u64 start, u64 end, struct code_state s),
		   void *arg);

/* Inside: from states to CODE_PROVEN; entries that nothing leads to. */
void code_flow_prove(struct code_flow *f);
void code_flow_look(struct code_flow *f);

/**
 * struct code_step - an instruction, with the state in front of it
 * @area: where it is
 * @at: its number
 * @state: in front of it
 * @behind: behind it
 */
struct code_step {
	const struct code_area *area;
	u32 at;
	struct code_state state;
	struct code_state behind;
	struct x86_insn insn;
	struct x86_stack stack;
};

/* Return: false if it cannot be decoded. */
bool code_flow_step(struct code_flow *f, u32 at, struct code_step *ret);

/* Numbers of the instruction behind, and of a jump's target; or CODE_NOWHERE. */
u32 code_step_next(const struct code_step *s);
u32 code_step_target(const struct code_flow *f, const struct code_step *s);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H */
