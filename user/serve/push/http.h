/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sends requests to one server, one at a time, by util/net/http.h. It adds the target's headers
 * and secrets, and follows redirections to the same scheme, host and port only.
 *
 * Context: one thread for each struct push_http, except for push_http_stop().
 */
#ifndef USTACK_USER_PUSH_HTTP_H
#define USTACK_USER_PUSH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/push/push.h"

/* Longest body of an answer: no protocol here has longer ones. */
#define PUSH_ANSWER_BYTES (64u << 10)
#define PUSH_MAX_REDIRECTS 3u
/* @grpc_status of an answer whose grpc-status is not a number. */
#define PUSH_GRPC_BAD (-2)

struct push_http;

/**
 * struct push_request - a POST request
 * @url: URL of the endpoint, with its query
 * @type: value of the header Content-Type
 * @gzip: @body is compressed
 * @identity: value of the header Idempotency-Key
 * @body: body, @len bytes
 * @len: number of bytes of @body
 * @grpc: request and answer are gRPC (grpc.h), over HTTP/2
 * @once: use a new connection, because libcurl by itself repeats a request that got no answer
 *        over a connection that was kept open
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
 * struct push_answer - the result of a request
 * @failure: kind of failure; %PUSH_NONE if a 2xx answer was received completely
 * @status: HTTP status, 0 if there was no answer
 * @retry_after_ms: delay that the server asks for, 0 if none
 * @type: value of the header Content-Type, "" if there was none
 * @grpc_status: status of gRPC; -1 if there was none, %PUSH_GRPC_BAD if it was not a number
 * @grpc_message: message of gRPC that explains @grpc_status
 * @body: body, @len bytes and a NUL
 * @len: number of bytes of @body, at most %PUSH_ANSWER_BYTES
 * @error: message for people about the failure, "" if there was none
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
 * push_http_new() - prepare a connection to a server; nothing is sent yet
 * @options: options of the target; must outlive the result
 * @ret: to be released by push_http_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENOSYS without libcurl; -ENOMEM.
 */
int push_http_new(const struct push_options *options, struct push_http **ret,
		  struct diag *diag);

/* Send a request and wait for the answer; @answer is written in any case. */
void push_http_send(struct push_http *h, const struct push_request *request,
		    struct push_answer *answer);

/* End the current request, and let all later ones fail. Context: any thread. */
void push_http_stop(struct push_http *h);

void push_http_free(struct push_http *h);

#endif /* USTACK_USER_PUSH_HTTP_H */
