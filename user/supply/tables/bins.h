/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: kernel memory for tables, shared with the BPF programs. A new bin
 * is made when a table fits into none of the present ones. Tables are put one after the other; a
 * bin is used from its start again when none of its tables is left.
 */
#ifndef USTACK_USER_TABLES_BINS_H
#define USTACK_USER_TABLES_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "tables.h"

/**
 * struct bin - a BPF array that holds tables
 * @fd: descriptor of the array
 * @bytes: the array's value, mapped
 * @used: number of bytes in use or dropped, from the start
 * @live: number of bytes in tables that are not dropped
 */
struct bin {
	int fd;
	uint8_t *bytes;
	size_t used;
	size_t live;
};

/**
 * struct bins - all bins
 * @outer: descriptor of the programs' map of bins; not owned
 * @bin: the bins
 * @nr: number of @bin
 * @max: most bins that may be in use; the spare one does not count
 * @spare: index of the bin that tables are moved to; BINS_NONE if there is none
 */
struct bins {
	int outer;
	struct bin bin[TABLES_BINS];
	unsigned int nr;
	unsigned int max;
	unsigned int spare;
};

#define BINS_NONE (~0u)

/* Makes the first bin. Return: 0 or a negative errno. */
int bins_open(struct bins *b, int outer, unsigned int max);

/**
 * bins_put() - copy a table to where programs can read it
 * @b: the bins
 * @table: the table, copied
 * @len: number of bytes
 * @ret: receives struct tables_image.place if 0 is returned
 *
 * Return: 0; -EFBIG if it is larger than a bin; -ENOSPC if there is no room; another negative
 * errno if a bin cannot be made.
 */
int bins_put(struct bins *b, const void *table, size_t len, uint64_t *ret);

/**
 * bins_move_begin() - choose a bin whose tables should be moved
 * @b: the bins
 *
 * Return: index of the bin with the most dropped bytes; BINS_NONE if no bin has any, or if there
 * is no memory for a spare bin.
 */
unsigned int bins_move_begin(struct bins *b);

/* Copies a table to the spare bin. Return: its place there; the old one stays as it is. */
uint64_t bins_move(struct bins *b, uint64_t place, size_t len);

/* All tables of @from were moved, and no program can read the old places: it becomes the spare. */
void bins_move_end(struct bins *b, unsigned int from);

/* Drops a table that no program can read any more (bins_wait()). */
void bins_drop(struct bins *b, uint64_t place, size_t len);

/* Waits until every program that runs now has ended. Return: 0 or a negative errno. */
int bins_wait(const struct bins *b);

/* Bytes of kernel memory that all bins take. */
uint64_t bins_bytes(const struct bins *b);

/* Closes all bins; programs that run keep the ones that they use. */
void bins_release(struct bins *b);

#endif /* USTACK_USER_TABLES_BINS_H */
