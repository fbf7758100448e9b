// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record of tests/groundtruth, with the walks of tests/bpftables/chains in place of the kernel's
 * callchains: what gt-compare says of it, it says of the walk by tables. Registers, stacks and
 * mappings stay as they are, so that libdw unwinds the very same samples.
 *
 * A sample's walk is the one of its thread that is next to it in time, with the same pc and SP:
 * kernels before 6.3 take a sample's time behind the program, later ones before it. A sample
 * without one is counted and not judged, and so is one with steps that nothing proves: they are
 * marked, and may be wrong.
 *
 * usage: rechain RECORD CHAINS OUT [N]
 *	N	the first N samples are not judged, as if they had no walk (0)
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../groundtruth/rewrite.h"
#include "chain.h"
#include "core.h"
#include "stackcopy/sample.h"

struct chains {
	const struct chain **at;
	size_t nr;
};

struct job {
	struct chains chains;
	u64 reg_mask;
	FILE *out;
	u64 not_judged;
	u64 samples, without, guessed, frames, whys[256];
};

static int by_thread(const void *a, const void *b)
{
	const struct chain *x = *(const struct chain *const *)a, *y = *(const struct chain *const *)b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void take_chains(struct chains *all, const struct gt_input *in)
{
	size_t at = 0, len;

	all->at = calloc(in->len / (8 * CHAIN_HEAD) + 1, sizeof(*all->at));
	if (!all->at)
		err(2, "memory");
	for (; in->len - at >= 8 * CHAIN_HEAD; at += len) {
		const struct chain *c = (const void *)(in->bytes + at);

		len = 8 * (CHAIN_HEAD + (size_t)c->nr);
		if (c->nr > WIRE_FRAMES || len > in->len - at)
			errx(2, "offset %zu: a walk of %u frames", at, c->nr);
		all->at[all->nr++] = c;
	}
	qsort(all->at, all->nr, sizeof(*all->at), by_thread);
}

static bool is_walk(const struct chain *c, u32 tid, u64 pc, u64 sp)
{
	return c->tid == tid && c->sp == sp && c->pc[0] == pc;
}

static const struct chain *find(const struct chains *all, u32 tid, u64 time, u64 pc, u64 sp)
{
	const struct chain *ret = NULL;
	size_t lo = 0, hi = all->nr, mid;

	while (lo < hi) {	/* the first one behind */
		mid = (lo + hi) / 2;
		if (all->at[mid]->tid < tid || (all->at[mid]->tid == tid && all->at[mid]->time <= time))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && is_walk(all->at[lo - 1], tid, pc, sp))
		ret = all->at[lo - 1];
	if (lo < all->nr && is_walk(all->at[lo], tid, pc, sp) &&
	    (!ret || all->at[lo]->time - time < time - ret->time))
		ret = all->at[lo];
	return ret;
}

/* The value of a register by perf's number; 0 if the record has none. */
static u64 reg_of(const struct job *j, const struct gt_sample *s, unsigned int number)
{
	unsigned int bit, nr = 0;

	for (bit = 0; bit < number; bit++)
		nr += j->reg_mask >> bit & 1;
	return nr < s->regs ? s->words[nr] : 0;
}

static void rechain(struct job *j, const struct gt_sample *raw)
{
	const struct chain *c = find(&j->chains, raw->tid, raw->time,
				     reg_of(j, raw, SAMPLE_REG_PC), reg_of(j, raw, SAMPLE_REG_SP));

	if (j->samples++ < j->not_judged)
		c = NULL;
	j->without += !c;
	j->guessed += c && c->guessed;
	if (!c || c->guessed) {
		gt_put_unjudged(j->out, raw);
		return;
	}
	j->whys[c->why & 255]++;
	j->frames += c->nr;
	gt_put_walk(j->out, raw, (const uint64_t *)c->pc, c->nr, c->why);
}

static void take_chunk(struct job *j, const struct gt_chunk *h)
{
	const struct gt_sample *s = (const void *)h;
	struct gt_info info;

	switch (h->type) {
	case GT_INFO:
		info = *(const struct gt_info *)h;
		j->reg_mask = info.reg_mask;
		info.max_stack = WIRE_FRAMES;
		info.tracepoint = 1;
		gt_put(j->out, &info, sizeof(info));
		break;
	case GT_REASON:
		break;
	case GT_SAMPLE:
		if (s->regs && s->abi == PERF_SAMPLE_REGS_ABI_64) {
			rechain(j, s);
			break;
		}
		/* fallthrough */
	default:
		gt_put(j->out, h, h->size);
	}
}

int main(int argc, char **argv)
{
	struct job j = { 0 };
	struct gt_input record, chains;
	size_t at = sizeof(struct gt_file);
	const struct gt_chunk *h;
	unsigned int i;

	if (argc != 4 && argc != 5)
		return 2;
	j.not_judged = argc == 5 ? strtoull(argv[4], NULL, 0) : 0;
	record = gt_read(argv[1], at);
	chains = gt_read(argv[2], 0);
	take_chains(&j.chains, &chains);
	j.out = fopen(argv[3], "we");
	if (!j.out)
		err(2, "%s", argv[3]);
	gt_put(j.out, record.bytes, at);
	while ((h = gt_next(&record, &at)))
		take_chunk(&j, h);
	if (fclose(j.out))
		err(2, "%s", argv[3]);
	printf("rechain: %llu samples, %llu without a walk, %llu guessed, %llu complete, %llu frames;",
	       (unsigned long long)j.samples, (unsigned long long)j.without,
	       (unsigned long long)j.guessed, (unsigned long long)j.whys[USTACK_COMPLETE], (unsigned long long)j.frames);
	for (i = 0; i < 256; i++)
		if (j.whys[i])
			printf(" %s %llu", ustack_reason_name(i) ?: "other",
			       (unsigned long long)j.whys[i]);
	putchar('\n');
	return 0;
}
