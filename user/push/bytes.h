/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes in the making, and protocol buffers of them. Failure to allocate sticks: who builds
 * looks once, at the end.
 */
#ifndef USTACK_USER_PUSH_BYTES_H
#define USTACK_USER_PUSH_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/**
 * struct push_bytes - all zeros is none
 * @at: @len bytes
 * @room: of @at
 * @failed: no memory: what is here is of no use
 */
struct push_bytes {
	uint8_t *at;
	size_t len;
	size_t room;
	bool failed;
};

void push_bytes_release(struct push_bytes *b);
void push_put(struct push_bytes *b, const void *bytes, size_t len);
void push_put_text(struct push_bytes *b, const char *text);
/* As by RFC 4648, with padding. */
void push_put_base64(struct push_bytes *b, const void *bytes, size_t len);
/* A text of JSON, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void push_put_json(struct push_bytes *b, const char *text);

/* Protocol buffers: a field with a number, unless it is 0; with a text, unless it is empty. */
void push_put_number(struct push_bytes *b, uint32_t field, uint64_t value);
void push_put_fixed64(struct push_bytes *b, uint32_t field, uint64_t value);
void push_put_string(struct push_bytes *b, uint32_t field, const char *text);
/* The same with anything, and always: elements of a repeated field, parts of a oneof. */
void push_put_number_always(struct push_bytes *b, uint32_t field, uint64_t value);
void push_put_field(struct push_bytes *b, uint32_t field, const void *bytes, size_t len);
/* An element of a packed field, without a tag. */
void push_put_varint(struct push_bytes *b, uint64_t value);

/* A message within: what is put between these is in field @field. Return: for _end(). */
size_t push_message(struct push_bytes *b, uint32_t field);
void push_message_end(struct push_bytes *b, size_t message);

/* @b becomes a gzip file of itself. Return: 0 or a negative errno. */
int push_gzip(struct push_bytes *b, struct diag *diag);

#endif /* USTACK_USER_PUSH_BYTES_H */
