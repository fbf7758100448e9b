/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gRPC over HTTP/2, as far as one request and one answer of it go:
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 *
 * libcurl does HTTP/2. What is left is five bytes in front of each message, and a status that comes
 * after the answer's body, in trailers.
 */
#ifndef USTACK_USER_PUSH_GRPC_H
#define USTACK_USER_PUSH_GRPC_H

#include <stdbool.h>
#include <stddef.h>

#include "serve/push/http.h"
#include "util/buffer.h"

/* Compressed or not, and four bytes of length. */
#define PUSH_GRPC_PREFIX 5u

/* @message becomes a message of gRPC. Return: 0; -ENOMEM; -EFBIG. */
int push_grpc_frame(struct buffer *message, bool compressed);

/* A line of the answer's head or trailers; any bytes, @len of them, without a NUL. */
void push_grpc_head(struct push_answer *a, const char *line, size_t len);

/**
 * push_grpc_answer() - read the status, and take the prefix off
 * @a: an answer whose HTTP status is 2xx. Its @status becomes that of HTTP which means the same,
 *     so that what follows from it is the same for both; @body and @len become the message
 */
void push_grpc_answer(struct push_answer *a);

#endif /* USTACK_USER_PUSH_GRPC_H */
