// SPDX-License-Identifier: GPL-2.0-only
/*
 * chaincheck: checks that every stack of a profile of the workload is one that the program can
 * have, whole and frame by frame. See --help and tests/guest/workload/README.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "folded.h"
#include "frames.h"
#include "grammar.h"
#include "maps.h"

/* number of failures printed in full; the rest are counted */
#define SHOWN 10
#define NEEDS 32

static const char usage[] =
"usage: chaincheck -t TRUTH -c CHAINS [OPTION]... [DUMP]\n"
"DUMP is `perf script --no-inline --show-mmap-events --show-task-events\n"
"-F comm,pid,tid,time,event,ip,sym,dso`, or bpfstack's output; default stdin\n"
"  -t FILE        what mktruth.py wrote for the build that ran (may repeat: a\n"
"                 later one's images replace an earlier one's)\n"
"  -u NAME        a stock file that was not the truth's: do not check its frames\n"
"  -c FILE        the declared chains (tests/guest/workload/chains)\n"
"  -s NAME        only this scenario's chains are right (may repeat)\n"
"  -m N           fail below N checked samples (default 1)\n"
"  -n NAME=N      fail below N whole samples of scenario NAME, or with function\n"
"                 NAME innermost; NAME@plt is its PLT stub, and [vdso] is any\n"
"                 function of the vDSO (may repeat)\n"
"  -L             stock files have tables too: every stack must reach the end,\n"
"                 and samples taken in libc are checked from there on\n"
"  -C             a stack may end early anywhere, if what is there is right\n"
"  -D             perf record --call-graph fp,defer: a sample may have a cookie in\n"
"                 place of its stack\n"
"  -d             return addresses in the dump are less by one\n"
"                 (perf record --call-graph dwarf)\n"
"  -f             DUMP is folded stacks: COMM;OUTERMOST;...;INNERMOST N\n"
"  -v             a line for every sample: its verdict, a tab, what it began with.\n"
"                 whole, cut, wrong, torn, none (no user frames); stock: no frame is\n"
"                 of a function of ours; stock-whole: and it is whole; start-file: in\n"
"                 code of crti.o and its like, which have no CFI\n"
"exit status: 0 all right, 1 a wrong stack or too few, 2 trouble\n";

static struct {
	bool whole_libc, cut_anywhere, less_one, deferred, verbose, folded;
	unsigned long least;
} options = { .least = 1 };

static struct need {
	char name[64];
	unsigned long want, got;
} needs[NEEDS];
static size_t nr_needs;

static struct {
	unsigned long samples, checked, whole, apart, wrong, cut, kernel, torn;
} counts;

static void need_met(const char *name)
{
	size_t i;

	for (i = 0; name && i < nr_needs; i++)
		if (!strcmp(needs[i].name, name))
			needs[i].got++;
}

static void print_frame(size_t i, const struct frame *frame)
{
	printf("  #%-3zu %16" PRIx64 " %s", i, frame->ip,
	       frame->func ? frame->func->name : "?");
	if (frame->func)
		printf("+%#" PRIx64, frame->vaddr - frame->func->vaddr);
	printf(" (%s)\n", frame->known ? frame->path : "no mapping");
}

static void verdict_is(const struct sample *sample, const char *word)
{
	if (options.verbose)
		printf("%s\t%s\n", word, sample->header);
}

static void wrong(const struct sample *sample, const struct frame *frames,
		  size_t at, const char *what)
{
	size_t i;

	verdict_is(sample, "wrong");
	if (counts.wrong++ >= SHOWN)
		return;
	printf("WRONG at line %lu: %s\n%s\n", sample->line, what,
	       sample->header);
	for (i = 0; i < sample->count; i++) {
		print_frame(i, &frames[i]);
		if (i == at && at)
			printf("       ^ here\n");
	}
}

static const char *token(const struct frame *frame)
{
	switch (frame_class(frame)) {
	case FUNC_OWN: return frame->func->name;
	case FUNC_SIG: return token_signal;
	case FUNC_PLT: return "a PLT stub";
	case FUNC_LIB: return frame->known ? token_libc : "no code";
	}
	return "";
}

/*
 * The vDSO is in no file of the truth: libc calls it, also before main(). arm64's trampoline
 * for signals, which is in it too, is treated separately.
 */
static bool in_vdso(const struct frame *frame)
{
	return frame->known && !strcmp(frame->path, "[vdso]") &&
	       frame_class(frame) != FUNC_SIG;
}

static void need_innermost(const struct frame *frame)
{
	char name[80];

	if (in_vdso(frame))
		need_met("[vdso]");
	if (!frame->func)
		return;
	snprintf(name, sizeof(name), "%s%s", frame->func->name,
		 frame_class(frame) == FUNC_PLT ? "@plt" : "");
	need_met(name);
}

/*
 * A sample taken while the kernel wrote the registers for a signal handler: the pc is already
 * the handler's, but SP or the link register still belong to the interrupted code. Or while it
 * restores them: on arm64 the pc is still after the trampoline, and all other registers are
 * those of the interrupted code; on x86-64 the pc is still after the restorer's system call. No
 * unwinder can know this, and it can happen at several instructions of the kernel.
 */
static bool after_restorer(const struct frame *frame)
{
	const struct func *before = frame->image ? image_func(frame->image, frame->vaddr - 1) : NULL;

	return before && before->class == FUNC_SIG && image_func(frame->image, frame->vaddr) != before;
}

static bool torn_registers(const struct sample *sample,
			   const struct frame *frames)
{
	static const char *const handlers[] = { "on_alarm", "on_usr", "handler" };
	const struct func *func = frames[0].func;
	size_t i;

	if (sample->count == 1 && !func && frame_class(&frames[0]) == FUNC_SIG)
		return true;
	if (after_restorer(&frames[0]))
		return true;
	if (!func || frames[0].vaddr != func->vaddr ||
	    (sample->count > 1 && frame_class(&frames[1]) == FUNC_SIG))
		return false;
	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (!strcmp(func->name, handlers[i]))
			return true;
	return false;
}

static bool any_own_function(const struct frame *frames, size_t count)
{
	while (count--)
		if (frame_class(&frames[count]) == FUNC_OWN)
			return true;
	return false;
}

/* frames[first..] must be a declared chain, each called from the next */
static void check(const struct sample *sample, const struct frame *frames,
		  size_t first)
{
	size_t i, count = sample->count - first;
	const char **names = calloc(count + 1, sizeof(*names)), *scenario;
	struct fault fault;
	enum verdict verdict;

	if (!names)
		die("out of memory");
	for (i = 0; i < count; i++)
		names[i] = token(&frames[sample->count - 1 - i]);
	counts.checked++;
	verdict = grammar_match(names, count, options.cut_anywhere, &scenario);
	fault = frames_calls(frames, first ? first - 1 : 0, sample->count);
	if ((verdict == CHAIN_WRONG || fault.what) &&
	    torn_registers(sample, frames)) {
		counts.torn++;
		verdict_is(sample, "torn");
	} else if (verdict == CHAIN_WRONG) {
		wrong(sample, frames, 0, "no declared chain");
	} else if (fault.what) {
		wrong(sample, frames, fault.index, fault.what);
	} else if (verdict == CHAIN_CUT) {
		counts.cut++;
		verdict_is(sample, "cut");
	} else {
		counts.whole++;
		verdict_is(sample, any_own_function(frames, sample->count) ?
					   "whole" : "stock-whole");
		need_met(scenario);
		need_innermost(&frames[0]);
	}
	free(names);
}

/* functions that the C library's start files put into every program */
static bool is_start_file(const struct frame *frame)
{
	static const char *const names[] = {
		"__do_global_dtors_aux", "deregister_tm_clones",
		"register_tm_clones", "frame_dummy", "_init", "_fini",
	};
	size_t i;

	for (i = 0; frame->func && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(frame->func->name, names[i]))
			return true;
	return false;
}

/* The first code of a process: in ld.so, it is the only code in no function. */
static bool at_ld_entry(const struct frame *frame)
{
	return frame->image && !frame->func &&
	       !strncmp(base_name(frame->path), "ld-", 3);
}

static bool in_start(const struct frame *frame)
{
	return frame->func && !strcmp(frame->func->name, "_start");
}

/* a sample that has no frame of ours */
static const char *stock_verdict(const struct sample *sample,
				 const struct frame *frames)
{
	if (is_start_file(&frames[0]))
		return "start-file";
	return at_ld_entry(&frames[sample->count - 1]) || in_start(&frames[sample->count - 1]) ?
		       "stock-whole" : "stock";
}

/* In a static program libc's functions are in the same file as ours. */
static bool is_stock(const struct frame *frame)
{
	return frame->image && frame_class(frame) != FUNC_SIG &&
	       (!image_own(frame->image) || (frame->func && frame_class(frame) == FUNC_LIB));
}

/* number of innermost frames that are not ours to check */
static size_t leading(const struct frame *frames, size_t count)
{
	size_t i = 0;

	if (frame_class(&frames[0]) == FUNC_PLT &&
	    (image_own(frames[0].image) || !options.whole_libc))
		i = 1;
	if (options.whole_libc && in_vdso(&frames[0]))
		i = 1;
	if (options.whole_libc && (!i || in_vdso(&frames[0]) || (count > 1 && is_start_file(&frames[1]))))
		/* ld.so's entry code belongs to no function */
		while (i < count && is_stock(&frames[i]))
			i++;
	return i;
}

static bool any_own(const struct frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (image_own(frames[i].image))
			return true;
	return false;
}

static bool innermost_in_stock(const struct frame *frame)
{
	enum func_class class = frame_class(frame);

	return frame->known && (class == FUNC_LIB || class == FUNC_SIG ||
				(class == FUNC_PLT && !image_own(frame->image)));
}

/*
 * A sample taken in the kernel between the task's deferred stack and its return to user mode:
 * the kernel gives it the cookie of that stack, which stands before it in the file, where perf
 * does not look. A cookie is a count above the number of a CPU plus one.
 */
#define MOST_CPUS 64

static bool is_cookie(const struct sample *sample, const struct frame *frames)
{
	u64 ip = frames[0].ip;

	return options.deferred && sample->count == 1 && !frames[0].known &&
	       ip >> 32 && (ip & 0xffffffff) <= MOST_CPUS;
}

/*
 * Late in exec() the mm is new and the saved user registers are the old program's: such a
 * sample has no useful user stack. Versions of perf that print file offsets nevertheless find
 * the old program's file.
 */
static bool within_exec(const struct sample *sample, const struct frame *frames)
{
	if (frames[0].known)
		return sample->count == 1 && !frames[0].image &&
		       frames[0].path[0] == '/' &&
		       !maps_path(sample->pid, frames[0].path);
	/* if perf was the old program, the dump has none of its mappings */
	return sample->in_exec || maps_before_exec(sample->pid, frames[0].ip);
}

static void one_sample(const struct sample *sample)
{
	struct frame *frames = calloc(sample->count + 1, sizeof(*frames));
	size_t first;

	if (!frames)
		die("out of memory");
	frames_resolve(sample, options.less_one, frames);
	if (!maps_any(sample->pid, path_own) &&
	    !any_own(frames, sample->count))
		goto out;		/* another program */
	counts.samples++;
	if (!sample->count || is_cookie(sample, frames) ||
	    within_exec(sample, frames)) {
		counts.kernel++;
		counts.apart++;
		verdict_is(sample, "none");
		goto out;
	}
	first = leading(frames, sample->count);
	if ((innermost_in_stock(&frames[0]) || is_start_file(&frames[0])) &&
	    (!options.whole_libc || first == sample->count)) {
		counts.apart++;
		verdict_is(sample, stock_verdict(sample, frames));
		goto out;
	}
	check(sample, frames, first);
out:
	free(frames);
}

static void read_folded(FILE *f)
{
	struct folded_counts folded = folded_check(f, options.whole_libc,
						   options.cut_anywhere, SHOWN);

	counts.samples = folded.samples;
	counts.checked = folded.checked;
	counts.whole = folded.whole;
	counts.cut = folded.cut;
	counts.wrong = folded.wrong;
	counts.apart = folded.apart;
}

static void add_need(const char *text)
{
	struct need *need = &needs[nr_needs];

	if (nr_needs == NEEDS ||
	    sscanf(text, "%63[^=]=%lu", need->name, &need->want) != 2)
		die("-n wants NAME=N, not %s", text);
	nr_needs++;
}

static int summary(void)
{
	bool few = counts.checked < options.least;
	bool many_torn = counts.torn > 1 + counts.checked / 500;
	size_t i;

	if (many_torn)
		printf("TOO MANY with torn registers: %lu\n", counts.torn);
	for (i = 0; i < nr_needs; i++) {
		if (needs[i].got >= needs[i].want)
			continue;
		printf("TOO FEW: %s: %lu whole, %lu wanted\n", needs[i].name,
		       needs[i].got, needs[i].want);
		few = true;
	}
	if (counts.checked < options.least)
		printf("TOO FEW: %lu checked, %lu wanted\n", counts.checked,
		       options.least);
	printf("samples %lu, checked %lu, whole %lu, in-libc %lu, wrong %lu\n",
	       counts.samples, counts.checked, counts.whole, counts.apart,
	       counts.wrong);
	printf("beside: cut at a stock frame %lu, without user frames %lu, torn registers %lu, in-libc share %.1f%%\n",
	       counts.cut, counts.kernel, counts.torn,
	       counts.samples ? 100.0 * counts.apart / counts.samples : 0);
	return counts.wrong || few || many_torn;
}

int main(int argc, char **argv)
{
	const char *chains = NULL, *only[64], *unknown[8];
	size_t i, nr_truth = 0, nr_only = 0, nr_unknown = 0;
	FILE *f = stdin;
	int c;

	while ((c = getopt(argc, argv, "t:c:s:m:n:u:LCDdfvh")) != -1) {
		switch (c) {
		case 't': truth_load(optarg); nr_truth++; break;
		case 'u':
			if (nr_unknown < 8)
				unknown[nr_unknown++] = optarg;
			break;
		case 'c': chains = optarg; break;
		case 's':
			if (nr_only < 64)
				only[nr_only++] = optarg;
			break;
		case 'm': options.least = strtoul(optarg, NULL, 0); break;
		case 'n': add_need(optarg); break;
		case 'L': options.whole_libc = true; break;
		case 'C': options.cut_anywhere = true; break;
		case 'd': options.less_one = true; break;
		case 'f': options.folded = true; break;
		case 'v': options.verbose = true; break;
		case 'D': options.deferred = true; break;
		case 'h': fputs(usage, stdout); return 0;
		default: fputs(usage, stderr); return 2;
		}
	}
	if (!nr_truth || !chains || optind + 1 < argc)
		die("-t and -c are needed\n%s", usage);
	if (optind < argc && !(f = fopen(argv[optind], "r")))
		die("cannot open %s", argv[optind]);
	for (i = 0; i < nr_unknown; i++)
		truth_forget(unknown[i]);
	grammar_load(chains, only, nr_only, options.whole_libc);
	if (options.folded)
		read_folded(f);
	else
		dump_read(f, one_sample);
	return summary();
}
