// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a record's callchains, mappings and tasks as chaincheck reads them (tests/guest/workload), so
 * that walks are compared with the declared stacks of its programs. Samples that are not to be judged
 * (format.h) are left out, as are those without a callchain.
 *
 * usage: gt-text [-x REASON] RECORD
 *	-x REASON	also leave out samples whose walk ended for this reason (USTACK_ is not part of
 *			it); their number is printed to stderr
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../kmod/core/reason.h"
#include "compare/reader.h"
#include "compare/util.h"

static void print_map(const struct gt_map *m)
{
	printf("task %u/%u %" PRIu64 ": PERF_RECORD_MMAP2 %u/%u: ", m->pid, m->tid, m->time, m->pid, m->tid);
	printf("[%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " %02x:%02x %" PRIu64 " %" PRIu64 "]: %c%c%c%c %s\n",
	       m->start, m->len, m->pgoff, m->id.maj, m->id.min, m->id.ino, m->id.gen,
	       m->prot & PROT_READ ? 'r' : '-', m->prot & PROT_WRITE ? 'w' : '-',
	       m->prot & PROT_EXEC ? 'x' : '-', m->flags & MAP_SHARED ? 's' : 'p', m->path);
}

static void print_fork(const struct gt_task *t)
{
	printf("task %u/%u %" PRIu64 ": PERF_RECORD_FORK(%u:%u):(%u:%u)\n", t->pid, t->tid, t->time,
	       t->pid, t->tid, t->ppid, t->ptid);
}

static void print_exec(const struct gt_comm *c)
{
	if (c->exec)
		printf("task %u/%u %" PRIu64 ": PERF_RECORD_COMM exec: %.16s:%u/%u\n", c->pid, c->tid,
		       c->time, c->comm, c->pid, c->tid);
}

struct job {
	struct reader *reader;
	const char *left_out;			/* a reason's name, or NULL */
	uint64_t nr_left_out;
	const struct gt_reason *last;		/* stands before its sample */
};

static bool is_left_out(const struct job *j, const struct gt_sample *s)
{
	const struct gt_reason *r = j->last;
	const char *name = r ? ustack_reason_name(r->reason) : NULL;

	return j->left_out && name && r->tid == s->tid && r->time == s->time && !strcmp(name, j->left_out);
}

static void print_sample(struct job *j, const struct gt_chunk *h)
{
	struct sample s;
	unsigned int i;

	reader_sample(j->reader, h, &s);
	if (s.raw->unjudged || !s.raw->chain)
		return;
	if (is_left_out(j, s.raw)) {
		j->nr_left_out++;
		return;
	}
	printf("sample %u/%u %" PRIu64 ".%09" PRIu64 ": walk:\n", s.raw->pid, s.raw->tid,
	       s.raw->time / 1000000000, s.raw->time % 1000000000);
	for (i = 0; i < s.raw->chain; i++)
		printf("\t%16" PRIx64 "\n", s.chain[i]);
	putchar('\n');
}

static void print_chunk(struct job *j, const struct gt_chunk *h)
{
	switch (h->type) {
	case GT_MAP:
		print_map((const void *)h);
		break;
	case GT_FORK:
		print_fork((const void *)h);
		break;
	case GT_COMM:
		print_exec((const void *)h);
		break;
	case GT_REASON:
		j->last = (const void *)h;
		break;
	case GT_SAMPLE:
		print_sample(j, h);
		break;
	}
}

int main(int argc, char **argv)
{
	const struct gt_chunk *h;
	struct job j = { 0 };

	if (argc == 4 && !strcmp(argv[1], "-x"))
		j.left_out = argv[2];
	else if (argc != 2)
		die("usage: gt-text [-x REASON] RECORD");
	j.reader = reader_open(argv[argc - 1]);
	while ((h = reader_next(j.reader)))
		print_chunk(&j, h);
	reader_close(j.reader);
	if (j.left_out)
		fprintf(stderr, "%" PRIu64 " %s\n", j.nr_left_out, j.left_out);
	if (fflush(stdout))
		die("writing");
	return 0;
}
