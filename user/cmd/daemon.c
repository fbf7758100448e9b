// SPDX-License-Identifier: GPL-2.0-only
/* ustack daemon, also ustackd: profiles the machine until it is told to end. */
#include "cmd.h"

#include <stdio.h>

#include "serve/daemon/config.h"
#include "serve/daemon/daemon.h"
#include "serve/daemon/serving.h"
#include "serve/daemon/log.h"

#include "util/poison.h"

struct daemon_opts {
	const char *config;
	const char *store;
	const char *user;
	struct option_u64 front;
	bool check;
	bool no_front;
	bool verbose;
};

static const struct cmd_usage usage = {
	.command = "ustack daemon",
	.synopsis = "[--config FILE] [--store DIR] [--user USER] [...]\n"
		    "--check-config [--config FILE]",
	.about = "Samples the whole machine until it is stopped, keeps the counts in a store,\n"
		 "shows them on a page, and sends them where the configuration says.",
};

static int check(const struct daemon_opts *o)
{
	const char *path = daemon_config_path(o->config);
	struct daemon_config cfg = { 0 };
	struct diag diag;

	if (config_load(path, &cfg, &diag))
		return cmd_diag(&diag);
	printf("%s: good\n", path ? path : "nothing is configured");
	config_free(&cfg);
	return CMD_OK;
}

int cmd_daemon(int argc, char **argv)
{
	struct daemon_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "config", "FILE", &o.config,
			      "configuration (" DAEMON_CONFIG ")"),
		OPTION_STRING(0, "store", "DIR", &o.store,
			      "the store, instead of that in the configuration"),
		OPTION_STRING(0, "user", "USER", &o.user,
			      "become USER; '' changes nothing"),
		OPTION_FLAG(0, "no-front", &o.no_front,
			    "serve no page and send nothing"),
		OPTION_FLAG(0, "check-config", &o.check,
			    "check the configuration and exit"),
		OPTION_FLAG('v', "verbose", &o.verbose,
			    "report every window and request"),
		OPTION_U64(0, "front", "FD", &o.front, NULL),
		OPTION_END,
	};
	struct daemon_options d;
	struct diag diag;
	int status, err;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	daemon_log_verbose(o.verbose);
	if (o.check)
		return check(&o);
	if (o.front.set) {
		if (!o.store || !o.config || o.front.value > 1024)
			return cmd_bad_usage(&usage, "--front is for the daemon itself");
		err = serving_run(o.config, o.store, (int)o.front.value, &diag);
		return err ? cmd_diag(&diag) : CMD_OK;
	}
	d = (struct daemon_options){
		.config = o.config, .store = o.store, .user = o.user, .no_front = o.no_front,
		.verbose = o.verbose,
	};
	err = daemon_run(&d, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}
