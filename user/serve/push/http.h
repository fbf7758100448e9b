/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One server, one request at a time (util/net/http.h). A redirection is followed to the same scheme,
 * host and port only.
 *
 * Context: one thread for each struct push_http, but for push_http_stop().
 */
#ifndef USTACK_USER_PUSH_HTTP_H
#define USTACK_USER_PUSH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/push/push.h"

/* What is kept of an answer; a longer one is no answer of these protocols. */
#define PUSH_ANSWER_BYTES (64u << 10)
#define PUSH_MAX_REDIRECTS 3u
#define PUSH_GRPC_BAD (-2)

struct push_http;

/**
 * struct push_request - what is sent
 * @url: of the endpoint, with its query
 * @type: Content-Type
 * @gzip: the body is
 * @identity: Idempotency-Key
 * @body: @len bytes
 * @len: any
 * @grpc: it is one of gRPC (grpc.h), over HTTP/2, and so is the answer
 * @once: over a connection of its own: libcurl sends again what got no answer over an old one
 */
struct push_request {
	const char *url;
	const char *type;
	bool gzip;
	const char *identity;
	const void *body;
	size_t len;
	bool grpc;
	bool once;
};

/**
 * struct push_answer - what came of it
 * @failure: %PUSH_NONE if the whole of an answer 2xx is here
 * @status: 0 if there is none
 * @retry_after_ms: 0 if the server did not say
 * @type: Content-Type, "" if it has none
 * @grpc_status: of gRPC; -1 if there was none, %PUSH_GRPC_BAD if it was no number
 * @grpc_message: in words
 * @body: @len bytes and a NUL
 * @len: at most %PUSH_ANSWER_BYTES
 * @error: of a failure, in words
 */
struct push_answer {
	enum push_failure failure;
	long status;
	uint64_t retry_after_ms;
	char type[128];
	long grpc_status;
	char grpc_message[256];
	char body[PUSH_ANSWER_BYTES + 1];
	size_t len;
	char error[PUSH_ERROR_BYTES];
};

/**
 * push_http_new() - prepare
 * @options: must outlive the result
 * @ret: released by push_http_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENOSYS without libcurl; -ENOMEM.
 */
int push_http_new(const struct push_options *options, struct push_http **ret,
		  struct diag *diag);

/* Send, and wait for the answer; @answer is written in any case. */
void push_http_send(struct push_http *h, const struct push_request *request,
		    struct push_answer *answer);

/* The request that is on its way ends, and so do all later ones. Context: any thread. */
void push_http_stop(struct push_http *h);

void push_http_free(struct push_http *h);

#endif /* USTACK_USER_PUSH_HTTP_H */
