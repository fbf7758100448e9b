/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gRPC over HTTP/2, for one request and its answer:
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 *
 * libcurl does HTTP/2. This adds the five bytes before each message, and reads the status that
 * follows the answer's body in trailers.
 */
#ifndef USTACK_USER_PUSH_GRPC_H
#define USTACK_USER_PUSH_GRPC_H

#include <stdbool.h>
#include <stddef.h>

#include "serve/push/http.h"
#include "util/buffer.h"

/* Bytes before a message: one says whether it is compressed, four are its length. */
#define PUSH_GRPC_PREFIX 5u

/* Put the prefix before the bytes of @message. Return: 0; -ENOMEM; -EFBIG. */
int push_grpc_frame(struct buffer *message, bool compressed);

/* Take a line of the answer's head or trailers: any @len bytes, not terminated by a NUL. */
void push_grpc_head(struct push_answer *a, const char *line, size_t len);

/**
 * push_grpc_answer() - judge an answer by its gRPC status
 * @a: an answer whose HTTP status is 2xx
 *
 * If the status of gRPC is an error, @a->status becomes the HTTP status that means the same, so
 * that the same rules apply to both. Otherwise @a->body and @a->len become the message, without
 * its prefix.
 */
void push_grpc_answer(struct push_answer *a);

#endif /* USTACK_USER_PUSH_GRPC_H */
