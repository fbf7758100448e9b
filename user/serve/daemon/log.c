// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the daemon's messages on standard error. It remembers the last different ones, so that a
 * message that repeats is printed at most once a minute.
 */
#include "serve/daemon/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/clock.h"
#include "util/text.h"

#include "util/poison.h"

#define REMEMBERED 16u
#define AGAIN_S 60

/* A message that was printed; @swallowed: how often it was suppressed since. */
struct said {
	char text[512];
	time_t when;
	unsigned int swallowed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct said said[REMEMBERED];
static bool is_verbose;

static void print(enum log_level level, const char *text, unsigned int more)
{
	char when[32] = "", often[48] = "";
	time_t now = time(NULL);
	struct tm tm;

	if (more)
		snprintf(often, sizeof(often), " (and %u times more)", more);
	if (getenv("JOURNAL_STREAM"))
		snprintf(when, sizeof(when), "<%d>", (int)level);
	else if (localtime_r(&now, &tm))
		strftime(when, sizeof(when), "%F %T ", &tm);
	fprintf(stderr, "%sustackd: %s%s\n", when, text, often);
}

/* Return: whether to print the message now; @ret: how often it was suppressed before. */
static bool is_new(const char *text, time_t now, unsigned int *ret)
{
	struct said *oldest = &said[0];
	unsigned int i;

	*ret = 0;
	for (i = 0; i < REMEMBERED; i++) {
		if (!strcmp(said[i].text, text)) {
			if (said[i].when + AGAIN_S > now) {
				said[i].swallowed++;
				return false;
			}
			*ret = said[i].swallowed;
			oldest = &said[i];
			break;
		}
		if (said[i].when < oldest->when)
			oldest = &said[i];
	}
	snprintf(oldest->text, sizeof(oldest->text), "%s", text);
	oldest->when = now;
	oldest->swallowed = 0;
	return true;
}

void daemon_log_verbose(bool verbose)
{
	is_verbose = verbose;
}

void daemon_log(enum log_level level, const char *fmt, ...)
{
	char raw[400], text[512];
	unsigned int more = 0;
	time_t now;
	va_list ap;

	if (level == LOG_IS_DEBUG && !is_verbose)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_escape(raw, text, sizeof(text));
	now = (time_t)(clock_ns(CLOCK_MONOTONIC) / 1000000000);
	pthread_mutex_lock(&lock);
	/* plus AGAIN_S, so that an unused entry, whose time is 0, is always older than that */
	if (level == LOG_IS_DEBUG || is_new(text, now + AGAIN_S, &more))
		print(level, text, more);
	pthread_mutex_unlock(&lock);
}

void daemon_note(const char *text, void *arg)
{
	daemon_log(LOG_IS_NOTE, "%s", text);
}

void daemon_detail(const char *text, void *arg)
{
	daemon_log(LOG_IS_DEBUG, "%s", text);
}
