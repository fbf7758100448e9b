/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes of a perf.data file, and the files that they had mapped, as its
 * records say. No process that runs now is asked.
 */
#ifndef USTACK_USER_PERFIMPORT_PROCESSES_H
#define USTACK_USER_PERFIMPORT_PROCESSES_H

#include "formats/perfdata/perfdata.h"
#include "host/process/processes.h"
#include "util/strings.h"

/**
 * struct import_processes - processes of a file
 * @file: the file; borrowed
 * @all: the processes; borrowed
 * @build_ids: paths in the file's list of build ids
 * @build_id: index in that list, by number of the path
 * @build_id_room: entries that @build_id has memory for
 * @nr_build_ids: entries of the list that were read so far
 */
struct import_processes {
	struct perfdata *file;
	struct processes *all;
	struct strings build_ids;
	size_t *build_id;
	size_t build_id_room;
	size_t nr_build_ids;
};

/*
 * @p: filled; released by import_processes_release(), also on failure. Return:
 * 0 or -ENOMEM.
 */
int import_processes_init(struct import_processes *p, struct perfdata *file,
			  struct processes *all);
/* One that is zeroed is fine. */
void import_processes_release(struct import_processes *p);

/**
 * import_processes_take() - take a record
 * @p: the processes
 * @r: a record of any kind. PERFDATA_MAP of user code, COMM, FORK and EXIT
 *     change @p->all; others are ignored
 *
 * Mappings without a build id get that of the file's list, which in pipe mode
 * comes piece by piece.
 *
 * Return: 0 or -ENOMEM.
 */
int import_processes_take(struct import_processes *p, const struct perfdata_record *r);

#endif /* USTACK_USER_PERFIMPORT_PROCESSES_H */
