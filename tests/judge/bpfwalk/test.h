/* SPDX-License-Identifier: GPL-2.0-only */
/* One file's table, a stack, and the walk that both sides make of it. */
#ifndef BPFWALK_TEST_H
#define BPFWALK_TEST_H

#include "case.h"
#include "core.h"
#include "sframe/section.h"
#include "sframe/synth.h"

#define STACK_BYTES (64u << 10)
#define MOST_RARE 4096u

#define MOST_CALLS 65536u

/* A call in the text: its target, and the address after it. */
struct call_site {
	u64 target;
	u64 ra;
};

/**
 * struct test - state of the test of one file
 * @bpf: the programs and their maps
 * @c: the requested walk, in memory shared with the program
 * @synth: synthesis of the file
 * @encoded: the section made from it
 * @section: @encoded, verified and compiled; it owns @table
 * @table: the table that both sides use
 * @text: the executable segment, mapped
 * @start: address of the segment
 * @len: length of the segment in bytes
 * @bias: address minus link-time address
 * @stack: STACK_BYTES between pages that cannot be accessed
 * @rare: addresses with a row that is not plain; without rows those of AArch64's PLT stubs
 * @nr_rare: number of entries in @rare
 * @calls: calls, sorted by target
 * @nr_calls: number of entries in @calls
 * @bare: the reason why no frame has a row; 0: frames have the rows of the table
 * @seed: seed of everything random
 * @frames: number of frames of all walks in this program
 * @slow: number of them from which a stride does not step
 * @blind: number of steps without a row
 * @followed: number of steps that nothing proves
 * @ended: number of walks by reason
 */
struct test {
	struct walk_bpf *bpf;
	struct walk_case *c;
	struct synth synth;
	struct synth_section encoded;
	struct sframe_section section;
	const struct ustack_table *table;
	u8 *text;
	u64 start;
	u64 len;
	u64 bias;
	u8 *stack;
	u64 rare[MOST_RARE];
	u64 nr_rare;
	struct call_site calls[MOST_CALLS];
	u64 nr_calls;
	u32 bare;
	unsigned int seed;
	u64 frames;
	u64 slow;
	u64 blind;
	u64 followed;
	u64 ended[256];
};

/* A random number, and one below @n. */
u64 random64(struct test *t);
u64 below(struct test *t, u64 n);

/* here.c: the rule at @key; else NULL, and @why is set. */
const struct ustack_rule *find_rule(const struct test *t, u64 key, u32 *why);

/*
 * Walks @t->c with the core of this program. @pcs: buffer of WIRE_FRAMES. Return: why it ended.
 */
u32 walk_here(struct test *t, u64 *pcs, u32 *nr);

/* stacks.c: fills @t->rare. */
void find_rare(struct test *t);

/* Makes @t->c and the stack. */
void make_case(struct test *t);

/* The same with frame records, and with return addresses after real calls; fills @t->calls. */
void find_calls(struct test *t);
void make_bare_case(struct test *t);

#endif /* BPFWALK_TEST_H */
