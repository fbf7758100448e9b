/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the server. Private to http.c and http_serve.c. */
#ifndef USTACK_USER_DAEMON_HTTP_PRIVATE_H
#define USTACK_USER_DAEMON_HTTP_PRIVATE_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "serve/daemon/auth.h"
#include "serve/daemon/http.h"

/* Number of routes, and one for requests that have none. */
#define HTTP_MAX_ROUTES 32u

/* Classes of answers in metrics: statuses 2xx to 5xx, and requests whose client has gone. */
enum { HTTP_CLASSES = 5, HTTP_GONE = 4 };

/**
 * struct http - a server
 * @source: where answers come from
 * @token: token that clients must have; NULL if none is needed
 * @session: session that a browser gets as a cookie at login
 * @daemons: one instance of libmicrohttpd for each address
 * @ports: ports of the addresses
 * @nr: number of entries in @daemons and @ports
 * @stopping: set by http_stop() to end requests early
 * @queries: number of running requests that read the store
 * @live: number of running live profiles
 * @connections: number of open connections
 * @answers: number of answers by route and class
 * @seconds: histogram of how long queries took
 */
struct http {
	struct api_source source;
	char *token;
	char session[AUTH_SESSION_LEN + 1];
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
 * @target: target of the request as it was sent
 * @form: body of a login, as far as it fits
 * @form_len: length of @form
 * @body_len: length of the whole body so far
 * @started: all headers have arrived
 */
struct exchange {
	char *target;
	char form[2048];
	size_t form_len;
	uint64_t body_len;
	bool started;
};

/* Answers a complete request. Return: the result for libmicrohttpd. */
enum MHD_Result http_serve(struct http *h, struct MHD_Connection *c, const char *method,
			   struct exchange *x);
/* Writes the server's metrics. For metrics_register(); @arg is the struct http. */
void http_collect(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_HTTP_PRIVATE_H */
