// SPDX-License-Identifier: GPL-2.0-only
/* The program: its table of commands, and the state it must not inherit from its parent. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

#include "util/poison.h"

static int cmd_help(int argc, char **argv);

static const struct cmd commands[] = {
	CMD_HEADING("Record stacks, and look at them"),
	{ "record", cmd_record, "sample stacks and write a profile" },
	{ "report", cmd_report, "show a profile, on the terminal or as text" },
	{ "annotate", cmd_annotate, "show where in a function samples were taken" },
	{ "flame", cmd_flame, "write a profile as a page with its flame graph" },
	{ "top", cmd_top, "show what runs now, every second" },
	{ "diff", cmd_diff, "show what has changed between two profiles" },
	{ "export", cmd_export, "write a profile in the form of another tool" },
	{ "branches", cmd_branches, "write recorded branches for AutoFDO and BOLT" },
	{ "symbolize", cmd_symbolize, "give a profile's functions their names" },
	CMD_HEADING("Profile machines for ever"),
	{ "daemon", cmd_daemon, "profile the machine for ever" },
	{ "query", cmd_query, "show what ustackd has recorded" },
	{ "clickhouse", cmd_clickhouse, "print or make the tables of a fleet's ClickHouse" },
	{ "symbolizer", cmd_symbolizer, "name the functions of a fleet's ClickHouse" },
	CMD_HEADING("The machine, the module and its unwind tables"),
	{ "doctor", cmd_doctor, "say what is in the way of profiling, and what fixes it" },
	{ "stat", cmd_stat, "show what the module did, and why stacks ended" },
	{ "supply", cmd_supply, "make unwind tables for what has none" },
	{ "prebuild", cmd_prebuild, "make unwind tables ahead, for supply" },
	{ "prepare", cmd_prepare, "let the module learn processes now" },
	{ "images", cmd_images, "list the images that the module knows" },
	{ "events", cmd_events, "list the images that have no unwind table" },
	{ "load", cmd_load, "give the module an unwind table for a file" },
	CMD_HEADING("Files of unwind tables and symbols"),
	{ "sframe", cmd_sframe, "make, verify and show SFrame sections" },
	{ "gsym", cmd_gsym, "make GSYM files, show them, and look up addresses" },
	{ "bsym", cmd_bsym, "make BSYM files, show them, and look up addresses" },
	{ "macho", cmd_macho, "compact unwinding of Mach-O files, and stacks walked by it" },
	{ "imagemap", cmd_imagemap, "say which image was where in a process, in little room" },
	CMD_HEADING("This program"),
	{ "help", cmd_help, "list the commands, or say more about one" },
	{ "version", cmd_version, "print the program's version" },
	{ NULL, NULL, NULL },
};

/* "help A B" means "A B -h"; "help" alone means "-h". */
static int cmd_help(int argc, char **argv)
{
	char dash_h[] = "-h", names[] = CMD_COMPLETE_NAMES;
	char **args;
	int status;

	if (argc > 1 && !strcmp(argv[1], CMD_COMPLETE)) {
		argv[1] = names;
		return cmd_dispatch("ustack", commands, argc - 1, argv + 1);
	}
	if (argc == 2 && argv[1][0] == '-')
		argc = 1;
	if (argc == 2 && !strcmp(argv[1], "help"))
		argc = 1;
	args = calloc((size_t)argc + 1, sizeof(*args));
	if (!args)
		return CMD_FAILED;
	memcpy(args, argv + 1, (size_t)(argc - 1) * sizeof(*args));
	args[argc - 1] = dash_h;
	status = cmd_dispatch("ustack", commands, argc, args);
	free(args);
	return status;
}

/*
 * Fills closed standard descriptors. Otherwise a file that is opened could get such a number:
 * output would go to it, and work in a jail would not have it (user/host/jail). Using the
 * descriptor still fails.
 */
static void occupy_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}

/* Closes stdout and checks it: a full disk must not look like success. */
static int close_stdout(int status)
{
	int bad = ferror(stdout);

	if (!fclose(stdout) && !bad)
		return status;
	fprintf(stderr, "ustack: stdout: %s\n",
		errno ? strerror(errno) : "write error");
	return status ? status : CMD_FAILED;
}

/* Called by its other name, the program is one command: ustackd is ustack daemon. */
static bool is_daemon(const char *name)
{
	const char *slash = name ? strrchr(name, '/') : NULL;

	return name && !strcmp(slash ? slash + 1 : name, "ustackd");
}

static bool asks_version(int argc, char **argv)
{
	return argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"));
}

int main(int argc, char **argv)
{
	char version[] = "version";

	occupy_standard();
	/* a parent may ignore it; then this process could not wait for its children */
	signal(SIGCHLD, SIG_DFL);
	if (asks_version(argc, argv))
		argv[1] = version;
	else if (argc && is_daemon(argv[0]) && (argc < 2 || strcmp(argv[1], "daemon") != 0)) {
		argv[0] = "daemon";
		return close_stdout(cmd_dispatch("ustack", commands, argc, argv));
	}
	return close_stdout(cmd_dispatch("ustack", commands,
					 argc > 1 ? argc - 1 : 0, argv + 1));
}
