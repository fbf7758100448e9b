/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's sampling process: sessions, one after the other, whose windows go to the
 * store. Documentation/daemon.md says how it is put together.
 */
#ifndef USTACK_USER_DAEMON_H
#define USTACK_USER_DAEMON_H

#include <stdbool.h>

#include "util/diag.h"

#define DAEMON_CONFIG "/etc/ustack/ustackd.yaml"
#define DAEMON_CONFIG_FOLDER "/etc/ustack/conf.d"

/**
 * struct daemon_options - how it was called
 * @config: file; NULL for DAEMON_CONFIG if that is there, else for what is if nothing is said
 * @store: in place of the configuration's, or NULL
 * @user: in place of the configuration's, or NULL; "" is nobody else
 * @no_front: no page, no API, no targets
 * @verbose: LOG_IS_DEBUG is said (log.h), also by the process that serves
 */
struct daemon_options {
	const char *config;
	const char *store;
	const char *user;
	bool no_front;
	bool verbose;
};

/* Return: the file that is read if @config, or NULL, is asked for; NULL if there is none. */
const char *daemon_config_path(const char *config);

/**
 * daemon_run() - be the daemon, until SIGINT or SIGTERM
 * @options: see there
 * @diag: may be NULL
 *
 * It reads its configuration anew at SIGHUP. What it has to say goes to daemon_log(); with
 * @options->verbose the caller has called daemon_log_verbose().
 *
 * Context: the only thread of the process; it drops privileges for good.
 *
 * Return: 0 when it was told to end; a negative errno.
 */
int daemon_run(const struct daemon_options *options, struct diag *diag);

#endif /* USTACK_USER_DAEMON_H */
