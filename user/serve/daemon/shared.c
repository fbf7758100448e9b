// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers in shared memory with a sequence counter: a reader tries again if the writer was at work
 * meanwhile. The sampling process writes, the serving process reads.
 */
#include "serve/daemon/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/poison.h"

#define TRIES 1000u

/* The shared memory; @sequence is odd while @state is being written. */
struct page {
	atomic_uint sequence;
	struct shared_state state;
};

struct shared {
	struct page *page;
	int fd;		/* read-only descriptor for readers; -1 for none */
};

static struct shared *new_one(void)
{
	struct shared *s = calloc(1, sizeof(*s));

	if (s)
		s->fd = -1;
	return s;
}

static int no(struct shared *s, struct diag *diag)
{
	int err = diag_errno(diag, errno, "shared memory");

	shared_free(s);
	return err;
}

/* Opens the memory read-only: a mapping of this descriptor cannot be written. */
static int reader_fd(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int shared_new(struct shared **ret, struct diag *diag)
{
	struct shared *s = new_one();
	int fd = memfd_create("ustackd", MFD_CLOEXEC);
	void *p = MAP_FAILED;

	if (!s || fd < 0)
		goto fail;
	if (!ftruncate(fd, sizeof(struct page)))
		p = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		goto fail;
	s->page = p;
	s->fd = reader_fd(fd);
	if (s->fd < 0)
		goto fail;
	close(fd);
	*ret = s;
	return 0;
fail:
	if (fd >= 0)
		close(fd);
	return no(s, diag);
}

int shared_attach(int fd, struct shared **ret, struct diag *diag)
{
	struct shared *s = new_one();
	void *p;

	if (!s)
		return no(s, diag);
	p = mmap(NULL, sizeof(struct page), PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return no(s, diag);
	s->page = p;
	*ret = s;
	return 0;
}

int shared_fd(const struct shared *s)
{
	return s->fd;
}

void shared_write(struct shared *s, const struct shared_state *state)
{
	atomic_fetch_add_explicit(&s->page->sequence, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	s->page->state = *state;
	atomic_fetch_add_explicit(&s->page->sequence, 1, memory_order_release);
}

int shared_read(const struct shared *s, struct shared_state *ret)
{
	unsigned int before, i;

	for (i = 0; i < TRIES; i++) {
		before = atomic_load_explicit(&s->page->sequence, memory_order_acquire);
		*ret = s->page->state;
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) &&
		    before == atomic_load_explicit(&s->page->sequence, memory_order_relaxed))
			return 0;
		sched_yield();
	}
	return -EAGAIN;
}

void shared_free(struct shared *s)
{
	if (!s)
		return;
	if (s->page)
		munmap(s->page, sizeof(*s->page));
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

void shared_count(struct shared_count *counts, uint32_t *nr, uint32_t max, const char *name,
		  uint64_t value)
{
	uint32_t i;

	for (i = 0; i < *nr; i++)
		if (!strncmp(counts[i].name, name, SHARED_NAME - 1))
			break;
	if (i == max)
		i--;
	else if (i == *nr)
		snprintf(counts[(*nr)++].name, SHARED_NAME, "%s", i == max - 1 ? "other" : name);
	counts[i].value += value;
}
