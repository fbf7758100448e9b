// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the maps of windows, switches between the two pairs, and reads and
 * sorts what a window has counted. See window.h.
 */
#include "capture/sampler/window.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

/*
 * Elements read by one call. If a bucket has more, the kernel returns ENOSPC.
 */
#define BATCH 4096u

/*
 * Limits for the map of counts. When a window ends, all buckets are looked at,
 * and the elements take kernel memory; but on a busy machine a drain may come
 * seconds late.
 */
#define MIN_COUNTS 1024u
#define MAX_COUNTS (1u << 20)
#define UNKNOWN_SAMPLES 65536u
/*
 * New chunks that a new key is expected to need: stacks share most of their
 * chunks.
 */
#define CHUNKS_EACH 4u

struct window_sizes window_sizes(uint64_t samples, uint64_t memory)
{
	const uint64_t each = 2 * (WINDOW_COUNT_BYTES + CHUNKS_EACH * WINDOW_CHUNK_BYTES);
	uint64_t want = samples ? samples : UNKNOWN_SAMPLES;
	uint32_t counts = MIN_COUNTS;

	/*
	 * user space is woken at half, and needs the other half until it comes
	 */
	while (counts < MAX_COUNTS && counts / 2 < want)
		counts *= 2;
	while (counts > 64 && counts * each > memory)
		counts /= 2;
	return (struct window_sizes){ .chunks = CHUNKS_EACH * counts, .counts = counts };
}

static int map_new(const char *name, uint32_t key, uint32_t value, uint32_t nr, int *ret,
		   struct diag *diag)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, name, key, value, nr, NULL);

	if (fd < 0)
		return diag_set(diag, -fd, NULL, "no map of %u elements for %s: %s", nr, name,
				strerror(-fd));
	*ret = fd;
	return 0;
}

static int map_give(int outer, uint32_t pair, int inner, struct diag *diag)
{
	int err = bpf_map_update_elem(outer, &pair, &inner, BPF_ANY);

	return err ? diag_set(diag, -err, NULL, "a map cannot be given to the BPF programs: %s",
			      strerror(-err)) : 0;
}

int windows_open(struct windows *w, struct window_sizes sizes, struct diag *diag)
{
	uint32_t pair;
	int err = 0;

	for (pair = 0; pair < 2 && !err; pair++) {
		err = map_new("ustack_stacks", sizeof(struct wire_chunk), sizeof(uint64_t),
			      sizes.chunks, &w->chunks[pair], diag);
		if (!err)
			err = map_new("ustack_counts", sizeof(struct wire_key),
				      sizeof(struct wire_value), sizes.counts, &w->counts[pair], diag);
		if (!err)
			err = map_give(w->outer_chunks, pair, w->chunks[pair], diag);
		if (!err)
			err = map_give(w->outer_counts, pair, w->counts[pair], diag);
	}
	return err;
}

void windows_release(struct windows *w)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (w->chunks[i] >= 0)
			close(w->chunks[i]);
		if (w->counts[i] >= 0)
			close(w->counts[i]);
	}
	stacks_release(&w->stacks);
	free(w->keys);
	free(w->values);
	free(w->order);
	*w = (struct windows)WINDOWS_INIT;
}

/*
 * When a map within a map is changed, the kernel itself waits until the map
 * that is taken out has no users left: maybe_wait_bpf_programs() in
 * kernel/bpf/syscall.c, synchronize_rcu() in 6.1 to 6.18,
 * synchronize_rcu_expedited() in 7.3. Putting in the same map again does that
 * too. All of the programs run within rcu_read_lock(): bpf_overflow_handler()
 * for perf events, also in NMI; trace_call_bpf() for tracepoints and kprobes;
 * __bpf_trace_run() for raw and BTF ones; bpf_prog_run_array_uprobe() (6.1:
 * _sleepable) around each program that cannot sleep. (Read in 6.1, 6.12 and
 * 7.3.)
 */
int windows_wait(const struct windows *w, struct diag *diag)
{
	return map_give(w->outer_counts, 0, w->counts[0], diag);
}

struct batch {
	void *keys;
	void *values;
	uint32_t nr;
	uint32_t key_size;
	uint32_t value_size;
};

static void batch_release(struct batch *b)
{
	free(b->keys);
	free(b->values);
	b->keys = b->values = NULL;
}

static int batch_alloc(struct batch *b, uint32_t nr)
{
	batch_release(b);
	b->nr = nr;
	b->keys = calloc(nr, b->key_size);
	b->values = calloc(nr, b->value_size);
	return b->keys && b->values ? 0 : -ENOMEM;
}

typedef int (*take_batch)(struct windows *w, const struct batch *b, uint32_t nr);

static int take_chunks(struct windows *w, const struct batch *b, uint32_t nr)
{
	return stacks_add(&w->stacks, b->keys, b->values, nr);
}

static int take_counts(struct windows *w, const struct batch *b, uint32_t nr)
{
	size_t room = w->room ? w->room : BATCH;
	void *moved;

	while (room < w->nr + nr)
		room *= 2;
	if (room != w->room) {
		moved = reallocarray(w->keys, room, sizeof(*w->keys));
		if (!moved)
			return -ENOMEM;
		w->keys = moved;
		moved = reallocarray(w->values, room, sizeof(*w->values));
		if (!moved)
			return -ENOMEM;
		w->values = moved;
		moved = reallocarray(w->order, room, sizeof(*w->order));
		if (!moved)
			return -ENOMEM;
		w->order = moved;
		w->room = room;
	}
	memcpy(w->keys + w->nr, b->keys, nr * sizeof(*w->keys));
	memcpy(w->values + w->nr, b->values, nr * sizeof(*w->values));
	w->nr += nr;
	return 0;
}

/* Reads all elements of a map and empties it. */
static int map_take(struct windows *w, int fd, struct batch *b, take_batch take)
{
	uint32_t position, next, nr;
	void *from = NULL;
	int err = batch_alloc(b, BATCH), more = 0;

	while (!err && !more) {
		nr = b->nr;
		more = bpf_map_lookup_and_delete_batch(fd, from, &next, b->keys, b->values, &nr,
						       NULL);
		if (more == -ENOSPC) {
			/*
			 * a bucket has more elements than fit; none was taken
			 */
			more = 0;
			err = b->nr > UINT32_MAX / 2 ? -ENOSPC : batch_alloc(b, 2 * b->nr);
			continue;
		}
		/*
		 * after any other error too, elements that were taken out are
		 * used
		 */
		if (more != -EFAULT)
			err = take(w, b, nr);
		if (!err && more && more != -ENOENT)
			err = more;
		position = next;
		from = &position;
	}
	return err;
}

static int compare(const void *a, const void *b, void *keys)
{
	const struct wire_key *left = (const struct wire_key *)keys + *(const uint32_t *)a;
	const struct wire_key *right = (const struct wire_key *)keys + *(const uint32_t *)b;

	return windows_compare(left->tgid, left->epoch, right->tgid, right->epoch);
}

static void sort(struct windows *w)
{
	uint32_t i;

	for (i = 0; i < w->nr; i++)
		w->order[i] = i;
	if (w->nr)
		qsort_r(w->order, w->nr, sizeof(*w->order), compare, w->keys);
}

int windows_take(struct windows *w, struct diag *diag)
{
	uint32_t pair = *w->generation & 1;
	struct batch chunks = { .key_size = sizeof(struct wire_chunk), .value_size = 8 };
	struct batch counts = { .key_size = sizeof(struct wire_key),
				.value_size = sizeof(struct wire_value) };
	int err;

	stacks_clear(&w->stacks);
	w->nr = 0;
	__atomic_fetch_add(w->generation, 1, __ATOMIC_SEQ_CST);
	err = windows_wait(w, diag);
	if (err)
		return err;
	err = map_take(w, w->chunks[pair], &chunks, take_chunks);
	if (!err)
		err = map_take(w, w->counts[pair], &counts, take_counts);
	batch_release(&chunks);
	batch_release(&counts);
	sort(w);
	w->fill[pair] = (struct wire_fill){ 0 };
	return err ? diag_set(diag, -err, NULL, "the counts cannot be read: %s",
			      strerror(-err)) : 0;
}
