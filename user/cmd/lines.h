/* SPDX-License-Identifier: GPL-2.0-only */
/* What commands that look addresses up read from standard input. */
#ifndef USTACK_USER_CMD_LINES_H
#define USTACK_USER_CMD_LINES_H

#include <stdbool.h>

/**
 * cmd_stdin_lines() - all lines of standard input
 * @command: "ustack gsym lookup", for messages
 * @take: gets each without its newline; may write to it
 * @rest: called when all that has arrived was taken, before more is waited for, and at
 *        the end: whoever writes a line at a time gets its answer; may be NULL
 * @arg: for both
 *
 * Return: false if reading failed, which is said.
 */
bool cmd_stdin_lines(const char *command, void (*take)(void *arg, char *line),
		     void (*rest)(void *arg), void *arg);

#endif /* USTACK_USER_CMD_LINES_H */
