/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows of a store, out to servers of profiles: Pyroscope, Parca, whatever takes OTLP's
 * profiles over HTTP, and a fleet's ClickHouse. Each target has a thread, which reads the store behind its own
 * position and writes the position down once the other side has acknowledged: the store is
 * the queue. What is sent where, and what becomes of which failure, is explained in
 * Documentation/push.md.
 *
 *	push_start(&options, targets, nr, &push, diag);
 *	...
 *	push_appended(push, &position);		after each store_append()
 *	...
 *	push_stop(push);
 *
 * Every window that the store still has when its turn comes arrives at least once. One
 * arrives twice only if an acknowledgement was lost: with the connection, or with the
 * process before the position was on disk. Both times it has the same identity. ClickHouse
 * is asked what it has, and gets each once.
 */
#ifndef USTACK_USER_PUSH_H
#define USTACK_USER_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/store/store.h"
#include "util/diag.h"

#define PUSH_DEFAULT_TIMEOUT_MS 10000u
#define PUSH_MAX_TIMEOUT_MS 600000u
#define PUSH_DEFAULT_BATCH 10u
#define PUSH_MAX_BATCH 1000u
#define PUSH_MAX_TARGETS 64u
/* A few large inserts cost ClickHouse less than many small ones. */
#define PUSH_LINGER_NS 300000000000ull
#define PUSH_ERROR_BYTES 256u

enum push_type {
	PUSH_PYROSCOPE,		/* POST URL/ingest */
	PUSH_PARCA,		/* POST URL/api/profiles/writeraw */
	PUSH_OTLP,		/* POST URL/v1development/profiles */
	PUSH_CLICKHOUSE,	/* POST URL/?query=INSERT... */
	PUSH_OTLP_GRPC,		/* ProfilesService.Export of URL */
	PUSH_NR_TYPES,
};

/* Return: "pyroscope" and so on. */
const char *push_type_name(enum push_type type);
/* Return: whether there is a type of this name. */
bool push_type_find(const char *name, enum push_type *ret);

/* How a request can fail. */
enum push_failure {
	PUSH_NONE,
	PUSH_UNRESOLVED,	/* the name has no address */
	PUSH_UNCONNECTED,	/* nobody listens */
	PUSH_TLS,		/* a certificate that is not trusted, or no TLS at all */
	PUSH_TIMEOUT,
	PUSH_BROKEN,		/* the connection ended in the middle */
	PUSH_LIED,		/* an answer that is none of this protocol's, or has no end */
	PUSH_REDIRECTED,	/* to another scheme or host, or in circles */
	PUSH_UNAUTHORIZED,	/* 401, 403, 407 */
	PUSH_TOO_LARGE,		/* 413 */
	PUSH_REFUSED,		/* 400, 422: it will never be taken */
	PUSH_NOT_THERE,		/* another 3xx or 4xx: the URL is not of such a server */
	PUSH_BUSY,		/* 408, 425, 429 */
	PUSH_SERVER,		/* 5xx */
	PUSH_LOCAL,		/* not the other side's: memory, store, position, token file */
	PUSH_NR_FAILURES,
};

/* Return: a word, such as "timeout". */
const char *push_failure_name(enum push_failure failure);

/**
 * struct push_options - one target. All is copied; what is 0 or NULL has its default
 * @name: of its file in the state folder: letters, digits, '-', '_', not empty, 64 at most
 * @type: its protocol
 * @url: http or https, without user, query and fragment; the path of the protocol is
 *       appended unless it is there
 * @token: "Authorization: Bearer"; over https, or to the loopback, only
 * @token_file: the same, read anew for each request: one that is replaced is used at once
 * @user: with @password or @password_file: basic authentication, where a token may go
 * @headers: more of them, "Name: value", ends with NULL. They are sent without TLS, too: a
 *           secret is not to be one
 * @ca_file: certificates to trust in place of the system's
 * @cert_file: client certificate, PEM; with @key_file
 * @proxy: http://HOST:PORT; without it none is used, whatever the environment says
 * @timeout_ms: of one request; %PUSH_DEFAULT_TIMEOUT_MS
 * @batch: windows in a request at most; %PUSH_DEFAULT_BATCH. Pyroscope's have one;
 *         ClickHouse's have as many, unless the oldest is PUSH_LINGER_NS old
 * @database: of ClickHouse; its default if NULL
 * @services: labels of which the first that a sample has names its service, ends with NULL;
 *            service_name, unit, container, command by default
 * @keep: labels that stay on samples, ends with NULL. By default, all but for Pyroscope,
 *        which makes series of them: there container, pod, namespace, command and event
 */
struct push_options {
	const char *name;
	enum push_type type;
	const char *url;
	const char *token;
	const char *token_file;
	const char *user;
	const char *password;
	const char *password_file;
	const char *const *headers;
	const char *ca_file;
	const char *cert_file;
	const char *key_file;
	const char *proxy;
	uint32_t timeout_ms;
	uint32_t batch;
	const char *database;
	const char *const *services;
	const char *const *keep;
};

/**
 * struct push_place - what all targets share
 * @store: folder of the store
 * @state: folder of the position files, made 0700 if it is not there; its parent must exist
 * @host: of identities and, unless windows say another, of labels; NULL is the machine's name
 * @note: gets what people should know, in words, such as windows that were refused; from any
 *        thread; may be NULL
 * @arg: for @note
 */
struct push_place {
	const char *store;
	const char *state;
	const char *host;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * struct push_info - what has become of a target since push_start()
 * @windows: of which the last part was acknowledged, and those without samples
 * @requests: acknowledged
 * @bytes: of their bodies, as they were sent
 * @retries: requests that were sent again
 * @failures: by kind; a request may have several
 * @refused: windows of which the other side has refused all or a part for good; of an
 *           answer that says how many profiles, all windows of the request
 * @lost: windows that the store removed before they were sent, as far as is known
 * @lost_segments: segments of which only that is known: how many windows they had is not
 * @unreadable: segments, or ends of such, that the store could not read
 * @lag_windows: appended and not acknowledged
 * @lag_is_least: there are more: of windows from before push_start() only the time is known
 * @lag_ns: age of the oldest window that is not acknowledged, from its end; 0 if there is none
 * @failing: the last request failed
 * @error: last failure in words, "" if there was none
 * @error_ns: when, since 1970
 */
struct push_info {
	uint64_t windows;
	uint64_t requests;
	uint64_t bytes;
	uint64_t retries;
	uint64_t failures[PUSH_NR_FAILURES];
	uint64_t refused;
	uint64_t lost;
	uint64_t lost_segments;
	uint64_t unreadable;
	uint64_t lag_windows;
	bool lag_is_least;
	uint64_t lag_ns;
	bool failing;
	char error[PUSH_ERROR_BYTES];
	uint64_t error_ns;
};

struct push;

/**
 * push_check() - would a target be accepted?
 * @options: of it
 * @diag: what is wrong with it
 *
 * Return: 0 or -EINVAL.
 */
int push_check(const struct push_options *options, struct diag *diag);

/**
 * push_start() - start sending
 * @place: copied
 * @targets: copied; names differ
 * @nr: of them, %PUSH_MAX_TARGETS at most
 * @ret: stopped and released by push_stop()
 * @diag: may be NULL
 *
 * A target without a position starts at the oldest window that there is; so does one whose
 * position file is damaged, and this is told. Nothing is sent before this returns 0.
 *
 * Return: 0; -EINVAL as push_check(); -EBUSY if another process sends from the same state
 * folder; -EPERM if others may write to it; -ENOSYS without libcurl; another negative errno.
 */
int push_start(const struct push_place *place, const struct push_options *targets, size_t nr,
	       struct push **ret, struct diag *diag);

/**
 * push_appended() - the store has a new window
 * @p: NULL is nothing
 * @behind: what store_append() gave: the position behind it
 *
 * Targets that wait for one wake up; without this they look once in two seconds. What is
 * lost and how far targets lag is known in windows only of what was told here. It is called
 * for every window, the first one included: a position from the disk that is behind that one
 * is of what the store has lost, and is given up.
 *
 * Context: any thread.
 */
void push_appended(struct push *p, const struct store_position *behind);

/**
 * push_store_ends() - where the store ends now
 * @p: NULL is nothing
 * @end: what store_end() gave, or store_append() for the last window
 *
 * For who did not append from the start on: once, before push_appended(), for windows behind
 * @end. A position from the disk that is behind it is of what the store has lost; one that is
 * at it is of a target that has everything.
 *
 * Context: any thread.
 */
void push_store_ends(struct push *p, const struct store_position *end);

/* What has become of target @i, in the order of push_start(). Context: any thread. */
void push_info(struct push *p, size_t i, struct push_info *ret);

/**
 * push_stop() - end requests, join the threads, release
 * @p: NULL is nothing
 *
 * Takes no longer than to encode and to write a position: requests in flight are broken
 * off, and sent again by the next push_start().
 */
void push_stop(struct push *p);

#endif /* USTACK_USER_PUSH_H */
