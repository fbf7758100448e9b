// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes records about processes, threads and mappings, and passes them to
 * process/ and to capture/record/names.h. See import.h; import.c calls it.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "capture/perfimport/import.h"
#include "util/array.h"

/* The pid in records of kernel mappings. */
#define KERNEL_PID UINT32_MAX

/*
 * Takes entries of the file's list of build ids, for mappings whose records
 * lack one. In pipe mode the list comes piece by piece.
 */
static int take_build_ids(struct import *im)
{
	const struct perfdata_head *h = perfdata_head(im->file);
	uint32_t number;
	int err = 0;

	for (; im->nr_build_ids < h->nr_build_ids && !err; im->nr_build_ids++) {
		const struct perfdata_build_id *id = &h->build_ids[im->nr_build_ids];

		err = strings_add(&im->build_ids, id->path, strlen(id->path), &number);
		while (!err && im->build_id_room < im->build_ids.nr) {
			size_t room = im->build_id_room ? 2 * im->build_id_room : 64;
			size_t *more = reallocarray(im->build_id, room, sizeof(*more));

			if (!more)
				return -ENOMEM;
			im->build_id = more;
			im->build_id_room = room;
		}
		if (!err)
			im->build_id[number] = im->nr_build_ids;
	}
	return err;
}

int import_source_begin(struct import *im)
{
	im->threads.past = true;
	return take_build_ids(im);
}

static void find_build_id(struct import *im, struct process_file_id *id)
{
	const struct perfdata_build_id *found;
	uint32_t number = strings_find(&im->build_ids, id->path, strlen(id->path));

	if (!number)
		return;
	found = &perfdata_head(im->file)->build_ids[im->build_id[number]];
	id->build_id_len = found->len;
	memcpy(id->build_id, found->build_id, found->len);
	id->dev = id->ino = 0;
}

static int take_map(struct import *im, const struct perfdata_record *r)
{
	const struct perfdata_map *m = &r->map;
	struct process_file_id id = { .path = m->path, .build_id_len = m->build_id_len };
	int err;

	if (r->pid == KERNEL_PID || r->mode == PERF_RECORD_MISC_KERNEL) {
		import_kernel_map(im, m);
		return 0;
	}
	if (!m->executable || !m->len ||
	    (r->mode != PERF_RECORD_MISC_USER && r->mode != PERF_RECORD_MISC_CPUMODE_UNKNOWN))
		return 0;
	err = take_build_ids(im);
	if (err)
		return err;
	memcpy(id.build_id, m->build_id, m->build_id_len);
	if (!id.build_id_len) {
		id.dev = m->dev;
		id.ino = m->ino;
		find_build_id(im, &id);
	}
	/* the vDSO belongs to the kernel */
	if (!strcmp(m->path, "[vdso]"))
		import_kernel_look(im);
	return processes_map(record_processes(im->names), r->pid, r->time, m->start, m->len,
			     m->offset, &id);
}

static int take_comm(struct import *im, const struct perfdata_record *r)
{
	struct processes *all = record_processes(im->names);
	int err = threads_name(&im->threads, r->tid, r->comm.name);

	if (err)
		return err;
	if (r->comm.exec)
		return processes_exec(all, r->pid, r->time, r->comm.name);
	return r->pid == r->tid ? processes_name(all, r->pid, r->comm.name) : 0;
}

static int take_fork(struct import *im, const struct perfdata_record *r)
{
	struct processes *all = record_processes(im->names);
	int err;

	/* a process found running has its own records for name and mappings */
	if (r->task.found)
		return processes_known(all, r->pid) ? 0 : processes_exec(all, r->pid, r->time, NULL);
	err = threads_begin(&im->threads, r->tid, r->task.parent_pid, r->task.parent_tid);
	if (err || r->pid == r->task.parent_pid)
		return err;
	return processes_fork(all, r->task.parent_pid, r->pid, r->time);
}

int import_source_take(struct import *im, const struct perfdata_record *r)
{
	switch (r->kind) {
	case PERFDATA_MAP:
		return take_map(im, r);
	case PERFDATA_COMM:
		return take_comm(im, r);
	case PERFDATA_FORK:
		return take_fork(im, r);
	case PERFDATA_EXIT:
		if (r->pid == r->tid)
			processes_exit(record_processes(im->names), r->pid, r->time);
		return 0;
	case PERFDATA_KSYMBOL:
		return record_kernel_symbol(im->names, r->symbol.start, r->symbol.len,
					    r->symbol.gone ? NULL : r->symbol.name);
	case PERFDATA_LOST:
		im->lost += r->lost;
		return 0;
	default:
		return 0;
	}
}

int import_comm(struct import *im, uint32_t pid, uint32_t tid, char ret[SAMPLER_COMM])
{
	if (!tid) {
		strncpy(ret, "swapper", SAMPLER_COMM);
		return 0;
	}
	return threads_find(&im->threads, pid, tid, ret);
}

int import_source_expire(struct import *im, uint64_t before)
{
	int err = record_name_gone(im->names);

	return err ? err : record_expire(im->names, before);
}
