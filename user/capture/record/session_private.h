/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/record: the state of a session, and the functions
 * that session.c, session_open.c, session_profile.c and session_detail.c share.
 */
#ifndef USTACK_USER_RECORD_SESSION_PRIVATE_H
#define USTACK_USER_RECORD_SESSION_PRIVATE_H

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

#define WINDOW_MS 1000u		/* longest time between two drains */

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
	uint64_t interval_time;	/* @interval_began, of CLOCK_REALTIME */
	uint64_t interval_due;	/* when it would end if all intervals had the same length */
	uint64_t interval_end;	/* when it ends: up to the time of a sample later */
	unsigned short random[3];
	uint64_t interval_ms;
	uint64_t hz;		/* rate of the first event; 0 if it has none */
	uint64_t drained;	/* time of the last drain, or of the begin */
	bool caught_up;		/* all mappings up to this drain are known */
	bool stop;
	struct record_summary *summary;
};

static inline void session_note(const struct session *s, const char *text)
{
	if (s->options->note)
		s->options->note(text, s->options->arg);
}

/* Passes a line to the options' @detail. */
__attribute__((__format__(__printf__, 2, 3)))
void session_detail(const struct session *s, const char *fmt, ...);

/*
 * Details: how it samples; one drain, @began at this time with @samples
 * counted; the outcome.
 */
void session_detail_begin(const struct session *s);
void session_detail_drain(const struct session *s, uint64_t began, uint64_t samples);
void session_detail_end(struct session *s);

/* Reads all changes of mappings up to now. @arg: the session. */
int session_catch_up(void *arg);

/* Opens the watch on processes, and the source. */
int session_open(struct session *s, struct diag *diag);

/* Begins an interval. @now: as from watch_now(). */
void session_begin_interval(struct session *s, uint64_t now);

/* Begins the profile of the interval: @s->profile, which must be empty. */
void session_begin_profile(struct session *s);

/* Completes the profile with comments, and the summary. */
void session_end_profile(struct session *s);

/* Hands out the profile of an interval. @last: no other follows. */
int session_hand_out(struct session *s, bool last, struct diag *diag);

#endif /* USTACK_USER_RECORD_SESSION_PRIVATE_H */
