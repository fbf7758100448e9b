/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads lines of standard input for commands that look addresses up. */
#ifndef USTACK_USER_CMD_LINES_H
#define USTACK_USER_CMD_LINES_H

#include <stdbool.h>

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

#endif /* USTACK_USER_CMD_LINES_H */
