/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of requests: base64, JSON texts, protocol buffers and gzip, written to a buffer. */
#ifndef USTACK_USER_PUSH_BYTES_H
#define USTACK_USER_PUSH_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/diag.h"

/* Append base64 (RFC 4648), with padding. */
void push_put_base64(struct buffer *b, const void *bytes, size_t len);
/* Append a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void push_put_json(struct buffer *b, const char *text);

/*
 * Append a field of a protocol buffers message, unless its value is the default: the number 0 or
 * an empty text. Bytes of a text that are not UTF-8 become U+FFFD.
 */
void push_put_number(struct buffer *b, uint32_t field, uint64_t value);
void push_put_fixed64(struct buffer *b, uint32_t field, uint64_t value);
void push_put_string(struct buffer *b, uint32_t field, const char *text);
/* Append a field whatever its value is: an element of a repeated field, or a part of a oneof. */
void push_put_number_always(struct buffer *b, uint32_t field, uint64_t value);
void push_put_field(struct buffer *b, uint32_t field, const void *bytes, size_t len);

/*
 * A nested message in field @field has what is appended between these two calls. push_message()
 * returns the place of the message, which push_message_end() gets.
 */
size_t push_message(struct buffer *b, uint32_t field);
void push_message_end(struct buffer *b, size_t message);

/* Replace the contents of @b by a gzip file with them. Return: 0 or a negative errno. */
int push_gzip(struct buffer *b, struct diag *diag);

#endif /* USTACK_USER_PUSH_BYTES_H */
