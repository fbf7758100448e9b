/* SPDX-License-Identifier: GPL-2.0-only */
/* struct daemon, for the files that daemon.h is made of. */
#ifndef USTACK_USER_DAEMON_INTERNAL_H
#define USTACK_USER_DAEMON_INTERNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "serve/daemon/budget.h"
#include "serve/daemon/config.h"
#include "serve/daemon/cpu_use.h"
#include "serve/daemon/daemon.h"
#include "serve/daemon/front.h"
#include "serve/daemon/keeper.h"
#include "serve/daemon/shared.h"
#include "capture/record/session.h"

struct windows_state;

/**
 * struct daemon - see daemon.h
 * @options: how it was called
 * @cfg: as it was read last
 * @dir: the store's folder
 * @store: where windows go
 * @shared_store: @store_group may read it
 * @store_group: of the first configuration's store.group
 * @keeper: to it
 * @budget: of CPU time
 * @use: when the last window ended
 * @before: the session's, when the last window ended
 * @windows: rules that make a window of what was recorded, and what they remember
 * @thinned: samples that @windows has left out
 * @shared: for the front
 * @state: what was written there last
 * @front: the process that serves and pushes
 * @hup: reads SIGHUP
 * @mask: of signals, before
 * @again: the session ends for another one
 * @started: the session samples
 * @earlier: a configuration that a session has begun with, until one has with @cfg; zeros
 */
struct daemon {
	const struct daemon_options *options;
	struct daemon_config cfg;
	char *dir;
	struct store *store;
	bool shared_store;
	gid_t store_group;
	struct keeper keeper;
	struct budget budget;
	struct cpu_use use;
	struct record_summary before;
	struct windows_state *windows;
	uint64_t thinned;
	struct shared *shared;
	struct shared_state state;
	struct front front;
	int hup;
	sigset_t mask;
	bool again;
	bool started;
	struct daemon_config earlier;
};

/* Reads the configuration again. Return: whether it takes another session. */
bool daemon_reload(struct daemon *d);

/* daemon_windows.c: a session, and what becomes of its windows. */

/* New rules of @cfg, in place of those before if there are such. */
int daemon_rules(struct daemon *d, const struct daemon_config *cfg, struct diag *diag);
/* Return: 0 when it has ended well, and @d->again says whether another one is to follow. */
int daemon_session(struct daemon *d, struct diag *diag);
void daemon_windows_free(struct daemon *d);

#endif /* USTACK_USER_DAEMON_INTERNAL_H */
