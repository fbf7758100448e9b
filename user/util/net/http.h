/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One server, one POST at a time, by libcurl. Who sends says what is sent, takes the answer piece by
 * piece, and says what it means; here are the connection, its limits, and how it ended.
 *
 * HTTP and HTTPS alone; certificates are always verified. No proxy but the one that is asked for,
 * no .netrc, no cookies, nothing of the environment; no redirection is followed.
 *
 * Context: one thread for each struct net_http, but for net_http_stop().
 */
#ifndef USTACK_USER_NET_HTTP_H
#define USTACK_USER_NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/net/curl.h"
#include "util/diag.h"

/* Of heads, those of 1xx included. */
#define NET_HTTP_HEAD_BYTES (64u << 10)

struct net_http;

/**
 * struct net_http_server - how the server is talked to; all strings are borrowed
 * @ca_file: certificates that the server's is verified with; NULL is the system's
 * @cert_file: of the client; NULL if it has none
 * @key_file: of @cert_file
 * @proxy: URL; NULL is none
 * @user: by HTTP's basic authentication; NULL: none
 * @password: of @user; NULL is an empty one
 * @token: where there is no @user: bearer token; NULL: none
 * @timeout_ms: for all of a request, its answer included
 * @receive_bytes: of the buffer of the connection; 0 is libcurl's own
 */
struct net_http_server {
	const char *ca_file;
	const char *cert_file;
	const char *key_file;
	const char *proxy;
	const char *user;
	const char *password;
	const char *token;
	uint32_t timeout_ms;
	uint32_t receive_bytes;
};

/**
 * struct net_http_request - what is sent
 * @url: with its query
 * @headers: lines of the head, "NAME: VALUE"; the last one is NULL
 * @body: @len bytes
 * @len: any
 * @http2: by HTTP/2; without TLS the server has to know it, as nothing can be agreed on
 * @once: over a connection of its own: libcurl sends again what got no answer over an old one
 */
struct net_http_request {
	const char *url;
	const char *const *headers;
	const void *body;
	size_t len;
	bool http2;
	bool once;
};

/**
 * struct net_http_take - who takes the answer; each returns false to end the request there
 * @head: a line of a head or of trailers, @len bytes of anything but NUL; may be NULL
 * @body: some bytes of the body, and the answer's status
 * @stop: looked at four times a second; true ends the request; may be NULL
 * @arg: for all of them
 */
struct net_http_take {
	bool (*head)(const char *line, size_t len, void *arg);
	bool (*body)(const void *bytes, size_t len, long status, void *arg);
	bool (*stop)(void *arg);
	void *arg;
};

/**
 * struct net_http_end - how it ended
 * @code: CURLE_OK: the whole answer was taken, whatever its status. CURLE_ABORTED_BY_CALLBACK: it
 *	was stopped. CURLE_WRITE_ERROR: @take ended it, or @head_too_long
 * @status: 0 if there is none
 * @head_too_long: heads have no end within NET_HTTP_HEAD_BYTES
 * @type: Content-Type, "" if it has none
 * @retry_after_s: 0 if the server did not say
 * @redirect: where the server wants the request to be sent; NULL: nowhere. Valid until the next
 *	request
 * @words: on a failure, why
 */
struct net_http_end {
	CURLcode code;
	long status;
	bool head_too_long;
	char type[128];
	uint64_t retry_after_s;
	const char *redirect;
	char words[CURL_ERROR_SIZE];
};

/**
 * net_http_new() - prepare; nothing is connected
 * @ret: released by net_http_free(); NULL on failure
 * @diag: may be NULL
 *
 * Return: 0; -ENOSYS without libcurl; -ENOMEM.
 */
int net_http_new(struct net_http **ret, struct diag *diag);
void net_http_free(struct net_http *h);

/* Sends, and waits for the answer; @ret is written in any case. */
void net_http_post(struct net_http *h, const struct net_http_server *server,
		   const struct net_http_request *request, const struct net_http_take *take,
		   struct net_http_end *ret);

/* The request that is on its way ends, and so do all later ones. Context: any thread. */
void net_http_stop(struct net_http *h);

#endif /* USTACK_USER_NET_HTTP_H */
