/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sampling process tells the one that serves: numbers in shared memory, written
 * once a window, read at any time. The reader has no right to write them.
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
 * struct shared_state - numbers, since the process began unless it says otherwise
 * @pid: of the sampling process
 * @began_ns: since 1970
 * @window_at_ns: beginning of the last window, since 1970
 * @window_ns: length of windows now
 * @source: what takes stacks
 * @hz: now
 * @most_hz: that was asked for
 * @budget: share of all CPUs that may be used, in parts of a million; 0 is no limit
 * @used: share that the last window took
 * @lowered: times that the budget lowered the rate
 * @raised: and raised it
 * @windows: that were stored
 * @waiting: windows that wait for the store
 * @dropped: windows that waited too long
 * @failures: of writing
 * @samples: counted
 * @left_out: samples that relabelling dropped
 * @match_failures: of relabelling: expressions that took too long
 * @thinned: samples that thinning left out
 * @mmaps_lost: see struct record_summary
 * @sessions: that were begun
 * @outcomes: samples by what became of their stack
 * @nr_outcomes: of them
 * @losses: samples that are in no window, by cause
 * @nr_losses: of them
 * @use: CPU time and memory of the sampling process
 * @module: whether the module's numbers are there
 * @table_bytes: of the module's tables
 * @tables: number
 * @own_table_bytes: of tables of the sampling process's, where it unwinds copied stacks
 * @own_tables: number
 * @store: the store's
 * @end: position behind the last window
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

/* The writer's. @ret is released by shared_free(). Return: 0 or a negative errno. */
int shared_new(struct shared **ret, struct diag *diag);

/* Another process's, by a descriptor that it was given (shared_fd()); read only. */
int shared_attach(int fd, struct shared **ret, struct diag *diag);

/* A descriptor through which it can be read and not written; -1 if there is none. */
int shared_fd(const struct shared *s);

/* Tell all of it. */
void shared_write(struct shared *s, const struct shared_state *state);

/* All of one moment. Return: 0; -EAGAIN if the writer has died in the middle of it. */
int shared_read(const struct shared *s, struct shared_state *ret);

void shared_free(struct shared *s);

/* Adds to the number of that name; what does not fit any more goes to "other". */
void shared_count(struct shared_count *counts, uint32_t *nr, uint32_t max, const char *name,
		  uint64_t value);

#endif /* USTACK_USER_DAEMON_SHARED_H */
