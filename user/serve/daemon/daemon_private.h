/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct daemon, the state of the sampling process. Private to daemon.c, daemon_windows.c and
 * serving.c.
 */
#ifndef USTACK_USER_DAEMON_DAEMON_PRIVATE_H
#define USTACK_USER_DAEMON_DAEMON_PRIVATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "serve/daemon/budget.h"
#include "serve/daemon/config.h"
#include "serve/daemon/cpu_use.h"
#include "serve/daemon/daemon.h"
#include "serve/daemon/serving.h"
#include "serve/daemon/window_queue.h"
#include "serve/daemon/shared.h"
#include "capture/record/session.h"

struct windows_state;

/**
 * struct daemon - state of the sampling process
 * @options: options of the command line
 * @cfg: the current configuration
 * @dir: path of the store, owned
 * @store: the store that windows go to
 * @shared_store: @store_group may read the store
 * @store_group: group of the first configuration's store.group
 * @queue: windows that wait for the store
 * @budget: adapts the rate to the budget of CPU time
 * @use: CPU time and memory at the end of the last window
 * @before: the session's summary at the end of the last window
 * @windows: rules that make windows, with their memory from window to window
 * @thinned: number of samples that @windows has left out so far
 * @shared: shared numbers, for the serving process
 * @state: numbers that were written to @shared last
 * @serving: the serving process
 * @hup: descriptor that SIGHUP is read from
 * @mask: signal mask before SIGHUP was blocked
 * @again: the session ends for another one
 * @started: the session has begun to sample
 * @earlier: the last configuration with which a session began to sample, kept until one has begun
 *           with @cfg; else all zero
 */
struct daemon {
	const struct daemon_options *options;
	struct daemon_config cfg;
	char *dir;
	struct store *store;
	bool shared_store;
	gid_t store_group;
	struct window_queue queue;
	struct budget budget;
	struct cpu_use use;
	struct record_summary before;
	struct windows_state *windows;
	uint64_t thinned;
	struct shared *shared;
	struct shared_state state;
	struct serving_process serving;
	int hup;
	sigset_t mask;
	bool again;
	bool started;
	struct daemon_config earlier;
};

/* Loads the configuration again. Return: whether it needs another session. */
bool daemon_reload(struct daemon *d);

/* daemon_windows.c: runs a session, and handles its windows. */

/* Makes rules from @cfg, which replace those before. Return: 0 or a negative errno. */
int daemon_rules(struct daemon *d, const struct daemon_config *cfg, struct diag *diag);
/* Runs a session. Return: 0 if it has ended well; @d->again says whether another one follows. */
int daemon_session(struct daemon *d, struct diag *diag);
void daemon_windows_free(struct daemon *d);

#endif /* USTACK_USER_DAEMON_DAEMON_PRIVATE_H */
