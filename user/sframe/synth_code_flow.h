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
/* How far returns are followed back: more finds nearly nothing. */
#define CODE_MAX_GO_ONS 2u
#define CODE_MAX_BACKS 2u
/* Bytes of text; each takes up to 46 bytes of memory, in real code 31. V8's builtins are
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
#define CODE_ALIVE 1024u	/* of an entry: CODE_RETURNS when states were found before */
#define CODE_BOUNDARY 512u	/* a section begins there */
#define CODE_RETURNS 256u	/* proven ways lead on to a return */

/* An instruction, taken apart. */
struct code_insn {
	struct x86_insn insn;
	struct x86_stack stack;
};

/**
 * struct code_targets - functions that are called, by link-time address
 * @at: ascending, each once
 * @nr: number of @at
 */
struct code_targets {
	u64 *at;
	size_t nr;

	/* private */
	size_t room;
};

enum code_fate {
	CODE_FATE_UNKNOWN,
	CODE_RETURNING,
	CODE_IMPORTED,	/* hardly one that never returns: those are known by name */
	CODE_NEVER_RETURNING,
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
 * @hints: bytes where a function may begin, of code that was not visited by then
 * @nr_hints: number of @hints
 * @dead: functions that never return
 * @gone: those among them that @fate says it of
 * @alive: functions of other text that return
 * @imported: functions that @fate says to be so
 * @fate: what becomes of calls of a function, by its link-time address; NULL: not known
 * @arg: for @fate
 * @grown: there are more entries than before
 * @takes: some function takes arguments off the stack when it returns, so that a call may
 *         have done so
 */
struct code_flow {
	const struct code_text *text;
	struct code_state *state;
	u16 *flags;
	u32 *index;
	struct code_insn *insns;
	size_t nr_insns;
	u32 *queue;
	u32 nr_queue;
	u32 *root;
	u32 *hints;
	size_t nr_hints;
	struct code_targets dead;
	struct code_targets gone;
	struct code_targets alive;
	struct code_targets imported;
	enum code_fate (*fate)(void *arg, u64 target);
	void *arg;
	bool calls_too;
	bool believe;
	bool grown;
	bool takes;

	/* private */
	size_t insns_room;
	size_t hints_room;
	const struct code_area *area;
};

/* Return: 0, -ENOMEM, -EFBIG. Released by code_flow_release() in any case. */
int code_flow_init(struct code_flow *f, const struct code_text *text);
void code_flow_release(struct code_flow *f);

/* A call is known to go to @pc; what is not in the text is left out. */
void code_flow_add_entry(struct code_flow *f, u64 pc);

/* A section begins at @pc: no function goes on there. */
void code_flow_add_boundary(struct code_flow *f, u64 pc);

/* A function may begin at @pc; what is not in the text is left out. Return: 0 or -ENOMEM. */
int code_flow_add_hint(struct code_flow *f, u64 pc);

/* Whether that would be news. */
bool code_flow_is_news(const struct code_flow *f, u64 pc);

/* Finds the entries that can be seen, and all states. Return: 0 or -ENOMEM. */
int code_flow_run(struct code_flow *f);

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

/* Inside: which of the called functions never return, and which of other text do.
 * Return: 0 or -ENOMEM.
 */
int code_flow_find_dead(struct code_flow *f);
int code_flow_find_fates(struct code_flow *f);
bool code_targets_has(const struct code_targets *t, u64 target);
int code_targets_add(struct code_targets *t, u64 target);
/* After the last one was added. */
void code_targets_sort(struct code_targets *t);

/**
 * struct code_step - an instruction, with the state in front of it
 * @area: where it is
 * @at: its number
 * @state: in front of it
 * @behind: behind it
 * @dead: it is a call of a function that never returns
 */
struct code_step {
	const struct code_area *area;
	u32 at;
	struct code_state state;
	struct code_state behind;
	struct x86_insn insn;
	struct x86_stack stack;
	bool dead;
};

/* Return: false if it cannot be decoded. */
bool code_flow_step(struct code_flow *f, u32 at, struct code_step *ret);

/* Whether a way behind a system call ends there in what no function's way ends in. */
bool code_step_is_threads_end(const struct code_flow *f, const struct code_step *s);

/* Inside: whether the function that a call goes to has been seen to return, by @flag here. */
bool code_flow_is_alive(const struct code_flow *f, const struct code_step *s, u16 flag);
/* Inside: from CODE_PROVEN to CODE_RETURNS, from returns back. */
void code_flow_find_returns(struct code_flow *f);

/* Numbers of the instruction behind, and of a jump's target; or CODE_NOWHERE. */
u32 code_step_next(const struct code_flow *f, const struct code_step *s);
u32 code_step_target(const struct code_flow *f, const struct code_step *s);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H */
