/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes the states of all instructions that can be reached from functions' entries,
 * and which of them are proven.
 *
 * From an entry on, each state follows from the instruction before it. If two ways
 * lead to one instruction with different states, nothing is known from there on. States
 * are certain up to the next call. After a call two things are assumed: that it
 * returns (after one that never does comes another function, or data), and that it
 * takes no more from the stack than its return address, which only matters if the CFA
 * counts from SP. So code after calls is proven by where it leads. It must lead to a
 * return or a jump out of the function with SP at the return address and the caller's
 * FP in place, or to certain code with the same state. It must not lead to anything
 * impossible, such as a return with another SP: if a call had taken 8 bytes more, such
 * a return would go to a wrong address. Code that a jump through a table leads to
 * (synth_code_switch.h) is proven in the same way.
 *
 * Functions are known by calls, and calls by functions. So at first all calls in code
 * that can be reached are believed; then states are computed anew, and functions that no
 * proven call leads to are dropped.
 *
 * Bounded: the state of each byte of text changes a few times at most, and states are
 * computed anew at most CODE_MAX_ROUNDS times.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H
#define USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H

#include "sframe/synth_code_state.h"
#include "sframe/synth_code_switch.h"
#include "sframe/synth_code_text.h"

/* Rounds in which states are computed; stock files need two. */
#define CODE_MAX_ROUNDS 8u
/* Passes of a proof: code after one call may be proven by code after the next one. */
#define CODE_MAX_PASSES 8u
/* How often CODE_RETURNS is spread backwards; more finds nearly nothing. */
#define CODE_MAX_GO_ONS 2u
#define CODE_MAX_BACKS 8u
/* Most bytes of text. Each needs up to 46 bytes of memory, in real code 31, and up to 27 more for jumps
 * through tables, in real code 1. V8's builtins have 1.4 MB.
 */
#define CODE_MAX_TEXT (16u << 20)

/* Limits of the search for code that nothing leads to (synth_code_look.c): instructions that
 * wait to be read at one place, and instructions read in all for each byte of text.
 */
#define CODE_MAX_LOOK 1024u
#define CODE_MAX_LOOKS 4u

#define CODE_VISITED 1u
#define CODE_ENTRY_POINT 2u
#define CODE_PROVEN 4u
#define CODE_GOOD 8u	/* only at a segment's root: a way out of it is right */
#define CODE_BAD 16u	/* only at a segment's root: a way out of it is impossible */
#define CODE_QUEUED 32u
#define CODE_CALLS 64u	/* the instruction is a call */
#define CODE_FIRM 128u	/* an entry for another reason than a call in this text */
#define CODE_ALIVE 1024u	/* an entry that had CODE_RETURNS in an earlier round */
#define CODE_BOUNDARY 512u	/* a section begins there */
#define CODE_COMPARES 2048u	/* the instruction is in struct code_switches.compares */
#define CODE_DOUBTFUL 4096u	/* a branch that is followed to the next instruction only */
#define CODE_MET 8192u	/* only during a search: the byte was met */
#define CODE_JUMPED 16384u	/* code after calls jumps there */
#define CODE_HINTED 32768u	/* the file suggests that a function begins there */
#define CODE_RETURNS 256u	/* proven code leads from here to a return */

/* A decoded instruction, and what it does to SP and FP. */
struct code_insn {
	struct x86_insn insn;
	struct x86_stack stack;
};

/**
 * struct code_targets - a set of called functions
 * @at: link-time addresses; ascending, each once, after code_targets_sort()
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
	CODE_IMPORTED,	/* probably returns: those that never do are known by name */
	CODE_NEVER_RETURNING,
};

/**
 * struct code_flow - the analysis
 * @text: the analysed text, borrowed
 * @state: state before the instruction at each byte of text
 * @flags: CODE_* of each byte
 * @index: for each byte, index in @insns plus 1; 0 if it was not decoded
 * @insns: decoded instructions
 * @nr_insns: number of @insns
 * @queue: bytes whose state has changed
 * @nr_queue: number of @queue
 * @root: for code after calls, another byte of the same segment, or the byte itself
 * @calls_too: follow the code after calls
 * @believe: believe all calls, not only those in certain code
 * @hints: bytes at which a function may begin; not yet visited when they were added
 * @nr_hints: number of @hints
 * @dead: functions that never return
 * @gone: functions of which @fate says that they never return
 * @alive: functions outside of the text that return
 * @imported: functions of which @fate says that they are imported
 * @switches: jumps through tables
 * @fate: returns whether the function at a link-time address returns; NULL: unknown
 * @arg: for @fate
 * @grown: entries were added in this round
 * @takes: some function takes arguments off the stack when it returns, so that any call
 *         may have done so
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
	struct code_switches switches;
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

/* Adds the target of a known call; ignored if it is not in the text. */
void code_flow_add_entry(struct code_flow *f, u64 pc);

/* A section begins at @pc, so that no function continues there. */
void code_flow_add_boundary(struct code_flow *f, u64 pc);

/* A function may begin at @pc; ignored if it is not in the text. Return: 0 or -ENOMEM. */
int code_flow_add_hint(struct code_flow *f, u64 pc);

/* Whether code_flow_add_entry() would add something. */
bool code_flow_is_news(const struct code_flow *f, u64 pc);

/* Return: whether the file suggests that a function begins there. */
bool code_flow_is_hinted(const struct code_flow *f, u64 pc);

/* Finds the entries that can be seen, and all states. Return: 0 or -ENOMEM. */
int code_flow_run(struct code_flow *f);

/**
 * code_flow_each() - report the proven states
 * @f: has run
 * @each: called for ranges of text in ascending order; adjacent ones may be equal; a
 *        negative return ends it
 * @arg: for @each
 *
 * Return: 0 or the negative return of @each.
 */
int code_flow_each(struct code_flow *f,
		   int (*each)(void *arg, u64 start, u64 end, struct code_state s),
		   void *arg);

/* Private: code_flow_prove() sets CODE_PROVEN by states; code_flow_look() finds entries that
 * no call leads to.
 */
void code_flow_prove(struct code_flow *f);
void code_flow_look(struct code_flow *f);

/* Private: finds which called functions never return, and which outside of the text return.
 * Return: 0 or -ENOMEM.
 */
int code_flow_find_dead(struct code_flow *f);
int code_flow_find_fates(struct code_flow *f);
bool code_targets_has(const struct code_targets *t, u64 target);
int code_targets_add(struct code_targets *t, u64 target);
/* Called after the last target was added. */
void code_targets_sort(struct code_targets *t);

/**
 * struct code_step - an instruction with the states before and after it
 * @area: the area that it is in
 * @at: number of its first byte
 * @state: state before it
 * @after: state after it
 * @insn: the instruction
 * @stack: what it does to SP and FP
 * @dead: the instruction is a call of a function that never returns
 */
struct code_step {
	const struct code_area *area;
	u32 at;
	struct code_state state;
	struct code_state after;
	struct x86_insn insn;
	struct x86_stack stack;
	bool dead;
};

/* Reads the instruction at @at. Return: false if it cannot be decoded. */
bool code_flow_step(struct code_flow *f, u32 at, struct code_step *ret);

/* Whether an instruction that was reached has its middle at @at. */
bool code_flow_is_inside(struct code_flow *f, u32 at);

/* Whether code after a system call ends here as only a new thread's does, not a function's. */
bool code_step_is_threads_end(const struct code_flow *f, const struct code_step *s);

/* Private: whether the function that the call @s goes to is known to return, here by @flag. */
bool code_flow_is_alive(const struct code_flow *f, const struct code_step *s, u16 flag);
/* Private: sets CODE_RETURNS on proven code, backwards from returns. */
void code_flow_find_returns(struct code_flow *f);

/* Numbers of the next instruction, and of a jump's or call's target; or CODE_NOWHERE. */
u32 code_step_next(const struct code_flow *f, const struct code_step *s);
u32 code_step_target(const struct code_flow *f, const struct code_step *s);

/* Targets of a jump through a table; *@nr is 0 if the instruction is none. */
const u32 *code_step_cases(const struct code_flow *f, const struct code_step *s, u32 *nr);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_FLOW_H */
