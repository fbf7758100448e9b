// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates tables in BPF arrays that this process and the BPF programs share. answer.c puts
 * tables, collect.c drops and moves them.
 */
#include "supply/tables/bins.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/poison.h"

static size_t room_of(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

/* Makes a bin. The programs get it when it is complete and empty. */
static int bin_new(struct bins *b)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	uint32_t number = b->nr;
	void *bytes;
	int fd, err;

	if (number == TABLES_BINS)
		return -ENOSPC;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ustack_bin", sizeof(uint32_t), TABLES_BIN_VALUE, 1,
			    &o);
	if (fd < 0)
		return fd;
	bytes = mmap(NULL, TABLES_BIN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	err = bytes == MAP_FAILED ? -errno :
				    bpf_map_update_elem(b->outer, &number, &fd, BPF_ANY);
	if (err) {
		if (bytes != MAP_FAILED)
			munmap(bytes, TABLES_BIN_BYTES);
		close(fd);
		return err;
	}
	b->bin[b->nr++] = (struct bin){ .fd = fd, .bytes = bytes };
	return 0;
}

int bins_open(struct bins *b, int outer, unsigned int max)
{
	*b = (struct bins){
		.outer = outer, .spare = BINS_NONE,
		.max = max < TABLES_BINS - 1 ? max : TABLES_BINS - 1,
	};
	return bin_new(b);
}

static unsigned int find_room(const struct bins *b, size_t room)
{
	unsigned int i;

	for (i = 0; i < b->nr; i++)
		if (i != b->spare && TABLES_BIN_BYTES - b->bin[i].used >= room)
			return i;
	return BINS_NONE;
}

static uint64_t append(struct bins *b, unsigned int number, const void *table, size_t len)
{
	struct bin *to = &b->bin[number];
	uint64_t place = (uint64_t)number * TABLES_BIN_BYTES + to->used;

	memcpy(to->bytes + to->used, table, len);
	to->used += room_of(len);
	to->live += room_of(len);
	return place;
}

int bins_put(struct bins *b, const void *table, size_t len, uint64_t *ret)
{
	size_t room = room_of(len);
	unsigned int to;
	int err;

	if (room > TABLES_BIN_BYTES)
		return -EFBIG;
	to = find_room(b, room);
	if (to == BINS_NONE) {
		if (b->nr - (b->spare != BINS_NONE) >= b->max)
			return -ENOSPC;
		err = bin_new(b);
		if (err)
			return err;
		to = b->nr - 1;
	}
	*ret = append(b, to, table, len);
	return 0;
}

unsigned int bins_move_begin(struct bins *b)
{
	unsigned int i, ret = BINS_NONE;
	size_t waste, most = 0;

	for (i = 0; i < b->nr; i++) {
		waste = b->bin[i].used - b->bin[i].live;
		if (i != b->spare && waste > most) {
			most = waste;
			ret = i;
		}
	}
	if (ret == BINS_NONE || b->spare != BINS_NONE)
		return ret;
	if (bin_new(b))
		return BINS_NONE;
	b->spare = b->nr - 1;
	return ret;
}

/* The bytes of the table at @place. */
static const void *bytes_at(const struct bins *b, uint64_t place)
{
	return b->bin[place / TABLES_BIN_BYTES].bytes + place % TABLES_BIN_BYTES;
}

uint64_t bins_move(struct bins *b, uint64_t place, size_t len)
{
	return append(b, b->spare, bytes_at(b, place), len);
}

void bins_move_end(struct bins *b, unsigned int from)
{
	b->bin[from].used = b->bin[from].live = 0;
	b->spare = from;
}

void bins_drop(struct bins *b, uint64_t place, size_t len)
{
	struct bin *from = &b->bin[place / TABLES_BIN_BYTES];

	from->live -= room_of(len);
	if (!from->live)
		from->used = 0;
}

/*
 * As in user/capture/sampler/window.c: the kernel waits for all running programs when a map
 * within a map is changed. Replacing a map by itself has this effect, too.
 */
int bins_wait(const struct bins *b)
{
	uint32_t first = 0;

	return bpf_map_update_elem(b->outer, &first, &b->bin[0].fd, BPF_ANY);
}

uint64_t bins_bytes(const struct bins *b)
{
	return (uint64_t)b->nr * TABLES_BIN_BYTES;
}

void bins_release(struct bins *b)
{
	while (b->nr) {
		b->nr--;
		munmap(b->bin[b->nr].bytes, TABLES_BIN_BYTES);
		close(b->bin[b->nr].fd);
	}
}
