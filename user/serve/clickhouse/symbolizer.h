/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for a fleet's database: frames that have none are asked for, looked up by the build
 * ids of their files, and their names put back.
 *
 * Several may work on one database at once: what two of them find of a frame is the same row,
 * which the server has once when it has merged. One that ends in the middle has lost nothing
 * but time.
 */
#ifndef USTACK_USER_CLICKHOUSE_SYMBOLIZER_H
#define USTACK_USER_CLICKHOUSE_SYMBOLIZER_H

#include <stdint.h>

#include "serve/clickhouse/client.h"
#include "symbols/symstore/symstore.h"

/* Of rows in the table of names (Documentation/clickhouse.md). */
#define SYMBOLIZER_RANK 3u
/* Somebody has looked, and the file says nothing of the address. */
#define SYMBOLIZER_RANK_NONE 0u

/**
 * struct symbolizer_options - what is done
 * @from_ns: frames of weeks since then
 * @now_ns: since 1970
 * @again_ns: a file that was not found is looked for again after so long
 * @batch: frames that are asked for at a time
 * @progress: see symstore_wait(); may be NULL
 * @arg: for @progress
 */
struct symbolizer_options {
	uint64_t from_ns;
	uint64_t now_ns;
	uint64_t again_ns;
	uint32_t batch;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/**
 * struct symbolizer_done - what came of it
 * @frames: that were looked at
 * @named: of them, by now
 * @binaries: files that they are in; one that is in several batches is counted in each
 * @missing: of these, not found
 */
struct symbolizer_done {
	uint64_t frames;
	uint64_t named;
	uint64_t binaries;
	uint64_t missing;
};

/**
 * symbolizer_pass() - until nothing is left that could have names
 * @c: the server
 * @store: finds the files
 * @options: all of it
 * @ret: what was done, also on failure
 * @diag: may be NULL
 *
 * Return: 0; -EINTR if @options->progress or the client was stopped; as clickhouse_select() and
 * clickhouse_insert().
 */
int symbolizer_pass(struct clickhouse *c, struct symstore *store,
		    const struct symbolizer_options *options, struct symbolizer_done *ret,
		    struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_SYMBOLIZER_H */
