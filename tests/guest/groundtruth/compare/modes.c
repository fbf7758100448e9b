// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges the same samples in each of perf's ways to get a user stack, and prints tables by
 * command (modes.h).
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "floors.h"
#include "fp_check.h"
#include "modes.h"
#include "util.h"

/* a command with fewer samples is too small for --min-complete */
#define ENOUGH 200

#define TOTAL "(total)"
#define PAGE 4096

static struct command *command_of(struct modes *m, const char *name)
{
	struct command *c;
	unsigned int i;

	for (i = 0; i < m->count; i++)
		if (!strcmp(m->commands[i].name, name))
			return &m->commands[i];
	m->commands = xrealloc(m->commands, (m->count + 1) * sizeof(*m->commands));
	c = &m->commands[m->count++];
	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", name);
	return c;
}

static void count(struct modes *m, struct command *c, enum way way, enum reach r)
{
	c->reach[way][r]++;
	m->total.reach[way][r]++;
}

/* the place to report: the frame of the wrong step, or the end of the chain */
static void tally_lack(struct command *cmd, const struct subject *x, enum reach r,
		       enum verdict v, unsigned int common)
{
	const struct chain *c = &x->chain;
	uint64_t end = c->count ? c->pcs[c->count - 1] : x->s->raw->ip;
	const char *why = subject_why(x);

	if (v == MISMATCH || v == PAST_END) {
		why = v == MISMATCH ? "mismatch" : "past-end";
		if (common)
			end = unwound_at(x->truth, common - 1);
	} else if (r == REACH_UNDECIDED) {
		why = "undecided";
	}
	tally_pc(&cmd->lacking, why, x->space, end);
}

static void judge_callchain(struct modes *m, struct command *cmd, const struct subject *x)
{
	const struct chain *c = &x->chain;
	unsigned int common;
	enum verdict v;
	enum reach r = reach_of(x, c->pcs, c->count, false, &v, &common);

	/* the module itself says that it did not reach the end */
	if (r == REACH_UNDECIDED && x->reason &&
	    strcmp(reason_name(x->reason->reason), "COMPLETE"))
		r = REACH_NOT;
	count(m, cmd, WAY_CALLCHAIN, r);
	if (r != REACH_PROVEN && r != REACH_END)
		tally_lack(cmd, x, r, v, common);
}

/*
 * Does what perf's tool does (get_leaf_frame_caller_aarch64()): it unwinds one step with only
 * PC and LR, and inserts the caller if it is not there.
 */
static void insert_caller(const struct subject *x, struct fp_chain *fp)
{
	static struct unwound step;
	struct regs regs = x->regs;

	regs.dwarf[x->arch->fp] = 0;
	regs.dwarf[x->arch->sp] = 0;
	regs.sp = 0;
	dw_unwind(x->arch, x->space, &regs, NULL, 0, DW_GUESS | DW_GUESS_ANY, &step);
	if (fp->count < 2 || fp->count == DW_MAX_FRAMES || step.count < 2 ||
	    step.pcs[1] == fp->pcs[1])
		return;
	memmove(fp->pcs + 2, fp->pcs + 1, 8 * (fp->count - 1));
	fp->pcs[1] = step.pcs[1];
	fp->count++;
}

static void judge_fp(struct modes *m, struct command *cmd, const struct subject *x)
{
	static struct fp_chain fp;
	unsigned int common;
	enum verdict v;

	fp_walk_subject(x, &fp);
	count(m, cmd, WAY_FP, reach_of(x, fp.pcs, fp.count, fp.left_copy, &v, &common));
	if (x->arch->machine != EM_AARCH64)
		return;
	insert_caller(x, &fp);
	count(m, cmd, WAY_FP_LR, reach_of(x, fp.pcs, fp.count, fp.left_copy, &v, &common));
}

/* if a copy ends at the end of a page, the next page could not be read */
static bool was_cut(const struct subject *x, size_t bytes)
{
	return x->stack_len < bytes && (x->regs.sp + x->stack_len) % PAGE;
}

static void judge_dwarf(struct modes *m, struct command *cmd, const struct subject *x,
			enum way way, unsigned int flags, size_t bytes)
{
	static struct unwound u;
	size_t len = x->stack_len < bytes ? x->stack_len : bytes;
	unsigned int common;
	enum verdict v;

	dw_unwind(x->arch, x->space, &x->regs, x->s->stack, len, flags, &u);
	/* perf would have copied more than the record has */
	count(m, cmd, way, reach_of(x, u.pcs, u.count, u.end == DW_STACK && was_cut(x, bytes),
				    &v, &common));
}

void modes_sample(struct modes *m, const struct options *o, const struct subject *x)
{
	struct command *cmd = command_of(m, procs_name(x->s->raw->pid));

	cmd->samples++;
	m->total.samples++;
	judge_callchain(m, cmd, x);
	judge_fp(m, cmd, x);
	judge_dwarf(m, cmd, x, WAY_DWARF, DW_GUESS, o->dwarf_bytes);
	judge_dwarf(m, cmd, x, WAY_LIBDW, DW_GUESS | DW_GUESS_ANY, o->dwarf_bytes);
}

static double share(const struct command *c, enum way way)
{
	const uint64_t *r = c->reach[way];

	return c->samples ? 100.0 * (r[REACH_PROVEN] + r[REACH_END]) / c->samples : 0;
}

static bool way_used(const struct command *c, enum way way)
{
	unsigned int i;

	for (i = 0; i < REACHES; i++)
		if (c->reach[way][i])
			return true;
	return false;
}

static void print_shares(const struct command *c, const struct command *total)
{
	unsigned int way;

	printf("  complete %-16s %9" PRIu64, c->name, c->samples);
	for (way = 0; way < WAYS; way++)
		if (way_used(total, way))
			printf("   %9.2f %%", share(c, way));
	putchar('\n');
}

static void print_counts(const struct command *c, const char *const *ways)
{
	unsigned int way, i;

	for (way = 0; way < WAYS; way++) {
		if (!way_used(c, way))
			continue;
		printf("  ended %-16s %-11s", c->name, ways[way]);
		for (i = 0; i < REACHES; i++)
			printf(" %10" PRIu64, c->reach[way][i]);
		putchar('\n');
	}
}

static int by_samples(const void *a, const void *b)
{
	const struct command *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(x->name, y->name);
}

void modes_print(struct modes *m, const struct options *o, const struct reader *r)
{
	static const char *const ways[WAYS] = {
		"callchain", "fp", "fp+lr", "dwarf", "dwarf-libdw",
	};
	char title[64];
	unsigned int i;

	strcpy(m->total.name, TOTAL);
	if (m->count)
		qsort(m->commands, m->count, sizeof(*m->commands), by_samples);
	printf("complete stacks; callchain: %s; dwarf: %zu bytes\n",
	       reader_stat(r, false) ? "the module's" : "the kernel's own", o->dwarf_bytes);
	printf("  complete %-16s %9s", "command", "samples");
	for (i = 0; i < WAYS; i++)
		if (way_used(&m->total, i))
			printf("   %11s", ways[i]);
	putchar('\n');
	for (i = 0; i < m->count; i++)
		print_shares(&m->commands[i], &m->total);
	print_shares(&m->total, &m->total);
	printf("  ended %-16s %-11s %10s %10s %10s %10s %10s\n", "command", "way", "proven",
	       "by-its-end", "undecided", "left-copy", "not");
	for (i = 0; i < m->count; i++)
		print_counts(&m->commands[i], ways);
	print_counts(&m->total, ways);
	for (i = 0; i < m->count; i++) {
		snprintf(title, sizeof(title), "not complete in %s", m->commands[i].name);
		tally_print(&m->commands[i].lacking, title, o->places);
	}
}

/*
 * A command with a minimum of its own must reach it; other commands must reach --min-complete,
 * if they have enough samples.
 */
static bool enough(const struct command *c, const struct options *o, uint64_t least)
{
	const struct floor *floor = floors_find(c->name);
	double wanted = floor ? floor->percent : o->min_complete;

	if ((!floor && c->samples < least) || share(c, WAY_CALLCHAIN) >= wanted)
		return true;
	printf("FAIL: %s: %.2f %% complete, %.2f %% wanted\n", c->name,
	       share(c, WAY_CALLCHAIN), wanted);
	return false;
}

bool modes_passed(const struct modes *m, const struct options *o)
{
	bool passed = enough(&m->total, o, 0) & floors_passed(m);
	unsigned int i;

	for (i = 0; i < m->count; i++)
		passed &= enough(&m->commands[i], o, ENOUGH);
	return passed;
}

void modes_release(struct modes *m)
{
	unsigned int i;

	for (i = 0; i < m->count; i++)
		tally_release(&m->commands[i].lacking);
	free(m->commands);
}
