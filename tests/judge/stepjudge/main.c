// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares tables made from .eh_frame with DWARF: for addresses in ELF files, the caller that
 * the module's core finds with the table of `ustack supply`, and the caller that libdw's rows
 * give.
 *
 * usage: stepjudge [OPTION...] PATH...
 * \t--format 2|3\ta standard section, without ustack's extension
 * \t--every\t\tstep from every address
 * \t--random N\tstep from up to so many addresses inside each row (default 2)
 * \t--seed N\tother made-up frames
 * \t--jobs N\tnumber of processes (default: one for each CPU)
 * \t--go\t\t.debug_frame is of Go's linker, which says nothing about FP
 * \t--list\t\tprint only the addresses where there is a difference
 */
#include <errno.h>
#include <fts.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"

#define MAX_JOBS 64u

/* State shared by all processes. */
struct shared {
	u32 next;		/* index of the path to judge next */
	u32 shown;
	struct totals t[MAX_JOBS];
};

struct paths {
	char **path;
	u32 nr;
	u32 room;
};

static void add_path(struct paths *p, const char *path)
{
	if (p->nr == p->room) {
		p->room = p->room ? p->room * 2 : 1024;
		p->path = reallocarray(p->path, p->room, sizeof(*p->path));
	}
	if (!p->path || !(p->path[p->nr++] = strdup(path)))
		abort();
}

static void free_paths(struct paths *p)
{
	while (p->nr)
		free(p->path[--p->nr]);
	free(p->path);
}

/* Return: whether all of them could be listed. */
static bool list_paths(struct paths *p, char **roots)
{
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	bool good = fts != NULL;
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
		    e->fts_info == FTS_NS) {
			fprintf(stderr, "%s: %s\n", e->fts_path, strerror(e->fts_errno));
			good = false;
		} else if (e->fts_info == FTS_F ||
			   (e->fts_info == FTS_SL && !e->fts_level)) {
			add_path(p, e->fts_path);
		}
	}
	if (fts)
		fts_close(fts);
	return good;
}

/* Every ten seconds, or every second on a terminal. */
static void progress(const struct paths *p, u32 at, time_t *said)
{
	time_t now = time(NULL);
	bool tty = isatty(STDERR_FILENO);

	if (now - *said < (tty ? 1 : 10))
		return;
	*said = now;
	fprintf(stderr, "%s%u of %u: %.60s%s", tty ? "\r" : "", at, p->nr, p->path[at],
		tty ? "\033[K" : "\n");
}

static void work(const struct judge_opts *o, const struct paths *p,
		 struct shared *shared, unsigned int job)
{
	time_t said = time(NULL);
	u32 at;

	while ((at = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED)) < p->nr) {
		if (!job)
			progress(p, at, &said);
		judge_file(o, p->path[at], &shared->t[job]);
		fflush(stdout);
	}
}

/* Return: number of processes that failed. */
static unsigned int work_all(const struct judge_opts *o, const struct paths *p,
			     struct shared *shared, unsigned int jobs)
{
	unsigned int i, failed = 0;
	int status;
	pid_t pid;

	for (i = 0; i < jobs; i++) {
		pid = fork();
		if (!pid) {
			work(o, p, shared, i);
			_exit(0);
		}
		failed += pid < 0;
	}
	while (wait(&status) > 0) {
		if (!status)
			continue;
		fprintf(stderr, "stepjudge: a process ended with status 0x%x\n", status);
		failed++;
	}
	return failed;
}

/* All members before @unable are numbers. */
static void add_totals(struct totals *to, const struct totals *t)
{
	const u64 *from = (const u64 *)t;
	unsigned int i;

	for (i = 0; i < JUDGE_CAUSES; i++)
		if (t->unable[i].count)
			totals_unable(to, t->unable[i].name, t->unable[i].count);
	for (i = 0; i < offsetof(struct totals, unable) / sizeof(u64); i++)
		((u64 *)to)[i] += from[i];
	to->differ += t->differ;
}

/* Prints a line only if the number is not 0. */
__attribute__((format(printf, 2, 3)))
static void print_count(u64 count, const char *format, ...)
{
	va_list args;

	if (!count)
		return;
	printf("  %12" PRIu64 " ", count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void print_causes(const struct totals *t)
{
	unsigned int i;

	for (i = 0; i < JUDGE_REASONS; i++)
		print_count(t->ends[i], "steps ended %s", ustack_reason_name(i));
	for (i = 0; i < SYNTH_NR_CAUSES; i++)
		print_count(t->left_out[i], "addresses left out: %s: %s",
			    synth_cause_name(i), synth_cause_text(i));
	for (i = 0; i < JUDGE_CAUSES; i++)
		print_count(t->unable[i].count, "not judged: %s", t->unable[i].name);
	print_count(t->any_fp, "steps whose caller's FP is undefined");
	print_count(t->mended, "steps differ where the CFI forgets what PLT0 has pushed");
	print_count(t->twice, "not judged: several entries for one address");
	print_count(t->calls, "last bytes of calls: the caller's frame alone, with a register that the callee has saved");
	print_count(t->pc_rows, "not judged: caller's frames in PLT code");
}

/* The share of addresses with CFI that have a rule in the table. */
static void print_covered(const struct totals *t)
{
	u64 left_out = 0;
	unsigned int i;

	for (i = 0; i < SYNTH_NR_CAUSES; i++)
		left_out += t->left_out[i];
	if (t->looked_up)
		printf("%.4f %% of the addresses have a rule\n",
		       100.0 * (double)(t->looked_up - left_out) / (double)t->looked_up);
}

static void print_totals(const struct totals *t)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%" PRIu64 " ELF files, %" PRIu64 " others, %" PRIu64 " failed; %" PRIu64
	       " FDEs (%" PRIu64 " without code, %" PRIu64 " in .debug_frame too), %" PRIu64
	       " rows of libdw's\n", t->files, t->others, t->failed, t->fdes, t->empty,
	       t->debug_too, t->rows);
	printf("%" PRIu64 " addresses looked up, and %" PRIu64 " without CFI; stepped from %"
	       PRIu64 " of them:\n", t->looked_up, t->no_cfi, t->pcs);
	printf("%" PRIu64 " steps from sampled, %" PRIu64 " from callers', %" PRIu64
	       " from interrupted frames; %" PRIu64 " by strides, which left %" PRIu64
	       " to steps\n", t->steps[FRAME_TOP], t->steps[FRAME_CALLER],
	       t->steps[FRAME_INTERRUPTED], t->strides, t->stayed);
	print_causes(t);
	print_covered(t);
	printf("%.1f s of CPU, peak %ld MB\n",
	       (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
	       usage.ru_maxrss / 1024);
	printf("%" PRIu64 " differ\n", t->differ);
}

static bool read_number(const char *text, u64 max, u64 *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 0);
	return !errno && *text && !*end && *ret <= max;
}

static bool read_options(int argc, char **argv, struct judge_opts *o, u64 *jobs)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "every", no_argument, NULL, 'e' },
		{ "random", required_argument, NULL, 'r' },
		{ "seed", required_argument, NULL, 's' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "go", no_argument, NULL, 'g' },
		{ "list", no_argument, NULL, 'l' },
		{ 0 },
	};
	bool good = true;
	u64 n = 0;
	int c;

	while (good && (c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		good = c != '?' && (strchr("egl", c) || read_number(optarg, UINT64_MAX, &n));
		if (c == 'f' && good)
			o->version = (unsigned int)n;
		else if (c == 'e')
			o->every = true;
		else if (c == 'g')
			o->go = true;
		else if (c == 'l')
			o->list = true;
		else if (c == 'r' && good)
			o->random = (u32)n;
		else if (c == 's' && good)
			o->seed = n;
		else if (c == 'j' && good)
			*jobs = n;
	}
	return good && optind < argc && *jobs && *jobs <= MAX_JOBS &&
	       (o->version == SYNTH_MODULE || o->version == 2 || o->version == 3);
}

int main(int argc, char **argv)
{
	struct judge_opts o = { .version = SYNTH_MODULE, .random = 2, .seed = 1 };
	u64 jobs = (u64)sysconf(_SC_NPROCESSORS_ONLN);
	struct totals all = { 0 };
	struct paths p = { 0 };
	struct shared *shared;
	unsigned int i, failed;

	if (!read_options(argc, argv, &o, &jobs)) {
		fprintf(stderr, "usage: stepjudge [--format 2|3] [--every] [--random N] "
				"[--seed N] [--jobs N] [--go] [--list] PATH...\n");
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	o.shown = &shared->shown;
	failed = !list_paths(&p, argv + optind);
	failed += work_all(&o, &p, shared, (unsigned int)jobs);
	for (i = 0; i < jobs; i++)
		add_totals(&all, &shared->t[i]);
	print_totals(&all);
	free_paths(&p);
	munmap(shared, sizeof(*shared));
	return failed || all.failed || all.differ || !all.pcs;
}
