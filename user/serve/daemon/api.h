/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers requests: the API below /api/v1/, the page, metrics, health. Documentation/http-api.md
 * describes it. It knows nothing about sockets: it gets a parsed request and writes a reply, and a
 * callback says when the client has gone.
 */
#ifndef USTACK_USER_DAEMON_API_H
#define USTACK_USER_DAEMON_API_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "serve/daemon/metrics.h"
#include "serve/daemon/reply.h"
#include "serve/daemon/request.h"
#include "profile/profile.h"
#include "util/diag.h"

/* How long a request may read the store, and how long it may sample live. */
#define API_MAX_SECONDS 60u
#define API_MAX_LIVE_SECONDS 300u

/**
 * struct api_source - where answers come from
 * @store: path of the store
 * @version: version of the program
 * @live: records a profile of the next @seconds. It returns early, with -EINTR, when
 *        @stop(@stop_arg) returns true. Several calls may run at the same time. NULL if this
 *        server does not sample
 * @health: writes each problem on a line of its own, and returns true if there is none. Clients
 *          need no token for it, so it writes no secrets. NULL: the server is always healthy
 * @arg: argument of @live and @health
 * @metrics: the metrics; may be NULL
 * @locked: clients need a token; set by http_start()
 */
struct api_source {
	const char *store;
	const char *version;
	int (*live)(unsigned int seconds, bool (*stop)(void *stop_arg), void *stop_arg,
		    struct profile **ret, void *arg, struct diag *diag);
	bool (*health)(FILE *out, void *arg);
	void *arg;
	struct metrics *metrics;
	bool locked;
};

/**
 * struct api_call - one request
 * @source: where answers come from
 * @request: the parsed request
 * @now_ns: the time that "now" means, nanoseconds since 1970
 * @deadline_ns: when the request times out, by CLOCK_MONOTONIC; set by api_answer()
 * @gone: returns whether the client has gone; may be NULL
 * @gone_arg: argument of @gone
 */
struct api_call {
	const struct api_source *source;
	const struct request *request;
	uint64_t now_ns;
	uint64_t deadline_ns;
	bool (*gone)(void *arg);
	void *gone_arg;
};

enum api_cost {
	API_CHEAP,
	API_QUERY,	/* reads the store: only a few run at a time */
	API_LIVE,	/* waits while samples are taken */
};

#define API_OPEN 1u	/* needs no token */
#define API_POSTS 2u	/* answers POST, too; the body is ignored */

/**
 * struct api_route - a path that is answered
 * @path: the whole path
 * @name: name of the path in metrics
 * @flags: %API_OPEN, %API_POSTS
 * @cost: how expensive an answer is
 * @answer: writes the reply, which may be an error
 */
struct api_route {
	const char *path;
	const char *name;
	unsigned int flags;
	enum api_cost cost;
	void (*answer)(struct api_call *call, struct reply *reply);
};

/* Return: the route of @path, or NULL. */
const struct api_route *api_route(const char *path);
/* Return: all routes, ended by one whose path is NULL. */
const struct api_route *api_routes(void);

/* Writes a route's answer to @reply, which the caller has initialised and will finish. */
void api_answer(const struct api_route *route, struct api_call *call, struct reply *reply);

#endif /* USTACK_USER_DAEMON_API_H */
