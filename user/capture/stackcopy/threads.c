// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of threads' names by tid. Records of perf change it in order of
 * time; threads that perf has not reported are looked up in /proc. See
 * threads.h.
 */
#include "capture/stackcopy/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

struct thread {
	uint32_t tid;
	char comm[SAMPLER_COMM];
};

static struct thread *place(const struct threads *all, uint32_t tid)
{
	size_t i = tid & (all->room - 1);

	while (all->places[i].tid && all->places[i].tid != tid)
		i = (i + 1) & (all->room - 1);
	return &all->places[i];
}

static int grow(struct threads *all)
{
	struct threads old = *all;
	size_t i;

	all->room = old.room ? 2 * old.room : 256;
	all->places = calloc(all->room, sizeof(*all->places));
	if (!all->places) {
		*all = old;
		return -ENOMEM;
	}
	for (i = 0; i < old.room; i++)
		if (old.places[i].tid)
			*place(all, old.places[i].tid) = old.places[i];
	free(old.places);
	return 0;
}

int threads_name(struct threads *all, uint32_t tid, const char *comm)
{
	struct thread *t;

	if (!tid)
		return 0;
	if (4 * (all->nr + 1) > 3 * all->room && grow(all))
		return -ENOMEM;
	t = place(all, tid);
	all->nr += !t->tid;
	t->tid = tid;
	strncpy(t->comm, comm, sizeof(t->comm) - 1);
	t->comm[sizeof(t->comm) - 1] = '\0';
	return 0;
}

static void ask(uint32_t tgid, uint32_t tid, char ret[SAMPLER_COMM])
{
	char path[48];
	ssize_t len = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", tgid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, ret, SAMPLER_COMM);
		close(fd);
	}
	len = len > 0 ? len - 1 : 0;	/* without the newline */
	memset(ret + len, 0, (size_t)(SAMPLER_COMM - len));
}

int threads_find(struct threads *all, uint32_t tgid, uint32_t tid, char ret[SAMPLER_COMM])
{
	struct thread *t = all->room ? place(all, tid) : NULL;

	if (t && t->tid && t->comm[0]) {
		memcpy(ret, t->comm, SAMPLER_COMM);
		return 0;
	}
	memset(ret, 0, SAMPLER_COMM);
	if (all->past)
		return 0;
	ask(tgid, tid, ret);
	return threads_name(all, tid, ret);
}

int threads_begin(struct threads *all, uint32_t tid, uint32_t parent_tgid, uint32_t parent)
{
	char comm[SAMPLER_COMM];
	int err = threads_find(all, parent_tgid, parent, comm);

	return err ? err : threads_name(all, tid, comm);
}

void threads_release(struct threads *all)
{
	free(all->places);
	*all = (struct threads){ 0 };
}
