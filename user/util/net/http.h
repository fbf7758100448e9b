/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client for one server and one POST at a time, by libcurl. The caller builds
 * the request, takes the answer piece by piece, and interprets it. This file
 * has the connection, its limits, and how the request ended.
 *
 * Only HTTP and HTTPS are spoken, and certificates are always verified. There
 * is no proxy but the configured one, no .netrc, no cookies; environment
 * variables are ignored and redirections are not followed.
 *
 * Context: one thread for each struct net_http; net_http_stop() may be called
 * from any thread.
 */
#ifndef USTACK_USER_NET_HTTP_H
#define USTACK_USER_NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/net/curl.h"
#include "util/diag.h"

/* Most bytes of an answer's heads, including those of 1xx answers. */
#define NET_HTTP_HEAD_BYTES (64u << 10)

struct net_http;

/**
 * struct net_http_server - how to talk to a server; all strings are borrowed
 * @ca_file: file of certificates that verify the server's; NULL is the system's
 * @cert_file: file of the client's certificate; NULL if it has none
 * @key_file: file of the private key for @cert_file
 * @proxy: URL of the proxy; NULL if there is none
 * @user: name for HTTP's basic authentication; NULL if it is not used
 * @password: password of @user; NULL is an empty one
 * @token: bearer token, used if there is no @user; NULL if there is none
 * @timeout_ms: time limit of a whole request, including its answer
 * @receive_bytes: size of the receive buffer; 0 is libcurl's default
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
 * struct net_http_request - what to send
 * @url: URL with its query
 * @headers: header lines "NAME: VALUE"; the last one is NULL
 * @body: body of the request
 * @len: bytes of @body
 * @http2: use HTTP/2; without TLS the server must know HTTP/2, as there is no
 *         negotiation
 * @once: use a new connection: libcurl repeats a request that got no answer
 *        over an old connection
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
 * struct net_http_receiver - callbacks for the answer; a callback that returns
 * false ends the request
 * @head: gets a line of a head or of trailers, @len bytes without a NUL; may be
 *        NULL
 * @body: gets some bytes of the body, and the answer's status
 * @stop: called four times a second; true ends the request; may be NULL
 * @arg: passed to all of them
 */
struct net_http_receiver {
	bool (*head)(const char *line, size_t len, void *arg);
	bool (*body)(const void *bytes, size_t len, long status, void *arg);
	bool (*stop)(void *arg);
	void *arg;
};

/**
 * struct net_http_end - how a request ended
 * @code: CURLE_OK: the whole answer was taken, whatever its status.
 *        CURLE_ABORTED_BY_CALLBACK: the request was stopped. CURLE_WRITE_ERROR:
 *        @take ended it, or @head_too_long
 * @status: HTTP status, 0 if there is none
 * @head_too_long: the heads exceed NET_HTTP_HEAD_BYTES
 * @type: Content-Type, "" if there is none
 * @retry_after_s: seconds of Retry-After, 0 if there is none
 * @redirect: URL that the server redirects to; NULL if there is none. Valid
 *            until the next request
 * @words: text of the error, on failure
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
 * net_http_new() - make a client; nothing is connected yet
 * @ret: released by net_http_free(); NULL on failure
 * @diag: may be NULL
 *
 * Return: 0; -ENOSYS without libcurl; -ENOMEM.
 */
int net_http_new(struct net_http **ret, struct diag *diag);
void net_http_free(struct net_http *h);

/* Sends a request and waits for the answer; @ret is always written. */
void net_http_post(struct net_http *h, const struct net_http_server *server,
		   const struct net_http_request *request, const struct net_http_receiver *take,
		   struct net_http_end *ret);

/* Ends the present request and all later ones. Context: any thread. */
void net_http_stop(struct net_http *h);

#endif /* USTACK_USER_NET_HTTP_H */
