// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code that all commands share: help, error messages and tables of commands. main() and the
 * commands call it.
 */
#include "cmd.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/suggest.h"

#include "util/poison.h"

static void print_help(const struct cmd_usage *usage,
		       const struct option_spec *specs)
{
	const char *line = usage->synopsis, *end;
	const char *lead = "usage:";

	do {
		end = strchrnul(line, '\n');
		printf("%s %s %.*s\n", lead, usage->command, (int)(end - line),
		       line);
		lead = "   or:";
		line = end + 1;
	} while (*end);
	printf("\n%s\n\n", usage->about);
	options_help(specs, stdout);
}

int cmd_bad_usage(const struct cmd_usage *usage, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", usage->command);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\ntry '%s -h'\n", usage->command);
	return CMD_USAGE;
}

static bool is_completion(const char *word)
{
	return !strcmp(word, CMD_COMPLETE) || !strcmp(word, CMD_COMPLETE_NAMES);
}

int cmd_parse_flags(const struct cmd_usage *usage,
		    const struct option_spec *specs, unsigned int flags,
		    int *argc, char ***argv)
{
	struct diag diag;
	int ret;

	*argv += 1;
	*argc -= 1;
	if (*argc && is_completion((*argv)[0])) {
		if (*argc > 1 && !strcmp((*argv)[0], CMD_COMPLETE))
			options_complete(specs, flags, usage->synopsis, *argc - 1, *argv + 1, stdout);
		return CMD_OK;
	}
	ret = options_parse(specs, flags, argc, *argv, &diag);
	if (ret == OPTIONS_HELP) {
		print_help(usage, specs);
		return CMD_OK;
	}
	if (ret)
		return cmd_bad_usage(usage, "%s", diag.text);
	return CMD_RUN;
}

int cmd_parse(const struct cmd_usage *usage, const struct option_spec *specs,
	      int *argc, char ***argv)
{
	return cmd_parse_flags(usage, specs, 0, argc, argv);
}

int cmd_diag(const struct diag *diag)
{
	char text[sizeof(diag->text) + 4200];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "ustack: %s\n", text);
	return CMD_FAILED;
}

static void list(const char *prefix, const struct cmd *table, FILE *out)
{
	unsigned int headings = 0;

	fprintf(out, "usage: %s COMMAND [ARGUMENT...]\n\n", prefix);
	for (; table->name; table++) {
		if (!table->run)
			fprintf(out, "%s%s:\n", headings++ ? "\n" : "", table->name);
		if (table->summary)
			fprintf(out, "    %-10s %s\n", table->name,
				table->summary);
	}
	fprintf(out, "\n'%s COMMAND -h' says more about one.\n", prefix);
}

static const struct cmd *find(const struct cmd *table, const char *name)
{
	for (; table->name; table++)
		if (table->run && !strcmp(table->name, name))
			return table;
	return NULL;
}

/*
 * @argv: CMD_COMPLETE or CMD_COMPLETE_NAMES, followed by the words of a command line, beginning
 *        with the name of a command of @table; the last word is to be completed
 */
static int complete(const struct cmd *table, int argc, char **argv)
{
	const struct cmd *cmd;

	if (argc > 2) {
		cmd = find(table, argv[1]);
		if (!cmd)
			return CMD_OK;
		argv[1] = argv[0];
		argv[0] = (char *)cmd->name;
		return cmd->run(argc, argv);
	}
	for (; argc > 1 && table->name; table++)
		if (table->summary && !strncmp(table->name, argv[1], strlen(argv[1])))
			printf("%s\t%s\n", table->name, table->summary);
	return CMD_OK;
}

static int refuse(const char *prefix, const struct cmd *table, const char *name)
{
	struct suggestion s;

	suggestion_init(&s, name, strlen(name));
	for (; table->name; table++)
		if (table->summary)
			suggestion_try(&s, table->name);
	fprintf(stderr, "%s: '%s' is not a command", prefix, name);
	if (s.best)
		fprintf(stderr, "; did you mean '%s'?", s.best);
	fprintf(stderr, "\ntry '%s -h'\n", prefix);
	return CMD_USAGE;
}

int cmd_dispatch(const char *prefix, const struct cmd *table, int argc,
		 char **argv)
{
	const struct cmd *cmd;

	if (!argc) {
		list(prefix, table, stderr);
		return CMD_USAGE;
	}
	if (!strcmp(argv[0], "-h") || !strcmp(argv[0], "--help")) {
		list(prefix, table, stdout);
		return CMD_OK;
	}
	if (is_completion(argv[0]))
		return complete(table, argc, argv);
	cmd = find(table, argv[0]);
	return cmd ? cmd->run(argc, argv) : refuse(prefix, table, argv[0]);
}
