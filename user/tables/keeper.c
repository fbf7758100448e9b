// SPDX-License-Identifier: GPL-2.0-only
#include "tables/keeper.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reason.h"
#include "tables/answer.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

/* The ring wakes nobody while it is being emptied. */
#define POLL_MS 1000

/**
 * struct keeper - one of them
 * @each: iterator
 * @ring: of wishes
 * @answers: makes tables; the thread's
 * @thread: answers
 * @running: it is there
 * @poke: eventfd that wakes it
 * @lock: for what follows
 * @quiet: @settled has changed
 * @asked: calls of keeper_settle()
 * @settled: those of them that have been answered
 * @ending: the thread is to end
 * @looks: see struct keeper_counts; atomic
 */
struct keeper {
	struct bpf_program *each;
	struct ring_buffer *ring;
	struct answers answers;
	pthread_t thread;
	bool running;
	int poke;
	pthread_mutex_t lock;
	pthread_cond_t quiet;
	uint64_t asked;
	uint64_t settled;
	bool ending;
	uint64_t looks;
};

int keeper_init_images(int images)
{
	const size_t len = TABLES_IMAGES * sizeof(struct tables_image);
	struct tables_image *all = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, images, 0);
	unsigned int i;

	if (all == MAP_FAILED)
		return -errno;
	all[TABLES_MADE].why = USTACK_NO_IMAGE;
	for (i = TABLES_VDSO; i < TABLES_IMAGES; i++)
		all[i].why = USTACK_BUILDING;
	munmap(all, len);
	return 0;
}

/* Lets the iterator visit the mappings of a process, or of all. */
static int look(struct bpf_program *each, uint32_t tgid)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, o);
	union bpf_iter_link_info info = { .task = { .pid = tgid } };
	struct bpf_link *link;
	char nothing[64];
	int fd, err = 0;

	if (tgid) {
		o.link_info = &info;
		o.link_info_len = sizeof(info);
	}
	link = bpf_program__attach_iter(each, &o);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		err = fd;
	else
		while (read(fd, nothing, sizeof(nothing)) > 0)
			;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

static int take_wish(void *arg, void *data, size_t len)
{
	struct keeper *k = arg;
	const struct tables_wish *wish = data;

	if (len != sizeof(*wish))
		return 0;
	if (wish->image) {
		answers_make(&k->answers, wish);
		return 0;
	}
	__atomic_fetch_add(&k->looks, 1, __ATOMIC_RELAXED);
	look(k->each, wish->tgid);	/* it may have gone */
	return 0;
}

static void poke(struct keeper *k)
{
	uint64_t one = 1;

	/* fails only where it is full: then the thread will wake */
	if (write(k->poke, &one, sizeof(one)) < 0)
		return;
}

static void wait_for_wishes(struct keeper *k)
{
	struct pollfd fds[] = {
		{ .fd = ring_buffer__epoll_fd(k->ring), .events = POLLIN },
		{ .fd = k->poke, .events = POLLIN },
	};
	uint64_t poked;

	poll(fds, 2, POLL_MS);
	if (fds[1].revents && read(k->poke, &poked, sizeof(poked)) < 0)
		return;
}

static void *answer_all(void *arg)
{
	struct keeper *k = arg;
	uint64_t when;
	bool ending;

	for (;;) {
		pthread_mutex_lock(&k->lock);
		when = k->asked;
		ending = k->ending;
		pthread_mutex_unlock(&k->lock);
		if (ending)
			return NULL;
		while (ring_buffer__consume(k->ring) > 0)
			;
		pthread_mutex_lock(&k->lock);
		k->settled = when;
		pthread_cond_broadcast(&k->quiet);
		pthread_mutex_unlock(&k->lock);
		wait_for_wishes(k);
	}
}

void keeper_settle(struct keeper *k)
{
	uint64_t when;

	pthread_mutex_lock(&k->lock);
	when = ++k->asked;
	poke(k);
	while (k->settled < when)
		pthread_cond_wait(&k->quiet, &k->lock);
	pthread_mutex_unlock(&k->lock);
}

static int start(struct keeper *k, const struct keeper_maps *maps, uint64_t memory,
		 struct diag *diag)
{
	int err = answers_open(&k->answers, maps, memory, diag);

	if (err)
		return err;
	k->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (k->poke < 0)
		return diag_errno(diag, errno, "eventfd");
	k->ring = ring_buffer__new(maps->wishes, take_wish, k, NULL);
	if (!k->ring)
		return diag_set(diag, errno, NULL, "no buffer for programs' wishes: %s",
				strerror(errno));
	err = look(k->each, 0);
	if (err)
		return diag_set(diag, -err, NULL, "the kernel does not list mappings (iter/task_vma): %s",
				strerror(-err));
	err = thread_start(&k->thread, answer_all, k);
	if (err)
		return diag_errno(diag, -err, "a thread");
	k->running = true;
	return 0;
}

int keeper_new(const struct keeper_maps *maps, struct bpf_program *each, uint64_t memory,
	       struct keeper **ret, struct diag *diag)
{
	struct keeper *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return diag_errno(diag, ENOMEM, NULL);
	k->each = each;
	k->poke = -1;
	k->answers = (struct answers)ANSWERS_INIT;
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->quiet, NULL);
	err = start(k, maps, memory, diag);
	if (err) {
		keeper_free(k);
		return err;
	}
	*ret = k;
	return 0;
}

void keeper_free(struct keeper *k)
{
	if (!k)
		return;
	if (k->running) {
		pthread_mutex_lock(&k->lock);
		k->ending = true;
		pthread_mutex_unlock(&k->lock);
		poke(k);
		pthread_join(k->thread, NULL);
	}
	ring_buffer__free(k->ring);
	if (k->poke >= 0)
		close(k->poke);
	answers_release(&k->answers);
	pthread_cond_destroy(&k->quiet);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

void keeper_counts(const struct keeper *k, struct keeper_counts *ret)
{
	answers_counts(&k->answers, ret);
	ret->looks = __atomic_load_n(&k->looks, __ATOMIC_RELAXED);
}
