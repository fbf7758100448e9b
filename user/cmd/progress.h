/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Progress of long work: one line on standard error, if that is a terminal. The line is
 * cleared before anything else is printed.
 *
 *	struct progress p;
 *	progress_init(&p, path);
 *	err = gsym_verify(..., progress_percent, &p, ...);
 *	progress_wipe(&p);
 */
#ifndef USTACK_USER_CMD_PROGRESS_H
#define USTACK_USER_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - the progress line
 * @what: name of the file that is worked on; borrowed
 * @said: when the line was last due, see progress_seconds()
 * @on_terminal: standard error is a terminal
 * @shown: the line is on the screen
 */
struct progress {
	const char *what;
	double said;
	bool on_terminal;
	bool shown;
};

/* Return: seconds of the monotonic clock; they are useful only for differences. */
double progress_seconds(void);

/*
 * @what: name for progress_percent(); NULL if that is not used. The line is first due after
 *        0.25 s.
 */
void progress_init(struct progress *p, const char *what);
/* Return: whether to print the line now: a few times a second on a terminal, never elsewhere. */
bool progress_due(struct progress *p);
/* Prints the line in place of the one before; the text has no newline, and is short. */
__attribute__((__format__(__printf__, 2, 3)))
void progress_say(struct progress *p, const char *fmt, ...);
void progress_wipe(struct progress *p);

/* Prints "WHAT: 12 %" when it is due. @arg: a struct progress. @total: 0 if not yet known. */
void progress_percent(void *arg, uint64_t done, uint64_t total);

/*
 * Prints "ustack: TEXT" on a line of its own; @text may contain foreign names, which are
 * escaped.
 */
void progress_note(struct progress *p, const char *text);

/* Prints "names: 3 of 12 files, PATH" when it is due; @path is a foreign text, which is escaped. */
void progress_names(struct progress *p, unsigned int done, unsigned int all, const char *path);

#endif /* USTACK_USER_CMD_PROGRESS_H */
