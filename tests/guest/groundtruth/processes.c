// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts the mappings, forks, execs and names of a record by time and passes them to
 * user/host/process (processes.h).
 */
#include "processes.h"

#include <err.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "core.h"

struct event {
	u64 time;
	size_t order;
	const struct gt_chunk *h;
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int take_event(struct processes *all, const struct gt_chunk *h)
{
	const struct gt_task *t = (const void *)h;
	const struct gt_comm *c = (const void *)h;
	const struct gt_map *m = (const void *)h;
	const struct process_file_id id = { .path = m->path, .dev = makedev(m->id.maj, m->id.min), .ino = m->id.ino };

	switch (h->type) {
	case GT_MAP:
		return processes_map(all, m->pid, m->time, m->start, m->len, m->pgoff, &id);
	case GT_FORK:
		return t->pid != t->ppid ? processes_fork(all, t->ppid, t->pid, t->time) : 0;
	case GT_COMM:
		if (c->exec)
			return processes_exec(all, c->pid, c->time, c->comm);
		return c->pid == c->tid ? processes_name(all, c->pid, c->comm) : 0;
	default:
		return 0;
	}
}

void gt_take_events(struct processes *all, const struct gt_input *in)
{
	struct event *events = calloc(in->len / sizeof(struct gt_task) + 1, sizeof(*events));
	size_t at = sizeof(struct gt_file), nr = 0, i;
	const struct gt_chunk *h;

	while (events && (h = gt_next(in, &at)))
		if (h->type == GT_MAP || h->type == GT_FORK || h->type == GT_COMM) {
			events[nr] = (struct event){ ((const struct gt_map *)h)->time, nr, h };
			nr++;
		}
	if (!events)
		err(2, "memory");
	qsort(events, nr, sizeof(*events), by_time);
	for (i = 0; i < nr; i++)
		if (take_event(all, events[i].h))
			err(2, "memory");
	free(events);
}
