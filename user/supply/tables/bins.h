/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: memory of the kernel that tables are in, shared with the programs. A
 * bin is made when a table does not fit into those that are there. Tables are put one behind the
 * other; a bin is used anew when none of its tables is left.
 */
#ifndef USTACK_USER_TABLES_BINS_H
#define USTACK_USER_TABLES_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "tables.h"

/**
 * struct bin - one of them
 * @fd: its map
 * @bytes: mapped
 * @used: of them, from the start
 * @live: of these, tables that are not dropped
 */
struct bin {
	int fd;
	uint8_t *bytes;
	size_t used;
	size_t live;
};

/**
 * struct bins - those that are there
 * @outer: descriptor of the programs' map of bins; not owned
 * @bin: of them
 * @nr: of @bin
 * @max: that there may be, beside the spare one
 * @spare: number of the one that tables are moved to; BINS_NONE until there is one
 */
struct bins {
	int outer;
	struct bin bin[TABLES_BINS];
	unsigned int nr;
	unsigned int max;
	unsigned int spare;
};

#define BINS_NONE (~0u)

/* Makes the first one. Return: 0 or a negative errno. */
int bins_open(struct bins *b, int outer, unsigned int max);

/**
 * bins_put() - put a table where programs can read it
 * @b: the bins
 * @table: copied
 * @len: its bytes
 * @ret: struct tables_image.place, on 0
 *
 * Return: 0; -EFBIG if it is larger than a bin; -ENOSPC if there is no room; another negative
 * errno of making a bin.
 */
int bins_put(struct bins *b, const void *table, size_t len, uint64_t *ret);

/**
 * bins_move_begin() - choose a bin to be emptied
 * @b: the bins
 *
 * Return: its number, the one with the most bytes that nobody uses; BINS_NONE if there are none, or
 * no memory for a spare bin.
 */
unsigned int bins_move_begin(struct bins *b);

/* Copies a table to the spare bin. Return: its place there; the old one stays as it is. */
uint64_t bins_move(struct bins *b, uint64_t place, size_t len);

/* All tables of @from have been moved, and no program can read the old places: it is spare. */
void bins_move_end(struct bins *b, unsigned int from);

/* The bytes at a place. */
const void *bins_at(const struct bins *b, uint64_t place);

/* A table is not needed any more; no program can read it (bins_wait()). */
void bins_drop(struct bins *b, uint64_t place, size_t len);

/* Waits until every program has ended that runs now. Return: 0 or a negative errno. */
int bins_wait(const struct bins *b);

/* Memory that they take. */
uint64_t bins_bytes(const struct bins *b);

/* Lets go of them; programs keep what they use. */
void bins_release(struct bins *b);

#endif /* USTACK_USER_TABLES_BINS_H */
