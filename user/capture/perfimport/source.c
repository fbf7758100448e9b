// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes records that are no samples, and passes them to processes.c, to the
 * names of threads and to capture/record/names.h. See import.h; import.c calls
 * it.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "capture/perfimport/import.h"

/* The pid in records of kernel mappings. */
#define KERNEL_PID UINT32_MAX

int import_source_begin(struct import *im)
{
	im->threads.past = true;
	return import_processes_init(&im->processes, im->file, record_processes(im->names));
}

static int take_map(struct import *im, const struct perfdata_record *r)
{
	if (r->pid == KERNEL_PID || r->mode == PERF_RECORD_MISC_KERNEL) {
		import_kernel_map(im, &r->map);
		return 0;
	}
	/* the vDSO belongs to the kernel */
	if (!strcmp(r->map.path, "[vdso]"))
		import_kernel_look(im);
	return import_processes_take(&im->processes, r);
}

static int take_comm(struct import *im, const struct perfdata_record *r)
{
	int err = threads_name(&im->threads, r->tid, r->comm.name);

	return err ? err : import_processes_take(&im->processes, r);
}

static int take_fork(struct import *im, const struct perfdata_record *r)
{
	int err = 0;

	if (!r->task.found)
		err = threads_begin(&im->threads, r->tid, r->task.parent_pid, r->task.parent_tid);
	return err ? err : import_processes_take(&im->processes, r);
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
		return import_processes_take(&im->processes, r);
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
