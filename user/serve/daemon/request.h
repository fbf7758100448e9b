/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a client asks for, taken apart: the target of a request (RFC 9112, section 3.2) and
 * the values in it. Nothing of it is trusted: what is not understood is an error with the
 * parameter's name, not a default.
 */
#ifndef USTACK_USER_DAEMON_REQUEST_H
#define USTACK_USER_DAEMON_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* Of the target as it was sent. */
#define REQUEST_MAX_TARGET 16384u
#define REQUEST_MAX_PARAMS 32u

struct request_param {
	const char *key;
	const char *value;
};

/**
 * struct request - a target
 * @path: as it was sent, up to '?'; paths that are served have no '%' in them
 * @params: decoded; each key is there once
 * @nr_params: of them
 * @text: what the others point into
 */
struct request {
	const char *path;
	struct request_param params[REQUEST_MAX_PARAMS];
	unsigned int nr_params;
	char *text;
};

/**
 * request_parse() - take a target apart
 * @target: "/path?key=value&...", as it was sent
 * @ret: released by request_release(), on success
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL for escapes that are none, for "%00" and for a key that is there
 * twice; -E2BIG above the limits; -ENOMEM.
 */
int request_parse(const char *target, struct request *ret, struct diag *diag);

/* The same of a form's body, which has no path. */
int request_parse_form(const char *body, struct request *ret, struct diag *diag);
void request_release(struct request *r);

/* Return: the value, or NULL if there is none. */
const char *request_get(const struct request *r, const char *key);

/**
 * request_u64() - a number
 * @r: the request
 * @key: of it
 * @most: the largest that is allowed
 * @ret: stays as it is if the request has no such key
 * @diag: may be NULL
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int request_u64(const struct request *r, const char *key, uint64_t most, uint64_t *ret,
		struct diag *diag);

/**
 * request_span() - a length of time, such as "90", "1h30m"
 * @text: as when_parse_length() has it, or whole seconds
 * @ret: nanoseconds, not 0
 *
 * Return: 0 or -EINVAL.
 */
int request_span(const char *text, uint64_t *ret);

/**
 * request_time() - a moment: "1700000000.5", "now-15m", "2026-11-22T10:00:00Z"
 * @text: seconds since 1970, "now" and a length of time before it, or as when_parse() has it
 * @now_ns: what "now" is
 * @ret: nanoseconds since 1970
 *
 * Return: 0 or -EINVAL.
 */
int request_time(const char *text, uint64_t now_ns, uint64_t *ret);

#endif /* USTACK_USER_DAEMON_REQUEST_H */
