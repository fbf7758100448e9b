// SPDX-License-Identifier: GPL-2.0-only
/* Prints the sums and tables at the end, and decides the exit status (report.h). */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>

#include "excuse.h"
#include "report.h"

static double percent(const struct judged *j, enum verdict v)
{
	return j->compared ? 100.0 * j->verdicts[v] / j->compared : 0;
}

/* percent of whole samples among those that libdw follows to their end; 0 if there are none */
static double percent_ended(const struct judged *j)
{
	uint64_t ended = j->compared - j->verdicts[LIBDW_SHORT] - j->verdicts[BOTH_SHORT];

	return ended ? 100.0 * j->verdicts[WHOLE] / ended : 0;
}

static void print_head(struct reader *r)
{
	const struct gt_info *info = reader_info(r);
	int status = reader_end(r)->status;

	printf("record: %s, kernel %.64s, %s at %u Hz%s\n",
	       reader_machine(r) == EM_X86_64 ? "x86_64" : "aarch64", info->release,
	       info->event == GT_EVENT_CYCLES ? "cycles" : "cpu-clock", info->freq,
	       info->with_kernel ? ", kernel too" : "");
	if (WIFSIGNALED(status))
		printf("the command was ended by signal %d\n", WTERMSIG(status));
	else if (status)
		printf("the command's exit status was %d\n", WEXITSTATUS(status));
}

static void print_verdicts(const struct judged *j)
{
	static const char *const names[VERDICTS] = {
		"whole", "short", "libdw-short", "both-short", "past-end", "mismatch",
		"excused",
	};
	unsigned int i;

	for (i = 0; i < VERDICTS; i++)
		printf("  %-12s %10" PRIu64 "  %6.2f %%\n", names[i], j->verdicts[i],
		       percent(j, i));
	excuse_print();
}

static void print_ends(const struct judged *j)
{
	unsigned int i;

	printf("libdw ended:");
	for (i = 0; i < DW_ENDS; i++)
		if (j->ends[i])
			printf(" %s %" PRIu64, dw_end_name(i), j->ends[i]);
	putchar('\n');
}

static void print_stat(struct reader *r, bool after)
{
	const struct gt_stat *m = reader_stat(r, after);

	if (m)
		printf("module's statistics %s:\n%.*s\n", after ? "after" : "before",
		       (int)m->len, m->text);
}

void report_print(const struct options *o, struct reader *r, struct totals *t,
		  struct judged *j)
{
	print_head(r);
	printf("samples %" PRIu64 ", compared %" PRIu64 " (not: no user part %" PRIu64
	       ", 32-bit %" PRIu64 ", no mapping %" PRIu64 ", excluded %" PRIu64 ")\n",
	       t->samples, j->compared, t->no_user, t->foreign, t->no_space, t->unjudged);
	printf("frames compared %" PRIu64 ", of them callers %" PRIu64
	       ", differing or past the end %" PRIu64 "\n",
	       j->frames, j->callers, j->wrong_frames);
	print_verdicts(j);
	print_ends(j);
	tally_print_functions(&j->mismatches, "differing, the step of", o->places);
	tally_print(&j->mismatches, "differing, the step of", o->places);
	tally_print(&j->shorts, "short", o->places);
	tally_print(&j->libdw_shorts, "libdw-short and both-short", o->places);
	if (reader_info(r)->tracepoint) {
		tally_print(&t->stops, "reasons of all samples", 0);
		printf("reasons %" PRIu64 ", samples without one %" PRIu64
		       ", with another number of frames %" PRIu64 "\n",
		       t->reasons, t->unpaired, t->odd_reasons);
	}
	print_stat(r, false);
	print_stat(r, true);
	printf("lost records %" PRIu64 " (of mappings %" PRIu64 "), throttled %" PRIu64
	       ", signal frames stepped over here %" PRIu64 ", files missing %" PRIu64 "\n",
	       t->lost, t->lost_side, t->throttled, j->sigframes, reader_end(r)->no_image);
}

bool report_passed(const struct options *o, const struct judged *j)
{
	bool passed = true;

	if (j->verdicts[MISMATCH]) {
		printf("FAIL: %" PRIu64 " samples differ\n", j->verdicts[MISMATCH]);
		passed = false;
	}
	if (j->verdicts[PAST_END] && !o->allow_past_end) {
		printf("FAIL: %" PRIu64 " samples go past the outermost frame\n",
		       j->verdicts[PAST_END]);
		passed = false;
	}
	if (j->callers < o->min_frames) {
		printf("FAIL: %" PRIu64 " callers compared, %" PRIu64 " wanted\n",
		       j->callers, o->min_frames);
		passed = false;
	}
	if (percent(j, WHOLE) < o->min_whole) {
		printf("FAIL: %.2f %% whole, %.2f %% wanted\n", percent(j, WHOLE),
		       o->min_whole);
		passed = false;
	}
	if (percent_ended(j) < o->min_ended) {
		printf("FAIL: %.2f %% whole of what libdw follows to its end, %.2f %% wanted\n",
		       percent_ended(j), o->min_ended);
		passed = false;
	}
	return passed;
}
