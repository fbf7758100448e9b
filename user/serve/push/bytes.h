/* SPDX-License-Identifier: GPL-2.0-only */
/* What requests are made of: texts, JSON and protocol buffers, in buffers that grow. */
#ifndef USTACK_USER_PUSH_BYTES_H
#define USTACK_USER_PUSH_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/diag.h"

/* As by RFC 4648, with padding. */
void push_put_base64(struct buffer *b, const void *bytes, size_t len);
/* A text of JSON, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void push_put_json(struct buffer *b, const char *text);

/* Protocol buffers: a field with a number, unless it is 0; with a text, unless it is empty. */
void push_put_number(struct buffer *b, uint32_t field, uint64_t value);
void push_put_fixed64(struct buffer *b, uint32_t field, uint64_t value);
void push_put_string(struct buffer *b, uint32_t field, const char *text);
/* The same with anything, and always: elements of a repeated field, parts of a oneof. */
void push_put_number_always(struct buffer *b, uint32_t field, uint64_t value);
void push_put_field(struct buffer *b, uint32_t field, const void *bytes, size_t len);

/* A message within: what is put between these is in field @field. Return: for _end(). */
size_t push_message(struct buffer *b, uint32_t field);
void push_message_end(struct buffer *b, size_t message);

/* @b becomes a gzip file of itself. Return: 0 or a negative errno. */
int push_gzip(struct buffer *b, struct diag *diag);

#endif /* USTACK_USER_PUSH_BYTES_H */
