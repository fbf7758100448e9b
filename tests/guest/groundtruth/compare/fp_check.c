// SPDX-License-Identifier: GPL-2.0-only
/* Compares fp_walk() with the kernel's own callchains (fp_check.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fp_check.h"

void fp_walk_subject(const struct subject *x, struct fp_chain *ret)
{
	/* frames of the kernel count for the limit, too */
	unsigned int others = x->chain.entries - x->chain.count;
	unsigned int most = x->info->max_stack > others ? x->info->max_stack - others : 0;

	fp_walk(x->arch, &x->regs, x->s->stack, x->stack_len, most, ret);
}

void fp_check_sample(struct fp_check *f, const struct subject *x)
{
	static struct fp_chain fp;
	const struct chain *c = &x->chain;

	fp_walk_subject(x, &fp);
	if (fp.count > c->count || (fp.count < c->count && !fp.left_copy) ||
	    memcmp(fp.pcs, c->pcs, 8 * fp.count)) {
		f->differ++;
		tally_pc(&f->different, "fp-walk", x->space, x->s->raw->ip);
	} else if (fp.left_copy) {
		f->so_far++;
	} else {
		f->equal++;
	}
}

void fp_check_print(const struct fp_check *f, unsigned int places)
{
	printf("frame-pointer walk: equal to the callchain %" PRIu64
	       ", equal until it left the copied stack %" PRIu64 ", different %" PRIu64 "\n",
	       f->equal, f->so_far, f->differ);
	tally_print(&f->different, "frame-pointer walk different", places);
}

bool fp_check_passed(const struct fp_check *f)
{
	if (f->equal && !f->differ)
		return true;
	printf("FAIL: %" PRIu64 " callchains are not the frame-pointer walk, %" PRIu64
	       " are\n", f->differ, f->equal);
	return false;
}
