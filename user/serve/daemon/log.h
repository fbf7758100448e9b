/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's words: lines on standard error, each with its level as sd-daemon(3) has it
 * where the journal reads them, and with the time where nobody else says it. What comes
 * from a profiled machine (paths, names) is escaped. The same line is not said more than
 * once a minute: then, how often.
 *
 * Context: any thread.
 */
#ifndef USTACK_USER_DAEMON_LOG_H
#define USTACK_USER_DAEMON_LOG_H

#include <stdbool.h>

enum log_level {
	LOG_IS_ERROR = 3,
	LOG_IS_WARNING = 4,
	LOG_IS_NOTE = 5,
	LOG_IS_INFO = 6,
	LOG_IS_DEBUG = 7,
};

/* Whether LOG_IS_DEBUG is said, each time; without a call it is not. Before there are threads. */
void daemon_log_verbose(bool verbose);

__attribute__((__format__(__printf__, 2, 3)))
void daemon_log(enum log_level level, const char *fmt, ...);

/* What a library has to say, as its callback; @arg is nothing. */
void daemon_note(const char *text, void *arg);
/* The same of what it does, as LOG_IS_DEBUG. */
void daemon_detail(const char *text, void *arg);

#endif /* USTACK_USER_DAEMON_LOG_H */
