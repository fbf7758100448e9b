/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that serves the page and pushes windows. It reads the store and the shared numbers,
 * and has no capability. Data from the network is parsed in this process and nowhere else. It is
 * executed as a program of its own (ustack daemon --front), so that nothing of the sampling process
 * is in its memory.
 */
#ifndef USTACK_USER_DAEMON_SERVING_H
#define USTACK_USER_DAEMON_SERVING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "serve/daemon/shared.h"
#include "util/diag.h"

/**
 * struct serving_process - the serving process from its parent's view
 * @pid: process id; 0 if it does not run
 * @config: descriptor of the configuration's packed files
 * @store: path of the store; borrowed
 * @shared: shared numbers; borrowed
 * @mask: signal mask that the process gets
 * @wanted: the process should run
 * @verbose: the process prints LOG_IS_DEBUG messages
 * @began: when it was started last, CLOCK_MONOTONIC, ns
 * @failures: how often in a row it ended without being asked to
 */
struct serving_process {
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

#define SERVING_INIT { .config = -1 }

/**
 * serving_configure() - set the configuration for the next start of the process
 * @f: SERVING_INIT, or configured already
 * @bytes: the packed files of the configuration. The process gets them from its parent, because
 *         the files may have changed since, or it may not be allowed to read them
 * @len: length of @bytes
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; after an error the previous configuration stays.
 */
int serving_configure(struct serving_process *f, const char *bytes, size_t len, struct diag *diag);

/**
 * serving_start() - start the serving process
 * @f: configured, with @mask and @verbose set
 * @store: path of the store; borrowed until serving_stop()
 * @shared: shared numbers; borrowed until serving_stop()
 * @diag: may be NULL
 *
 * The process logs its own errors. Sampling goes on even if, for example, an address is in use.
 *
 * Return: 0 or a negative errno.
 */
int serving_start(struct serving_process *f, const char *store, const struct shared *shared,
		  struct diag *diag);

/* Starts the process again if it has died, after a longer time with each failure. To be called once
 * for each window.
 */
void serving_look(struct serving_process *f);

/* Ends the process, and starts another one with the last configuration. */
void serving_restart(struct serving_process *f);

/* Ends the process within a few seconds, and releases what @f holds. */
void serving_stop(struct serving_process *f);

/**
 * serving_run() - the main function of the serving process; runs until SIGTERM or its parent's end
 * @config: path of the configuration's packed files
 * @store: path of the store
 * @fd: descriptor of the shared numbers
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int serving_run(const char *config, const char *store, int fd, struct diag *diag);

#endif /* USTACK_USER_DAEMON_SERVING_H */
