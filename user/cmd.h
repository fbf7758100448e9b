/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands of the program.
 *
 * To add the command "foo":
 *   1. user/cmd/foo.c: int cmd_foo(int argc, char **argv), argv[0] being "foo".
 *      Its options are a struct of its own, its first call is cmd_parse().
 *   2. Declare it below; add it to commands[] in user/main.c, to the group that it
 *      belongs to. user/build.mk finds the file by itself.
 *   3. Documentation/man/ustack-foo.1, and a line in ustack.1. tests/live/cli fails
 *      while page and -h disagree.
 *   4. tests/live/cli/NN-foo.sh. Shells complete its options by themselves: they ask the
 *      program, see CMD_COMPLETE. If an option's value is one of a list of words, its
 *      line of the table has ".word = FUNCTION", and what parses it uses the same list.
 *
 * A command with commands of its own ("ustack foo bar") has a table like main's
 * and calls cmd_dispatch(); bar is user/cmd/foo_bar.c and ustack-foo-bar.1.
 *
 * Results go to stdout, talk to stderr. Commands print; libraries do not.
 */
#ifndef USTACK_USER_CMD_H
#define USTACK_USER_CMD_H

#include "util/diag.h"
#include "util/options.h"

/* Exit status */
#define CMD_OK 0
#define CMD_FAILED 1	/* the work failed, and stderr says why */
#define CMD_USAGE 2	/* the command line is wrong */
#define CMD_DIFFERS 3	/* what was compared differs */

/*
 * As the first argument of the program, of a command or of a table of commands: print what the
 * last argument may become, as options_complete() does. The arguments between them are the
 * words of a command line. The scripts in scripts/completion use it; no help lists it.
 */
#define CMD_COMPLETE "--complete-words"
/* The same, but for names of commands only: the words that may follow "help". */
#define CMD_COMPLETE_NAMES "--complete-names"

/**
 * struct cmd - one line of a table of commands
 * @name: as typed
 * @run: the command; returns an exit status. NULL means a heading, see CMD_HEADING()
 * @summary: one line without a full stop; NULL keeps it out of lists
 */
struct cmd {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

/* A heading in a table, above the commands of one group. */
#define CMD_HEADING(text) { text, NULL, NULL }

/**
 * struct cmd_usage - what -h says in front of the options
 * @command: full name of the command, such as "ustack sframe verify"
 * @synopsis: operands and options, printed after @command; a second form stands on a second
 *            line
 * @about: what the command does, in one or more lines
 */
struct cmd_usage {
	const char *command;
	const char *synopsis;
	const char *about;
};

int cmd_annotate(int argc, char **argv);
int cmd_branches(int argc, char **argv);
int cmd_bsym(int argc, char **argv);
int cmd_bsym_convert(int argc, char **argv);
int cmd_bsym_dump(int argc, char **argv);
int cmd_bsym_lookup(int argc, char **argv);
int cmd_bsym_verify(int argc, char **argv);
int cmd_clickhouse(int argc, char **argv);
int cmd_daemon(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_flame(int argc, char **argv);
int cmd_gsym(int argc, char **argv);
int cmd_gsym_convert(int argc, char **argv);
int cmd_gsym_dump(int argc, char **argv);
int cmd_gsym_info(int argc, char **argv);
int cmd_gsym_lookup(int argc, char **argv);
int cmd_gsym_verify(int argc, char **argv);
int cmd_imagemap(int argc, char **argv);
int cmd_imagemap_decode(int argc, char **argv);
int cmd_imagemap_encode(int argc, char **argv);
int cmd_imagemap_show(int argc, char **argv);
int cmd_images(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_macho(int argc, char **argv);
int cmd_macho_convert(int argc, char **argv);
int cmd_macho_dump(int argc, char **argv);
int cmd_macho_lookup(int argc, char **argv);
int cmd_macho_unwind(int argc, char **argv);
int cmd_prebuild(int argc, char **argv);
int cmd_prepare(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_sframe(int argc, char **argv);
int cmd_sframe_compare(int argc, char **argv);
int cmd_sframe_coverage(int argc, char **argv);
int cmd_sframe_dump(int argc, char **argv);
int cmd_sframe_synth(int argc, char **argv);
int cmd_sframe_verify(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_supply(int argc, char **argv);
int cmd_symbolize(int argc, char **argv);
int cmd_symbolizer(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* Returned by cmd_parse(): the command is to go on. This is not an exit status. */
#define CMD_RUN (-1)

/**
 * cmd_parse() - read a command's options
 * @usage: the command's text for -h
 * @specs: the options
 * @argc: in: number of @argv, with the command's name; out: number of operands
 * @argv: in: the command's name and its arguments; out: the operands
 *
 * Return: CMD_RUN, or the status to exit with; all messages have been printed then.
 */
int cmd_parse(const struct cmd_usage *usage, const struct option_spec *specs,
	      int *argc, char ***argv);

/* Like cmd_parse(), with OPTIONS_* flags in @flags. */
int cmd_parse_flags(const struct cmd_usage *usage,
		    const struct option_spec *specs, unsigned int flags,
		    int *argc, char ***argv);

/* Prints what is wrong with the command line, and where help is. Return: CMD_USAGE. */
__attribute__((__format__(__printf__, 2, 3)))
int cmd_bad_usage(const struct cmd_usage *usage, const char *fmt, ...);

/* Prints why the command failed. Return: CMD_FAILED. */
int cmd_diag(const struct diag *diag);

/**
 * cmd_dispatch() - run a command of a table
 * @prefix: name of the table, such as "ustack"
 * @table: the commands; the last entry has a NULL name
 * @argc: number of entries of @argv
 * @argv: the command's name and its arguments; without any, the usage is wrong; -h lists the
 *        table
 *
 * Return: exit status.
 */
int cmd_dispatch(const char *prefix, const struct cmd *table, int argc,
		 char **argv);

#endif /* USTACK_USER_CMD_H */
