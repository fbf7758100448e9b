/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sends the windows of a store to profile servers: Pyroscope, Parca, any server that accepts
 * OTLP profiles over HTTP or gRPC, and a fleet's ClickHouse. Each target has a thread. It reads
 * the store from its own position on, and saves the new position once the server has
 * acknowledged: the store is the queue. Documentation/push.md explains what is sent to which
 * server, and what follows from each failure.
 *
 *	push_start(&options, targets, nr, &push, diag);
 *	...
 *	push_appended(push, &position);		after each store_append()
 *	...
 *	push_stop(push);
 *
 * Every window that the store still has when its turn comes arrives at least once. A window
 * arrives twice only if an acknowledgement was lost, because the connection broke or because
 * the process ended before the position was on disk. Both times it has the same identity.
 * ClickHouse gets each window exactly once, because the target asks it what it already has.
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
/*
 * A request to ClickHouse waits at most this long for more windows: a few large inserts cost the
 * server less than many small ones.
 */
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

/* Return: the name of a type, such as "pyroscope"; "unknown" for a number that is no type. */
const char *push_type_name(enum push_type type);
/* Return: whether a type has this name; @ret gets it. */
bool push_type_find(const char *name, enum push_type *ret);

/* How a request can fail. */
enum push_failure {
	PUSH_NONE,
	PUSH_UNRESOLVED,	/* the host name has no address */
	PUSH_UNCONNECTED,	/* nobody listens at the address */
	PUSH_TLS,		/* the certificate is not trusted, or the server has no TLS */
	PUSH_TIMEOUT,
	PUSH_BROKEN,		/* the connection ended in the middle */
	PUSH_LIED,		/* the answer is not of this protocol, or is too long */
	PUSH_REDIRECTED,	/* redirected to another scheme, host or port, or too often */
	PUSH_UNAUTHORIZED,	/* 401, 403, 407 */
	PUSH_TOO_LARGE,		/* 413 */
	PUSH_REFUSED,		/* 400, 422: the server will never accept the request */
	PUSH_NOT_THERE,		/* another 3xx or 4xx: no such server is at the URL */
	PUSH_BUSY,		/* 408, 425, 429 */
	PUSH_SERVER,		/* 5xx */
	PUSH_LOCAL,		/* a failure on this side: memory, store, position, token file */
	PUSH_NR_FAILURES,
};

/* Return: a word, such as "timeout". */
const char *push_failure_name(enum push_failure failure);

/**
 * struct push_options - options of one target
 * @name: name of the target and of its position file in the state folder: 1 to 64 letters,
 *        digits, '-' and '_'
 * @type: protocol of the target
 * @url: http or https, without user, query and fragment; the protocol's path is appended
 *       unless the URL already has it
 * @token: token for "Authorization: Bearer"; sent only over https or to the loopback
 * @token_file: file with the token. It is read for each request, so a new token is used at once
 * @user: user for basic authentication, with @password or @password_file; sent only over https
 *        or to the loopback
 * @password: password of @user
 * @password_file: file with the password, read for each request
 * @headers: additional headers, each "Name: value"; the list ends with NULL. They are also
 *           sent without TLS, so none of them may be a secret
 * @ca_file: certificates to trust instead of those of the system
 * @cert_file: client certificate, PEM; needs @key_file
 * @key_file: key of @cert_file, PEM
 * @proxy: http://HOST:PORT; NULL means no proxy, whatever the environment says
 * @timeout_ms: limit for one request; 0 means %PUSH_DEFAULT_TIMEOUT_MS
 * @batch: most windows in one request; 0 means %PUSH_DEFAULT_BATCH. A request to Pyroscope
 *         always has one window; a request to ClickHouse waits until it has this many, or until
 *         its oldest window ended PUSH_LINGER_NS ago
 * @database: database of ClickHouse; NULL means CLICKHOUSE_DEFAULT_DATABASE
 * @services: labels that name a sample's service: the first one that the sample has counts.
 *            The list ends with NULL; the default is service_name, unit, container, command
 * @keep: labels that samples keep; the list ends with NULL. The default is all labels, except
 *        for Pyroscope, which makes a series of each set of labels: there samples keep
 *        container, pod, namespace, command and event
 *
 * The target copies all texts. A field that is 0 or NULL has its default.
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
 * @store: path of the store's folder
 * @state: path of the folder of position files, created with mode 0700 if it does not exist;
 *         its parent must exist
 * @host: name of this host in identities, and in labels of windows that name no host; NULL
 *        means the machine's name
 * @note: called with a message for the log, such as "windows were refused", from any thread;
 *        may be NULL
 * @arg: argument of @note
 */
struct push_place {
	const char *store;
	const char *state;
	const char *host;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * struct push_info - counts of a target since push_start(), and its state now
 * @windows: windows whose last part was acknowledged, and windows without samples
 * @requests: requests that were acknowledged
 * @bytes: size of the bodies of @requests, as they were sent
 * @retries: requests that were sent again
 * @failures: failures by kind; one request may fail several times
 * @refused: windows that the server refused for good, completely or in part. If an answer only
 *           says how many profiles it refuses, all windows of the request count
 * @lost: windows that the store removed before they were sent, as far as the number is known
 * @lost_segments: segments that the store removed before they were sent and whose number of
 *                 windows is not known
 * @unreadable: segments, or ends of segments, that the store could not read
 * @lag_windows: windows that were appended and are not acknowledged yet
 * @lag_is_least: @lag_windows is only a lower bound, because the number of windows from before
 *                push_start() is not known
 * @lag_ns: time since the end of the oldest window that is not acknowledged; 0 if there is none
 * @failing: the last request failed
 * @error: message of the last failure, "" if there was none
 * @error_ns: time of the last failure, since 1970; 0 if there was none
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
 * push_check() - check the options of a target
 * @options: the options
 * @diag: gets what is wrong with them; may be NULL
 *
 * Return: 0 or -EINVAL.
 */
int push_check(const struct push_options *options, struct diag *diag);

/**
 * push_start() - start sending: one thread for each target
 * @place: store, state folder and host; its texts are copied
 * @targets: options of each target, copied; no two have the same name
 * @nr: number of entries in @targets, %PUSH_MAX_TARGETS at most
 * @ret: to be stopped and released by push_stop()
 * @diag: may be NULL
 *
 * A target that has no position file, or a damaged one, starts at the oldest window of the
 * store. A damaged file is reported by @place->note. If this fails, nothing has been sent.
 *
 * Return: 0; -EINVAL as push_check(); -EBUSY if another process sends from the same state
 * folder; -EPERM if others may write to it; -ENOSYS without libcurl; another negative errno.
 */
int push_start(const struct push_place *place, const struct push_options *targets, size_t nr,
	       struct push **ret, struct diag *diag);

/**
 * push_appended() - report a new window of the store
 * @p: NULL does nothing
 * @end: the position after the window, from store_append()
 *
 * Targets that wait for a window wake up; without this call they look every two seconds.
 * Windows that are lost, and those that a target lags, can be counted only if they were
 * reported here. The caller reports every window from the first one on: a position from the
 * disk that lies after the first one belongs to windows that the store has lost, and is given
 * up.
 *
 * Context: any thread.
 */
void push_appended(struct push *p, const struct store_position *end);

/**
 * push_store_ends() - report where the store ends now
 * @p: NULL does nothing
 * @end: the position from store_end(), or from store_append() for the last window
 *
 * A caller that did not report windows from the start on calls this once, before it calls
 * push_appended() for windows after @end. A position from the disk that lies after @end belongs
 * to windows that the store has lost; a target whose position is @end has sent everything.
 *
 * Context: any thread.
 */
void push_store_ends(struct push *p, const struct store_position *end);

/* Read the counts of target @i, in the order of push_start(). Context: any thread. */
void push_info(struct push *p, size_t i, struct push_info *ret);

/**
 * push_stop() - end requests, join the threads, release everything
 * @p: NULL does nothing
 *
 * Returns soon: it waits at most until a request is encoded and a position is written.
 * Requests in flight are aborted; the next push_start() sends them again.
 */
void push_stop(struct push *p);

#endif /* USTACK_USER_PUSH_H */
