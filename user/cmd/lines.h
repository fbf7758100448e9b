/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes the words that commands look up: operands, or lines of standard input. */
#ifndef USTACK_USER_CMD_LINES_H
#define USTACK_USER_CMD_LINES_H

#include <stdbool.h>

#include "cmd.h"

/**
 * cmd_stdin_lines() - process all lines of standard input
 * @command: name for error messages, such as "ustack gsym lookup"
 * @take: called for each line, without its newline; may change the line
 * @rest: called when all lines that have arrived were taken, before waiting for more, and at
 *        the end: a writer that sends one line at a time gets its answer. May be NULL
 * @arg: argument for both functions
 *
 * Return: false if reading failed; the error has been printed then.
 */
bool cmd_stdin_lines(const char *command, void (*take)(void *arg, char *line),
		     void (*rest)(void *arg), void *arg);

/* Checks the operands FILE [WORD]... Return: CMD_RUN, or CMD_USAGE after a message. */
int cmd_lookup_check(const struct cmd_usage *usage, int argc, char **argv);

/**
 * cmd_lookup_words() - process the words of the operands FILE [WORD]..., or of standard input
 * @command: name for error messages, such as "ustack bsym lookup"
 * @argc: number of @argv
 * @argv: the operands. If there is only FILE, each line of standard input that is not empty is
 *        a word
 * @take: called for each word
 * @arg: argument for @take
 *
 * Return: false if reading failed; the error has been printed then.
 */
bool cmd_lookup_words(const char *command, int argc, char **argv,
		      void (*take)(void *arg, const char *word), void *arg);

#endif /* USTACK_USER_CMD_LINES_H */
