// SPDX-License-Identifier: GPL-2.0-only
#include "tables/bins.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/poison.h"

/* The programs get it when it is there and empty. */
static int bin_new(struct bins *b)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ustack_bin", sizeof(uint32_t),
				TABLES_BIN_VALUE, 1, &o), err;
	uint32_t number = b->nr;
	void *bytes;

	if (fd < 0)
		return fd;
	bytes = mmap(NULL, TABLES_BIN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	err = bytes == MAP_FAILED ? -errno :
				    bpf_map_update_elem(b->outer, &number, &fd, BPF_ANY);
	close(fd);
	if (err) {
		if (bytes != MAP_FAILED)
			munmap(bytes, TABLES_BIN_BYTES);
		return err;
	}
	b->bytes[b->nr++] = bytes;
	b->used = 0;
	return 0;
}

int bins_put(struct bins *b, const void *table, size_t len, struct bins_place *ret)
{
	int err;

	if (len > TABLES_BIN_BYTES)
		return -EFBIG;
	if (!b->nr || TABLES_BIN_BYTES - b->used < len) {
		if (b->nr == b->max || b->nr == TABLES_BINS)
			return -ENOSPC;
		err = bin_new(b);
		if (err)
			return err;
	}
	*ret = (struct bins_place){ .bin = b->nr - 1, .off = b->used };
	memcpy(b->bytes[b->nr - 1] + b->used, table, len);
	b->used += (len + 7) & ~(size_t)7;
	return 0;
}

uint64_t bins_bytes(const struct bins *b)
{
	return (uint64_t)b->nr * TABLES_BIN_BYTES;
}

void bins_release(struct bins *b)
{
	while (b->nr)
		munmap(b->bytes[--b->nr], TABLES_BIN_BYTES);
}
