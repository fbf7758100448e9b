/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's messages: lines on standard error. If the journal reads them, each begins with its
 * level as in sd-daemon(3), otherwise with the time. Control characters in texts of the profiled
 * machine (paths, names) are escaped. The same line is printed at most once a minute, then with the
 * number of times that it was suppressed.
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

/* Sets whether LOG_IS_DEBUG messages are printed, without suppressing any; by default they are
 * not. Call it before there are threads.
 */
void daemon_log_verbose(bool verbose);

__attribute__((__format__(__printf__, 2, 3)))
void daemon_log(enum log_level level, const char *fmt, ...);

/* Logs a message of a library as LOG_IS_NOTE; for use as its callback. @arg is not used. */
void daemon_note(const char *text, void *arg);
/* Does the same as LOG_IS_DEBUG. */
void daemon_detail(const char *text, void *arg);

#endif /* USTACK_USER_DAEMON_LOG_H */
