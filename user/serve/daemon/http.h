/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's server: api.h's routes over HTTP, by libmicrohttpd.
 *
 *	http_start(&options, &http, &diag);
 *	http_listen(http, "127.0.0.1:7071", &diag);
 *	...
 *	http_stop(http);
 *
 * It listens where it is told to; an address that is not this machine's alone needs a
 * token. Each connection has a thread, which reads the store for itself: nothing that a
 * client does is waited for by anybody else. Connections, the time that one may be silent,
 * sizes, and queries at the same time are limited. What is checked of a request, and why,
 * is in Documentation/http-api.md.
 */
#ifndef USTACK_USER_DAEMON_HTTP_H
#define USTACK_USER_DAEMON_HTTP_H

#include "serve/daemon/api.h"

#define HTTP_MAX_LISTEN 8u
#define HTTP_MAX_CONNECTIONS 64u
/* Requests that read the store at the same time: others wait for a while, then are refused. */
#define HTTP_MAX_QUERIES 4u
/* Live profiles at the same time. */
#define HTTP_MAX_LIVE 4u

struct http;

/**
 * struct http_options - what is served
 * @token: that clients must have, or NULL; copied
 * @source: what is served; its strings and functions are used until http_stop(), its
 *          functions in any thread. If it has @metrics, the server's own are added to them
 */
struct http_options {
	const char *token;
	struct api_source source;
};

/**
 * http_start() - a server that listens nowhere yet
 * @o: copied
 * @ret: ended by http_stop(), on success
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL for a token that guard_token_check() refuses; another negative errno.
 */
int http_start(const struct http_options *o, struct http **ret, struct diag *diag);

/**
 * http_listen() - serve at an address, in the background
 * @h: of which one thread calls this and those below
 * @address: as guard_address() has it, such as "127.0.0.1:7071"; port 0 is a free one
 * @diag: may be NULL; names the address
 *
 * Signals are not taken by the server's threads.
 *
 * Return: 0; -EACCES for an address that others reach, without a token; -EINVAL for one
 * that is none; -E2BIG above HTTP_MAX_LISTEN; another negative errno of bind(2).
 */
int http_listen(struct http *h, const char *address, struct diag *diag);

/* The port of an address, in the order of http_listen(). */
unsigned int http_port(const struct http *h, unsigned int i);

/* Ends all connections: queries and live profiles are stopped, not waited for. NULL is
 * nothing.
 */
void http_stop(struct http *h);

#endif /* USTACK_USER_DAEMON_HTTP_H */
