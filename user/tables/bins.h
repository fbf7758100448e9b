/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/tables: memory of the kernel that tables are in, shared with the programs. A
 * bin is made when a table does not fit into those that are there; bytes are written once.
 */
#ifndef USTACK_USER_TABLES_BINS_H
#define USTACK_USER_TABLES_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "tables.h"

/**
 * struct bins - those that are there
 * @outer: descriptor of the programs' map of bins; not owned
 * @bytes: the mapped ones
 * @nr: of @bytes
 * @max: that there may be
 * @used: bytes of the last one
 */
struct bins {
	int outer;
	uint8_t *bytes[TABLES_BINS];
	unsigned int nr;
	unsigned int max;
	size_t used;
};

/**
 * struct bins_place - where a table is
 * @bin: its bin's number
 * @off: its offset in there, a multiple of 8
 */
struct bins_place {
	uint32_t bin;
	uint64_t off;
};

/**
 * bins_put() - put a table where programs can read it
 * @b: the bins
 * @table: copied
 * @len: its bytes
 * @ret: on 0
 *
 * Return: 0; -EFBIG if it is larger than a bin; -ENOSPC if no more bins may be made; another
 * negative errno of making one.
 */
int bins_put(struct bins *b, const void *table, size_t len, struct bins_place *ret);

/* Memory that they take. */
uint64_t bins_bytes(const struct bins *b);

/* Lets go of them; programs keep what they use. */
void bins_release(struct bins *b);

#endif /* USTACK_USER_TABLES_BINS_H */
