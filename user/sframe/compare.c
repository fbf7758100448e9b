// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares a compiled .sframe with the rules of the file's CFI at each byte of text
 * and reports runs of bytes at which they differ. `ustack sframe` calls it.
 */
#include "sframe/compare.h"

#include <stdlib.h>

static const char *const names[] = {
#define COMPARE_KIND(name, sentence) #name,
	COMPARE_KINDS(COMPARE_KIND)
#undef COMPARE_KIND
};

static const char *const texts[] = {
#define COMPARE_KIND(name, sentence) sentence,
	COMPARE_KINDS(COMPARE_KIND)
#undef COMPARE_KIND
};

const char *compare_kind_name(enum compare_kind kind)
{
	return names[kind];
}

const char *compare_kind_text(enum compare_kind kind)
{
	return texts[kind];
}

/* A position in the CFI's functions; it moves forward with the pc. */
struct place {
	const struct synth *cfi;
	const struct ustack_range *gaps;
	size_t nr_gaps;
	size_t func;
	size_t gap;
	u32 row;
	bool by_code;	/* the function at the position has rules from its code only */
};

static bool same(const struct ustack_rule *a, const struct ustack_rule *b)
{
	return a == b || (a && b && ustack_rule_equal(a, b));
}

static enum compare_kind kind_of(const struct ustack_rule *have,
				 const struct ustack_rule *want)
{
	struct ustack_rule like = *have;

	if (want->flags & USTACK_RULE_OUTERMOST)
		return COMPARE_UNDEFINED_RA;
	like.fp = want->fp;
	like.fp_off = want->fp_off;
	if (same(&like, want))
		return COMPARE_FP_RESTORE;
	if (have->cfa == want->cfa && have->cfa != USTACK_OP_SP)
		return COMPARE_STALE_OFFSET;
	if (have->cfa == USTACK_OP_SP &&
	    USTACK_OP_BASE(want->cfa) == USTACK_OP_BASE_REG)
		return COMPARE_REGISTER_AS_SP;
	return COMPARE_OTHER;
}

/* The last row of @f at or before @at. The search starts at @row, found before. */
static const struct ustack_rule *row_at(const struct sframe_func *f, u32 at,
					u32 *row)
{
	if (f->block)
		at %= f->block;
	if (f->rows[*row].start > at)
		*row = 0;
	while (*row + 1 < f->nr_rows && f->rows[*row + 1].start <= at)
		++*row;
	return &f->rows[*row].rule;
}

/* The CFI's rule at @pc; pcs come in ascending order. */
static const struct ustack_rule *want_at(struct place *p, u64 pc)
{
	const struct synth *s = p->cfi;
	const struct sframe_func *f;

	while (p->func < s->nr_funcs &&
	       pc - s->funcs[p->func].start >= s->funcs[p->func].size &&
	       pc > s->funcs[p->func].start) {
		p->func++;
		p->row = 0;
	}
	f = &s->funcs[p->func];
	p->by_code = false;
	if (p->func == s->nr_funcs || pc < f->start)
		return NULL;
	p->by_code = f->by_code;
	return row_at(f, (u32)(pc - f->start), &p->row);
}

/* Whether the CFI at @pc has rules that no struct ustack_rule can express. */
static bool in_gap(struct place *p, u64 pc)
{
	while (p->gap < p->nr_gaps && pc >= p->gaps[p->gap].end)
		p->gap++;
	return p->gap < p->nr_gaps && pc >= p->gaps[p->gap].start;
}

/* The run that grows at present, and where finished runs are reported. */
struct runs {
	struct compare_run run;
	void (*each)(const struct compare_run *run, void *arg);
	void *arg;
	struct compare_result *sums;
};

static void end_run(struct runs *r)
{
	if (r->run.start == r->run.end)
		return;
	r->sums->runs[r->run.kind]++;
	r->sums->bytes[r->run.kind] += r->run.end - r->run.start;
	if (r->each)
		r->each(&r->run, r->arg);
	r->run.start = r->run.end;
}

static void differ(struct runs *r, u64 pc, const struct ustack_rule *have,
		   const struct ustack_rule *want)
{
	if (r->run.start != r->run.end && r->run.end == pc &&
	    r->run.have == have && r->run.want == want) {
		r->run.end++;
		return;
	}
	end_run(r);
	r->run = (struct compare_run){
		.kind = !have ? COMPARE_NO_RULE :
			!want ? COMPARE_NO_CFI : kind_of(have, want),
		.start = pc,
		.end = pc + 1,
		.have = have,
		.want = want,
	};
}

static void compare_range(const struct ustack_table *t,
			  const struct ustack_range *range, struct place *p,
			  struct runs *r)
{
	const struct ustack_rule *have, *want;
	u64 pc;

	for (pc = range->start; pc < range->end; pc++) {
		have = ustack_lookup(t, pc - t->base);
		want = want_at(p, pc);
		if ((!want || !have) && (in_gap(p, pc) || p->by_code))
			r->sums->skipped++;
		else if (!same(have, want))
			differ(r, pc, have, want);
		else
			r->sums->equal += !!have;
	}
	end_run(r);
}

void compare(const struct sframe_section *s, const struct synth *cfi,
	     void (*each)(const struct compare_run *run, void *arg), void *arg,
	     struct compare_result *ret)
{
	struct ustack_range *gaps = synth_sorted_gaps(cfi);
	struct place p = {
		.cfi = cfi, .gaps = gaps, .nr_gaps = gaps ? cfi->nr_gaps : 0,
	};
	struct runs r = { .each = each, .arg = arg, .sums = ret };
	unsigned int i;

	*ret = (struct compare_result){ 0 };
	for (i = 0; i < cfi->elf.nr_text; i++)
		compare_range(s->table, &cfi->elf.text[i], &p, &r);
	free(gaps);
}
