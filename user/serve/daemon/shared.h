/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in shared memory that the sampling process writes once for each window and the serving
 * process reads at any time. The reader cannot write them.
 */
#ifndef USTACK_USER_DAEMON_SHARED_H
#define USTACK_USER_DAEMON_SHARED_H

#include <stdint.h>

#include "serve/daemon/cpu_use.h"
#include "capture/record/source.h"
#include "serve/store/store.h"
#include "util/diag.h"

#define SHARED_NAME 40u
#define SHARED_MAX_OUTCOMES 48u

/* A number with a name. */
struct shared_count {
	char name[SHARED_NAME];
	uint64_t value;
};

/**
 * struct shared_state - numbers; counts begin with the sampling process
 * @pid: process id of the sampling process
 * @began_ns: when it began, nanoseconds since 1970
 * @window_at_ns: beginning of the last window, nanoseconds since 1970
 * @window_ns: length of windows now
 * @source: name of what takes stacks
 * @hz: sampling rate now
 * @most_hz: configured sampling rate
 * @budget: share of all CPUs' time that may be used, in parts of a million; 0 means no limit
 * @used: share that the last window took
 * @lowered: how often the budget lowered the rate
 * @raised: how often the budget raised the rate
 * @windows: number of windows that were stored
 * @waiting: number of windows that wait for the store
 * @dropped: number of windows that were lost before they could be stored
 * @failures: number of writes to the store that failed
 * @samples: number of samples
 * @left_out: number of samples that relabelling dropped
 * @match_failures: number of matches of relabelling that exceeded a limit
 * @thinned: number of samples that thinning left out
 * @mmaps_lost: see struct record_summary
 * @sessions: number of sessions that were begun
 * @outcomes: number of samples by how their stacks ended
 * @nr_outcomes: number of entries in @outcomes
 * @losses: number of samples that are in no window, by cause
 * @nr_losses: number of entries in @losses
 * @use: CPU time and memory of the sampling process
 * @module: whether the kernel module has answered; else the next two mean nothing
 * @table_bytes: bytes of the module's tables
 * @tables: number of the module's tables
 * @own_table_bytes: bytes of the sampling process's own tables, which unwind copied stacks
 * @own_tables: number of these tables
 * @store: counts of the store
 * @end: position after the last window
 */
struct shared_state {
	uint32_t pid;
	uint64_t began_ns;
	uint64_t window_at_ns;
	uint64_t window_ns;
	char source[SHARED_NAME];
	uint64_t hz;
	uint64_t most_hz;
	uint64_t budget;
	uint64_t used;
	uint64_t lowered;
	uint64_t raised;
	uint64_t windows;
	uint64_t waiting;
	uint64_t dropped;
	uint64_t failures;
	uint64_t samples;
	uint64_t left_out;
	uint64_t match_failures;
	uint64_t thinned;
	uint64_t mmaps_lost;
	uint64_t sessions;
	struct shared_count outcomes[SHARED_MAX_OUTCOMES];
	uint32_t nr_outcomes;
	struct shared_count losses[RECORD_MAX_LOSSES];
	uint32_t nr_losses;
	struct cpu_use use;
	uint32_t module;
	uint64_t table_bytes;
	uint64_t tables;
	uint64_t own_table_bytes;
	uint64_t own_tables;
	struct store_info store;
	struct store_position end;
};

struct shared;

/* Makes the shared memory, for the writer. @ret is released by shared_free(). Return: 0 or a
 * negative errno.
 */
int shared_new(struct shared **ret, struct diag *diag);

/*
 * Opens another process's numbers for reading, by the descriptor of shared_fd(). Return: as above.
 */
int shared_attach(int fd, struct shared **ret, struct diag *diag);

/* Return: a descriptor for reading only, which @s owns; -1 if there is none. */
int shared_fd(const struct shared *s);

/* Writes all numbers. */
void shared_write(struct shared *s, const struct shared_state *state);

/* Reads all numbers of one moment. Return: 0; -EAGAIN if the writer has died while writing. */
int shared_read(const struct shared *s, struct shared_state *ret);

void shared_free(struct shared *s);

/* Adds to the count of that name. When @counts is full, new names are counted as "other". */
void shared_count(struct shared_count *counts, uint32_t *nr, uint32_t max, const char *name,
		  uint64_t value);

#endif /* USTACK_USER_DAEMON_SHARED_H */
