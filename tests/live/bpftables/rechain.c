// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies a record of tests/guest/groundtruth with the walks of tests/live/bpftables/chains in place of the
 * kernel's callchains, so that gt-compare judges the walks by tables. Registers, stacks and
 * mappings are not changed, so that libdw unwinds the very same samples.
 *
 * A sample without a walk (walks.h) is counted and not judged. So is one with steps that nothing
 * proves, unless -g is given: they are marked, and may be wrong.
 *
 * usage: rechain [-g] RECORD CHAINS OUT [N]
 *	-g	also write walks with such steps: for tests/guest/stock/live/beside, not for gt-compare
 *	N	the first N samples are not judged, as if they had no walk (0)
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../guest/groundtruth/compare/arch.h"
#include "../../guest/groundtruth/rewrite.h"
#include "core.h"
#include "walks.h"

struct job {
	struct walks walks;
	const struct arch *arch;
	u64 reg_mask;
	FILE *out;
	bool with_guessed;
	u64 not_judged;
	u64 samples, without, guessed, frames, whys[256];
};

static void rechain(struct job *j, const struct gt_sample *raw)
{
	const struct chain *c;
	struct regs regs;

	j->arch->load(&regs, (const uint64_t *)raw->words, j->reg_mask);
	c = walks_find(&j->walks, raw->tid, raw->time, regs.pc, regs.sp);
	if (j->samples++ < j->not_judged)
		c = NULL;
	j->without += !c;
	j->guessed += c && c->guessed;
	if (!c || (c->guessed && !j->with_guessed)) {
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
		if (s->regs && s->regs == (u32)__builtin_popcountll(j->reg_mask) &&
		    s->abi == PERF_SAMPLE_REGS_ABI_64) {
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
	struct gt_input record;
	size_t at = sizeof(struct gt_file);
	const struct gt_chunk *h;
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "-g")) {
		j.with_guessed = true;
		argv++;
		argc--;
	}
	if (argc != 4 && argc != 5)
		return 2;
	j.not_judged = argc == 5 ? strtoull(argv[4], NULL, 0) : 0;
	record = gt_read(argv[1], at);
	j.arch = arch_find(((const struct gt_file *)record.bytes)->machine);
	if (!j.arch)
		errx(2, "%s: unknown architecture", argv[1]);
	j.walks = walks_read(argv[2]);
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
