// SPDX-License-Identifier: GPL-2.0-only
/* Lists of threads, see thread_ids.h. */
#include "host/process/thread_ids.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/poison.h"

void thread_ids_release(struct thread_ids *ids)
{
	free(ids->tid);
	*ids = (struct thread_ids)THREAD_IDS_INIT;
}

/* Return: 1 if the thread was added, 0 if it was in the list, -ENOMEM. */
static int add_thread(struct thread_ids *ids, uint32_t tid)
{
	size_t i;

	for (i = 0; i < ids->nr; i++)
		if (ids->tid[i] == tid)
			return 0;
	if (!array_has_room(ids->tid, ids->nr, ids->room))
		return -ENOMEM;
	ids->tid[ids->nr++] = tid;
	return 1;
}

/* Adds the threads that a process has now. Return: number of threads that are new, or -ENOMEM. */
static int add_process(struct thread_ids *ids, uint32_t pid)
{
	int added = 0, got = 0;
	struct dirent *d;
	char path[32];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	while (dir && got >= 0 && (d = readdir(dir))) {
		uint32_t tid = (uint32_t)strtoul(d->d_name, NULL, 10);

		got = tid ? add_thread(ids, tid) : 0;
		added += got > 0;
	}
	if (dir)
		closedir(dir);
	return got < 0 ? got : added;
}

int thread_ids_of(const uint32_t *pids, size_t nr_pids, const uint32_t *tids, size_t nr_tids,
		  struct thread_ids *ret)
{
	int got = 0;
	size_t i;

	for (i = 0; i < nr_pids && got >= 0; i++)
		got = add_process(ret, pids[i]);
	for (i = 0; i < nr_tids && got >= 0; i++)
		got = add_thread(ret, tids[i]);
	return got < 0 ? got : 0;
}
