// SPDX-License-Identifier: GPL-2.0-only
/* ustack prepare: lets the module learn processes before they are sampled. */
#include "cmd.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "host/module/module.h"
#include "util/cleanup.h"

#include "util/poison.h"

static bool parse_pid(const char *s, int *ret)
{
	uint64_t v;

	if (!option_parse_u64(s, &v) || v < 1 || v > INT_MAX)
		return false;
	*ret = (int)v;
	return true;
}

static int prepare(const struct module *m, int pid, struct diag *diag)
{
	struct ustack_prepare result;
	int err;

	err = module_prepare(m, pid, &result, diag);
	if (!err)
		printf("%d: %u executable mappings, %u with a table\n", pid,
		       result.mappings, result.tables);
	return err;
}

/* Return: false for kernel threads and zombies, which have no program to learn. */
static bool has_program(int pid)
{
	char path[32], target[1];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return readlink(path, target, sizeof(target)) >= 0 || errno != ENOENT;
}

/*
 * A process that ends meanwhile is no failure. A failure with one process does not keep the
 * others from being prepared.
 */
static int prepare_all(const struct module *m)
{
	_cleanup_(cleanup_dir) DIR *proc = opendir("/proc");
	int pid, err, status = CMD_OK;
	struct dirent *entry;
	struct diag diag;

	if (!proc) {
		diag_errno(&diag, errno, "/proc");
		return cmd_diag(&diag);
	}
	while ((entry = readdir(proc))) {
		if (!parse_pid(entry->d_name, &pid) || !has_program(pid))
			continue;
		err = prepare(m, pid, &diag);
		if (err && err != -ESRCH)
			status = cmd_diag(&diag);
		if (err == -EPERM || err == -ENOTTY)
			break;
	}
	return status;
}

/* Tries all of them, and reports each failure. */
static int prepare_each(const struct module *m, int argc, char **argv)
{
	int i, pid = 0, status = CMD_OK;
	struct diag diag;

	for (i = 0; i < argc; i++) {
		/* cmd_prepare() has checked that all are numbers */
		parse_pid(argv[i], &pid);
		if (prepare(m, pid, &diag))
			status = cmd_diag(&diag);
	}
	return status;
}

int cmd_prepare(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack prepare",
		.synopsis = "PID...\n--all",
		.about = "Lets the module learn processes now, so that their first sample is\n"
			 "complete.",
	};
	bool all = false;
	const struct option_spec specs[] = {
		OPTION_FLAG(0, "all", &all, "all processes"),
		OPTION_END,
	};
	_cleanup_(module_release) struct module m = MODULE_INIT;
	struct diag diag;
	int i, pid, status;

	status = cmd_parse(&usage, specs, &argc, &argv);
	if (status != CMD_RUN)
		return status;
	if (all ? argc : !argc)
		return cmd_bad_usage(&usage, "takes either PIDs or --all");
	for (i = 0; i < argc; i++)
		if (!parse_pid(argv[i], &pid))
			return cmd_bad_usage(&usage, "'%s' is not a PID", argv[i]);
	if (module_open(&m, &diag))
		return cmd_diag(&diag);
	return all ? prepare_all(&m) : prepare_each(&m, argc, argv);
}
