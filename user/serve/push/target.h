/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One target and its thread, private to user/serve/push. The thread repeats three steps:
 *
 *	push_build_request()	builds a request from the windows after the position
 *	deliver()		sends it until it is acknowledged or given up
 *	advance()		moves the position and writes it to disk
 */
#ifndef USTACK_USER_PUSH_TARGET_H
#define USTACK_USER_PUSH_TARGET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "serve/push/http.h"
#include "serve/push/segments.h"
#include "serve/push/peer.h"
#include "serve/push/position.h"
#include "serve/push/push.h"
#include "serve/store/reader.h"

/*
 * A body gets no further part once it has this many bytes. It holds for protocols whose body
 * grows while parts are added.
 */
#define PUSH_MAX_BODY (8u << 20)
/* Requests that were made smaller grow again after this many acknowledged ones. */
#define PUSH_GROW_AFTER 64u
/* After this many timeouts the connection may be too slow for a request of this size. */
#define PUSH_SMALLER_AFTER 3u
/* A timeout does not make requests smaller than this many samples. */
#define PUSH_SMALLEST 2000u
#define PUSH_POLL_MS 2000u
/* A part of the store that cannot be read (EIO) is skipped after this many further attempts. */
#define PUSH_MAX_UNREAD 4u

/**
 * struct push_common - state that the threads of all targets share
 * @lock: protects @segments, @first, @newest and @appended, and of each target @info,
 *        @oldest_end_ns and changes of @position.next
 * @wake: signalled when a window was appended, and when the threads are to end
 * @segments: number of windows of each segment that was reported by push_appended()
 * @first: position of the first window that was reported, or the end of the store that
 *         push_store_ends() reported
 * @newest: position after the last window that was reported
 * @appended: number of reports
 * @stop: the threads are to end
 * @store: path of the store's folder
 * @host: name of this host in identities, printable ASCII without spaces
 * @note: see struct push_place
 * @arg: argument of @note
 */
struct push_common {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct push_segments segments;
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
 * @common: state shared with the other targets
 * @options: a copy of the target's options
 * @peer: protocol of the target
 * @http: connection to the server
 * @thread: the thread, if @started
 * @started: the thread runs
 * @path: path of the position file
 * @url: URL of the current request
 * @position: where the target is; also on disk
 * @loaded: position that was read from the disk
 * @position_checked: @loaded was compared with the store's end, see push_fix_position()
 * @pinned: the next request has to end at @position.until, because the same request may have
 *          been sent before
 * @reader: reader of the store; NULL if it has to be opened at the position
 * @window: the window that @reader gave last; valid if @has_window
 * @has_window: not all samples of @window are in a request yet
 * @order: order of the samples of @window
 * @machine: labels of the machine that recorded @window
 * @body: the request that is being built or sent
 * @answer: the last answer
 * @end: where the current request ends
 * @identity: name of the current request
 * @windows: number of windows that end in the current request
 * @samples: number of samples in the current request
 * @max_samples: most samples in a request at present
 * @batch: most windows in a request at present
 * @acknowledged: number of requests acknowledged since one was made smaller
 * @tries: number of times that the samples after the position were sent without a final answer
 * @unread: number of times that the store could not be read at the position
 * @answered_500: number of consecutive answers 500 to the current request
 * @lingering: the current request waits for more windows
 * @doubt: the server may already have a part of what follows the position
 * @refused: the last window of which a part was refused; its next part may be refused, too
 * @random: state of the random numbers for delays
 * @info: counts for push_info()
 * @oldest_end_ns: end of the oldest window that is not acknowledged, since 1970; 0 if there is
 *                 none
 *
 * The thread owns all of it; see @lock of struct push_common for what others read.
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
	bool position_checked;
	bool pinned;
	struct store_reader *reader;
	struct store_window window;
	bool has_window;
	struct push_order order;
	struct push_machine_labels machine;
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
 * push_target_init() - prepare a target, without its thread
 * @t: all zeros
 * @common: shared state; must outlive the target
 * @state: path of the folder of position files
 * @options: options of the target, copied
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; @t is to be released in either case.
 */
int push_target_init(struct push_target *t, struct push_common *common, const char *state,
		     const struct push_options *options, struct diag *diag);
void push_target_release(struct push_target *t);

/* The thread's function: sends windows until @stop of struct push_common is set. */
void *push_target_run(void *target);

/*
 * Build a request from the windows after the position (build_request.c). Return: 1; 0 if there is
 * nothing to send, also when @t->end has moved past windows without samples; a negative errno.
 */
int push_build_request(struct push_target *t, struct diag *diag);
/* Close the reader: the next push_build_request() opens it again at the position. */
void push_rewind(struct push_target *t);
/*
 * Move a position that lies after the end of the store back to that end, see push_appended().
 * It does so once, after the first report of the store's end.
 */
void push_fix_position(struct push_target *t);

/* Wait until the time is over or the threads are to end. */
void push_wait_ms(struct push_target *t, uint64_t ms);

/* Pass a message about the target to @note of struct push_place. */
__attribute__((__format__(__printf__, 2, 3)))
void push_note(struct push_target *t, const char *fmt, ...);

#endif /* USTACK_USER_PUSH_TARGET_H */
