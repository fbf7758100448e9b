// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of the running kernel, see kallsyms.h: lookups in the current tables, and a
 * thread that reads new ones.
 */
#include "host/kernel/kallsyms.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/kernel/kallsyms_tables.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

#define NSEC_PER_MSEC 1000000ull

/**
 * struct kallsyms - the names, and new ones that are being read
 * @path: path of the list
 * @running: the list is that of the running kernel
 * @t: the tables for lookups
 * @reading: @thread is running; @next and @err belong to it until it is joined
 * @thread: thread that reads the list
 * @stop: tells @thread to give up
 * @next: tables that @thread fills
 * @err: result of @thread
 */
struct kallsyms {
	char *path;
	bool running;
	struct kallsyms_tables t;
	bool reading;
	pthread_t thread;
	atomic_bool stop;
	struct kallsyms_tables next;
	int err;
};

int kallsyms_new(const char *path, struct kallsyms **ret, struct diag *diag)
{
	const char *file = path ? path : "/proc/kallsyms";
	struct kallsyms *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return diag_errno(diag, ENOMEM, file);
	k->path = strdup(file);
	k->running = !path;
	/* @diag may point to the path after @k is freed, so it gets @file */
	err = k->path ? kallsyms_tables_read(file, &k->t, NULL, diag) :
		diag_errno(diag, ENOMEM, file);
	if (err) {
		kallsyms_free(k);
		return err;
	}
	if (k->running)
		kallsyms_tables_build_ids(&k->t);
	*ret = k;
	return 0;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	if (k->reading) {
		atomic_store_explicit(&k->stop, true, memory_order_relaxed);
		pthread_join(k->thread, NULL);
	}
	kallsyms_tables_release(&k->next);
	kallsyms_tables_release(&k->t);
	free(k->path);
	free(k);
}

static void *read_next(void *arg)
{
	struct kallsyms *k = arg;

	k->err = kallsyms_tables_read(k->path, &k->next, &k->stop, NULL);
	if (!k->err && k->running)
		kallsyms_tables_build_ids(&k->next);
	return NULL;
}

static int begin(struct kallsyms *k)
{
	int err = thread_start(&k->thread, read_next, k);

	k->reading = !err;
	return err;
}

/* Waits for the thread. Return: whether it has ended and is joined. */
static bool join(struct kallsyms *k, unsigned int ms)
{
	struct timespec until = clock_timespec(clock_ns(CLOCK_MONOTONIC) + ms * NSEC_PER_MSEC);

	if (ms == KALLSYMS_WAIT)
		return !pthread_join(k->thread, NULL);
	return !pthread_clockjoin_np(k->thread, NULL, CLOCK_MONOTONIC, &until);
}

int kallsyms_refresh(struct kallsyms *k, unsigned int ms)
{
	int err = k->reading ? 0 : begin(k);

	if (err)
		return err;
	if (!join(k, ms))
		return -EAGAIN;
	k->reading = false;
	if (k->err) {
		kallsyms_tables_release(&k->next);
	} else {
		kallsyms_tables_release(&k->t);
		k->t = k->next;
	}
	k->next = (struct kallsyms_tables){ 0 };
	return k->err;
}

bool kallsyms_is_reading(const struct kallsyms *k)
{
	return k->reading;
}

static const struct kallsyms_symbol *find(const struct kallsyms_tables *t, uint64_t addr)
{
	size_t low = 0, high = t->nr_symbols;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->symbols[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < kallsyms_symbol_end(t, low - 1) ? &t->symbols[low - 1] : NULL;
}

const struct kallsyms_image *kallsyms_image(const struct kallsyms *k, uint64_t addr)
{
	const struct kallsyms_symbol *s = find(&k->t, addr);

	return s ? &k->t.images[s->image] : NULL;
}

const char *kallsyms_name(const struct kallsyms *k, uint64_t addr, uint64_t *offset)
{
	const struct kallsyms_symbol *s = find(&k->t, addr);

	if (!s)
		return NULL;
	if (offset)
		*offset = addr - s->addr;
	return k->t.names + s->name;
}
