/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's sampling process. It runs one session after the other and puts their windows into
 * the store. Documentation/daemon.md explains its structure.
 */
#ifndef USTACK_USER_DAEMON_H
#define USTACK_USER_DAEMON_H

#include <stdbool.h>

#include "util/diag.h"

#define DAEMON_CONFIG "/etc/ustack/ustackd.yaml"
#define DAEMON_CONFIG_FOLDER "/etc/ustack/conf.d"

/**
 * struct daemon_options - options of the command line
 * @config: path of the configuration; NULL for DAEMON_CONFIG or, if that does not exist, for the
 *          defaults
 * @store: path of the store instead of the configured one, or NULL
 * @user: user to run as instead of the configured one, or NULL; "" stays the current user
 * @no_front: start no serving process: no page, no API, no push
 * @verbose: print LOG_IS_DEBUG messages (log.h), in the serving process as well
 */
struct daemon_options {
	const char *config;
	const char *store;
	const char *user;
	bool no_front;
	bool verbose;
};

/* Return: the configuration file that is read for option @config, which may be NULL; NULL if
 * defaults are used.
 */
const char *daemon_config_path(const char *config);

/**
 * daemon_run() - run the daemon until SIGINT or SIGTERM
 * @options: options of the command line
 * @diag: may be NULL
 *
 * SIGHUP makes it load its configuration again. Messages go to daemon_log(); for
 * @options->verbose the caller has called daemon_log_verbose() before.
 *
 * Context: the only thread of the process; it drops privileges for good.
 *
 * Return: 0 after a signal to end; a negative errno.
 */
int daemon_run(const struct daemon_options *options, struct diag *diag);

#endif /* USTACK_USER_DAEMON_H */
