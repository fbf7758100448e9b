// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads perf.data record by record and counts the branches of one program. See
 * branches.h.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/branches/private.h"

/* Words of a branch: from, to, flags. */
#define BRANCH_WORDS 3u
/* Bits of the flags: struct perf_branch_entry. */
#define FLAG_MISSED 1ull
#define FLAG_SPEC_SHIFT 24u
#define FLAG_SPEC_MASK 3ull
/* PERF_BR_SPEC_WRONG_PATH: it was speculated and not taken */
#define SPEC_WRONG_PATH 1u
/*
 * A longer range between two branches is no code that ran: AutoFDO's limit.
 */
#define MAX_RANGE (1u << 20)
/*
 * CPUs are known to record the latest branch twice. A loop that jumps back
 * further than this without any other branch is taken for that; AutoFDO does
 * the same.
 */
#define MAX_LOOP 0x1000u
/* Number of records between two calls of processes_expire(). */
#define EXPIRE_RECORDS (1u << 17)

/**
 * struct load - a file that is being read
 * @r: the sample that is being counted
 * @records: number of records with a time
 * @matched: number of mapped files that are the program, by enum branches_match
 * @stacks: number of samples with branches
 * @impossible: number of ranges that no code can have run through
 */
struct load {
	const struct branches_options *options;
	const char *path;
	struct perfdata *file;
	struct processes *all;
	struct import_processes from;
	struct branches *to;
	const struct perfdata_record *r;
	uint64_t records;
	uint64_t matched[BRANCHES_OTHER_BUILD + 1];
	uint64_t stacks;
	uint64_t impossible;
};

__attribute__((__format__(__printf__, 2, 3)))
static void note(const struct load *l, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!l->options->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	l->options->note(text, l->options->arg);
}

/* Notes once for each file whether it is the program. */
static void seen(struct process_file *file, uint32_t pid, const struct process_map *map, void *arg)
{
	struct load *l = arg;

	(void)pid;
	(void)map;
	file->user = branches_program_is(&l->to->program, &file->id);
	l->matched[file->user]++;
}

/**
 * struct end - one end of a branch
 * @address: address in the program, or BRANCHES_OUTSIDE
 * @mapping: start of the mapping that it is in
 * @kernel: whether the end is in the kernel, or was not recorded
 */
struct end {
	uint64_t address;
	uint64_t mapping;
	bool kernel;
};

/* Return: 0 or -ENOMEM. */
static int find(const struct load *l, uint64_t address, struct end *ret)
{
	/* records without times come in the order of what they report */
	uint64_t epoch = l->r->time ? l->r->time : UINT64_MAX - 1;
	struct process_place place;
	int n;

	*ret = (struct end){ .address = BRANCHES_OUTSIDE };
	/* all architectures keep the upper half for the kernel */
	ret->kernel = !address || address >> 63;
	if (ret->kernel)
		return 0;
	n = processes_find(l->all, l->r->pid, epoch, address, &place);
	if (n <= 0)
		return n;
	ret->mapping = place.start;
	if ((place.file->user == BRANCHES_BY_BUILD_ID || place.file->user == BRANCHES_BY_PATH) &&
	    !branches_program_address(&l->to->program, place.offset, &ret->address))
		ret->address = BRANCHES_OUTSIDE;
	return 0;
}

static int count_branch(struct load *l, const struct end *from, const struct end *to, bool missed,
			bool followed)
{
	const struct branches_count c = { from->address, to->address, 1, missed, followed };

	if (from->kernel || to->kernel ||
	    (c.from == BRANCHES_OUTSIDE && c.to == BRANCHES_OUTSIDE))
		return 0;
	return branches_counts_add(&l->to->branches, &c);
}

/*
 * Counts the code between the target of a branch and the next branch. Return: 1
 * if it was counted; 0; -ENOMEM; -E2BIG.
 */
static int count_range(struct load *l, const struct end *begin, const struct end *end)
{
	const struct branches_count c = { .from = begin->address, .to = end->address, .count = 1 };
	int err;

	if (c.from == BRANCHES_OUTSIDE)
		return 0;
	if (c.to == BRANCHES_OUTSIDE || begin->mapping != end->mapping || c.to < c.from ||
	    c.to - c.from > MAX_RANGE) {
		l->impossible++;
		return 0;
	}
	err = branches_counts_add(&l->to->ranges, &c);
	return err ? err : 1;
}

static bool is_twice(const uint64_t *latest, const uint64_t *before)
{
	return latest[0] == before[0] && latest[1] == before[1] && latest[0] > latest[1] &&
	       latest[0] - latest[1] > MAX_LOOP;
}

static bool is_taken(const uint64_t *branch)
{
	return (branch[2] >> FLAG_SPEC_SHIFT & FLAG_SPEC_MASK) != SPEC_WRONG_PATH;
}

static int take_stack(struct load *l, const struct perfdata_sample *s)
{
	const uint64_t *b, *next = NULL;
	struct end from, to, next_from = { .address = BRANCHES_OUTSIDE };
	int err = 0, followed;
	size_t i;

	l->stacks += s->nr_branches != 0;
	/* the latest branch comes first */
	for (i = 0; i < s->nr_branches && !err; i++) {
		b = s->branches + BRANCH_WORDS * i;
		if (!is_taken(b) || (next == s->branches && is_twice(next, b)))
			continue;
		err = find(l, b[0], &from);
		if (!err)
			err = find(l, b[1], &to);
		if (err)
			break;
		followed = next ? count_range(l, &to, &next_from) : 0;
		err = followed < 0 ? followed :
		      count_branch(l, &from, &to, b[2] & FLAG_MISSED, followed);
		next = b;
		next_from = from;
	}
	return err;
}

static int take_sample(struct load *l, const struct perfdata_record *r)
{
	struct branches_count c = { .count = 1 };
	struct end at;
	int err;

	if (r->event == PERFDATA_NO_EVENT)
		return 0;
	l->r = r;
	err = find(l, r->sample.ip, &at);
	c.from = at.address;
	if (!err && c.from != BRANCHES_OUTSIDE)
		err = branches_counts_add(&l->to->samples, &c);
	return err ? err : take_stack(l, &r->sample);
}

static int take(struct load *l, const struct perfdata_record *r)
{
	int err = 0;

	if (r->time && ++l->records % EXPIRE_RECORDS == 0)
		err = processes_expire(l->all, r->time);
	if (err)
		return err;
	if (r->kind == PERFDATA_SAMPLE)
		return take_sample(l, r);
	return import_processes_take(&l->from, r);
}

static int too_many(const struct load *l, struct diag *diag)
{
	return diag_set(diag, E2BIG, l->path, "has more than %u distinct branches of %s",
			BRANCHES_MAX, l->options->program);
}

static int read_all(struct load *l, struct diag *diag)
{
	struct perfdata_record r;
	int n, err = 0;

	while (!err && (n = perfdata_next(l->file, &r, diag)) != 0) {
		if (n < 0)
			return n;
		err = take(l, &r);
	}
	if (err == -E2BIG)
		return too_many(l, diag);
	return err ? diag_errno(diag, -err, l->path) : 0;
}

/* Return: 0; -ENODATA if nothing could be counted. */
static int sum_up(const struct load *l, struct diag *diag)
{
	const char *program = l->options->program;

	if (!l->stacks)
		return diag_set(diag, ENODATA, l->path,
				"has no branch stacks: perf record -b records them, on CPUs that can");
	if (l->matched[BRANCHES_OTHER_BUILD] && !l->matched[BRANCHES_BY_BUILD_ID])
		return diag_set(diag, ENODATA, l->path,
				"has branches of %s, but of another build: the build ids differ", program);
	if (!l->matched[BRANCHES_BY_BUILD_ID] && !l->matched[BRANCHES_BY_PATH])
		return diag_set(diag, ENODATA, l->path, "has no process that had mapped %s", program);
	if (l->matched[BRANCHES_BY_PATH])
		note(l, "%s: no build id of %s was recorded: the file with this path is taken for it",
		     l->path, program);
	if (l->impossible)
		note(l, "%s: %llu ranges between two branches are left out: no code can have run "
		     "through them", l->path, (unsigned long long)l->impossible);
	if (perfdata_head(l->file)->truncated)
		note(l, "%s: perf did not finish writing it", l->path);
	return 0;
}

static int load(struct load *l, struct file_stream *stream, struct diag *diag)
{
	int err = branches_program_open(&l->to->program, l->options->program, diag);

	if (!err)
		err = perfdata_open(stream, &l->file, diag);
	if (err)
		return err;
	l->all = processes_new(seen, l);
	if (!l->all || import_processes_init(&l->from, l->file, l->all))
		return diag_errno(diag, ENOMEM, l->path);
	err = read_all(l, diag);
	return err ? err : sum_up(l, diag);
}

int branches_load(struct file_stream *stream, const struct branches_options *options,
		  struct branches **ret, struct diag *diag)
{
	struct load l = { .options = options, .path = stream->path };
	int err;

	if (!perfdata_is(stream->start, stream->nr_start))
		return diag_set(diag, EINVAL, stream->path, "is not a file of perf record");
	l.to = calloc(1, sizeof(*l.to));
	if (!l.to)
		return diag_errno(diag, ENOMEM, stream->path);
	l.to->program.file.fd = -1;
	branches_counts_init(&l.to->branches);
	branches_counts_init(&l.to->ranges);
	branches_counts_init(&l.to->samples);
	err = load(&l, stream, diag);
	import_processes_release(&l.from);
	processes_free(l.all);
	perfdata_close(l.file);
	if (err)
		branches_free(l.to);
	else
		*ret = l.to;
	return err;
}

void branches_free(struct branches *b)
{
	if (!b)
		return;
	branches_counts_release(&b->branches);
	branches_counts_release(&b->ranges);
	branches_counts_release(&b->samples);
	branches_program_release(&b->program);
	free(b);
}
