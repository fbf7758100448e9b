// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes records about processes and mappings, and passes them to
 * host/process/processes.h. See processes.h; source.c and capture/branches
 * call it.
 */
#include "capture/perfimport/processes.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static int take_build_ids(struct import_processes *p)
{
	const struct perfdata_head *h = perfdata_head(p->file);
	uint32_t number;
	int err = 0;

	for (; p->nr_build_ids < h->nr_build_ids && !err; p->nr_build_ids++) {
		const struct perfdata_build_id *id = &h->build_ids[p->nr_build_ids];

		err = strings_add(&p->build_ids, id->path, strlen(id->path), &number);
		while (!err && p->build_id_room < p->build_ids.nr) {
			size_t room = p->build_id_room ? 2 * p->build_id_room : 64;
			size_t *more = reallocarray(p->build_id, room, sizeof(*more));

			if (!more)
				return -ENOMEM;
			p->build_id = more;
			p->build_id_room = room;
		}
		if (!err)
			p->build_id[number] = p->nr_build_ids;
	}
	return err;
}

int import_processes_init(struct import_processes *p, struct perfdata *file,
			  struct processes *all)
{
	int err;

	*p = (struct import_processes){ .file = file, .all = all };
	err = strings_init(&p->build_ids);
	return err ? err : take_build_ids(p);
}

void import_processes_release(struct import_processes *p)
{
	strings_release(&p->build_ids);
	free(p->build_id);
	*p = (struct import_processes){ .file = NULL };
}

static void find_build_id(const struct import_processes *p, struct process_file_id *id)
{
	const struct perfdata_build_id *found;
	uint32_t number = strings_find(&p->build_ids, id->path, strlen(id->path));

	if (!number)
		return;
	found = &perfdata_head(p->file)->build_ids[p->build_id[number]];
	id->build_id_len = found->len;
	memcpy(id->build_id, found->build_id, found->len);
	id->dev = id->ino = 0;
}

static int take_map(struct import_processes *p, const struct perfdata_record *r)
{
	const struct perfdata_map *m = &r->map;
	struct process_file_id id = { .path = m->path, .build_id_len = m->build_id_len };
	int err;

	if (!m->executable || !m->len ||
	    (r->mode != PERF_RECORD_MISC_USER && r->mode != PERF_RECORD_MISC_CPUMODE_UNKNOWN))
		return 0;
	err = take_build_ids(p);
	if (err)
		return err;
	memcpy(id.build_id, m->build_id, m->build_id_len);
	if (!id.build_id_len) {
		id.dev = m->dev;
		id.ino = m->ino;
		find_build_id(p, &id);
	}
	return processes_map(p->all, r->pid, r->time, m->start, m->len, m->offset, &id);
}

static int take_comm(struct import_processes *p, const struct perfdata_record *r)
{
	if (r->comm.exec)
		return processes_exec(p->all, r->pid, r->time, r->comm.name);
	return r->pid == r->tid ? processes_name(p->all, r->pid, r->comm.name) : 0;
}

static int take_fork(struct import_processes *p, const struct perfdata_record *r)
{
	/* a process found running has its own records for name and mappings */
	if (r->task.found)
		return processes_known(p->all, r->pid) ? 0 :
		       processes_exec(p->all, r->pid, r->time, NULL);
	if (r->pid == r->task.parent_pid)
		return 0;
	return processes_fork(p->all, r->task.parent_pid, r->pid, r->time);
}

int import_processes_take(struct import_processes *p, const struct perfdata_record *r)
{
	switch (r->kind) {
	case PERFDATA_MAP:
		return take_map(p, r);
	case PERFDATA_COMM:
		return take_comm(p, r);
	case PERFDATA_FORK:
		return take_fork(p, r);
	case PERFDATA_EXIT:
		if (r->pid == r->tid)
			processes_exit(p->all, r->pid, r->time);
		return 0;
	default:
		return 0;
	}
}
