/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Long work on a terminal says how far it is: one line on stderr, that is wiped away
 * before anything else is said.
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
 * struct progress - the line
 * @what: the work is done on; borrowed
 * @said: when it was last due, see progress_seconds()
 * @on_terminal: there is somebody to see it
 * @shown: it is there
 */
struct progress {
	const char *what;
	double said;
	bool on_terminal;
	bool shown;
};

/* Of a clock that only goes on; what it counts from does not matter. */
double progress_seconds(void);

/* @what: for progress_percent(), NULL without it. First due a quarter of a second on. */
void progress_init(struct progress *p, const char *what);
/* Whether to say it now: a few times a second, on a terminal, and never elsewhere. */
bool progress_due(struct progress *p);
/* In place of what was said before; without newline, and short. */
__attribute__((__format__(__printf__, 2, 3)))
void progress_say(struct progress *p, const char *fmt, ...);
void progress_wipe(struct progress *p);

/* "WHAT: 12 %" when it is due. @arg: a struct progress. A @total of 0 is not known yet. */
void progress_percent(void *arg, uint64_t done, uint64_t total);

/* "ustack: TEXT", a line of its own; foreign names may be in it. */
void progress_note(struct progress *p, const char *text);

/* "names: 3 of 12 files, PATH" when it is due; the path is a foreign text. */
void progress_names(struct progress *p, unsigned int done, unsigned int all, const char *path);

#endif /* USTACK_USER_CMD_PROGRESS_H */
