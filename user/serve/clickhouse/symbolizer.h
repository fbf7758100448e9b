/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds names to a fleet's database: asks for frames without names, looks them up by the build ids
 * of their files, and inserts the names. Called by the command `ustack symbolizer`.
 *
 * Several symbolizers may work on one database at the same time: they find the same row for a
 * frame, and the server keeps one of equal rows when it merges. A symbolizer that ends in the
 * middle loses nothing but time.
 */
#ifndef USTACK_USER_CLICKHOUSE_SYMBOLIZER_H
#define USTACK_USER_CLICKHOUSE_SYMBOLIZER_H

#include <stdint.h>

#include "serve/clickhouse/client.h"
#include "symbols/symstore/symstore.h"

/* Column rank of rows from a symbolizer, in the table names (Documentation/clickhouse.md). */
#define SYMBOLIZER_RANK 3u
/* A symbolizer has looked, and the file has no name for the address. */
#define SYMBOLIZER_RANK_NONE 0u

/**
 * struct symbolizer_options - what a symbolizer does
 * @from_ns: look up frames of this week and of later ones; since 1970
 * @now_ns: the time now, since 1970
 * @again_ns: time after which a file that was not found is looked for again
 * @batch: number of frames to ask for at once
 * @progress: see symstore_wait(); may be NULL
 * @arg: argument of @progress
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
 * struct symbolizer_done - counts of a pass
 * @frames: frames that were looked up
 * @named: frames that got a name
 * @binaries: files of the frames; a file of several batches counts once in each
 * @missing: files that were not found
 */
struct symbolizer_done {
	uint64_t frames;
	uint64_t named;
	uint64_t binaries;
	uint64_t missing;
};

/**
 * symbolizer_pass() - look up frames until none is left that could get a name
 * @c: the server
 * @store: finds files and their symbols
 * @options: what to do; every field has to be set
 * @ret: gets what was done, also on failure
 * @diag: may be NULL
 *
 * Return: 0; -EINTR if @options->progress or the client was stopped; as clickhouse_select() and
 * clickhouse_insert().
 */
int symbolizer_pass(struct clickhouse *c, struct symstore *store,
		    const struct symbolizer_options *options, struct symbolizer_done *ret,
		    struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_SYMBOLIZER_H */
