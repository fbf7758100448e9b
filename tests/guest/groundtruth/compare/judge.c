// SPDX-License-Identifier: GPL-2.0-only
/* Judges the callchain of each sample and prints the first failures (judge.h). */
#include <stdio.h>

#include "excuse.h"
#include "judge.h"
#include "show.h"

static void show_failure(enum verdict v, const struct subject *x, unsigned int most)
{
	static unsigned int shown;
	char title[64];

	if (shown++ >= most)
		return;
	snprintf(title, sizeof(title), "%s %u", v == MISMATCH ? "MISMATCH" : "PAST-END", shown);
	show_sample(title, x);
}

static void show_short(const struct subject *x, unsigned int most)
{
	static unsigned int shown;

	if (shown++ < most)
		show_sample("SHORT", x);
}

/* a difference: counted by the place and by its excuse, if there is one */
static enum verdict judge_wrong(struct judged *j, const struct subject *x,
				enum verdict v, unsigned int common)
{
	const char *why = v == MISMATCH ? "mismatch" : "past-end", *excuse = NULL;
	uint64_t vaddr = x->s->raw->ip;
	struct file *f = subject_step(x, common, &vaddr);

	if (f)
		excuse = excuse_match(f, vaddr);
	tally_add(&j->mismatches, excuse ?: why, f, vaddr);
	if (excuse)
		return EXCUSED;
	j->wrong_frames += x->chain.count - common;
	return v;
}

void judge_sample(struct judged *j, const struct options *o, const struct subject *x)
{
	const struct unwound *u = x->truth;
	const struct chain *c = &x->chain;
	unsigned int common;
	enum verdict v = chain_compare(c, u, &common);

	j->compared++;
	j->frames += common;
	j->callers += common ? common - 1 : 0;
	j->sigframes += u->sigframes;
	j->ends[u->end]++;
	if (v == MISMATCH || v == PAST_END)
		v = judge_wrong(j, x, v, common);
	j->verdicts[v]++;
	if (v == MISMATCH || v == PAST_END)
		show_failure(v, x, o->show);
	if (v == SHORT) {
		tally_pc(&j->shorts, subject_why(x), x->space,
			 c->count ? c->pcs[c->count - 1] : u->pcs[0]);
		show_short(x, o->show_short);
	}
	if (v == LIBDW_SHORT || v == BOTH_SHORT)
		tally_pc(&j->libdw_shorts, dw_end_name(u->end), x->space,
			 u->count ? u->pcs[u->count - 1] : x->s->raw->ip);
}

void judge_release(struct judged *j)
{
	tally_release(&j->shorts);
	tally_release(&j->libdw_shorts);
	tally_release(&j->mismatches);
}
