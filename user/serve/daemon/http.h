/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's HTTP server: serves the routes of api.h with libmicrohttpd.
 *
 *	http_start(&options, &http, &diag);
 *	http_listen(http, "127.0.0.1:7071", &diag);
 *	...
 *	http_stop(http);
 *
 * An address that other machines can reach needs a token. Each connection has a thread of its own,
 * which reads the store by itself, so no client waits for another one. The number of connections,
 * their time of silence, the size of requests and the number of queries at the same time are
 * limited. Documentation/http-api.md explains which checks a request must pass, and why.
 */
#ifndef USTACK_USER_DAEMON_HTTP_H
#define USTACK_USER_DAEMON_HTTP_H

#include "serve/daemon/api.h"

#define HTTP_MAX_LISTEN 8u
#define HTTP_MAX_CONNECTIONS 64u
/* Requests that read the store at the same time. Others wait for a while and are then refused. */
#define HTTP_MAX_QUERIES 4u
/* Live profiles at the same time. */
#define HTTP_MAX_LIVE 4u

struct http;

/**
 * struct http_options - options of the server
 * @token: token that clients must have, or NULL; copied
 * @source: where answers come from. Its strings and functions are used until http_stop(), its
 *          functions in any thread. If it has @metrics, the server's own are added to them
 */
struct http_options {
	const char *token;
	struct api_source source;
};

/**
 * http_start() - make a server that does not listen yet
 * @o: the options, copied
 * @ret: the server; on success ended by http_stop()
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL for a token that auth_token_check() refuses; another negative errno.
 */
int http_start(const struct http_options *o, struct http **ret, struct diag *diag);

/**
 * http_listen() - serve at an address, in the background
 * @h: the server; only one thread calls this function and those below
 * @address: address that auth_address() accepts, such as "127.0.0.1:7071"; port 0 takes a free one
 * @diag: may be NULL; its file is @address
 *
 * The server's threads block all signals.
 *
 * Return: 0; -EACCES for an address that other machines reach, if there is no token; -EINVAL for
 * an invalid address; -E2BIG for more than HTTP_MAX_LISTEN; another negative errno of bind(2).
 */
int http_listen(struct http *h, const char *address, struct diag *diag);

/* Return: the port of address @i, counted in the order of http_listen(). */
unsigned int http_port(const struct http *h, unsigned int i);

/* Ends the server and all connections. Queries and live profiles are stopped early. @h may be
 * NULL.
 */
void http_stop(struct http *h);

#endif /* USTACK_USER_DAEMON_HTTP_H */
