/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An answer in the making. It is whole before its first byte is sent, so that a failure in
 * its middle is an error and not half an answer; a client that reads slowly holds a file in
 * memory, and no lock and no profile.
 */
#ifndef USTACK_USER_DAEMON_REPLY_H
#define USTACK_USER_DAEMON_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* More bytes than this are refused, with what the client can do about it. */
#define REPLY_MAX_BYTES (256u << 20)

#define REPLY_JSON "application/json"
#define REPLY_HTML "text/html; charset=utf-8"
#define REPLY_TEXT "text/plain; charset=utf-8"
#define REPLY_BYTES "application/octet-stream"

/**
 * struct reply - what is sent
 * @status: of HTTP
 * @type: of the contents
 * @policy: Content-Security-Policy; NULL for the one of what is no page
 * @framed: pages of the same origin may have it in a frame
 * @file: a name to save it under, or NULL
 * @allow: methods, for status 405; or NULL
 * @location: for status 303; or NULL
 * @cookie: the whole field, or empty
 * @gzip: the contents are packed, see reply_gzip()
 * @gone: the client does not wait for an answer any more
 * @out: contents; NULL if there is no memory for any
 * @fd: of @out; what writes to it itself writes on, and gets EPERM beyond REPLY_MAX_BYTES
 * @full: more than REPLY_MAX_BYTES were written
 */
struct reply {
	unsigned int status;
	const char *type;
	const char *policy;
	bool framed;
	const char *file;
	const char *allow;
	const char *location;
	char cookie[160];
	bool gzip;
	bool gone;
	FILE *out;
	int fd;
	bool full;
};

/* Status 200 and nothing in it. Return: 0 or a negative errno; to be released either way. */
int reply_init(struct reply *r);
void reply_release(struct reply *r);

/**
 * reply_finish() - before it is sent
 * @r: the reply; is an error if writing it has failed
 * @len: bytes at the beginning of @fd
 *
 * Return: 0; a negative errno if not even an error can be sent.
 */
int reply_finish(struct reply *r, size_t *len);

/**
 * reply_gzip() - pack what is sent, if that is worth it
 * @r: finished; @r->gzip is true if it was packed
 * @accepted: the client's Accept-Encoding (RFC 9110, 12.5.3), or NULL
 * @len: bytes at the beginning of @fd; changed
 *
 * Text of a KiB and more is packed, as quickly as it can be. Without memory it goes as it is.
 */
void reply_gzip(struct reply *r, const char *accepted, size_t *len);

/* Whether a client takes gzip, by its Accept-Encoding; NULL is no. */
bool reply_accepts_gzip(const char *accepted);

/**
 * reply_error() - an error in place of what there is
 * @r: the reply
 * @status: of HTTP
 * @reason: a word for programs
 * @parameter: that is wrong, or NULL
 * @fmt: the sentence for people, without a full stop
 *
 * As JSON, {"error": {"status": 400, "reason": "...", "parameter": "...", "message": "..."}}.
 */
__attribute__((__format__(__printf__, 5, 6)))
void reply_error(struct reply *r, unsigned int status, const char *reason,
		 const char *parameter, const char *fmt, ...);

/* Status 413, with REPLY_MAX_BYTES. */
void reply_too_large(struct reply *r);

#endif /* USTACK_USER_DAEMON_REPLY_H */
