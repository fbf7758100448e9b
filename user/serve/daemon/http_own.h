/* SPDX-License-Identifier: GPL-2.0-only */
/* The server's parts among themselves. */
#ifndef USTACK_USER_DAEMON_HTTP_OWN_H
#define USTACK_USER_DAEMON_HTTP_OWN_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "serve/daemon/guard.h"
#include "serve/daemon/http.h"

/* Routes, and what has none. */
#define HTTP_MAX_ROUTES 32u

/* Classes of answers in metrics: 2xx to 5xx, and requests whose client has gone. */
enum { HTTP_CLASSES = 5, HTTP_GONE = 4 };

/**
 * struct http - a server
 * @source: as given
 * @token: NULL if none is needed
 * @session: what a browser has after a login
 * @daemons: one for each address
 * @ports: of them
 * @nr: of them
 * @stopping: by http_stop()
 * @queries: under way
 * @live: under way
 * @connections: that are open
 * @answers: by route and class
 * @seconds: how long queries took
 */
struct http {
	struct api_source source;
	char *token;
	char session[GUARD_SESSION_LEN + 1];
	struct MHD_Daemon *daemons[HTTP_MAX_LISTEN];
	unsigned int ports[HTTP_MAX_LISTEN];
	unsigned int nr;
	atomic_bool stopping;
	atomic_uint queries;
	atomic_uint live;
	atomic_ulong connections;
	atomic_ulong answers[HTTP_MAX_ROUTES][HTTP_CLASSES];
	struct metrics_histogram seconds;
};

/**
 * struct exchange - a request and its answer
 * @target: as it was sent
 * @form: body of a login, if it has room
 * @form_len: of it
 * @body_len: of all that was sent
 * @started: its headers were seen
 */
struct exchange {
	char *target;
	char form[2048];
	size_t form_len;
	uint64_t body_len;
	bool started;
};

/* Answer a request that is whole. Return: for libmicrohttpd. */
enum MHD_Result http_serve(struct http *h, struct MHD_Connection *c, const char *method,
			   struct exchange *x);
/* For metrics_register(), with the server as @arg. */
void http_collect(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_HTTP_OWN_H */
