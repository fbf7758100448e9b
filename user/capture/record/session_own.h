/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/capture/record: a session from its beginning over its intervals to its end. */
#ifndef USTACK_USER_RECORD_SESSION_OWN_H
#define USTACK_USER_RECORD_SESSION_OWN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/process/watch.h"
#include "capture/record/child.h"
#include "capture/record/names.h"
#include "capture/record/session.h"
#include "capture/record/size.h"
#include "capture/record/source.h"

#define WINDOW_MS 1000u		/* between two drains, and two looks at what ends it */

struct session {
	const struct record_options *options;
	struct sampler_options sampler;
	struct record_source source;
	struct record_names *names;
	struct watch *watch;
	struct profile *profile;
	struct record_event events[SAMPLER_MAX_EVENTS];
	struct child child;
	uint32_t child_pid;
	pid_t supplier;
	int signals;
	bool blocked;
	sigset_t mask_before;
	struct sigaction int_before;
	struct sigaction term_before;
	struct record_size size;
	uint64_t mmaps_lost;
	uint64_t began;
	uint64_t interval_began;
	uint64_t interval_time;	/* the same moment, of CLOCK_REALTIME */
	uint64_t interval_due;	/* when it would end if all were as long as they are to be */
	uint64_t interval_end;	/* when it is to end: up to a sample's time later */
	unsigned short random[3];
	uint64_t interval_ms;
	uint64_t hz;		/* of the first event; 0 if it has no rate */
	uint64_t drained;	/* when, or when it began */
	bool caught_up;		/* what happened before this drain is known */
	bool stop;
	struct record_summary *summary;
};

static inline void session_note(const struct session *s, const char *text)
{
	if (s->options->note)
		s->options->note(text, s->options->arg);
}

/* A line for options' @detail. */
__attribute__((__format__(__printf__, 2, 3)))
void session_detail(const struct session *s, const char *fmt, ...);

/* How it samples; what a drain took that @began with so many samples counted; what became of all. */
void session_detail_begin(const struct session *s);
void session_detail_drain(const struct session *s, uint64_t began, uint64_t samples);
void session_detail_end(struct session *s);

/* All mappings up to this moment are read; @arg: the session. */
int session_catch_up(void *arg);

/* Opens what watches processes and what counts. */
int session_open(struct session *s, struct diag *diag);

/* An interval begins at this moment, that of watch_now(). */
void session_begin_interval(struct session *s, uint64_t now);

/* @s->profile, which is empty, is the interval's. */
void session_begin_profile(struct session *s);

/* What the profile says of itself at its end, and the summary. */
void session_end_profile(struct session *s);

/* The profile is an interval's, and another one begins; @last: none comes after it. */
int session_hand_out(struct session *s, bool last, struct diag *diag);

#endif /* USTACK_USER_RECORD_SESSION_OWN_H */
