/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the target of a client's request (RFC 9112, section 3.2) and the values of its parameters.
 * Nothing in it is trusted. An invalid value gives an error with the parameter's name, and never
 * a default.
 */
#ifndef USTACK_USER_DAEMON_REQUEST_H
#define USTACK_USER_DAEMON_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* Bytes of a target as it was sent, and number of its parameters. */
#define REQUEST_MAX_TARGET 16384u
#define REQUEST_MAX_PARAMS 32u

struct request_param {
	const char *key;
	const char *value;
};

/**
 * struct request - a parsed target
 * @path: the path as it was sent, up to '?'; no path that is served has a '%'
 * @params: the parameters, decoded; no key occurs twice
 * @nr_params: number of entries in @params
 * @text: memory that @path and @params point to
 */
struct request {
	const char *path;
	struct request_param params[REQUEST_MAX_PARAMS];
	unsigned int nr_params;
	char *text;
};

/**
 * request_parse() - parse a target
 * @target: "/path?key=value&...", as it was sent
 * @ret: the parsed target; on success released by request_release()
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL for invalid escapes, for "%00" and for a key that occurs twice; -E2BIG above
 * the limits; -ENOMEM.
 */
int request_parse(const char *target, struct request *ret, struct diag *diag);

/* Parses the body of a form, which has no path. Return: as request_parse(). */
int request_parse_form(const char *body, struct request *ret, struct diag *diag);
void request_release(struct request *r);

/* Return: the value of a parameter; NULL if there is none. */
const char *request_get(const struct request *r, const char *key);

/**
 * request_u64() - read a parameter that is a number
 * @r: the request
 * @key: name of the parameter
 * @most: the largest number that is allowed
 * @ret: the number; stays as it is if the request does not have the parameter
 * @diag: may be NULL
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int request_u64(const struct request *r, const char *key, uint64_t most, uint64_t *ret,
		struct diag *diag);

/**
 * request_span() - parse a length of time, such as "90" or "1h30m"
 * @text: seconds, or a text that when_parse_length() accepts
 * @ret: nanoseconds, not 0
 *
 * Return: 0 or -EINVAL.
 */
int request_span(const char *text, uint64_t *ret);

/**
 * request_time() - parse a time: "1700000000.5", "now-15m", "2026-11-22T10:00:00Z"
 * @text: seconds since 1970, "now-" and a length of time, or a text that when_parse() accepts
 * @now_ns: the time that "now" means, nanoseconds since 1970
 * @ret: nanoseconds since 1970
 *
 * Return: 0 or -EINVAL.
 */
int request_time(const char *text, uint64_t now_ns, uint64_t *ret);

#endif /* USTACK_USER_DAEMON_REQUEST_H */
