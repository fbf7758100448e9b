/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A writer of JSON: values come out in the order of the calls, with commas and
 * quotes. If @name is NULL, a value is an element of an array or the whole
 * document.
 */
#ifndef USTACK_USER_JSON_H
#define USTACK_USER_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - the state of a document
 * @out: stream that the document is written to; borrowed
 * @first: nothing has been written at this level yet
 */
struct json {
	FILE *out;
	bool first;
};

static inline void json_init(struct json *j, FILE *out)
{
	*j = (struct json){ .out = out, .first = true };
}

void json_object(struct json *j, const char *name);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *name);
void json_array_end(struct json *j);

/* Bytes that are not UTF-8 become U+FFFD; control characters are escaped. */
void json_string(struct json *j, const char *name, const char *value);
void json_u64(struct json *j, const char *name, uint64_t value);
void json_i64(struct json *j, const char *name, int64_t value);
void json_double(struct json *j, const char *name, double value);
/* A number with exactly six decimals, such as milliseconds that are given in nanoseconds. */
void json_millionths(struct json *j, const char *name, int64_t millionths);
void json_bool(struct json *j, const char *name, bool value);
void json_null(struct json *j, const char *name);

/* Ends the document with a newline. Another document may follow. */
void json_end(struct json *j);

#endif /* USTACK_USER_JSON_H */
