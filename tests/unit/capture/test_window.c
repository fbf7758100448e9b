// SPDX-License-Identifier: GPL-2.0-only
/* Windows: maps that replace the kernel's are drained, and stacks are put together. */
#include "support.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/sampler/stacks.h"
#include "capture/sampler/window.h"

#define MAPS 8
#define ELEMENTS 20000

/* A hash map whose buckets are runs of @bucket elements. */
static struct map {
	u32 key;
	u32 value;
	u32 max;
	u32 nr;
	u8 *keys;
	u8 *values;
} maps[MAPS];

static u32 nr_maps, bucket = 1, updates, fail_after;
static int outer[2][2];
static struct windows *seen;
static u64 generation_at_update;

int bpf_map_create(enum bpf_map_type type, const char *name, __u32 key, __u32 value, __u32 max,
		   const struct bpf_map_create_opts *opts)
{
	struct map *m = &maps[nr_maps];

	assert_int_equal(type, BPF_MAP_TYPE_HASH);
	*m = (struct map){ .key = key, .value = value, .max = max };
	m->keys = calloc(ELEMENTS, key);
	m->values = calloc(ELEMENTS, value);
	return 100 + nr_maps++;
}

int bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags)
{
	outer[fd][*(const u32 *)key] = *(const int *)value;
	updates++;
	if (seen)
		generation_at_update = *seen->generation;
	return 0;
}

int bpf_map_lookup_and_delete_batch(int fd, void *in, void *out, void *keys, void *values,
				    __u32 *count, const struct bpf_map_batch_opts *opts)
{
	struct map *m = &maps[fd - 100];
	u32 from = in ? *(u32 *)in : 0, nr = 0, room = *count;

	*count = 0;
	if (fail_after && !--fail_after)
		return -EFAULT;
	while (from + nr < m->nr) {
		u32 in_bucket = m->nr - from - nr < bucket ? m->nr - from - nr : bucket;

		if (nr + in_bucket > room)
			break;
		nr += in_bucket;
	}
	if (!nr && from < m->nr)
		return -ENOSPC;
	memcpy(keys, m->keys + (size_t)from * m->key, (size_t)nr * m->key);
	memcpy(values, m->values + (size_t)from * m->value, (size_t)nr * m->value);
	*count = nr;
	*(u32 *)out = from + nr;
	if (from + nr < m->nr)
		return 0;
	m->nr = 0;
	return -ENOENT;
}

int close(int fd)
{
	struct map *m;

	if (fd < 100)
		return (int)syscall(SYS_close, fd);
	assert_true(fd < 100 + (int)nr_maps);
	m = &maps[fd - 100];
	free(m->keys);
	free(m->values);
	m->keys = m->values = NULL;
	return 0;
}

static u64 generation;
static struct wire_fill fill[2];

static void open_windows(struct windows *w)
{
	struct window_sizes sizes = { .chunks = 64, .counts = 16 };

	nr_maps = updates = 0;
	seen = NULL;
	generation = 6;
	*w = (struct windows)WINDOWS_INIT;
	w->outer_chunks = 0;
	w->outer_counts = 1;
	w->generation = &generation;
	w->fill = fill;
	assert_int_equal(windows_open(w, sizes, NULL), 0);
	assert_int_equal(nr_maps, 4);
	assert_int_equal(outer[0][0], w->chunks[0]);
	assert_int_equal(outer[0][1], w->chunks[1]);
	assert_int_equal(outer[1][0], w->counts[0]);
	assert_int_equal(outer[1][1], w->counts[1]);
	seen = w;
}

static void add(int fd, const void *key, const void *value)
{
	struct map *m = &maps[fd - 100];

	assert_true(m->nr < ELEMENTS);
	memcpy(m->keys + (size_t)m->nr * m->key, key, m->key);
	memcpy(m->values + (size_t)m->nr * m->value, value, m->value);
	m->nr++;
}

/* A chunk of @nr frames @first, @first + 1, ... outermost first. */
static struct wire_chunk chunk(u64 caller, u32 nr, u64 first)
{
	struct wire_chunk c = { .link = caller | (u64)nr << WIRE_LINK_SHIFT };
	u32 i;

	for (i = 0; i < nr; i++)
		c.pc[i] = first + i;
	return c;
}

static void drains(void **state)
{
	struct windows w;
	u64 pcs[WIRE_FRAMES], id;
	u32 round, i;

	open_windows(&w);
	for (round = 0; round < 3; round++) {
		u32 pair = generation & 1, nr = round == 1 ? 0 : 9000;

		for (i = 0; i < nr; i++) {
			struct wire_chunk c = chunk(0, 1, 1000 * round + i);
			struct wire_key key = { .user = i + 1, .tgid = i };
			struct wire_value value = { .count = i, .sum = 2 * i };

			id = i + 1;
			add(w.chunks[pair], &c, &id);
			add(w.counts[pair], &key, &value);
		}
		fill[pair] = (struct wire_fill){ nr, nr };
		fill[!pair] = (struct wire_fill){ 7, 7 };
		updates = 0;
		assert_int_equal(windows_take(&w, NULL), 0);
		/* first the other pair is selected, then the wait, then this one is drained */
		assert_int_equal(generation, 7 + round);
		assert_int_equal(updates, 1);
		assert_int_equal(generation_at_update, generation);
		assert_int_equal(fill[pair].counts, 0);
		assert_int_equal(fill[!pair].counts, 7);
		assert_int_equal(w.nr, nr);
		for (i = 0; i < nr; i++) {
			assert_int_equal(w.keys[i].tgid, i);
			assert_int_equal(w.values[i].sum, 2 * i);
			assert_int_equal(stacks_get(&w.stacks, w.keys[i].user, pcs, WIRE_FRAMES), 1);
			assert_int_equal(pcs[0], 1000 * round + i);
		}
	}
	windows_release(&w);
}

/* A bucket with more elements than a call has room for. */
static void large_buckets(void **state)
{
	struct wire_value value = { 1, 1 };
	struct windows w;
	u32 i;

	open_windows(&w);
	bucket = 10000;
	for (i = 0; i < 15000; i++)
		add(w.counts[0], &(struct wire_key){ .tgid = i }, &value);
	assert_int_equal(windows_take(&w, NULL), 0);
	assert_int_equal(w.nr, 15000);
	bucket = 1;
	windows_release(&w);
}

static void errors(void **state)
{
	struct diag diag = { 0 };
	struct windows w;

	open_windows(&w);
	fail_after = 2;
	assert_int_equal(windows_take(&w, &diag), -EFAULT);
	assert_true(diag.text[0]);
	assert_int_equal(windows_take(&w, &diag), 0);
	windows_release(&w);
}

static void joins_chunks(void **state)
{
	struct stacks s = STACKS_INIT;
	struct wire_chunk c[4] = { chunk(0, 8, 100), chunk(7, 8, 108), chunk(8, 3, 116),
				   chunk(0, 2, 500) };
	u64 ids[4] = { 7, 8, 9, 1ull << 50 }, pcs[WIRE_FRAMES];
	u32 i;

	assert_int_equal(stacks_get(&s, 0, pcs, WIRE_FRAMES), 0);
	assert_int_equal(stacks_get(&s, 9, pcs, WIRE_FRAMES), -ENOENT);
	assert_int_equal(stacks_add(&s, c, ids, 4), 0);
	assert_int_equal(stacks_get(&s, 9, pcs, WIRE_FRAMES), 19);
	for (i = 0; i < 19; i++)
		assert_int_equal(pcs[i], 118 - i);
	assert_int_equal(stacks_get(&s, 7, pcs, WIRE_FRAMES), 8);
	assert_int_equal(stacks_get(&s, 1ull << 50, pcs, WIRE_FRAMES), 2);
	assert_int_equal(pcs[0], 501);
	assert_int_equal(stacks_get(&s, 10, pcs, WIRE_FRAMES), -ENOENT);
	stacks_clear(&s);
	assert_int_equal(stacks_get(&s, 9, pcs, WIRE_FRAMES), -ENOENT);
	assert_int_equal(stacks_add(&s, c, ids, 1), 0);
	assert_int_equal(stacks_get(&s, 7, pcs, WIRE_FRAMES), 8);
	stacks_release(&s);
}

static void refuses_chunks(void **state)
{
	struct stacks s = STACKS_INIT;
	struct wire_chunk c[] = { chunk(1, 8, 1), chunk(9, 8, 1), chunk(0, 3, 1), chunk(3, 8, 1),
				  { .link = 9ull << WIRE_LINK_SHIFT }, { .link = 0 } };
	u64 ids[] = { 1, 2, 3, 4, 5, 6 }, pcs[WIRE_FRAMES];

	assert_int_equal(stacks_add(&s, c, ids, 6), 0);
	assert_int_equal(stacks_get(&s, 1, pcs, WIRE_FRAMES), -EPROTO);	/* calls itself */
	assert_int_equal(stacks_get(&s, 2, pcs, WIRE_FRAMES), -ENOENT);	/* its caller is missing */
	assert_int_equal(stacks_get(&s, 4, pcs, WIRE_FRAMES), -EPROTO);	/* its caller is not full */
	assert_int_equal(stacks_get(&s, 5, pcs, WIRE_FRAMES), -EPROTO);	/* nine frames */
	assert_int_equal(stacks_get(&s, 6, pcs, WIRE_FRAMES), -EPROTO);	/* none */
	stacks_release(&s);
}

static void deepest(void **state)
{
	struct stacks s = STACKS_INIT;
	u64 id, pcs[WIRE_FRAMES], long_pcs[WIRE_FRAMES + 8];
	struct wire_chunk c;

	for (id = 1; id <= WIRE_CHUNKS + 1; id++) {
		c = chunk(id - 1, 8, id);
		assert_int_equal(stacks_add(&s, &c, &id, 1), 0);
	}
	assert_int_equal(stacks_get(&s, WIRE_CHUNKS, pcs, WIRE_FRAMES), WIRE_FRAMES);
	assert_int_equal(stacks_get(&s, WIRE_CHUNKS + 1, pcs, WIRE_FRAMES), -EPROTO);
	assert_int_equal(stacks_get(&s, WIRE_CHUNKS, pcs, WIRE_FRAMES - 1), -EPROTO);
	assert_int_equal(stacks_get(&s, WIRE_CHUNKS + 1, long_pcs, WIRE_FRAMES + 8), WIRE_FRAMES + 8);
	stacks_release(&s);
}

static void sizes(void **state)
{
	struct window_sizes s = window_sizes(100, 64 << 20);
	u64 memory;

	assert_int_equal(s.counts, 1024);
	/* half of the map has room for the expected number, if memory allows */
	assert_int_equal(window_sizes(20000, 128 << 20).counts, 65536);
	assert_int_equal(window_sizes(20000, 64 << 20).counts, 32768);
	for (memory = 1 << 20; memory <= 1ull << 30; memory *= 2) {
		s = window_sizes(0, memory);
		assert_false(s.counts & (s.counts - 1));
		assert_false(s.chunks & (s.chunks - 1));
		assert_true(2 * (s.counts * WINDOW_COUNT_BYTES + s.chunks * WINDOW_CHUNK_BYTES) <=
			    memory);
	}
	assert_true(window_sizes(1ull << 60, 1ull << 60).counts <= 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drains),	cmocka_unit_test(large_buckets),
		cmocka_unit_test(errors),	cmocka_unit_test(joins_chunks),
		cmocka_unit_test(refuses_chunks), cmocka_unit_test(deepest),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
