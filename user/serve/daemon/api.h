/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is served: the API below /api/v1/, the page, metrics, health. Documented in
 * Documentation/http-api.md. It knows nothing of sockets: a target comes in, an answer goes
 * out, and a function says when nobody waits for it any more.
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

/* Queries of one request may take so long, as far as reading the store goes. */
#define API_MAX_SECONDS 60u
#define API_MAX_LIVE_SECONDS 300u

/**
 * struct api_source - what answers are made of
 * @store: folder of the store
 * @version: of the program
 * @live: a profile of the next @seconds; returns before, with -EINTR, when @stop(@stop_arg)
 *        gives true; several may be under way at the same time. NULL if there is none
 * @health: writes what is the matter, a line each, and returns whether it is well; NULL if
 *          that it answers is all. Who reads it has no token: it says no secrets
 * @arg: for both
 * @metrics: may be NULL
 * @locked: clients need a token; said by http_start()
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
 * @source: see there
 * @request: what is asked
 * @now_ns: what "now" is
 * @deadline_ns: of CLOCK_MONOTONIC; set by api_answer()
 * @gone: whether the client has gone; may be NULL
 * @gone_arg: for @gone
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
	API_QUERY,	/* reads the store: few at a time */
	API_LIVE,	/* waits */
};

#define API_OPEN 1u	/* needs no token */
#define API_POSTS 2u	/* answers POST, too; what is sent is not looked at */

/**
 * struct api_route - what a path is
 * @path: whole
 * @name: for metrics
 * @flags: %API_OPEN and so on
 * @cost: see enum api_cost
 * @answer: makes the answer, errors too
 */
struct api_route {
	const char *path;
	const char *name;
	unsigned int flags;
	enum api_cost cost;
	void (*answer)(struct api_call *call, struct reply *reply);
};

/* Return: what @path is, or NULL. */
const struct api_route *api_route(const char *path);
/* All of them, ended by one without a path. */
const struct api_route *api_routes(void);

/* Make the answer of a route: @reply is initialised, and finished by the caller. */
void api_answer(const struct api_route *route, struct api_call *call, struct reply *reply);

#endif /* USTACK_USER_DAEMON_API_H */
