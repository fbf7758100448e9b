/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target and its thread: for user/serve/push alone.
 *
 *	fill()		a request of what is behind the position
 *	deliver()	sends it until it is acknowledged or given up
 *	advance()	the position, on disk
 */
#ifndef USTACK_USER_PUSH_TARGET_H
#define USTACK_USER_PUSH_TARGET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "serve/push/http.h"
#include "serve/push/known.h"
#include "serve/push/peer.h"
#include "serve/push/position.h"
#include "serve/push/push.h"
#include "serve/store/reader.h"

/* Of a body of which that is known before it is whole. */
#define PUSH_MAX_BODY (8u << 20)
/* So many requests are acknowledged before larger ones are tried again. */
#define PUSH_GROW_AFTER 64u
/* So many timeouts may be those of a line that is too slow for so much at once. */
#define PUSH_SMALLER_AFTER 3u
#define PUSH_SMALLEST 2000u
#define PUSH_POLL_MS 2000u
/* So often a part of the store is read that cannot be, before it is left out. */
#define PUSH_MAX_UNREAD 4u

/**
 * struct push_common - what threads share
 * @lock: of all below, and of the targets' @info
 * @wake: a window was appended, or all is to end
 * @known: what push_appended() said
 * @first: the place of the first window that it told of, or where the store ended before
 * @newest: the position behind the last
 * @appended: how often it said something
 * @stop: all is to end
 */
struct push_common {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct push_known known;
	struct store_position first;
	struct store_position newest;
	uint64_t appended;
	atomic_bool stop;
	char *store;
	char *host;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * struct push_target - one target
 * @loaded: what was read from the disk
 * @mended: that is in front of what has been appended since
 * @pinned: the first request ends where the one did that was on its way when the process
 *          ended
 * @reader: NULL if it is to be opened at the position
 * @window: the one that the reader has given; valid if @has_window
 * @order: of its samples
 * @end: of the request in the making
 * @windows: that end in it
 * @samples: in it
 * @max_samples: in a request
 * @batch: windows in a request
 * @acknowledged: requests since one was too large
 * @tries: of sending what is behind the position, without an answer that is final
 * @unread: how often the store could not be read at the position
 * @answered_500: to the request that is on its way, one behind the other
 * @lingering: the request in the making waits for more windows
 * @doubt: nobody knows what of what is behind the position the other side has
 * @refused: window of which a part was refused, and another part may be
 * @oldest_end_ns: end of the oldest window that is not acknowledged, 0 if there is none
 */
struct push_target {
	struct push_common *common;
	struct push_options options;
	const struct push_peer *peer;
	struct push_http *http;
	pthread_t thread;
	bool started;
	char *path;
	char *url;
	struct push_position position;
	struct store_position loaded;
	bool mended;
	bool pinned;
	struct store_reader *reader;
	struct store_window window;
	bool has_window;
	struct push_order order;
	struct push_machine machine;
	struct push_body body;
	struct push_answer answer;
	struct push_point end;
	char identity[PUSH_IDENTITY_BYTES];
	uint64_t windows;
	uint32_t samples;
	uint32_t max_samples;
	uint32_t batch;
	uint32_t acknowledged;
	uint32_t tries;
	uint32_t unread;
	uint32_t answered_500;
	bool lingering;
	bool doubt;
	struct store_position refused;
	uint64_t random;
	struct push_info info;
	uint64_t oldest_end_ns;
};

/**
 * push_target_init() - all but the thread
 * @t: zeros
 * @common: must outlive it
 * @state: folder of positions
 * @options: copied
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; to be released in either case.
 */
int push_target_init(struct push_target *t, struct push_common *common, const char *state,
		     const struct push_options *options, struct diag *diag);
void push_target_release(struct push_target *t);

/* The thread. */
void *push_target_run(void *target);

/* fill.c: a request of what is behind the position. Return: 1; 0 if there is nothing, also
 * if @t->end is behind windows without samples; a negative errno.
 */
int push_fill(struct push_target *t, struct diag *diag);
/* The reader is opened anew at the position. */
void push_rewind(struct push_target *t);
/* A position that the store is not at any more, see push_appended(). */
void push_mend_position(struct push_target *t);

/* Until the time is over or all is to end. */
void push_wait_ms(struct push_target *t, uint64_t ms);

/* Words for people, about a target. */
__attribute__((__format__(__printf__, 2, 3)))
void push_note(struct push_target *t, const char *fmt, ...);
/* A failure that is nobody else's. */
void push_local_failure(struct push_target *t, const struct diag *diag);

#endif /* USTACK_USER_PUSH_TARGET_H */
