// SPDX-License-Identifier: GPL-2.0-only
/*
 * gt-compare: unwinds every sample of a record with libdw and compares the kernel's callchain
 * with the result, frame by frame.
 */
#include <stdio.h>
#include <string.h>

#include "excuse.h"
#include "floors.h"
#include "fp_check.h"
#include "guess.h"
#include "modes.h"
#include "report.h"
#include "util.h"

static struct options opts;
static struct totals totals;
static struct judged judged;
static struct modes modes;
static struct fp_check fp_check;
static struct guesses *guesses;	/* NULL: not wanted */
static const struct arch *arch;
static const struct gt_info *info;
static const struct gt_reason *pending[GT_MAX_STREAMS];

/*
 * The tracepoint fires while the sample is made, so it comes directly before the sample in the
 * ring, with a later time. The limit of 100 ms is for slow emulators.
 */
static const struct gt_reason *reason_of(const struct sample *s)
{
	const struct gt_reason *r = pending[s->stream];

	pending[s->stream] = NULL;
	if (r && r->tid == s->raw->tid && r->time + 1000000 >= s->raw->time &&
	    r->time <= s->raw->time + 100000000)
		return r;
	return NULL;
}

/* the space, if the sample has a user part that can be judged */
static struct space *space_of(const struct sample *s)
{
	struct space *space;

	if (!s->raw->regs) {
		totals.no_user++;
		return NULL;
	}
	if (s->raw->abi != 2) {
		totals.foreign++;
		return NULL;
	}
	space = procs_space(s->raw->pid);
	totals.no_space += !space;
	return space;
}

static void on_sample(struct reader *reader, const struct gt_chunk *h)
{
	static struct unwound truth;
	struct subject x = { .arch = arch, .info = info, .truth = &truth };
	struct sample s;

	reader_sample(reader, h, &s);
	x.s = &s;
	x.reason = reason_of(&s);
	if (opts.comm && strcmp(opts.comm, procs_name(s.raw->pid)))
		return;
	totals.samples++;
	if (s.raw->unjudged) {
		totals.unjudged++;
		return;
	}
	x.chain = chain_user(s.chain, s.raw->chain);
	if (x.reason) {
		tally_add(&totals.stops, reason_name(x.reason->reason), NULL, 0);
		totals.odd_reasons += x.reason->frames != x.chain.count;
	} else if (info->tracepoint) {
		totals.unpaired++;
	}
	x.space = space_of(&s);
	if (!x.space)
		return;
	arch->load(&x.regs, s.regs, info->reg_mask);
	x.stack_len = s.stack ? s.raw->stack : 0;
	dw_unwind(arch, x.space, &x.regs, s.stack, x.stack_len,
		  guesses ? DW_REGS : 0, &truth);
	judge_sample(&judged, &opts, &x);
	if (opts.modes)
		modes_sample(&modes, &opts, &x);
	if (opts.check_fp)
		fp_check_sample(&fp_check, &x);
	if (guesses)
		guess_sample(guesses, &x);
}

static void on_chunk(struct reader *reader, const struct gt_chunk *h)
{
	const struct gt_count *count = (const void *)h;

	switch (h->type) {
	case GT_MAP:
		procs_map((const void *)h);
		break;
	case GT_FORK:
		procs_fork((const void *)h);
		break;
	case GT_COMM:
		procs_comm((const void *)h);
		break;
	case GT_SAMPLE:
		on_sample(reader, h);
		break;
	case GT_REASON:
		pending[h->stream] = (const void *)h;
		totals.reasons++;
		break;
	case GT_LOST:
		totals.lost += count->count;
		if (h->stream % 2 == 1)
			totals.lost_side += count->count;
		break;
	case GT_THROTTLE:
		totals.throttled++;
		break;
	}
}

static bool report(struct reader *r)
{
	bool passed;

	report_print(&opts, r, &totals, &judged);
	if (opts.modes)
		modes_print(&modes, &opts, r);
	if (opts.check_fp)
		fp_check_print(&fp_check, opts.places);
	if (guesses)
		guesses_print(guesses, opts.places);
	passed = report_passed(&opts, &judged);
	if (opts.modes)
		passed &= modes_passed(&modes, &opts);
	if (opts.check_fp)
		passed &= fp_check_passed(&fp_check);
	if (passed)
		printf("PASS\n");
	return passed;
}

static void release(struct reader *r)
{
	dw_release();
	procs_release();
	files_release();
	excuse_release();
	judge_release(&judged);
	modes_release(&modes);
	floors_release();
	tally_release(&fp_check.different);
	guesses_free(guesses);
	tally_release(&totals.stops);
	reader_close(r);
}

int main(int argc, char **argv)
{
	const struct gt_chunk *h;
	struct reader *r;
	bool passed;

	options_parse(&opts, argc, argv);
	r = reader_open(opts.record);
	info = reader_info(r);
	arch = arch_find(reader_machine(r));
	if (!arch)
		die("%s: of an unknown architecture", opts.record);
	if (opts.guess)
		guesses = guesses_new();
	reader_each_image(r, files_add_image);
	while ((h = reader_next(r)))
		on_chunk(r, h);
	passed = report(r);
	release(r);
	return !passed;
}
