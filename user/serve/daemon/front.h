/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that serves the page and pushes windows. It reads the store and shared
 * numbers, and has no capability: what the net sends is parsed here and nowhere else. It
 * is a program of its own (ustack daemon --front) so that nothing of the sampling process
 * is in its memory.
 */
#ifndef USTACK_USER_DAEMON_FRONT_H
#define USTACK_USER_DAEMON_FRONT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "serve/daemon/shared.h"
#include "util/diag.h"

/**
 * struct front - the process, as its parent has it
 * @pid: 0 if it does not run
 * @config: descriptor of the configuration's packed files
 * @store: path
 * @shared: numbers
 * @mask: of signals, that it has
 * @wanted: it should run
 * @verbose: it is to say what it does
 * @began: when it was started last, CLOCK_MONOTONIC, ns
 * @failures: ends that nobody asked for, one after the other
 */
struct front {
	pid_t pid;
	int config;
	const char *store;
	const struct shared *shared;
	sigset_t mask;
	bool wanted;
	bool verbose;
	uint64_t began;
	unsigned int failures;
};

#define FRONT_INIT { .config = -1 }

/**
 * front_configure() - what it is to do from its next start on
 * @f: FRONT_INIT or any
 * @bytes: of the configuration, @len of them. It has them from its parent: what is in the file
 *         may hold no more, or not be for its eyes
 * @len: any
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; what was before stays then.
 */
int front_configure(struct front *f, const char *bytes, size_t len, struct diag *diag);

/**
 * front_start() - start it
 * @f: configured, with @mask and @verbose set
 * @store: folder; borrowed until front_stop()
 * @shared: numbers; borrowed
 * @diag: may be NULL
 *
 * It says what goes wrong from there on by itself: an address that is in use is no reason
 * to sample less.
 *
 * Return: 0 or a negative errno.
 */
int front_start(struct front *f, const char *store, const struct shared *shared,
		struct diag *diag);

/* To be called once a window: starts it again if it has died, later each time. */
void front_look(struct front *f);

/* Another process begins with what it was configured with last. */
void front_restart(struct front *f);

/* Ends it, in a few seconds at most, and releases what @f holds. */
void front_stop(struct front *f);

/**
 * front_run() - be it, until SIGTERM or the parent's end
 * @config: path of the configuration's packed files
 * @store: as above
 * @fd: of the shared numbers
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int front_run(const char *config, const char *store, int fd, struct diag *diag);

#endif /* USTACK_USER_DAEMON_FRONT_H */
