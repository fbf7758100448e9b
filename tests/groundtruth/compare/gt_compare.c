// SPDX-License-Identifier: GPL-2.0
/*
 * gt-compare: unwind every sample of a record with libdw and compare the
 * kernel's callchain with the result, frame by frame.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "compare.h"
#include "excuse.h"
#include "reader.h"
#include "show.h"
#include "tally.h"
#include "util.h"

static const char usage[] =
"usage: gt-compare [options] RECORD\n"
"      --sysroot DIR      for files that the record does not hold\n"
"      --min-frames N     fail if fewer callers' frames were compared\n"
"      --min-whole PCT    fail if fewer samples are whole\n"
"      --excuse FILE      known faults of libdw or of CFI (see excuse.h)\n"
"      --allow-past-end   frames behind the outermost do not fail\n"
"      --show N           print so many failing samples in full (default 20)\n"
"      --show-short N     print so many short samples in full (default 0)\n"
"      --comm NAME        only processes of this name\n"
"      --places N         addresses in a table (default 20)\n"
"Exit status: 0, 1 if the callchains are wrong or too few, 2 for trouble.\n";

struct options {
	const char *record;
	uint64_t min_frames;
	double min_whole;
	bool allow_past_end;
	unsigned int show;
	unsigned int show_short;
	unsigned int places;
	const char *comm;
};

static struct totals {
	uint64_t samples;
	uint64_t compared;
	uint64_t no_user;	/* without registers: a task without user memory */
	uint64_t foreign;	/* 32-bit tasks */
	uint64_t no_space;	/* without a known mapping */
	uint64_t verdicts[VERDICTS];
	uint64_t frames;	/* equal, the top one of each sample included */
	uint64_t callers;	/* equal, without it: the ones that were unwound */
	uint64_t wrong_frames;
	uint64_t excused;
	uint64_t ends[DW_ENDS];
	uint64_t sigframes;
	uint64_t lost;
	uint64_t lost_side;
	uint64_t throttled;
	uint64_t reasons;
	uint64_t unpaired;
	uint64_t odd_reasons;	/* that tell another number of frames */
} totals;

static struct options opts = { .show = 20, .places = 20 };
static struct tally shorts, libdw_shorts, stops;
static const struct arch *arch;
static const struct gt_info *info;
static const struct gt_reason *pending[GT_MAX_STREAMS];

static void parse_options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "sysroot", 1, NULL, 'S' }, { "min-frames", 1, NULL, 'm' },
		{ "min-whole", 1, NULL, 'w' }, { "excuse", 1, NULL, 'e' },
		{ "allow-past-end", 0, NULL, 'p' }, { "show", 1, NULL, 'n' },
		{ "show-short", 1, NULL, 's' }, { "places", 1, NULL, 'P' },
		{ "comm", 1, NULL, 'c' },
		{ "help", 0, NULL, 'h' }, {},
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 'S':
			files_sysroot(optarg);
			break;
		case 'm':
			opts.min_frames = strtoull(optarg, NULL, 0);
			break;
		case 'w':
			opts.min_whole = strtod(optarg, NULL);
			break;
		case 'e':
			excuse_load(optarg);
			break;
		case 'p':
			opts.allow_past_end = true;
			break;
		case 'n':
			opts.show = strtoul(optarg, NULL, 0);
			break;
		case 's':
			opts.show_short = strtoul(optarg, NULL, 0);
			break;
		case 'P':
			opts.places = strtoul(optarg, NULL, 0);
			break;
		case 'c':
			opts.comm = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind + 1 != argc) {
		fputs(usage, stderr);
		exit(2);
	}
	opts.record = argv[optind];
}

static const char *reason_name(unsigned int reason)
{
	static const char *const names[] = {
#define USTACK_REASON(number, name, sentence) [number] = #name,
#include "../../../kmod/core/reason.def"
#undef USTACK_REASON
	};

	if (reason < sizeof(names) / sizeof(names[0]) && names[reason])
		return names[reason];
	return "?";
}

/*
 * The tracepoint fires while the sample is made and so comes right before it
 * in the ring, with a later time. 100 ms are for slow emulators.
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

static const char *why_short(const struct chain *c, const struct gt_reason *r)
{
	if (r)
		return reason_name(r->reason);
	return c->entries >= info->max_stack ? "(perf's limit)" : "(unknown)";
}

static void tally_pc(struct tally *t, const char *why, struct space *space, uint64_t pc)
{
	const struct mapping *m = space_find(space, pc);

	tally_add(t, why, m ? m->file : NULL, m ? pc - m->bias : pc);
}

/* the frame that the first differing one was stepped to from */
static bool is_excused(const struct unwound *u, struct space *space, unsigned int common)
{
	const struct mapping *m;
	uint64_t at;

	if (!common)
		return false;
	at = u->pcs[common - 1] - !u->exact[common - 1];
	m = space_find(space, at);
	return m && m->file && excuse_match(m->file, at - m->bias);
}

static void show_failure(enum verdict v, const struct sample *s, struct space *space,
			 const struct chain *c, const struct unwound *u)
{
	static unsigned int shown;
	char title[64];

	if (shown++ >= opts.show)
		return;
	snprintf(title, sizeof(title), "%s %u", v == MISMATCH ? "MISMATCH" : "PAST-END", shown);
	show_sample(title, arch, info->reg_mask, s, space, c, u);
}

static void show_short(const struct sample *s, struct space *space,
		       const struct chain *c, const struct unwound *u)
{
	static unsigned int shown;

	if (shown++ < opts.show_short)
		show_sample("SHORT", arch, info->reg_mask, s, space, c, u);
}

static void judge(const struct sample *s, struct space *space,
		  const struct chain *c, const struct unwound *u,
		  const struct gt_reason *r)
{
	unsigned int common;
	enum verdict v = chain_compare(c, u, &common);

	totals.compared++;
	totals.frames += common;
	totals.callers += common ? common - 1 : 0;
	totals.sigframes += u->sigframes;
	totals.ends[u->end]++;
	if (v == MISMATCH || v == PAST_END) {
		if (is_excused(u, space, common)) {
			totals.excused++;
			return;
		}
		totals.wrong_frames += c->count - common;
		show_failure(v, s, space, c, u);
	}
	totals.verdicts[v]++;
	if (v == SHORT) {
		tally_pc(&shorts, why_short(c, r), space,
			 c->count ? c->pcs[c->count - 1] : u->pcs[0]);
		show_short(s, space, c, u);
	}
	if (v == LIBDW_SHORT || v == BOTH_SHORT)
		tally_pc(&libdw_shorts, dw_end_name(u->end), space,
			 u->count ? u->pcs[u->count - 1] : s->raw->ip);
}

static void on_sample(struct reader *reader, const struct gt_chunk *h)
{
	static struct unwound u;
	const struct gt_reason *r;
	struct space *space;
	struct sample s;
	struct regs regs;
	struct chain c;

	reader_sample(reader, h, &s);
	r = reason_of(&s);
	if (opts.comm && strcmp(opts.comm, procs_name(s.raw->pid)))
		return;
	totals.samples++;
	c = chain_user(s.chain, s.raw->chain);
	if (r) {
		tally_add(&stops, reason_name(r->reason), NULL, 0);
		totals.odd_reasons += r->frames != c.count;
	} else if (info->tracepoint) {
		totals.unpaired++;
	}
	if (!s.raw->regs) {
		totals.no_user++;
		return;
	}
	if (s.raw->abi != 2) {
		totals.foreign++;
		return;
	}
	space = procs_space(s.raw->pid);
	if (!space) {
		totals.no_space++;
		return;
	}
	arch->load(&regs, s.regs, info->reg_mask);
	dw_unwind(arch, space, &regs, s.stack, s.stack ? s.raw->stack : 0, &u);
	judge(&s, space, &c, &u, r);
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

static void print_ends(void)
{
	unsigned int i;

	printf("libdw ended:");
	for (i = 0; i < DW_ENDS; i++)
		if (totals.ends[i])
			printf(" %s %" PRIu64, dw_end_name(i), totals.ends[i]);
	putchar('\n');
}

static double percent(uint64_t n)
{
	return totals.compared ? 100.0 * n / totals.compared : 0;
}

static void print_verdicts(void)
{
	static const char *const names[VERDICTS] = {
		"whole", "short", "libdw-short", "both-short", "past-end", "mismatch",
	};
	unsigned int i;

	for (i = 0; i < VERDICTS; i++)
		printf("  %-12s %10" PRIu64 "  %6.2f %%\n", names[i], totals.verdicts[i],
		       percent(totals.verdicts[i]));
	printf("  %-12s %10" PRIu64 "  %6.2f %%\n", "excused", totals.excused,
	       percent(totals.excused));
	excuse_print();
}

static void print_stat(struct reader *r)
{
	bool after;

	for (after = false; ; after = true) {
		const struct gt_stat *m = reader_stat(r, after);

		if (m)
			printf("module's statistics %s:\n%.*s\n", after ? "after" : "before",
			       (int)m->len, m->text);
		if (after)
			return;
	}
}

static void print_summary(struct reader *r)
{
	const struct gt_end *end = reader_end(r);

	printf("record: %s, kernel %.64s, %s at %u Hz%s\n",
	       arch->machine == EM_X86_64 ? "x86_64" : "aarch64", info->release,
	       info->event == GT_EVENT_CYCLES ? "cycles" : "cpu-clock", info->freq,
	       info->with_kernel ? ", kernel too" : "");
	if (WIFSIGNALED(end->status))
		printf("the command was ended by signal %d\n", WTERMSIG(end->status));
	else if (end->status)
		printf("the command's exit status was %d\n", WEXITSTATUS(end->status));
	printf("samples %" PRIu64 ", compared %" PRIu64 " (not: no user part %" PRIu64
	       ", 32-bit %" PRIu64 ", no mapping %" PRIu64 ")\n",
	       totals.samples, totals.compared, totals.no_user, totals.foreign,
	       totals.no_space);
	printf("frames compared %" PRIu64 ", of them callers %" PRIu64
	       ", differing or past the end %" PRIu64 "\n",
	       totals.frames, totals.callers, totals.wrong_frames);
	print_verdicts();
	print_ends();
	tally_print(&shorts, "short", opts.places);
	tally_print(&libdw_shorts, "libdw-short and both-short", opts.places);
	if (info->tracepoint) {
		tally_print(&stops, "reasons of all samples", 0);
		printf("reasons %" PRIu64 ", samples without one %" PRIu64
		       ", with another number of frames %" PRIu64 "\n",
		       totals.reasons, totals.unpaired, totals.odd_reasons);
	}
	print_stat(r);
	printf("lost records %" PRIu64 " (of mappings %" PRIu64 "), throttled %" PRIu64
	       ", signal frames stepped over here %" PRIu64 ", files missing %" PRIu64 "\n",
	       totals.lost, totals.lost_side, totals.throttled, totals.sigframes,
	       end->no_image);
}

static int verdict(void)
{
	int status = 0;

	if (totals.verdicts[MISMATCH]) {
		printf("FAIL: %" PRIu64 " samples differ\n", totals.verdicts[MISMATCH]);
		status = 1;
	}
	if (totals.verdicts[PAST_END] && !opts.allow_past_end) {
		printf("FAIL: %" PRIu64 " samples go past the outermost frame\n",
		       totals.verdicts[PAST_END]);
		status = 1;
	}
	if (totals.callers < opts.min_frames) {
		printf("FAIL: %" PRIu64 " callers compared, %" PRIu64 " wanted\n",
		       totals.callers, opts.min_frames);
		status = 1;
	}
	if (percent(totals.verdicts[WHOLE]) < opts.min_whole) {
		printf("FAIL: %.2f %% whole, %.2f %% wanted\n",
		       percent(totals.verdicts[WHOLE]), opts.min_whole);
		status = 1;
	}
	if (!status)
		printf("PASS\n");
	return status;
}

int main(int argc, char **argv)
{
	const struct gt_chunk *h;
	struct reader *r;
	int status;

	parse_options(argc, argv);
	r = reader_open(opts.record);
	info = reader_info(r);
	arch = arch_find(reader_machine(r));
	if (!arch)
		die("%s: of an unknown architecture", opts.record);
	reader_each_image(r, files_add_image);
	while ((h = reader_next(r)))
		on_chunk(r, h);
	print_summary(r);
	status = verdict();
	dw_release();
	procs_release();
	files_release();
	excuse_release();
	tally_release(&shorts);
	tally_release(&libdw_shorts);
	tally_release(&stops);
	reader_close(r);
	return status;
}
